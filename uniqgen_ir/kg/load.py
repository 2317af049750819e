"""Graphs from files (`.nt`, `.ttl`, `.tsv`, `.cypher`, `.csv`, each also `.gz`), folders of them, bundled graphs."""

from __future__ import annotations

import gc
import hashlib
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeVar

from attrs import frozen

from uniqgen_ir.ir.diagnostics import fail
from uniqgen_ir.ir.graph import Fact, Graph
from uniqgen_ir.ir.terms import IRI, Literal
from uniqgen_ir.ir.vocabulary import PG_PROPERTY, RDFS_LABEL, SKOS_PREF_LABEL
from uniqgen_ir.kg.formats import FORMATS, SUBGRAPHS, SourceFile, facts_of_file

if TYPE_CHECKING:
    import pyoxigraph

Item = TypeVar("Item")

BUNDLED: Final = Path(__file__).parent / "bundled"
BUNDLED_GRAPHS: Final[dict[str, Path]] = {"almanac": BUNDLED}
"""The graphs that come with the package, by name."""

_LABEL_NAMES: Final = ("label", "preflabel", "name", "title", "object.name")


@frozen
class LoadedGraph:
    """A graph in memory and what is known about it.

    `label_predicates` hold the names of things, best first; `content_hash` is a hexadecimal SHA-256 over the files.
    """

    graph: Graph
    label_predicates: tuple[IRI, ...]
    content_hash: str
    sources: tuple[str, ...]

    def facts(self) -> Iterator[Fact]:
        """Every fact once."""
        return iter(self.graph)


@frozen
class GraphFiles:
    """Graph files as a source that engines can load without a graph in memory.

    `content_hash` is that of `LoadedGraph`; two sets of files with the same bytes share a built store.
    """

    sources: tuple[str, ...]
    files: tuple[SourceFile, ...]
    content_hash: str

    @classmethod
    def of(cls, sources: Sequence[str]) -> GraphFiles:
        """The files behind the sources. Raises DiagnosticError where one is missing or no graph."""
        files = source_files(sources)
        return cls(tuple(sources), files, content_hash(files))

    def facts(self) -> Iterator[Fact]:
        """Every fact, one at a time."""
        return facts_of_files(self.files)

    def quads(self, blank: Callable[[str], pyoxigraph.NamedNode]) -> Iterator[pyoxigraph.Quad] | None:
        """See `quads_of_files`."""
        return quads_of_files(self.files, blank)


def load_graph(sources: Sequence[str]) -> LoadedGraph:
    """The union of all sources. Blank nodes of different files stay apart.

    Raises DiagnosticError (UQ620 to UQ627) for a source that is missing, unreadable, empty or broken.
    """
    files = source_files(sources)
    with _without_collection():
        graph = Graph(facts_of_files(files))
    return LoadedGraph(graph, label_predicates(graph), content_hash(files), tuple(sources))


@contextmanager
def _without_collection() -> Generator[None]:
    # a graph is many small objects and no garbage: the cycle collector would only walk them again and again
    collecting = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collecting:
            gc.enable()


def iter_facts(sources: Sequence[str]) -> Iterator[Fact]:
    """The facts of all sources in order, one at a time; a fact that the files repeat comes as often as it stands there.

    The same blank node labels and the same errors as `load_graph`.
    """
    return facts_of_files(source_files(sources))


def facts_of_files(files: Iterable[SourceFile]) -> Iterator[Fact]:
    """The facts of these files in order; those of CSV files, which refer to each other, come last."""
    listed = tuple(files)
    sheets = [file for file in listed if file.format == ".csv"]
    parts = [(file.path, facts_of_file(file)) for file in listed if file.format != ".csv"]
    if sheets:
        from uniqgen_ir.kg.property_graph.csv_files import csv_facts

        parts.append((sheets[0].path, csv_facts(sheets)))
    for path, facts in parts:
        yield from _some(facts, path)


def quads_of_files(
    files: Sequence[SourceFile], blank: Callable[[str], pyoxigraph.NamedNode]
) -> Iterator[pyoxigraph.Quad] | None:
    """The facts of files in RDF as quads of the library that reads them; None where one is in another format.

    `blank` gives the IRI that stands for a blank node.
    """
    if any(one.format not in (".nt", ".ttl") for one in files):
        return None
    from uniqgen_ir.kg.quads import quads_of_file

    return chain.from_iterable(_some(quads_of_file(one, blank), one.path) for one in files)


def _some(items: Iterable[Item], path: Path) -> Iterator[Item]:
    """The items of a file. Raises DiagnosticError UQ622 where there is none."""
    found = False
    for item in items:
        found = True
        yield item
    if not found:
        raise fail("UQ622", f"{path} holds no fact", hint="check that it is the file that you meant")


def source_files(sources: Sequence[str]) -> tuple[SourceFile, ...]:
    """The files behind the sources, in order; those of a folder by name. Raises DiagnosticError."""
    paths = [path for source in sources for path in _paths_of(source)]
    several = len(paths) > 1
    return tuple(
        SourceFile(path, _format_of(path), f"f{place}" if several else "") for place, path in enumerate(paths, 1)
    )


def content_hash(files: Iterable[SourceFile]) -> str:
    """A hexadecimal SHA-256 over formats and bytes of the files, in order; names of folders play no part."""
    digest = hashlib.sha256()
    for file in files:
        size = file.path.stat().st_size
        digest.update(f"{file.format} {file.compressed} {file.blank_prefix} {size}\n".encode())
        with file.path.open("rb") as stream:
            while chunk := stream.read(1 << 20):
                digest.update(chunk)
    return digest.hexdigest()


def label_predicates(graph: Graph) -> tuple[IRI, ...]:
    """The predicates of the graph that hold names of things, best first.

    They are rdfs:label, skos:prefLabel, and predicates whose local name is `label`, `name` or `title` and whose objects
    are strings.
    """
    found = [predicate for predicate in graph.predicates if _is_label(graph, predicate)]
    standard = {RDFS_LABEL: 0, SKOS_PREF_LABEL: 1}
    return tuple(sorted(found, key=lambda predicate: (standard.get(predicate.value, 2), -_uses(graph, predicate))))


def names_things(predicate: IRI) -> bool:
    """Whether the predicate is called as those are that hold names of things."""
    local = predicate.value.rstrip("/#").removeprefix(PG_PROPERTY).rsplit("/", 1)[-1].rsplit("#", 1)[-1].lower()
    return local in _LABEL_NAMES or local.endswith(".object.name")


def _is_label(graph: Graph, predicate: IRI) -> bool:
    if not names_things(predicate):
        return False
    first = next(graph.match(None, predicate, None), None)
    return first is not None and isinstance(first[2], Literal)


def _uses(graph: Graph, predicate: IRI) -> int:
    return sum(1 for _ in graph.match(None, predicate, None))


def _paths_of(source: str) -> list[Path]:
    path = BUNDLED_GRAPHS.get(source) or Path(source).expanduser()
    if path.is_dir():
        inside = sorted(one for one in path.iterdir() if one.is_file() and _ending(one) in FORMATS)
        if not inside:
            raise fail(
                "UQ623",
                f"the folder {source} holds no graph file",
                hint=f"graph files end in {', '.join(FORMATS)}, each also with .gz",
            )
        return inside
    if not path.exists():
        bundled = ", ".join(BUNDLED_GRAPHS)
        raise fail("UQ620", f"there is no graph {source}", hint=f"give a file, a folder, or a bundled graph: {bundled}")
    return [path]


def _ending(path: Path) -> str:
    name = path.name.lower().removesuffix(".gz")
    return f".{name.rsplit('.', 1)[-1]}" if "." in name else ""


def _format_of(path: Path) -> str:
    ending = _ending(path)
    if ending not in (*FORMATS, SUBGRAPHS):
        raise fail(
            "UQ621",
            f"{path} does not end like a graph file",
            hint=f"graph files end in {', '.join(FORMATS)}, each also with .gz",
        )
    return ending
