"""Tables that need more than one MATCH in Cypher give the reference evaluator's answers on the embedded engine."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import pytest

from uniqgen_ir.backends.engines.source import GraphSource
from uniqgen_ir.backends.registry import open_store
from uniqgen_ir.backends.store import RenderingStore
from uniqgen_ir.grammar.ctable import parse_table
from uniqgen_ir.ir.diagnostics import DiagnosticError
from uniqgen_ir.ir.evaluation.evaluate import evaluate
from uniqgen_ir.ir.graph import Fact, Graph
from uniqgen_ir.ir.terms import IRI, GroundTerm, Literal
from uniqgen_ir.ir.vocabulary import XSD, XSD_DATE, XSD_DATE_TIME, XSD_DECIMAL, XSD_DOUBLE, XSD_INTEGER


def iri(name: str) -> IRI:
    return IRI(f"http://e/{name}")


def facts() -> Iterator[Fact]:
    values: dict[str, list[tuple[str, GroundTerm]]] = {
        "p": [("a", iri("b")), ("b", iri("c")), ("c", iri("a")), ("a", iri("c")), ("c", iri("d")), ("b", iri("b"))],
        "q": [("a", iri("d")), ("b", iri("d")), ("d", iri("a"))],
        "number": [(name, Literal(text, XSD_INTEGER)) for name, text in (("a", "3"), ("b", "7"), ("c", "-2"))],
        "decimal": [
            ("a", Literal("2.5", XSD_DECIMAL)),
            ("b", Literal("-2.5", XSD_DECIMAL)),
            ("c", Literal("9e1", XSD_DOUBLE)),
        ],
        "text": [("a", Literal("12")), ("b", Literal(" 7 ")), ("c", Literal("x-y-z")), ("d", Literal("-1.5e2"))],
        "born": [("a", Literal("2001-02-03", XSD_DATE)), ("b", Literal("1999-12-31", XSD_DATE))],
        "seen": [
            ("a", Literal("2001-02-03", XSD_DATE)),
            ("b", Literal("2001-02-03T10:00:00", XSD_DATE_TIME)),
            ("c", Literal("2005", XSD + "gYear")),
            ("d", Literal("1990-05", XSD + "gYearMonth")),
        ],
        "mixed": [
            ("a", Literal.of(5)),
            ("b", Literal("five")),
            ("c", Literal.of(True)),
            ("d", Literal.tagged("fünf", "de")),
        ],
    }
    for predicate, pairs in values.items():
        for subject, value in pairs:
            yield iri(subject), iri(predicate), value


GRAPH = Graph(facts())
HEADER = "prefix e: <http://e/>\nprefix xsd: <http://www.w3.org/2001/XMLSchema#>\nctable t {\n"
DESCENDING = "?b e:number ?n\n order by desc(?n)\n limit 1\n }\n"
TABLES = {
    "hoisted": "select ?x as ?value\n s: table {\n select distinct ?x\n e:a e:p ?x\n }\n",
    "taken in": "select distinct ?x ?y\n ?x e:q ?y\n s: table {\n select ?x\n ?x e:p ?y\n }\n",
    "bag of a set": "select ?x ?z\n ?x e:p ?z\n s: table {\n select distinct ?x\n ?x e:p ?y\n }\n",
    "best, then joined": f"select ?y\n ?b e:p ?y\n s: table {{\n select ?b\n {DESCENDING}",
    "second best": (
        "select ?y\n ?b e:p ?y\n s: table {\n select ?b\n ?b e:number ?n\n order by ?n\n limit 1\n offset 1\n }\n"
    ),
    "maximum joined": "select ?x\n ?x e:number ?m\n s: table {\n select max(?n) as ?m\n ?y e:number ?n\n }\n",
    "maximum of times joined": "select ?x\n ?x e:seen ?m\n s: table {\n select max(?n) as ?m\n ?y e:seen ?n\n }\n",
    "minimum of dates joined": "select ?x\n ?x e:born ?m\n s: table {\n select min(?n) as ?m\n ?y e:born ?n\n }\n",
    "counts joined": (
        "select ?x ?n\n ?x e:q ?z\n s: table {\n select ?x count(?y) as ?n\n ?x e:p ?y\n group by ?x\n }\n"
    ),
    "groups inside": "select ?x\n s: table {\n select ?x count(?y) as ?n\n ?x e:p ?y\n group by ?x\n }\n ?n > 1\n",
    "smallest of mixed values": "select min(?v) as ?least\n ?x e:mixed ?v\n ?x e:p ?y\n",
    "by mixed values": "select ?x\n ?x e:mixed ?v\n group by ?x\n order by desc(max(?v))\n limit 1\n",
    "by times of several kinds": "select distinct ?x\n ?x e:seen ?v\n group by ?x\n order by max(?v)\n limit 1\n",
    "ordered by mixed values": "select ?x\n ?x e:mixed ?v\n ?v != 5\n order by ?v\n limit 2\n",
    "cast to integer": "select ?x\n ?x e:text ?t\n integer(?t) >= 7\n",
    "cast of decimals": "select ?x\n ?x e:decimal ?t\n integer(?t) = 2\n",
    "cast to double": "select ?x\n ?x e:text ?t\n double(?t) < 0\n",
    "cast to datetime": 'select ?x\n ?x e:seen ?t\n datetime(?t) >= datetime("2001-02-03T00:00:00")\n',
    "cast of a date column": "select ?x ?y\n ?x e:born ?t\n ?y e:born ?u\n datetime(?t) > datetime(?u)\n",
    "an ill-formed time": 'select ?x\n ?x e:born ?t\n not (datetime(?t) >= "2009"^^xsd:dateTime)\n',
    "ordered by a cast": "select ?x\n ?x e:text ?t\n integer(?t) > 0\n order by desc(integer(?t))\n limit 1\n",
    "a choice of nodes": "select ?r\n e:a e:number ?n\n e:b e:number ?m\n let ?r = if(?n >= ?m, e:a, e:b)\n",
    "the first that is there": "select ?x ?r\n ?x e:p ?y\n optional { ?x e:number ?n }\n let ?r = coalesce(?n, ?x)\n",
    "joined texts": 'select ?x concat(?t, "!", ?t) as ?r\n ?x e:text ?t\n',
    "a part of a text": "select ?x substring(?t, 2, 3) as ?r substring(?t, 3) as ?s\n ?x e:text ?t\n",
    "before and after": 'select ?x before(?t, "-") as ?r after(?t, "-") as ?s\n ?x e:text ?t\n',
    "rounded": "select ?x\n ?x e:decimal ?t\n round(?t) = -2 or floor(?t) = 2 or ceil(?t) = 90\n",
    "several lines of values": (
        "select ?x ?y\n values (?x ?n) { (e:a 3) (e:b 1) (e:c -2) }\n values (?y ?m) { (e:b 7) (e:c -2) }\n"
        " ?x e:number ?n\n ?y e:number ?m\n"
    ),
    "values with gaps": (
        "select ?x ?n ?y\n values (?x ?n) { (e:a undef) (undef 7) (undef undef) (undef undef) }\n"
        " ?x e:number ?n\n ?x e:p ?y\n"
    ),
    "pairs of a repeated path": "select ?x ?y\n ?x e:p{1,3} ?y\n ?x e:q ?z\n",
    "counted pairs": "select count(?y) as ?n\n e:a e:p{1,3} ?y\n",
}


REFUSED_BY_KGLITE = {
    "cast to integer",
    "cast of decimals",
    "cast to double",
    "cast to datetime",
    "cast of a date column",
    "an ill-formed time",
    "ordered by a cast",
}
"""It has no casts that are exact."""


@pytest.fixture(scope="module", params=["ladybug", "kglite"])
def store(request: pytest.FixtureRequest) -> Iterator[RenderingStore]:
    with open_store(request.param, GraphSource(GRAPH)) as opened:
        yield opened


@pytest.mark.parametrize("name", TABLES)
def test_a_table_has_the_same_answers_in_cypher(store: RenderingStore, name: str) -> None:
    table = parse_table(f"{HEADER}{TABLES[name]}}}\n")
    if store.engine.name == "kglite" and name in REFUSED_BY_KGLITE:
        with pytest.raises(DiagnosticError, match="UQ500"):
            store.select(table)
        return
    expected = evaluate(table, GRAPH)
    assert Counter(store.select(table, timeout=20).rows) == Counter(expected.rows)


def test_one_text_with_other_values_gives_other_answers(store: RenderingStore) -> None:
    """The library keeps plans by text, and a kept plan may answer for the values that it was made with."""
    for name in "abcd" * 3:
        table = parse_table(f"{HEADER}select ?y\n e:{name} e:p ?x\n ?x e:p ?y\n ?y != e:{name}\n}}\n")
        assert Counter(store.select(table).rows) == Counter(evaluate(table, GRAPH).rows)


def test_many_queries_do_not_fill_the_memory(store: RenderingStore) -> None:
    """More texts than one connection is kept for, with a connection in between that has to be a good one."""
    for number in range(60):
        table = parse_table(f"{HEADER}select ?x{number}\n e:a e:p ?x{number}\n}}\n")
        assert len(store.select(table).rows) == 2
