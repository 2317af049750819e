"""The file formats of graphs, plain or gzipped: N-Triples, Turtle, tab-separated names, scripts of Cypher.

The CSV files of a property graph belong together: `property_graph.csv_files`.
"""

from __future__ import annotations

import gzip
import io
import zlib
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import IO, TYPE_CHECKING, Final, cast
from urllib.parse import quote

from attrs import frozen

from uniqgen_ir.ir.diagnostics import DiagnosticError, fail
from uniqgen_ir.ir.graph import Fact
from uniqgen_ir.ir.spans import Span
from uniqgen_ir.ir.terms import IRI, BlankNode, Literal
from uniqgen_ir.ir.vocabulary import RDFS_LABEL

if TYPE_CHECKING:
    import pyoxigraph
    from typing_extensions import Buffer

FORMATS: Final = (".nt", ".ttl", ".tsv", ".cypher", ".csv")
"""Endings of graph files; each may be followed by `.gz`."""
SUBGRAPHS: Final = ".jsonl"
"""Questions with their subgraphs: a graph where the file is named, never for lying in a folder of graph files."""

ENTITY_NAMESPACE: Final = "urn:e:"
RELATION_NAMESPACE: Final = "urn:r:"


@frozen
class SourceFile:
    """One file of a graph. `blank_prefix` goes before the labels of its blank nodes, so that files stay apart."""

    path: Path
    format: str
    blank_prefix: str = ""

    @property
    def compressed(self) -> bool:
        return self.path.name.lower().endswith(".gz")


def facts_of_file(file: SourceFile) -> Iterator[Fact]:
    """The facts of one file, in order. Raises DiagnosticError where the file is broken."""
    with open_source(file) as stream:
        yield from _READERS.get(file.format, _rdf_facts)(file, stream)


class SourceStream(io.RawIOBase):
    """The bytes of a file, unpacked where needed; a fault becomes a diagnostic and is kept in `fault`.

    Parsers written in other languages may swallow the exception that a read raises, hence the copy.
    """

    def __init__(self, file: SourceFile) -> None:
        self.fault: DiagnosticError | None = None
        self._path = file.path
        try:
            opened = gzip.GzipFile(file.path, "rb") if file.compressed else io.FileIO(file.path)
        except OSError as error:
            raise fail("UQ627", f"cannot open {file.path}: {error.strerror}") from error
        self._stream: gzip.GzipFile | io.FileIO = opened

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Buffer, /) -> int:
        view = memoryview(buffer).cast("B")
        try:
            chunk = self._stream.read(len(view)) or b""
        except (EOFError, zlib.error, gzip.BadGzipFile) as error:
            self.fault = fail("UQ624", f"{self._path} is not a whole gzip file: {error}", hint="fetch the file again")
            raise self.fault from error
        except OSError as error:
            self.fault = fail("UQ627", f"cannot read {self._path}: {error.strerror}")
            raise self.fault from error
        view[: len(chunk)] = chunk
        return len(chunk)

    def close(self) -> None:
        self._stream.close()
        super().close()


def open_source(file: SourceFile) -> SourceStream:
    """The bytes of the file. Raises DiagnosticError where it cannot be opened."""
    return SourceStream(file)


def line_span(file: SourceFile, line: int, column: int = 1, end_column: int | None = None) -> Span:
    """A place in a file."""
    return Span(0, 0, line, column, line, end_column or column + 1, str(file.path))


def syntax_fault(file: SourceFile, error: SyntaxError) -> DiagnosticError:
    """The diagnostic for what the RDF parser found."""
    line, column = error.lineno or 1, error.offset or 1
    message = str(error.msg).split(": ", 1)[-1]
    end = error.end_offset if error.end_lineno == line else None
    return fail("UQ625", f"line {line} of {file.path} cannot be read: {message}", line_span(file, line, column, end))


def _rdf_facts(file: SourceFile, stream: SourceStream) -> Iterator[Fact]:
    return map(TermReader(file.blank_prefix).fact, rdf_triples(file, stream))


def rdf_triples(file: SourceFile, stream: SourceStream) -> Iterator[pyoxigraph.Quad]:
    """The triples of a file in N-Triples or Turtle. Raises DiagnosticError where it is broken."""
    try:
        yield from parse_rdf(file, stream)
    except SyntaxError as error:
        raise stream.fault or syntax_fault(file, error) from error
    except (EOFError, OSError, ValueError) as error:
        if stream.fault is None:
            raise
        raise stream.fault from error


def parse_rdf(file: SourceFile, stream: SourceStream) -> Iterator[pyoxigraph.Quad]:
    """The raw triples of a file in N-Triples or Turtle."""
    import pyoxigraph

    format_ = pyoxigraph.RdfFormat.N_TRIPLES if file.format == ".nt" else pyoxigraph.RdfFormat.TURTLE
    base = None if file.format == ".nt" else file.path.resolve().as_uri()
    return pyoxigraph.parse(cast("IO[bytes]", stream), format_, base_iri=base)


class TermReader:
    """Turns the parser's terms into ours; the same IRI becomes the same object.

    Blank nodes are numbered in order of first use: labels as written may be random (Turtle's `[ ]`).
    """

    def __init__(self, blank_prefix: str) -> None:
        import pyoxigraph

        self._kinds = pyoxigraph.NamedNode, pyoxigraph.Literal, pyoxigraph.BlankNode
        self._iris: dict[str, IRI] = {}
        self._blanks: dict[str, BlankNode] = {}
        self._prefix = blank_prefix

    def fact(self, triple: pyoxigraph.Quad) -> Fact:
        subject, object_ = self.term(triple.subject), self.term(triple.object)
        assert not isinstance(subject, Literal)
        return subject, self._iri(triple.predicate.value), object_

    def term(self, term: object) -> IRI | BlankNode | Literal:
        named, literal, blank = self._kinds
        if isinstance(term, named):
            return self._iri(term.value)
        if isinstance(term, literal):
            return Literal(term.value, term.datatype.value, term.language)
        if isinstance(term, blank):
            return self.blank(term.value)
        raise ValueError(f"{term} is neither an IRI, a literal nor a blank node")

    def _iri(self, value: str) -> IRI:
        found = self._iris.get(value)
        if found is None:
            found = self._iris[value] = IRI(value)
        return found

    def blank(self, label: str) -> BlankNode:
        """The node of this label in the file."""
        found = self._blanks.get(label)
        if found is None:
            found = self._blanks[label] = BlankNode(f"{self._prefix}b{len(self._blanks)}")
        return found


def _tsv_facts(file: SourceFile, stream: SourceStream) -> Iterator[Fact]:
    return named_facts(_tsv_lines(file, stream), entity_of_name, relation_of_name)


def entity_of_name(name: str) -> IRI:
    """The entity that a name stands for."""
    return IRI(ENTITY_NAMESPACE + quote(name, safe=""))


def relation_of_name(name: str) -> IRI:
    """The relation that a name stands for."""
    return IRI(RELATION_NAMESPACE + quote(name, safe=""))


def named_facts(
    triples: Iterable[tuple[str, str, str]], entity: Callable[[str], IRI], relation: Callable[[str], IRI]
) -> Iterator[Fact]:
    """Triples of names as facts; each entity gets its name as label where it is first named, unless it is the name."""
    entities: dict[str, IRI] = {}
    relations: dict[str, IRI] = {}
    label = IRI(RDFS_LABEL)
    for subject, predicate, object_ in triples:
        for name in (subject, object_):
            if name not in entities:
                entities[name] = entity(name)
                if entities[name].value != name:
                    yield entities[name], label, Literal(name)
        if predicate not in relations:
            relations[predicate] = relation(predicate)
        yield entities[subject], relations[predicate], entities[object_]


def _tsv_lines(file: SourceFile, stream: SourceStream) -> Iterator[tuple[str, str, str]]:
    for number, raw in enumerate(io.BufferedReader(stream, 1 << 16), 1):
        try:
            line = raw.decode("utf-8").rstrip("\r\n")
        except UnicodeDecodeError as error:
            raise fail("UQ625", f"line {number} of {file.path} is not UTF-8", line_span(file, number)) from error
        if number == 1:
            line = line.removeprefix("\ufeff")
        if not line:
            continue
        cells = line.split("\t")
        if len(cells) != 3 or not all(cells):
            found = f"{len(cells)} columns" if len(cells) != 3 else "an empty column"
            raise fail(
                "UQ626",
                f"line {number} of {file.path} has {found}, not subject, relation and object",
                line_span(file, number, 1, len(line) + 1),
                hint="separate the three names by one tab each",
            )
        yield cells[0], cells[1], cells[2]


def _script_facts(file: SourceFile, stream: SourceStream) -> Iterator[Fact]:
    from uniqgen_ir.kg.property_graph.script import script_facts

    try:
        text = stream.readall().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise fail("UQ625", f"{file.path} is not UTF-8", line_span(file, 1)) from error
    yield from script_facts(text, str(file.path), file.blank_prefix)


def _subgraph_facts(file: SourceFile, stream: SourceStream) -> Iterator[Fact]:
    from uniqgen_ir.kg.subgraphs import subgraph_facts

    return subgraph_facts(file, stream)


_READERS: Final = {".tsv": _tsv_facts, ".cypher": _script_facts, SUBGRAPHS: _subgraph_facts}
