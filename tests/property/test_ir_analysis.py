"""Active rows, safety and blocks against their definitions, by brute force; the monotonicity lemma by evaluation."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import combinations

import pytest
from attrs import evolve
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from tests.property import strategies
from tests.property.strategies import AGE, CLASSES, KEY, NODES, RELATIONS
from tests.property.test_ir_evaluate import residue_rows
from uniqgen_ir.ir.analysis import active_rows, answer_key, binds, blocks, is_safe, needs, positive_variables
from uniqgen_ir.ir.building.builder import Namespace, a, exists, row, table, v
from uniqgen_ir.ir.evaluation.evaluate import evaluate
from uniqgen_ir.ir.expressions import Comparison, ComparisonOperator
from uniqgen_ir.ir.graph import Graph
from uniqgen_ir.ir.protocols import AnswerRow
from uniqgen_ir.ir.rows import Either, Filter, Row, Triple, TypeAtom
from uniqgen_ir.ir.table import Column, MatchMode, Table
from uniqgen_ir.ir.terms import Literal, Variable

Activity = Callable[[Table, Iterable[str]], frozenset[str]]
ex = Namespace(strategies.BASE)
HALF = settings(max_examples=settings().max_examples // 2)


@st.composite
def tables_with_residue(draw: st.DrawFn) -> Table:
    made = draw(strategies.monotone_tables(max_rows=4))
    extra = [draw(residue_rows(f"r{n}")) for n in range(draw(st.integers(0, 2)))]
    return made.with_rows((*made.rows, *extra))


def active_by_definition(made: Table, ids: Iterable[str]) -> frozenset[str]:
    """The union of all sets of rows that carry themselves: their needs are bound, and all are connected to the key."""
    wanted = [one for one in made.rows if one.id in frozenset(ids)]
    sets = (chosen for size in range(len(wanted) + 1) for chosen in combinations(wanted, size))
    return frozenset(one.id for chosen in sets if carries_itself(made, chosen) for one in chosen)


def carries_itself(made: Table, chosen: tuple[Row, ...]) -> bool:
    full, key = positive_variables(made.rows), frozenset(answer_key(made))
    touched = [binds(one) | needs(one, full) for one in chosen]
    reached = set(key)
    for _ in chosen:
        reached |= {variable for one in touched if one & reached for variable in one}
    connected = all(one & reached for one in touched)
    return connected and all(needs(one, full) <= positive_variables(chosen) for one in chosen)


@HALF
@given(tables_with_residue(), st.data())
def test_active_rows_are_those_of_the_definition(made: Table, data: st.DataObject) -> None:
    assume(answer_key(made) and len(made.rows) <= 9)
    ids = data.draw(strategies.row_subsets(made))
    assert active_rows(made, ids) == active_by_definition(made, ids)


def activity_is_monotone(activity: Activity, made: Table, small: frozenset[str], more: frozenset[str]) -> bool:
    return activity(made, small) <= activity(made, small | more)


@HALF
@given(tables_with_residue(), st.data())
def test_activity_is_monotone(made: Table, data: st.DataObject) -> None:
    small, more = data.draw(strategies.row_subsets(made)), data.draw(strategies.row_subsets(made))
    assert activity_is_monotone(active_rows, made, small, more)


def query(made: Table, ids: Iterable[str], activity: Activity = active_rows) -> Table:
    """`Q_S`: the active rows of the set, projected to the key of the full table."""
    head = tuple(Column(variable) for variable in answer_key(made))
    return evolve(made.only(activity(made, ids)), head=head)


def answers_shrink(activity: Activity, made: Table, graph: Graph, small: frozenset[str], more: frozenset[str]) -> bool:
    fewer: set[AnswerRow] = set(evaluate(query(made, small | more, activity), graph).rows)
    return fewer <= set(evaluate(query(made, small, activity), graph).rows)


@HALF
@given(strategies.worlds(), st.data())
def test_more_rows_never_give_more_answers(world: tuple[Table, Graph], data: st.DataObject) -> None:
    """The monotonicity lemma, for safe sets of core rows."""
    made, graph = world
    small, more = data.draw(strategies.row_subsets(made)) | {"c1"}, data.draw(strategies.row_subsets(made))
    assume(is_safe(made, small))
    assert answers_shrink(active_rows, made, graph, small, more)


@HALF
@given(tables_with_residue(), st.data())
def test_residue_that_keeps_its_outer_variables_never_adds_answers(made: Table, data: st.DataObject) -> None:
    graph = data.draw(strategies.graphs_for(made))
    small, more = data.draw(strategies.row_subsets(made)) | {"c1"}, data.draw(strategies.row_subsets(made))
    assume(is_safe(made, small))
    assert answers_shrink(active_rows, made, graph, small, more)


def test_counting_every_row_as_active_breaks_the_lemma() -> None:
    """Keeping `month(?d) = 2` while the row that binds `?d` is gone lets no answer through: not monotone."""
    made = (
        table("t").select(v.x).row("c1", v.x, ex.knows, v.y).row("c2", v.x, ex.age, v.d).filter("c3", v.d > 2).build()
    )
    graph = Graph([(NODES[0], RELATIONS[0], NODES[1]), (NODES[0], AGE, Literal.of(3))])
    small, more = frozenset({"c1", "c3"}), frozenset({"c2"})

    def everything(_: Table, ids: Iterable[str]) -> frozenset[str]:
        return frozenset(ids)

    assert answers_shrink(active_rows, made, graph, small, more)
    assert not answers_shrink(everything, made, graph, small, more)


def test_an_activity_that_looks_at_the_number_of_rows_is_caught() -> None:
    made = table("t").select(v.x).row("c1", v.x, ex.knows, v.y).row("c2", v.x, a, ex.City).build()

    def fickle(_: Table, ids: Iterable[str]) -> frozenset[str]:
        return frozenset(ids) if len(frozenset(ids)) == 1 else frozenset()

    assert not activity_is_monotone(fickle, made, frozenset({"c1"}), frozenset({"c2"}))


@HALF
@given(tables_with_residue(), st.data())
def test_a_safe_set_binds_the_key_in_every_answer(made: Table, data: st.DataObject) -> None:
    ids = data.draw(strategies.row_subsets(made))
    graph = data.draw(strategies.graphs_for(made))
    active = active_rows(made, ids)
    stands = positive_variables(one for one in made.rows if one.id in active)
    assert is_safe(made, ids) == (bool(active) and set(answer_key(made)) <= stands)
    if is_safe(made, ids):
        assert all(None not in found for found in evaluate(query(made, ids), graph).rows)


@HALF
@given(strategies.worlds(), st.data())
def test_blocks_are_independent_given_the_key(world: tuple[Table, Graph], data: st.DataObject) -> None:
    """The answers of a safe set are the keys that every block accepts on its own."""
    made, graph = world
    ids = active_rows(made, data.draw(strategies.row_subsets(made)) | {"c1"})
    assume(is_safe(made, ids))
    parts = blocks(made, ids)
    assert sorted(name for part in parts for name in part) == sorted(ids)
    whole = set(evaluate(query(made, ids), graph).rows)
    key = answer_key(made)
    domain = [(one,) for one in graph.terms()] if len(key) == 1 else []
    for part in parts:
        rows = [one for one in made.rows if one.id in part]
        alone = evolve(made, head=tuple(map(Column, key)), rows=tuple(rows))
        found = set(evaluate(alone, graph).rows)
        domain = [one for one in domain if one in found or not set(key) <= positive_variables(rows)]
    assert whole <= set(domain)
    if all(set(key) <= positive_variables(one for one in made.rows if one.id in part) for part in parts):
        assert whole == set(domain)


def test_a_comparison_connects_what_it_compares() -> None:
    """`?y < ?w` joins two parts; without one of its binders the far part is orphaned."""
    made = (
        table("t")
        .select(v.x)
        .row("near", v.x, ex.age, v.y)
        .row("far", v.z, ex.age, v.w)
        .filter("joins", v.y < v.w)
        .build()
    )
    assert active_rows(made, {"near", "far", "joins"}) == {"near", "far", "joins"}
    assert active_rows(made, {"near", "far"}) == {"near"}
    assert active_rows(made, {"near", "joins"}) == {"near"}


def test_conditions_that_support_each_other() -> None:
    """A `where` may look at another row's value and the other way round: both bind what they are asked for."""
    rows = (
        row("c1", v.x, ex.age, v.y, where=v.y < v.w),
        row("c2", v.x, ex.born, v.w, where=v.y < v.w),
    )
    made = table("t").select(v.x).add(*rows).build()
    assert active_rows(made, {"c1", "c2"}) == {"c1", "c2"}
    assert active_rows(made, {"c1"}) == frozenset()


def test_names_that_need_each_other_have_no_beginning() -> None:
    made = (
        table("t")
        .select(v.x)
        .row("c1", v.x, ex.age, v.n)
        .let("b1", v.a, v.b + v.n)
        .let("b2", v.b, v.a + v.n)
        .let("b3", v.c, v.n + 1)
        .build()
    )
    assert active_rows(made, {"c1", "b1", "b2", "b3"}) == {"c1", "b3"}


def test_rows_without_variables_are_orphaned_unless_the_table_asks() -> None:
    ground = Row("g", Triple(NODES[0], RELATIONS[0], NODES[1]))
    made = table("t").select(v.x).row("c1", v.x, ex.knows, v.y).add(ground).build()
    assert active_rows(made, {"c1", "g"}) == {"c1"}
    asking = table("t").ask().row("c1", v.x, ex.knows, v.y).add(ground).build()
    assert active_rows(asking, {"c1", "g"}) == {"c1", "g"}
    assert is_safe(table("t").ask().add(ground).build(), {"g"})


def test_outer_variables_are_fixed_from_the_full_table() -> None:
    """`not { ?x r ?y }` with `?y` bound elsewhere in the full table is inactive once that row is gone."""
    made = (
        table("t")
        .select(v.x)
        .row("c1", v.x, a, ex.City)
        .row("c2", v.x, ex.knows, v.y)
        .without("n", row("n.1", v.x, ex.likes, v.y))
        .build()
    )
    assert active_rows(made, {"c1", "c2", "n"}) == {"c1", "c2", "n"}
    assert active_rows(made, {"c1", "n"}) == {"c1"}


def test_conditions_in_a_branch_look_outside() -> None:
    low = Row("e.1", Filter(Comparison(ComparisonOperator.LESS, Variable("d"), Literal.of(2))))
    high = Row("e.2", Filter(Comparison(ComparisonOperator.GREATER, Variable("d"), Literal.of(4))))
    either = Row("e", Either(((low,), (high,))))
    made = table("t").select(v.x).row("c1", v.x, ex.age, v.d).add(either).build()
    assert needs(either, positive_variables(made.rows)) == {Variable("d")}
    assert active_rows(made, {"e"}) == frozenset()
    graph = Graph((NODES[n], AGE, Literal.of(n)) for n in range(1, 6))
    assert [found for (found,) in evaluate(made, graph).rows] == [NODES[1], NODES[5]]


def test_local_variables_of_exists_are_not_needed() -> None:
    made = table("t").select(v.x).row("c1", v.x, ex.knows, v.y, where=exists(row("e", v.y, ex.likes, v.anyone))).build()
    assert active_rows(made, {"c1"}) == {"c1"}


def test_blocks_share_only_key_variables() -> None:
    made = (
        table("t")
        .select(v.x)
        .row("c1", v.x, ex.knows, v.y)
        .row("c2", v.y, a, ex.City)
        .row("c3", v.x, ex.likes, v.z)
        .row("c4", v.x, a, ex.Person)
        .build()
    )
    assert blocks(made, {"c1", "c2", "c3", "c4"}) == (("c1", "c2"), ("c3",), ("c4",))
    different = evolve(made, match_mode=MatchMode.DIFFERENT_RELATIONSHIPS)
    assert blocks(different, {"c1", "c3"}) == (("c1", "c3"),)


@pytest.mark.parametrize("distinct", [True, False])
def test_the_key_is_what_positive_rows_bind(distinct: bool) -> None:
    made = (
        table("t")
        .select(v.x, v.name, distinct=distinct)
        .row("c1", v.x, a, ex.City)
        .optional("o", row("o.1", v.x, ex.name, v.name))
        .build()
    )
    assert answer_key(made) == (Variable("x"),)
    assert answer_key(evolve(made, head=())) == (Variable("x"),)
    assert not is_safe(made, {"o"})
    assert is_safe(made, {"c1"})


def test_type_rows_bind_their_class_variable() -> None:
    assert binds(Row("c", TypeAtom(KEY, Variable("k")))) == {KEY, Variable("k")}
    assert binds(Row("c", TypeAtom(KEY, CLASSES[0]))) == {KEY}
