"""The W3C tests of SPARQL 1.1 beside the project: what each asks, and what it expects."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlparse

import pyoxigraph
import rdflib
from attrs import frozen
from rdflib.collection import Collection

from uniqgen_ir.ir.graph import Graph
from uniqgen_ir.ir.protocols import Answers
from uniqgen_ir.ir.terms import IRI, BlankNode, GroundTerm, Literal
from uniqgen_ir.ir.values import canonical

SUITE = Path(__file__).parents[3] / "shared" / "suites" / "sparql" / "sparql11"
MANIFEST = rdflib.Namespace("http://www.w3.org/2001/sw/DataAccess/tests/test-manifest#")
QUERY = rdflib.Namespace("http://www.w3.org/2001/sw/DataAccess/tests/test-query#")
FORMATS = {
    ".ttl": pyoxigraph.RdfFormat.TURTLE,
    ".nt": pyoxigraph.RdfFormat.N_TRIPLES,
    ".rdf": pyoxigraph.RdfFormat.RDF_XML,
}
_RESULTS = {".srx": pyoxigraph.QueryResultsFormat.XML, ".srj": pyoxigraph.QueryResultsFormat.JSON}


@frozen
class Case:
    """One test: a query file, and for evaluation the data and the expected results."""

    folder: str
    kind: str
    query: Path
    data: Path | None = None
    result: Path | None = None

    @property
    def name(self) -> str:
        return f"{self.folder}/{self.query.name}"

    @property
    def text(self) -> str:
        return self.query.read_text(encoding="utf-8")


def cases() -> Iterator[Case]:
    """Every test whose files are there."""
    for folder in sorted(SUITE.iterdir()):
        manifest = folder / "manifest.ttl"
        graph = rdflib.Graph().parse(manifest, format="turtle", publicID=manifest.as_uri())
        entries = graph.value(rdflib.URIRef(manifest.as_uri()), MANIFEST.entries)
        for test in Collection(graph, entries) if entries is not None else ():
            case = _case(folder.name, graph, test)
            if case is not None and case.query.exists() and (case.data is None or case.data.exists()):
                yield case


def _case(folder: str, graph: rdflib.Graph, test: Any) -> Case | None:
    kind = str(graph.value(test, rdflib.RDF.type)).rpartition("#")[2]
    action = graph.value(test, MANIFEST.action)
    if "Syntax" in kind:
        return Case(folder, kind, _path(action))
    if kind != "QueryEvaluationTest":
        return None
    data, result = graph.value(action, QUERY.data), graph.value(test, MANIFEST.result)
    case = Case(folder, kind, _path(graph.value(action, QUERY.query)), _path(data) if data else None, _path(result))
    return case if case.result is not None and case.result.exists() else None


def _path(iri: Any) -> Path:
    return Path(unquote(urlparse(str(iri)).path))


def term(one: Any) -> GroundTerm | None:
    match one:
        case pyoxigraph.NamedNode():
            return IRI(one.value)
        case pyoxigraph.BlankNode():
            return BlankNode(one.value)
        case pyoxigraph.Literal() if one.language:
            return Literal.tagged(one.value, one.language)
        case pyoxigraph.Literal():
            return Literal(one.value, one.datatype.value)
        case _:
            return None


def load(path: Path | None) -> Graph:
    """The graph of a data file."""
    if path is None:
        return Graph()
    quads = pyoxigraph.parse(path=str(path), format=FORMATS[path.suffix], base_iri=path.as_uri())
    return Graph((term(one.subject), term(one.predicate), term(one.object)) for one in quads)  # type: ignore[misc]


def expected(path: Path) -> Answers | None:
    """The expected results; None for a format of graphs."""
    if path.suffix not in _RESULTS:
        return None
    found = pyoxigraph.parse_query_results(path=str(path), format=_RESULTS[path.suffix])
    if isinstance(found, pyoxigraph.QueryBoolean):
        return Answers(("ask",), ((Literal.of(bool(found)),),))
    assert isinstance(found, pyoxigraph.QuerySolutions)
    columns = tuple(one.value for one in found.variables)
    return Answers(columns, tuple(tuple(term(one[name]) for name in columns) for one in found))


def comparable(answers: Answers, columns: tuple[str, ...]) -> Counter[tuple[object, ...]]:
    """The answers as a bag, numbers by value; blank nodes are all alike (a necessary condition, enough here)."""
    places = [answers.columns.index(name) for name in columns]
    return Counter(tuple(_comparable(row[place]) for place in places) for row in answers.rows)


def _comparable(one: GroundTerm | None) -> object:
    return "blank" if isinstance(one, BlankNode) else one if one is None else canonical(one)


def same(found: Answers, wanted: Answers) -> bool:
    """Whether both have the same columns and the same answers, whatever their order."""
    if set(found.columns) != set(wanted.columns):
        return False
    return comparable(found, wanted.columns) == comparable(wanted, wanted.columns)
