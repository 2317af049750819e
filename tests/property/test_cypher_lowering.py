"""Translating a query does not change what it means: the table gives what a plain interpreter gives, as a bag."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from attrs import evolve
from hypothesis import HealthCheck, assume, example, given, settings
from hypothesis import strategies as st

from tests.property.cypher_brute import Small, run
from uniqgen_ir.grammar.cypher import ast, parse_cypher, read_cypher
from uniqgen_ir.grammar.cypher.names import NODE, Names
from uniqgen_ir.ir.diagnostics import errors
from uniqgen_ir.ir.evaluation.evaluate import evaluate
from uniqgen_ir.ir.graph import Graph
from uniqgen_ir.ir.table import MatchMode, Table
from uniqgen_ir.ir.terms import IRI, GroundTerm, Literal
from uniqgen_ir.ir.values import value_of
from uniqgen_ir.ir.vocabulary import RDF_TYPE

NODES = ("a", "b", "c")
graphs = st.builds(
    lambda labels, x, edges: Small(
        tuple(labels),
        tuple(x[: len(labels)]),
        tuple(sorted({(s % len(labels), kind, t % len(labels)) for s, kind, t in edges})),
    ),
    st.lists(st.frozensets(st.sampled_from("AB")), min_size=1, max_size=3),
    st.lists(st.one_of(st.none(), st.integers(1, 2)), min_size=3, max_size=3),
    st.lists(st.tuples(st.integers(0, 2), st.sampled_from("RS"), st.integers(0, 2)), max_size=5),
)


@st.composite
def nodes(draw: st.DrawFn, names: tuple[str, ...] = ("", *NODES)) -> str:
    label = draw(st.sampled_from(["", "", ":A", ":A|B", ":!A", ":A:B"]))
    return f"({draw(st.sampled_from(names))}{label}{draw(st.sampled_from(['', '', ' {x: 1}']))})"


@st.composite
def paths(draw: st.DrawFn, names: tuple[str, ...] = ("", *NODES), least: int = 0) -> str:
    text = draw(nodes(names))
    for _ in range(draw(st.integers(least, 2))):
        types = draw(st.sampled_from(["", ":R", ":R|S"]))
        length = draw(st.sampled_from(["", "", "", "*1..2", "*2", "*0..1"]))
        left, right = draw(st.sampled_from([("-", "->"), ("<-", "-"), ("-", "-")]))
        text += f"{left}[{types}{length}]{right}{draw(nodes(names))}"
    return text


@st.composite
def conditions(draw: st.DrawFn, names: tuple[str, ...], depth: int = 2) -> str:
    one, two = draw(st.sampled_from(names)), draw(st.sampled_from(names))
    simple = [
        f"{one}.x > 1",
        f"{one}.x = {two}.x",
        f"{one} <> {two}",
        f"{one}.x IS NULL",
        f"{one} IS NOT NULL",
        f"{one}:A",
        f"({one})-[:R]->({two})",
        f"({one})-[:R*1..2]->()",
        f"EXISTS {{ ({one})-[:S]-(z) WHERE z.x = 1 }}",
        f"CASE WHEN {one}.x > 1 THEN {two}.x ELSE 1 END = 1",
        f"coalesce({one}.x, {two}.x) = 2",
        f"COUNT {{ ({one})-[:R]-(z) WHERE z.x = 1 }} > 1",
        f"COUNT {{ ({one})-->({two}) }} = 0",
    ]
    if depth and draw(st.booleans()):
        left, right = draw(conditions(names, depth - 1)), draw(conditions(names, depth - 1))
        return draw(st.sampled_from([f"({left} AND {right})", f"({left} OR {right})", f"NOT ({left})"]))
    return draw(st.sampled_from(simple))


def _used(text: str) -> tuple[str, ...]:
    return tuple(name for name in NODES if f"({name}" in text)


@st.composite
def queries(draw: st.DrawFn) -> str:
    clauses: list[str] = []
    for place in range(draw(st.integers(1, 3))):
        keyword = "OPTIONAL MATCH" if place and draw(st.booleans()) else "MATCH"
        clause = f"{keyword} {', '.join(draw(st.lists(paths(), min_size=1, max_size=2)))}"
        names = _used(" ".join(clauses) + clause)
        if names and draw(st.booleans()):
            clause += f" WHERE {draw(conditions(names))}"
        clauses.append(clause)
        if place == 0 and names and draw(st.integers(0, 3)) == 0:
            first = names[0]
            clauses.append(
                draw(st.sampled_from([f"WITH DISTINCT {first}", f"WITH {first}, count(*) AS n", f"WITH {first}"]))
            )
            # what WITH drops is gone; a later use of the name is a new variable
            clauses = [clauses[-2], clauses[-1]]
    body = " ".join(clauses)
    tail = body.rpartition("WITH")[2] if "WITH" in body else body
    names = tuple(name for name in NODES if f"({name}" in tail or f" {name}" in tail.split("MATCH")[0])
    assume(names)
    one = draw(st.sampled_from(names))
    all_names = ", ".join(names)
    returned = [
        all_names,
        f"DISTINCT {all_names}",
        f"{one}.x AS v",
        "count(*) AS n",
        f"{one}, count(*) AS n",
        f"DISTINCT {one}",
        f"{one}, COUNT {{ ({one})-[:R]->()-[:R]->() }} AS k",
        f"count({one}) AS n, count(DISTINCT {one}.x) AS m",
        f"{one}.x AS v, sum({one}.x) AS s, avg({one}.x) AS t",
    ]
    return f"{body} RETURN {draw(st.sampled_from(returned))}"


def facts(graph: Small) -> Graph:
    names, found = Names(), Graph()
    for number, (labels, x) in enumerate(zip(graph.labels, graph.x, strict=True)):
        found.add((node(number), IRI(RDF_TYPE), NODE))
        for label in sorted(labels):
            found.add((node(number), IRI(RDF_TYPE), names.label(label)))
        if x is not None:
            found.add((node(number), names.property("x").iri, Literal.of(x)))
    for source, kind, target in graph.edges:
        found.add((node(source), names.relation(kind).iri, node(target)))
    return found


def node(number: int) -> IRI:
    return IRI(f"urn:node:{number}")


def plain(term: GroundTerm | None) -> Any:
    if isinstance(term, IRI):
        return ("node", int(term.value.rpartition(":")[2]))
    if term is None:
        return None
    value = value_of(term)
    return float(value) if not isinstance(value, bool) else value  # type: ignore[arg-type]


def wanted(rows: list[tuple[Any, ...]]) -> Counter[tuple[Any, ...]]:
    return Counter(
        tuple(float(one) if isinstance(one, int | float) and not isinstance(one, bool) else one for one in row)
        for row in rows
    )


def table_of(text: str) -> Table | None:
    read = read_cypher(text)
    # refused by name, or a variable that the generator used after WITH dropped it
    assert {one.code for one in errors(read.diagnostics)} <= {"UQ186", "UQ187"}, read.diagnostics
    return read.table


def answers(table: Table, graph: Small) -> Counter[tuple[Any, ...]]:
    return Counter(tuple(map(plain, row)) for row in evaluate(table, facts(graph)).rows)


def meant(text: str, graph: Small) -> Counter[tuple[Any, ...]]:
    statement = parse_cypher(text).statement
    assert statement is not None
    assert isinstance(statement.query, ast.SingleQuery)
    return wanted(run(graph, statement.query))


LOOP = Small((frozenset("A"), frozenset("AB")), (1, None), ((0, "R", 0), (0, "R", 1), (1, "S", 0)))


@settings(suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much])
@given(queries(), graphs)
@example("MATCH (a)-[:R]-(b)-[:R]-(c) RETURN a, b, c", LOOP)
@example("MATCH (a)-[:R*1..2]-(b) RETURN a, b", LOOP)
@example("MATCH (a) OPTIONAL MATCH (a)-[:S]->(b) OPTIONAL MATCH (b)-[:R]->(c) RETURN a, b, c", LOOP)
@example("MATCH (a) OPTIONAL MATCH (a)-[:S]->(b) MATCH (b)-[:R]->(c) RETURN a, b, c", LOOP)
@example("MATCH (a)-[:R]->(b) MATCH (a)-[:R]->(c) RETURN a, b, c", LOOP)
@example("MATCH (a) OPTIONAL MATCH (a)-[:S]->(b) WITH DISTINCT a, b WHERE b.x IS NULL RETURN a, b", LOOP)
@example("MATCH (a) RETURN a.x AS v, sum(a.x) AS s, avg(a.x) AS t", LOOP)
@example("MATCH ()-[*0..1]->(a) WITH DISTINCT a RETURN a", LOOP)
def test_the_table_means_what_the_query_means(text: str, graph: Small) -> None:
    table = table_of(text)
    assume(table is not None)
    assert table is not None
    assert answers(table, graph) == meant(text, graph)


def test_a_translation_that_forgets_the_match_mode_is_caught() -> None:
    text = "MATCH (a)-[:R]-(b)-[:R]-(c) RETURN a, b, c"
    table = table_of(text)
    assert table is not None
    assert table.match_mode is MatchMode.DIFFERENT_RELATIONSHIPS
    wrong = evolve(table, match_mode=MatchMode.HOMOMORPHISM)
    with pytest.raises(AssertionError):
        assert answers(wrong, LOOP) == meant(text, LOOP)
