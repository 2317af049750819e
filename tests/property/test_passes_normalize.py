"""Normalisation keeps answers on every graph, is idempotent, and does not depend on the names of inner variables."""

from __future__ import annotations

import time
from collections import Counter

from attrs import evolve
from hypothesis import assume, find, given, reject
from hypothesis import strategies as st

from tests.property.passes_strategies import NAMES, NODES, VALUE, constants, graphs, tables
from uniqgen_ir.ir.diagnostics import DiagnosticError
from uniqgen_ir.ir.evaluate import evaluate
from uniqgen_ir.ir.expressions import Comparison, ComparisonOperator, Not
from uniqgen_ir.ir.graph import Graph
from uniqgen_ir.ir.protocols import AnswerRow, StoreTimeout
from uniqgen_ir.ir.rows import Filter, Row, Triple
from uniqgen_ir.ir.table import Column, Table
from uniqgen_ir.ir.terms import Literal, Variable
from uniqgen_ir.ir.visitor import rename_variables, rewrite, variables_in_order
from uniqgen_ir.passes.normalize import normalize
from uniqgen_ir.passes.verify import verify


def answers(table: Table, graph: Graph) -> Counter[AnswerRow]:
    """The bag of answers; an example whose joins explode is left out."""
    try:
        return Counter(evaluate(table, graph, deadline=time.monotonic() + 0.3).rows)
    except StoreTimeout:
        reject()


def normal_or_empty(table: Table, rename: bool = True) -> Table | None:
    """The normal form; None for a table that was refused because it can have no answer."""
    try:
        return normalize(table, rename=rename)[0]
    except DiagnosticError as error:
        assert [one.code for one in error.diagnostics] == ["UQ401"]
        return None


@given(tables(), graphs(), st.booleans())
def test_answers_are_unchanged_on_every_graph(table: Table, graph: Graph, rename: bool) -> None:
    assume(not verify(table))
    normal = normal_or_empty(table, rename)
    before = answers(table, graph)
    assert before == (answers(normal, graph) if normal is not None else Counter())


@given(tables())
def test_normal_form_is_valid_and_idempotent(table: Table) -> None:
    assume(not verify(table))
    normal = normal_or_empty(table)
    assume(normal is not None)
    assert normal is not None
    assert not verify(normal)
    again, steps = normalize(normal)
    assert again == normal
    assert steps == ()


@given(tables(), st.permutations(["p", "q", "r", "s", "t", "u"]))
def test_inner_names_do_not_matter(table: Table, names: list[str]) -> None:
    assume(not verify(table))
    shown = set(table.columns)
    inner = [variable for variable in variables_in_order(table) if variable not in shown]
    renamed = rename_variables(table, {old: Variable(new) for old, new in zip(inner, names, strict=False)})
    assert normal_or_empty(table) == normal_or_empty(renamed)


@given(tables())
def test_every_row_names_the_rows_it_came_from(table: Table) -> None:
    assume(not verify(table))
    normal = normal_or_empty(table)
    assume(normal is not None)
    assert normal is not None
    given_ids = {row.id for row in table.rows}
    for row in normal.rows:
        assert row.id in given_ids or set(row.note.sources) & given_ids
        assert set(row.note.sources) <= given_ids


def test_a_wrong_rule_is_caught() -> None:
    """`not (a < b)` read as `a >= b` for every type: the property above must be able to fail."""

    def pushed(table: Table) -> Table:
        opposite = {ComparisonOperator.LESS: ComparisonOperator.GREATER_EQUAL}

        def push(one: object) -> object:
            if isinstance(one, Not) and isinstance(one.operand, Comparison) and one.operand.operator in opposite:
                return evolve(one.operand, operator=opposite[one.operand.operator])
            return one

        return rewrite(table, push)  # type: ignore[arg-type]

    def differs(pair: tuple[Literal, Literal]) -> bool:
        value, limit = pair
        graph = Graph([(NODES[0], VALUE, value)])
        condition = Not(Comparison(ComparisonOperator.LESS, NAMES[1], limit))
        rows = (Row("c1", Triple(NAMES[0], VALUE, NAMES[1])), Row("c2", Filter(condition)))
        table = Table("t", (Column(NAMES[0]),), rows)
        right = normal_or_empty(table)
        assert right is not None
        assert answers(right, graph) == answers(table, graph)
        return answers(table, graph) != answers(pushed(table), graph)

    assert find(st.tuples(constants, constants), differs)
