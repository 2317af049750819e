"""Hints about cost in SPARQL, where it is known how much the graph has."""

from __future__ import annotations

import pytest
from attrs import evolve

from tests.unit.validate_sparql.sparql_gate import PROLOGUE, SCHEMA
from uniqgen_ir.ir.diagnostics import Severity
from uniqgen_ir.validate.gate import check, vocabulary_of
from uniqgen_ir.validate.statistics import Statistics

_EX = next(line.split("<")[1].split(">")[0] for line in PROLOGUE.splitlines() if "ex:" in line)
LARGE = Statistics(
    1_200_000,
    {},
    {},
    {_EX + "Person": 900_000, _EX + "Company": 50},
    {_EX + "name": 1_000_000, _EX + "knows": 6_000_000, _EX + "worksFor": 900_000, _EX + "founded": 50},
)


def hints(query: str, statistics: Statistics | None = LARGE) -> list[str]:
    report = check(PROLOGUE + query, language="sparql", schema=evolve(vocabulary_of(SCHEMA), statistics=statistics))
    assert report.valid, report.diagnostics
    found = [one for one in report.diagnostics if one.code == "UQ453"]
    assert all(one.severity is Severity.INFORMATION for one in found)
    return [one.message for one in found]


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ("SELECT ?p ?c { ?p a ex:Person ; ex:worksFor ?c }", "at least 900,000 triples are looked at"),
        ("SELECT ?p ?f { ?p a ex:Person . ?c ex:founded ?f }", "about 45,000,000 pairs"),
        ("SELECT ?p ?q { ?p ex:name ?n ; ex:knows+ ?q }", "5.0 triples lead on"),
        ("SELECT ?c { ?c a ex:Company { SELECT (COUNT(?p) AS ?n) { ?p ex:name ?x } } }", "at least 1,000,000 triples"),
    ],
)
def test_what_takes_long(query: str, said: str) -> None:
    assert any(said in one for one in hints(query)), hints(query)


@pytest.mark.parametrize(
    "query",
    [
        'SELECT ?c { ?p ex:name "Ann" ; ex:worksFor ?c }',
        'SELECT ?c { ?p ex:name ?n ; ex:worksFor ?c FILTER(?n = "Ann") }',
        "SELECT ?p { ?c a ex:Company . ?p ex:worksFor ?c }",
        "SELECT ?c { ex:ann ex:knows/ex:worksFor ?c }",
        "SELECT ?q { ex:ann ex:knows/ex:knows? ?q }",
    ],
)
def test_what_begins_somewhere(query: str) -> None:
    assert hints(query) == []


def test_nothing_is_said_where_nothing_is_known() -> None:
    assert hints("SELECT ?p ?c { ?p a ex:Person ; ex:worksFor ?c }", None) == []
