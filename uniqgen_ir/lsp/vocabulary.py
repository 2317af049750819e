"""The schemas that a text speaks of, from the files that it uses and the project file, read again when they change."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TypeAlias

from attrs import define, field, frozen

from uniqgen_ir.grammar.schema import LoadResult, load_documents
from uniqgen_ir.ir.diagnostics import Diagnostic, errors
from uniqgen_ir.ir.schema import Document
from uniqgen_ir.ir.schema_index import SchemaIndex

Stamp: TypeAlias = "tuple[int, int] | int | None"


@frozen(eq=False)
class Vocabulary:
    """What some `.cts` files declare. `index` is None where they declare no schema."""

    documents: tuple[Document, ...] = ()
    diagnostics: tuple[Diagnostic, ...] = ()
    texts: Mapping[str, str] = field(factory=dict[str, str])
    """by name of the file, as it stands in spans"""
    index: SchemaIndex | None = None

    @property
    def prefixes(self) -> dict[str, str]:
        """All prefixes of the files; the first declaration holds."""
        found: dict[str, str] = {}
        for document in self.documents:
            for prefix, namespace in document.prefixes:
                found.setdefault(prefix, namespace)
        return found


@define
class _Kept:
    vocabulary: Vocabulary
    stamps: dict[Path, Stamp]
    last_good: Vocabulary | None


@define
class Vocabularies:
    """Reads vocabularies and keeps them until a file changes, on disk or in the editor."""

    kept: dict[tuple[Path, ...], _Kept] = field(factory=dict["tuple[Path, ...]", "_Kept"])

    def of(self, files: Sequence[Path], open_texts: Mapping[Path, str]) -> Vocabulary:
        """What the files declare together. While one of them has errors, what they declared before.

        The diagnostics are always those of the files as they are.
        """
        key = tuple(files)
        before = self.kept.get(key)
        if before is not None and before.stamps == {path: _stamp(path, open_texts) for path in before.stamps}:
            return before.vocabulary
        results = [load_documents(file, open_texts) for file in files]
        read = [Path(name) for result in results for name, _ in result.sources]
        now = _vocabulary(results)
        last_good = now if not errors(now.diagnostics) else before.last_good if before is not None else None
        if last_good is not None and last_good is not now:
            now = Vocabulary(last_good.documents, now.diagnostics, now.texts, last_good.index)
        self.kept[key] = _Kept(now, {path: _stamp(path, open_texts) for path in (*files, *read)}, last_good)
        return now


def _vocabulary(results: Sequence[LoadResult]) -> Vocabulary:
    documents: dict[int, Document] = {}
    seen: set[Document] = set()
    for result in results:
        for document in result.documents:
            # two files may use a third one
            if document not in seen:
                seen.add(document)
                documents[len(documents)] = document
    every = tuple(documents.values())
    schemas = [schema for document in every for schema in document.schemas]
    lexicons = [lexicon for document in every for lexicon in document.lexicons]
    return Vocabulary(
        every,
        tuple(dict.fromkeys(one for result in results for one in result.diagnostics)),
        dict(pair for result in results for pair in result.sources),
        SchemaIndex.of(*schemas, lexicons=lexicons) if schemas else None,
    )


def _stamp(path: Path, open_texts: Mapping[Path, str]) -> Stamp:
    """Changes whenever the content does; None where there is no such file."""
    resolved = path.resolve()
    if resolved in open_texts:
        return hash(open_texts[resolved])
    try:
        status = os.stat(resolved)
    except OSError:
        return None
    return status.st_mtime_ns, status.st_size
