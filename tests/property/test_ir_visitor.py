"""Laws of renaming, substituting and rewriting."""

from __future__ import annotations

from typing import Any

import pytest
from attrs import evolve
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from tests.property import strategies
from tests.property.strategies import AGE, BASE, KEY, NODES, RELATIONS
from tests.property.test_ir_evaluate import bag, residue_rows
from uniqgen_ir.ir.analysis import answer_key
from uniqgen_ir.ir.building.builder import Namespace, aggregate, call, count, exists, row, table, v
from uniqgen_ir.ir.evaluation.evaluate import evaluate
from uniqgen_ir.ir.graph import Graph
from uniqgen_ir.ir.rows import Bind, Row, SubTable, Triple, Values
from uniqgen_ir.ir.substitution import substitute
from uniqgen_ir.ir.table import Table
from uniqgen_ir.ir.terms import Literal, Variable
from uniqgen_ir.ir.visitor import (
    fresh_variable,
    parameters_in_order,
    rename_variables,
    rewrite,
    rewrite_rows,
    variables_in_order,
    walk,
    walk_rows,
)

HALF = settings(max_examples=settings().max_examples // 4)
ex = Namespace(BASE)


@st.composite
def residue_worlds(draw: st.DrawFn) -> tuple[Table, Graph]:
    made, graph = draw(strategies.worlds(strategies.monotone_tables(max_rows=4)))
    extra = [draw(residue_rows(f"r{n}")) for n in range(draw(st.integers(0, 2)))]
    return made.with_rows((*made.rows, *extra)), graph


def fresh_names(made: Table) -> dict[Variable, Variable]:
    return {one: Variable(f"new_{number}") for number, one in enumerate(variables_in_order(made))}


@HALF
@given(strategies.full_tables())
def test_renaming_there_and_back_gives_the_same_table(made: Table) -> None:
    names = fresh_names(made)
    renamed = rename_variables(made, names)
    assert not set(variables_in_order(renamed)) & set(names)
    assert rename_variables(renamed, {new: old for old, new in names.items()}) == made


@HALF
@given(residue_worlds())
def test_renaming_changes_no_answer(world: tuple[Table, Graph]) -> None:
    made, graph = world
    assert bag(evaluate(rename_variables(made, fresh_names(made)), graph).rows) == bag(evaluate(made, graph).rows)


def test_renaming_two_variables_to_one_is_refused() -> None:
    made = table("t").select(v.x).row("c1", v.x, ex.knows, v.y).build()
    with pytest.raises(ValueError, match="same name"):
        rename_variables(made, {Variable("x"): Variable("y")})


@HALF
@given(strategies.full_tables())
def test_rewriting_with_nothing_to_do_gives_the_very_same_table(made: Table) -> None:
    assert rewrite(made, lambda node: node) is made


@HALF
@given(strategies.full_tables())
def test_a_walk_meets_what_a_rewrite_meets(made: Table) -> None:
    met: list[Any] = []

    def note(node: Any) -> Any:
        met.append(node)
        return node

    rewrite(made, note)
    walked = list(walk(made))
    assert len(walked) == len(met)
    assert set(walked) == set(met)
    assert list(walk_rows(made.rows)) == [node for node in walked if isinstance(node, Row)]


@HALF
@given(residue_worlds(), st.sampled_from(NODES))
def test_substituting_the_key_selects_its_answers(world: tuple[Table, Graph], node: Any) -> None:
    """`Q[x := n]` gives the answers of `Q` in which `x` is `n`."""
    made, graph = world
    assume(answer_key(made) == (KEY,))
    fixed = substitute(made, {KEY: node})
    assert bag(evaluate(fixed, graph).rows) == bag(one for one in evaluate(made, graph).rows if one == (node,))


def test_a_substitution_that_captures_is_caught() -> None:
    """Putting `?y` for `?z` without making way for the block's own `?y` changes the answers."""
    graph = Graph([(NODES[0], RELATIONS[0], NODES[1]), (NODES[1], RELATIONS[1], NODES[2])])
    made = (
        table("t").select(v.x, v.z).row("c1", v.x, ex.knows, v.z).without("c2", row("c2.1", v.z, ex["in"], v.y)).build()
    )
    z, y = Variable("z"), Variable("y")
    naive = rewrite(made, lambda one: y if one == z else one)
    assert evaluate(made, graph).rows == ()
    assert evaluate(substitute(made, {z: y}), graph).rows == ()
    assert evaluate(naive, graph).rows != ()


def test_variables_of_exists_make_way_too() -> None:
    graph = Graph([(NODES[0], RELATIONS[0], NODES[1]), (NODES[1], RELATIONS[0], NODES[2])])
    inside = exists(row("e", v.z, ex.knows, v.y))
    made = table("t").select(v.z).row("c1", v.x, ex.knows, v.z, where=inside).build()
    changed = substitute(made, {Variable("z"): Variable("y")})
    assert evaluate(changed, graph).rows == evaluate(made, graph).rows == ((NODES[1],),)
    assert changed.head[0].variable == Variable("z")


def test_a_nested_table_is_held_to_the_constant_not_changed_inside() -> None:
    """A limit inside a nested table is taken before the outer constant is compared."""
    inner = table("inner").select(v.x).row("i1", v.x, ex.knows, v.anyone).order_by(v.x).limit(1).build()
    made = table("t").select(v.x, v.y).table("c1", inner).row("c2", v.x, ex.knows, v.y).build()
    graph = Graph([(NODES[0], RELATIONS[0], NODES[2]), (NODES[1], RELATIONS[0], NODES[2])])
    first, second = (substitute(made, {KEY: node}) for node in NODES[:2])
    assert evaluate(first, graph).rows == ((NODES[0], NODES[2]),)
    assert evaluate(second, graph).rows == ()


def test_inline_tables_and_names_take_substitutions() -> None:
    x, y = Variable("x"), Variable("y")
    values = Row("c1", Values((x, y), ((NODES[0], NODES[1]), (None, NODES[2]), (NODES[3], NODES[3]))))
    graph = Graph()
    made = table("t").select(v.x, v.y).add(values).build()
    fixed = substitute(made, {x: NODES[0]})
    assert bag(evaluate(fixed, graph).rows) == bag([(NODES[0], NODES[1]), (NODES[0], NODES[2])])
    merged = evaluate(substitute(made, {x: y}), graph)
    assert bag(merged.rows) == bag([(NODES[2], NODES[2]), (NODES[3], NODES[3])])
    named = table("t").select(v.n).add(values, Row("c2", Bind(call("str", v.y).node, Variable("n")))).build()
    text = Literal.of(NODES[1].value)
    assert evaluate(substitute(named, {Variable("n"): text}), graph).rows == ((text,),)


def test_shell_follows_a_substitution() -> None:
    made = (
        table("t")
        .select(v.x, count(v.y).as_("n"))
        .row("c1", v.x, ex.knows, v.y)
        .row("c2", v.y, ex.age, v.age)
        .group_by(v.x)
        .having(aggregate("max", v.age) > 1)
        .argmax(v.x, by=v.n)
        .order_by(v.x)
        .build()
    )
    graph = Graph(
        [(NODES[0], RELATIONS[0], NODES[1]), (NODES[1], AGE, Literal.of(2)), (NODES[2], RELATIONS[0], NODES[1])]
    )
    assert evaluate(substitute(made, {KEY: NODES[0]}), graph).rows == ((NODES[0], Literal.of(1)),)
    renamed = rename_variables(made, {KEY: Variable("other"), Variable("n"): Variable("m")})
    assert bag(evaluate(renamed, graph).rows) == bag(evaluate(made, graph).rows)
    assert evaluate(renamed, graph).columns == ("other", "m")


def test_rows_may_become_several_rows_in_any_block() -> None:
    made = (
        table("t")
        .select(v.x)
        .row("c1", v.x, ex.knows, v.y)
        .either("c2", [row("c2.1", v.x, ex.likes, v.y)], [row("c2.2", v.y, ex.likes, v.x)])
        .build()
    )

    def twice(one: Row) -> tuple[Row, ...]:
        return (one, evolve(one, id=one.id + "b")) if isinstance(one.atom, Triple) else (one,)

    changed = made.with_rows(rewrite_rows(made.rows, twice))
    names = [one.id for one in walk_rows(changed.rows)]
    assert names == ["c1", "c1b", "c2", "c2.1", "c2.1b", "c2.2", "c2.2b"]


def test_names_in_order_and_fresh_names() -> None:
    made = table("t").select(v.b).row("c1", v.a, ex.knows, v.b, where=v.b == call("str", v.c)).build()
    assert variables_in_order(made) == tuple(map(Variable, "bac"))
    assert parameters_in_order(made) == ()
    assert fresh_variable("a", map(Variable, ("a", "a_1", "c"))) == Variable("a_2")
    inner = SubTable(made)
    assert Variable("c") in variables_in_order(Row("s", inner))
