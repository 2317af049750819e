"""One table, every engine, the same answers: the reference evaluator, Oxigraph, Ladybug and kglite."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable

import pytest
from attrs import evolve
from hypothesis import HealthCheck, Phase, example, find, given, settings
from hypothesis import strategies as st
from hypothesis.errors import NoSuchExample

from tests.property import strategies
from tests.property.test_ir_evaluate import grouped, queries
from uniqgen_ir.backends.engines.source import GraphSource
from uniqgen_ir.backends.registry import open_store
from uniqgen_ir.backends.store import RenderingStore
from uniqgen_ir.ir.diagnostics import DiagnosticError
from uniqgen_ir.ir.evaluation.evaluate import evaluate
from uniqgen_ir.ir.expressions import Comparison, ComparisonOperator
from uniqgen_ir.ir.graph import Fact, Graph
from uniqgen_ir.ir.protocols import AnswerRow, StoreError
from uniqgen_ir.ir.rows import Either, Filter, NotBlock, Row, Triple
from uniqgen_ir.ir.table import Column, MatchMode, Shell, Table
from uniqgen_ir.ir.terms import IRI, Literal, Variable
from uniqgen_ir.ir.vocabulary import XSD, XSD_DATE, XSD_DATE_TIME, XSD_DECIMAL, XSD_DOUBLE, XSD_INTEGER

World = tuple[Table, Graph]

FEW = settings(max_examples=settings().max_examples // 8, suppress_health_check=list(HealthCheck))
"""of each kind of table on each engine: twelve times as many in all"""
REFUSALS = {"UQ500", "UQ505", "UQ506", "UQ509"}
ENGINES = ("oxigraph", "ladybug", "kglite")
every_engine = pytest.mark.parametrize("engine", ENGINES)

X, Y, Z, V, W = (Variable(name) for name in "xyzvw")
HOSTILE = ("http://e/a.b.c", "http://e/A.b.c", "http://e/match", "http://e/it's", "http://e/é", "http://e/$p0")
NODES = tuple(IRI(name) for name in HOSTILE[:4])
PREDICATES = tuple(IRI(name) for name in HOSTILE)
VALUES = (
    Literal.of(1),
    Literal.of(2),
    Literal.of(True),
    Literal("1"),
    Literal('it\'s `x` \\ "y"'),
    Literal(""),
    Literal.tagged("1", "en"),
    Literal.tagged("1", "de"),
    Literal("1.5", XSD_DECIMAL),
    Literal("1", XSD_DOUBLE),
    Literal("2001-02-03", XSD_DATE),
    Literal("2001-02-04", XSD_DATE),
    Literal("2001-02-03T00:00:00", XSD_DATE_TIME),
    Literal("P1D", XSD + "duration"),
    Literal("1", "urn:unknown"),
)
AS_WRITTEN = (Literal("01", XSD_INTEGER), Literal("1.50", XSD_DECIMAL), Literal("1", XSD + "int"))


def bag(rows: Iterable[AnswerRow]) -> Counter[AnswerRow]:
    return Counter(rows)


def agree(engine: str, world: World, change: Callable[[Table], Table] = lambda table: table) -> bool:
    """Whether the engine answers as the reference does; a table that the dialect refuses by name agrees."""
    table, graph = world
    with open_store(engine, GraphSource(graph)) as store:
        try:
            found = store.select(change(table)).rows
        except DiagnosticError as refusal:
            codes = {one.code for one in refusal.diagnostics}
            if isinstance(refusal, StoreError) or engine == "oxigraph" or not codes <= REFUSALS:
                raise
            return True
    return bag(found) == bag(evaluate(table, graph).rows)


def literals(*more: Literal) -> st.SearchStrategy[Literal]:
    return st.sampled_from((*VALUES, *more))


def hostile_graphs(*more: Literal) -> st.SearchStrategy[Graph]:
    """Self-loops, parallel edges, predicates that lead to nodes and to values of any kind, names that need quoting."""
    nodes = st.sampled_from(NODES)
    facts: st.SearchStrategy[Fact] = st.tuples(
        nodes, st.sampled_from(PREDICATES[:3]), st.one_of(nodes, literals(*more))
    )
    return st.lists(facts, min_size=1, max_size=14).map(Graph)


@st.composite
def hostile_tables(draw: st.DrawFn, *more: Literal) -> Table:
    """Triples over shared variables and constants of any kind, and comparisons of any two of them."""
    subjects = st.sampled_from([X, X, Y, NODES[0]])
    objects = st.one_of(st.sampled_from([X, Y, Z, V]), st.sampled_from(NODES), literals(*more))
    triples = st.builds(Triple, subjects, st.sampled_from(PREDICATES[:3]), objects)
    first = Row("c0", Triple(X, draw(st.sampled_from(PREDICATES[:3])), V))
    rows = [first, *(Row(f"c{n}", draw(triples)) for n in range(1, draw(st.integers(1, 3))))]
    if draw(st.booleans()):
        operator = draw(st.sampled_from(list(ComparisonOperator)))
        other = draw(st.one_of(st.sampled_from([X, Y, V]), literals(*more), st.sampled_from(NODES)))
        rows.append(Row("compare", Filter(Comparison(operator, V, other))))
    return Table("t", (Column(X), Column(V)), tuple(rows), Shell())


@st.composite
def hostile_worlds(draw: st.DrawFn, *more: Literal) -> World:
    return draw(hostile_tables(*more)), draw(hostile_graphs(*more))


@every_engine
@FEW
@given(world=strategies.worlds())
def test_monotone_tables(engine: str, world: World) -> None:
    assert agree(engine, world)


@every_engine
@FEW
@given(world=queries())
def test_blocks(engine: str, world: World) -> None:
    assert agree(engine, world)


@every_engine
@FEW
@given(world=grouped())
def test_groups(engine: str, world: World) -> None:
    assert agree(engine, world)


SAME = Table("t", (Column(X), Column(V)), (Row("c0", Triple(X, PREDICATES[0], V)),))


@every_engine
@FEW
@given(world=hostile_worlds())
@example(
    world=(
        SAME.with_rows((*SAME.rows, Row("f", Filter(Comparison(ComparisonOperator.LESS_EQUAL, V, NODES[0]))))),
        Graph([(NODES[0], PREDICATES[0], NODES[0]), (NODES[0], PREDICATES[0], VALUES[0])]),
    )
)
def test_any_values_and_names(engine: str, world: World) -> None:
    assert agree(engine, world)


@FEW
@given(world=hostile_worlds(*AS_WRITTEN))
def test_ladybug_keeps_literals_as_they_were_written(world: World) -> None:
    assert agree("ladybug", world)


ZONED = (
    Literal("2001-02-03T00:00:00Z", XSD_DATE_TIME),
    Literal("2001-02-03T01:00:00+01:00", XSD_DATE_TIME),
    Literal("2001-02-02T23:30:00-00:30", XSD_DATE_TIME),
)
"""One moment in three zones."""


@st.composite
def pattern_tables(draw: st.DrawFn) -> Table:
    """Triples over few nodes, in either match mode, with a block or alternatives: loops and edges that meet."""
    nodes = st.sampled_from([X, Y, Z, NODES[0]])
    triples = st.builds(Triple, nodes, st.sampled_from(PREDICATES[:2]), nodes)
    named_rows = [Row(f"c{place}", draw(triples)) for place in range(draw(st.integers(2, 3)))]
    inner = (Row("i1", draw(triples)), Row("i2", draw(triples)))
    match draw(st.integers(0, 3)):
        case 0:
            named_rows.append(Row("not", NotBlock(inner)))
        case 1:
            named_rows.append(Row("either", Either(((inner[0],), (inner[1],)))))
        case 2:
            value = draw(literals(*ZONED))
            named_rows.append(Row("v", Triple(draw(st.sampled_from([X, Y])), PREDICATES[2], V)))
            operator = draw(st.sampled_from(list(ComparisonOperator)))
            named_rows.append(Row("compare", Filter(Comparison(operator, V, value))))
        case _:
            pass
    mode = draw(st.sampled_from(list(MatchMode)))
    return Table("t", (), tuple(named_rows), Shell(distinct=False), match_mode=mode)


@st.composite
def pattern_graphs(draw: st.DrawFn) -> Graph:
    """Dense in edges of two types between four nodes; values of any kind, in several zones, or none."""
    nodes = st.sampled_from(NODES)
    edges = st.tuples(nodes, st.sampled_from(PREDICATES[:2]), nodes)
    values = st.tuples(nodes, st.just(PREDICATES[2]), literals(*ZONED))
    return Graph([*draw(st.lists(edges, min_size=2, max_size=12)), *draw(st.lists(values, max_size=4))])


def answers_or_refusal(store: RenderingStore, table: Table) -> Iterable[AnswerRow] | None:
    """The answers; None where the dialect cannot say the table. A text that the engine refuses is a fault of ours."""
    try:
        return store.select(table).rows
    except DiagnosticError as refusal:
        if isinstance(refusal, StoreError) or not {one.code for one in refusal.diagnostics} <= REFUSALS:
            raise
        return None


@settings(FEW, max_examples=2 * FEW.max_examples)
@given(graph=pattern_graphs(), tables=st.lists(pattern_tables(), min_size=4, max_size=4))
def test_patterns_in_both_match_modes_on_every_engine(graph: Graph, tables: list[Table]) -> None:
    # a store is slow to build and quick to ask, so each answers several tables
    for engine in ENGINES:
        with open_store(engine, GraphSource(graph)) as store:
            for table in tables:
                found = answers_or_refusal(store, table)
                if found is None:
                    continue
                assert bag(found) == bag(evaluate(table, graph).rows), (engine, table)


@every_engine
def test_a_renderer_that_loses_a_row_is_caught(engine: str) -> None:
    def lossy(table: Table) -> Table:
        return evolve(table, rows=table.rows[:-1]) if len(table.rows) > 1 else table

    budget = settings(max_examples=150, deadline=None, database=None, phases=[Phase.generate])
    try:
        find(strategies.worlds(), lambda world: not agree(engine, world, lossy), settings=budget)
    except NoSuchExample:
        pytest.fail("no table showed the difference")
