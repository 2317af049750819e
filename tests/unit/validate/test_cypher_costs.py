"""Hints about cost where it is known how much the graph has."""

from __future__ import annotations

import pytest
from attrs import evolve

from tests.unit.validate.library import VOCABULARY
from uniqgen_ir.ir.diagnostics import Severity
from uniqgen_ir.ir.terms import IRI, Literal
from uniqgen_ir.ir.vocabulary import RDF_TYPE
from uniqgen_ir.validate.gate import check
from uniqgen_ir.validate.statistics import Statistics, statistics_of

LARGE = Statistics(
    1_200_000,
    {"Author": 200_000, "Book": 900_000, "Reader": 100_000, "Subject": 50},
    {"WROTE": 1_000_000, "KNOWS": 6_000_000, "ABOUT": 900_000},
)


def hints(query: str, statistics: Statistics | None = LARGE) -> list[str]:
    report = check(query, language="cypher", schema=evolve(VOCABULARY, statistics=statistics))
    assert report.valid
    found = [one for one in report.diagnostics if one.code == "UQ453"]
    assert all(one.severity is Severity.INFORMATION for one in found)
    return [one.message for one in found]


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ("MATCH (a:Author)-[:WROTE]->(b:Book) RETURN count(b)", "at least 200,000 nodes are looked at"),
        ("MATCH (a:Author {name: 'x'})-[:KNOWS*1..6]-(c:Author) RETURN c.name", "10.0 relationships lead on"),
        ("MATCH (s:Subject), (b:Book) RETURN count(*)", "about 45,000,000 pairs"),
    ],
)
def test_what_takes_long(query: str, said: str) -> None:
    assert any(said in one for one in hints(query)), hints(query)


@pytest.mark.parametrize(
    "query",
    [
        "MATCH (a:Author {name: 'x'})-[:WROTE]->(b:Book) RETURN b.title",
        "MATCH (a:Author)-[:WROTE]->(b:Book) WHERE a.name = 'x' RETURN b.title",
        "MATCH (b:Book)-[:ABOUT]->(s:Subject) RETURN s.name, count(b) AS n",
        "MATCH (a:Author {name: 'x'}) MATCH (a)-[:WROTE]->(b:Book) RETURN b.title",
        "MATCH (a:Author {name: 'x'})-[:KNOWS*1..2]-(c:Author) RETURN c.name",
    ],
)
def test_what_begins_somewhere(query: str) -> None:
    assert hints(query) == []


def test_nothing_is_said_where_nothing_is_known() -> None:
    assert hints("MATCH (a:Author)-[:WROTE]->(b:Book) RETURN count(b)", None) == []


def test_a_graph_is_counted() -> None:
    ann, book, type_ = IRI("urn:ann"), IRI("urn:book"), IRI(RDF_TYPE)
    facts = [(ann, type_, IRI("Author")), (book, type_, IRI("Book")), (ann, IRI("WROTE"), book)]
    counted = statistics_of([*facts, (ann, IRI("name"), Literal("Ann"))], lambda iri: iri.value.lower())
    assert (counted.nodes, counted.labels, counted.types) == (2, {"author": 1, "book": 1}, {"wrote": 1})
    assert counted.classes == {"Author": 1, "Book": 1}
    assert counted.predicates == {RDF_TYPE: 2, "WROTE": 1, "name": 1}
