"""The reference evaluator, measured against Oxigraph and rdflib on random tables and graphs."""

from __future__ import annotations

import warnings
from collections import Counter
from typing import Any

import pyoxigraph
import pytest
import rdflib
from attrs import evolve
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tests.property import sparql_writer, strategies
from tests.property.strategies import AGE, BORN, CLASSES, KEY, NODES, RELATIONS
from tests.property.test_ir_values import from_oxigraph
from uniqgen_ir.ir.evaluation import evaluate as evaluate_module
from uniqgen_ir.ir.evaluation.evaluate import evaluate
from uniqgen_ir.ir.expressions import Aggregate, Call, Comparison, ComparisonOperator, Exists
from uniqgen_ir.ir.graph import Graph
from uniqgen_ir.ir.paths import Inverse, NegatedSet, Repeat, Step
from uniqgen_ir.ir.protocols import AnswerRow
from uniqgen_ir.ir.rows import (
    Bind,
    Filter,
    MinusBlock,
    NotBlock,
    OptionalBlock,
    PathAtom,
    Row,
    SubTable,
    Triple,
    TypeAtom,
    Values,
)
from uniqgen_ir.ir.table import Column, Form, MatchMode, OrderKey, Shell, Table
from uniqgen_ir.ir.terms import IRI, GroundTerm, Literal, Variable
from uniqgen_ir.ir.values import canonical

HALF = settings(max_examples=settings().max_examples // 2)
Y, Z, N = Variable("y"), Variable("z"), Variable("n")


def oxigraph_answers(table: Table, graph: Graph) -> list[AnswerRow]:
    store = pyoxigraph.Store()
    store.load(sparql_writer.ntriples(graph).encode(), format=pyoxigraph.RdfFormat.N_TRIPLES)
    found = store.query(sparql_writer.query(table))
    if isinstance(found, pyoxigraph.QueryBoolean):
        return [(Literal.of(bool(found)),)]
    assert isinstance(found, pyoxigraph.QuerySolutions)
    return [tuple(from_oxigraph(one) for one in solution) for solution in found]


def rdflib_answers(table: Table, graph: Graph) -> list[AnswerRow]:
    store = rdflib.Graph()
    store.parse(data=sparql_writer.ntriples(graph), format="nt")
    found = store.query(sparql_writer.query(table))
    if found.type == "ASK":
        return [(Literal.of(bool(found.askAnswer)),)]
    return [tuple(from_rdflib(one) for one in solution) for solution in found]  # type: ignore[union-attr]


def from_rdflib(term: Any) -> GroundTerm | None:
    match term:
        case rdflib.URIRef():
            return IRI(str(term))
        case rdflib.Literal() if term.language:
            return Literal.tagged(str(term), term.language)
        case rdflib.Literal():
            return Literal(str(term), str(term.datatype)) if term.datatype else Literal.of(str(term))
        case _:
            return None


def bag(rows: Any) -> Counter[tuple[GroundTerm | None, ...]]:
    return Counter(tuple(None if one is None else canonical(one) for one in row) for row in rows)


def residue_rows(row_id: str) -> st.SearchStrategy[Row]:
    """Well-designed blocks on the key and on fresh variables."""
    local, decoration = Variable(f"l_{row_id}"), Variable(f"o_{row_id}")
    relation = st.sampled_from(RELATIONS)
    subjects = st.sampled_from([KEY, KEY, local])
    inner = st.lists(
        st.one_of(
            st.builds(lambda s, p, o: Triple(s, p, o), subjects, relation, st.sampled_from([KEY, local, NODES[0]])),
            st.builds(TypeAtom, subjects, st.sampled_from(CLASSES)),
        ),
        min_size=1,
        max_size=2,
    ).map(lambda atoms: tuple(Row(f"{row_id}.{n}", atom) for n, atom in enumerate(atoms, 1)))
    older = Comparison(ComparisonOperator.LESS, decoration, Literal.of(4))
    optional = st.sampled_from(
        [
            OptionalBlock((Row(f"{row_id}.1", Triple(KEY, AGE, decoration)),)),
            OptionalBlock((Row(f"{row_id}.1", Triple(KEY, AGE, decoration), where=older),)),
            OptionalBlock(
                (Row(f"{row_id}.1", Triple(KEY, BORN, decoration)), Row(f"{row_id}.2", TypeAtom(KEY, CLASSES[0])))
            ),
        ]
    )
    minus = inner.filter(lambda rows: any(KEY in (row.atom.subject, getattr(row.atom, "object", None)) for row in rows))
    exists = st.builds(lambda rows, negated: Filter(Exists(rows, negated)), inner, st.booleans())
    values = st.lists(st.tuples(st.sampled_from(NODES)), min_size=1, max_size=4).map(
        lambda lines: Values((KEY,), tuple(lines))
    )
    atoms = st.one_of(inner.map(NotBlock), minus.map(MinusBlock), exists, optional, values)
    return atoms.map(lambda atom: Row(row_id, atom))


@st.composite
def queries(draw: st.DrawFn) -> tuple[Table, Graph]:
    """Monotone rows, some residue, a plain head with every variable: bag or set, unordered."""
    table, graph = draw(strategies.worlds(strategies.monotone_tables(max_rows=4)))
    extra = [draw(residue_rows(f"r{n}")) for n in range(draw(st.integers(0, 2)))]
    table = table.with_rows((*table.rows, *extra))
    has_paths = any(isinstance(row.atom, PathAtom) for row in strategies.walk_rows(table.rows))
    return evolve(table, shell=Shell(distinct=draw(st.booleans()) or has_paths)), graph


@given(queries())
def test_rows_agree_with_oxigraph(query: tuple[Table, Graph]) -> None:
    table, graph = query
    assert bag(evaluate(table, graph).rows) == bag(oxigraph_answers(table, graph))


@settings(max_examples=settings().max_examples // 4)  # rdflib takes its time
@given(queries())
def test_rows_agree_with_rdflib(query: tuple[Table, Graph]) -> None:
    table, graph = query
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert bag(evaluate(table, graph).rows) == bag(rdflib_answers(table, graph))


@HALF
@given(queries(), st.randoms(use_true_random=False))
def test_the_order_of_rows_does_not_matter(query: tuple[Table, Graph], random: Any) -> None:
    table, graph = query
    shuffled = list(table.rows)
    random.shuffle(shuffled)
    assert bag(evaluate(table, graph).rows) == bag(evaluate(table.with_rows(shuffled), graph).rows)


@st.composite
def any_paths(draw: st.DrawFn) -> tuple[Table, Graph]:
    """One path of any kind between variables and constants of the graph."""
    path = draw(
        st.one_of(
            strategies.simple_paths,
            strategies.simple_paths.map(lambda inner: Repeat(inner, 0, None)),
            strategies.simple_paths.map(lambda inner: Repeat(inner, 1, None)),
            st.sampled_from(
                [
                    NegatedSet((RELATIONS[0],)),
                    NegatedSet((RELATIONS[0],), (RELATIONS[1],)),
                    NegatedSet((), (RELATIONS[0],)),
                    Inverse(NegatedSet((RELATIONS[0],), (RELATIONS[1],))),
                    Repeat(Inverse(NegatedSet((RELATIONS[0],))), 0, 1),
                ]
            ),
        )
    )
    graph = draw(strategies.graphs())
    # constants that are in the graph: over zero steps Oxigraph does not let another one lead to itself
    ends = st.sampled_from([KEY, Y, *(one for one in list(graph.terms())[:3] if isinstance(one, IRI))])
    row = Row("c1", PathAtom(draw(ends), path, draw(ends)))
    return Table("t", (Column(KEY), Column(Y)), (row,)), graph


@HALF
@given(any_paths())
@example((Table("t", (Column(KEY),), (Row("c1", PathAtom(KEY, Repeat(Step(RELATIONS[0]), 0, None), KEY)),)), Graph()))
def test_paths_agree_with_oxigraph(query: tuple[Table, Graph]) -> None:
    table, graph = query
    assert bag(evaluate(table, graph).rows) == bag(oxigraph_answers(table, graph))


AGGREGATED = st.builds(
    Aggregate,
    st.sampled_from(["count", "sum", "avg", "min", "max"]),
    st.sampled_from([Y, N, Call("month", (N,))]),
    st.booleans(),
)


@st.composite
def grouped(draw: st.DrawFn) -> tuple[Table, Graph]:
    """Ages and dates per node, grouped or not, with `having` and a total order."""
    graph = draw(strategies.graphs())
    rows = [
        Row("c1", Triple(KEY, draw(st.sampled_from(RELATIONS)), Y)),
        Row("c2", Triple(Y, draw(st.sampled_from([AGE, BORN])), N)),
    ]
    group = draw(st.sampled_from([(), (Column(KEY),), (Column(KEY), Column(Y))]))
    value = draw(AGGREGATED | st.builds(Aggregate, st.just("count"), st.none(), st.booleans()))
    head = (*group, Column(value, Variable("a")))
    having = draw(st.sampled_from([(), (Comparison(ComparisonOperator.GREATER, Aggregate("count"), Literal.of(1)),)]))
    order = tuple(OrderKey(column.variable, draw(st.booleans())) for column in group)
    limits = st.none() | st.integers(0, 3)
    limit, offset = (draw(limits), draw(limits)) if len(order) == len(group) else (None, None)
    shell = Shell(distinct=draw(st.booleans()), group=group, having=having, order=order, limit=limit, offset=offset)
    return Table("t", head, tuple(rows), shell), graph


@HALF
@given(grouped())
def test_groups_agree_with_oxigraph(query: tuple[Table, Graph]) -> None:
    table, graph = query
    ours, theirs = evaluate(table, graph).rows, oxigraph_answers(table, graph)
    assert [bag([row]) for row in ours] == [bag([row]) for row in theirs]


@HALF
@given(grouped(), st.booleans())
def test_tables_in_tables_and_ask_agree_with_oxigraph(query: tuple[Table, Graph], ask: bool) -> None:
    inner, graph = query
    rows = (Row("c1", Triple(KEY, RELATIONS[0], Z)), Row("c2", SubTable(inner)))
    table = Table("t", (Column(KEY), Column(Variable("a"))), rows, Shell(form=Form.ASK if ask else Form.SELECT))
    assert bag(evaluate(table, graph).rows) == bag(oxigraph_answers(table, graph))


@HALF
@given(strategies.graphs())
def test_bound_names_agree_with_oxigraph(graph: Graph) -> None:
    later = OptionalBlock((Row("c2.1", Triple(KEY, AGE, N)),))
    rows = (
        Row("c1", Triple(KEY, RELATIONS[0], Y)),
        Row("c2", later),
        Row("c3", Bind(Call("coalesce", (N, Literal.of("none"))), Z)),
        Row("c4", Bind(Call("str", (Y,)), Variable("s"))),
        Row("c5", Filter(Call("starts_with", (Variable("s"), Literal.of("http"))))),
    )
    head = tuple(Column(variable) for variable in (KEY, Y, Z, N, Variable("s")))
    table = Table("t", head, rows, Shell(distinct=False))
    assert bag(evaluate(table, graph).rows) == bag(oxigraph_answers(table, graph))


def test_a_wrong_evaluator_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    """A left join that drops what it cannot extend is seen by the comparison with Oxigraph."""

    def inner_join(self: Any, row: Row, solution: Any, mode: MatchMode) -> Any:
        return self.solve(row.atom.rows, solution, mode)  # type: ignore[union-attr]

    graph = Graph([(NODES[0], RELATIONS[0], NODES[1])])
    rows = (Row("c1", Triple(KEY, RELATIONS[0], Y)), Row("c2", OptionalBlock((Row("c2.1", Triple(Y, AGE, N)),))))
    table = Table("t", (Column(KEY),), rows)
    assert bag(evaluate(table, graph).rows) == bag(oxigraph_answers(table, graph))
    monkeypatch.setattr(evaluate_module._Evaluator, "_extended", inner_join)
    assert bag(evaluate(table, graph).rows) != bag(oxigraph_answers(table, graph))


def test_a_negation_that_forgets_the_outer_solution_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    solve = evaluate_module._Evaluator.solve
    graph = Graph([(NODES[0], RELATIONS[0], NODES[1]), (NODES[2], AGE, Literal.of(1))])
    rows = (Row("c1", Triple(KEY, RELATIONS[0], Y)), Row("c2", NotBlock((Row("c2.1", Triple(KEY, AGE, N)),))))
    table = Table("t", (Column(KEY),), rows)
    assert bag(evaluate(table, graph).rows) == bag(oxigraph_answers(table, graph))
    monkeypatch.setattr(evaluate_module._Evaluator, "solve", lambda self, rows, _, mode: solve(self, rows, {}, mode))
    assert bag(evaluate(table, graph).rows) != bag(oxigraph_answers(table, graph))
