"""No verdict is contradicted on any graph, whatever the rows: conditions, paths, `not`, `optional`, `either`, bags."""

from __future__ import annotations

import time
from collections import Counter

from attrs import evolve
from hypothesis import assume, given, reject
from hypothesis import strategies as st

from tests.property.passes_strategies import CONSTANTS, EDGES, NAMES, NODES, conditions, graphs, rows, tables
from uniqgen_ir.ir.evaluation.evaluate import evaluate
from uniqgen_ir.ir.expressions import Arithmetic, ArithmeticOperator, Call, Comparison, ComparisonOperator
from uniqgen_ir.ir.graph import Graph
from uniqgen_ir.ir.protocols import AnswerRow, StoreTimeout
from uniqgen_ir.ir.rows import Bind, Filter, MinusBlock, Row, SubTable, Triple, Values
from uniqgen_ir.ir.table import Column, MatchMode, Shell, Table
from uniqgen_ir.ir.terms import Literal, Variable
from uniqgen_ir.passes.containment.compare import Relation, compare, contains
from uniqgen_ir.passes.normal.rule import counts_solutions
from uniqgen_ir.passes.verify import verify

OPERATORS = list(ComparisonOperator)


@st.composite
def changed(draw: st.DrawFn, table: Table) -> Table:
    """A table like this one: rows dropped, added, weakened, another order; now and then another mode."""
    listed = list(table.rows)
    for _ in range(draw(st.integers(0, 2))):
        kind = draw(st.sampled_from(["drop", "add", "condition", "turn", "order"]))
        place = draw(st.integers(0, len(listed) - 1))
        row = listed[place]
        if kind == "drop" and len(listed) > 1:
            listed.pop(place)
        elif kind == "add":
            listed.append(draw(rows(f"n{len(listed)}", 1)))
        elif kind == "condition":
            listed.append(Row(f"f{len(listed)}", Filter(draw(conditions(1)))))
        elif kind == "turn" and isinstance(row.atom, Filter) and isinstance(row.atom.condition, Comparison):
            turned = evolve(row.atom.condition, operator=draw(st.sampled_from(OPERATORS)))
            listed[place] = evolve(row, atom=Filter(turned))
        else:
            listed = list(draw(st.permutations(listed)))
    return table.with_rows(listed)


@st.composite
def odd_rows(draw: st.DrawFn, name: str) -> Row:
    """Rows that are compared by their spelling, or taken apart: computed values, inline tables, `minus`, tables."""
    w, v = NAMES[3:]
    one, edge = draw(st.sampled_from(NAMES[:3])), draw(st.sampled_from(EDGES))
    match draw(st.sampled_from(["let", "values", "minus", "table"])):
        case "let":
            value = draw(st.sampled_from([Call("str", (one,)), Arithmetic(ArithmeticOperator.ADD, one, one)]))
            return Row(name, Bind(value, Variable("computed")))
        case "values":
            lines = draw(st.lists(st.sampled_from([*NODES[:2], *CONSTANTS[:2], None]), min_size=1, max_size=3))
            return Row(name, Values((one,), tuple((line,) for line in lines)))
        case "minus":
            return Row(name, MinusBlock((Row(f"{name}m", Triple(one, edge, w)),)))
        case _:
            head = tuple(Column(term) for term in draw(st.sampled_from([(one,), (one, v)])))
            limit = draw(st.sampled_from([None, None, 1]))
            rows = (Row(f"{name}t", Triple(one, edge, v)),)
            return Row(name, SubTable(Table("inner", head, rows, Shell(distinct=draw(st.booleans()), limit=limit))))


@st.composite
def odd_pairs(draw: st.DrawFn) -> tuple[Table, Table]:
    """Tables with an odd row in the one, or the same or another in both; now and then its value is shown."""
    one = draw(tables(most=2, depth=0))
    first = draw(odd_rows("odd"))
    computed = Variable("computed")
    more: list[Row] = [first]
    if isinstance(first.atom, Bind) and draw(st.booleans()):
        more.append(Row("about", Filter(Comparison(draw(st.sampled_from(OPERATORS)), computed, Literal.of(2)))))
    other = [] if draw(st.booleans()) else [draw(st.sampled_from([first, draw(odd_rows("odd"))])), *more[1:]]
    a, b = one.with_rows((*one.rows, *more)), draw(changed(one))
    b = b.with_rows((*b.rows, *other))
    if draw(st.booleans()):
        a, b = (evolve(t, head=(*t.head, Column(computed, Variable("shown")))) for t in (a, b))
    if draw(st.booleans()):
        a, b = b, a
    assume(not verify(a))
    assume(not verify(b))
    return a, b


@st.composite
def pairs(draw: st.DrawFn) -> tuple[Table, Table]:
    one = draw(tables(most=3))
    other = draw(changed(one))
    if draw(st.integers(0, 3)) == 0:
        mode = MatchMode.DIFFERENT_RELATIONSHIPS
        one = evolve(one, match_mode=mode)
        other = evolve(other, match_mode=draw(st.sampled_from([mode, MatchMode.HOMOMORPHISM])))
    assume(not verify(one))
    assume(not verify(other))
    return one, other


def answers(table: Table, graph: Graph) -> Counter[AnswerRow]:
    try:
        rows = evaluate(table, graph, deadline=time.monotonic() + 0.3).rows
    except StoreTimeout:
        reject()
    return Counter(rows)


def bag_within(mine: Counter[AnswerRow], theirs: Counter[AnswerRow]) -> bool:
    return all(times <= theirs[answer] for answer, times in mine.items())


@given(odd_pairs(), st.lists(graphs(least=4), min_size=2, max_size=2))
def test_rows_that_are_not_taken_apart_are_not_ignored(pair: tuple[Table, Table], some: list[Graph]) -> None:
    a, b = pair
    if contains(b, a, budget=4_000).holds:
        for graph in some:
            # of a limit without an order any part may come: one row stands for another
            if not limited(a) and not limited(b):
                assert bag_within(answers(a, graph), answers(b, graph))


def limited(table: Table) -> bool:
    return any(isinstance(row.atom, SubTable) and row.atom.table.shell.limit for row in table.rows)


@given(pairs(), st.lists(graphs(least=3), min_size=2, max_size=2))
def test_what_is_said_to_be_contained_is_so_on_every_graph(pair: tuple[Table, Table], some: list[Graph]) -> None:
    a, b = pair
    verdict = contains(b, a, budget=4_000)
    if verdict.holds:
        for graph in some:
            assert bag_within(answers(a, graph), answers(b, graph))
    elif verdict.holds is False:
        witness = verdict.witness
        assert witness is not None
        assert not bag_within(answers(a, witness.graph), answers(b, witness.graph))
    else:
        assert verdict.reason


@given(pairs(), graphs(least=3))
def test_relations_agree_with_both_directions_and_sets(pair: tuple[Table, Table], graph: Graph) -> None:
    a, b = pair
    found = compare(a, b, budget=4_000, as_sets=True)
    mine, theirs = set(answers(a, graph)), set(answers(b, graph))
    match found.relation:
        case Relation.EQUIVALENT:
            assert mine == theirs
        case Relation.A_IN_B:
            assert mine <= theirs
        case Relation.B_IN_A:
            assert theirs <= mine
        case _:
            assert found.reason


@given(tables(most=3))
def test_a_table_is_equivalent_to_itself(table: Table) -> None:
    assume(not verify(table))
    found = compare(table, table, budget=4_000)
    assert found.relation in (Relation.EQUIVALENT, Relation.UNKNOWN)
    if not counts_solutions(table):
        assert found.relation is Relation.EQUIVALENT
