"""A snapshot on disk: `graph.nt`, sorted, and `snapshot.json`, which says what of and how it was made."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from attrs import asdict, frozen

from uniqgen_ir.ir.diagnostics import fail
from uniqgen_ir.ir.terms import IRI
from uniqgen_ir.ir.vocabulary import RDF_TYPE
from uniqgen_ir.kg.export.ntriples import write_ntriples
from uniqgen_ir.kg.export.spool import Progress
from uniqgen_ir.kg.export.text_files import new_folder, written
from uniqgen_ir.kg.snapshot.cut import Cut, Facts

MANIFEST: Final = "snapshot.json"
VERSION: Final = 1


@frozen
class Manifest:
    """What a snapshot says of itself. Hashes are hexadecimal SHA-256; counts are of what lies inside."""

    version: int
    sources: tuple[str, ...]
    source_sha256: str
    around: tuple[str, ...]
    hops: int
    hub_limit: int
    nodes: int
    hubs: int
    facts: int
    predicates: int
    classes: int
    graph_sha256: str


def write_snapshot(
    folder: Path,
    facts: Facts,
    cut: Cut,
    *,
    sources: Sequence[str],
    source_sha256: str,
    around: Sequence[str],
    progress: Progress | None = None,
) -> Manifest:
    """Write the snapshot into a new or empty folder. The same graph and options give the same bytes. Raises UQ687."""
    with new_folder(folder):
        inside = sorted(set(cut.facts(facts)), key=str)
        write_ntriples(inside, folder, progress)
        manifest = Manifest(
            VERSION,
            tuple(sources),
            source_sha256,
            tuple(around),
            cut.hops,
            cut.hub_limit,
            len(cut.nodes),
            len(cut.hubs),
            len(inside),
            len({predicate for _, predicate, _ in inside}),
            len(
                {
                    object_
                    for _, predicate, object_ in inside
                    if predicate.value == RDF_TYPE and isinstance(object_, IRI)
                }
            ),
            _sha256(folder / "graph.nt"),
        )
        with written(folder, MANIFEST) as stream:
            json.dump(asdict(manifest), stream, indent=2, ensure_ascii=False)
            stream.write("\n")
        return manifest


def read_snapshot(folder: Path) -> Manifest:
    """The manifest of a snapshot whose graph is still the one that was written. Raises DiagnosticError (UQ688)."""
    try:
        content = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
        manifest = _manifest(content)
        found = _sha256(folder / "graph.nt")
    except OSError as error:
        raise fail("UQ688", f"{folder} is no snapshot: {error.strerror}: {error.filename}") from error
    except (ValueError, TypeError, KeyError, IndexError) as error:
        raise fail("UQ688", f"{folder / MANIFEST} is not the manifest of a snapshot") from error
    if manifest.version != VERSION:
        raise fail("UQ688", f"{folder} is a snapshot of version {manifest.version}, and this reads version {VERSION}")
    if found != manifest.graph_sha256:
        raise fail(
            "UQ688", f"{folder / 'graph.nt'} is not the file that {MANIFEST} speaks of", hint="make the snapshot again"
        )
    return manifest


def _manifest(content: dict[str, Any]) -> Manifest:
    lists: dict[str, Any] = {name: tuple(content.pop(name)) for name in ("sources", "around")}
    return Manifest(**lists, **content)


def _sha256(path: Path) -> str:
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()
