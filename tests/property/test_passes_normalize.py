"""Normalisation keeps answers on every graph, is idempotent, and does not depend on the names of inner variables."""

from __future__ import annotations

import time
from collections import Counter

import pytest
from hypothesis import assume, given, reject
from hypothesis import strategies as st

from tests.property.passes_strategies import CONSTANTS, EDGES, NAMES, NODES, VALUE, graphs, tables
from uniqgen_ir.ir.diagnostics import DiagnosticError
from uniqgen_ir.ir.evaluate import evaluate
from uniqgen_ir.ir.expressions import Comparison, ComparisonOperator
from uniqgen_ir.ir.graph import Graph
from uniqgen_ir.ir.protocols import AnswerRow, StoreTimeout
from uniqgen_ir.ir.rows import Filter, Row, Triple
from uniqgen_ir.ir.table import Column, Table
from uniqgen_ir.ir.terms import Literal, Variable
from uniqgen_ir.ir.visitor import rename_variables, variables_in_order
from uniqgen_ir.passes.normal import equalities
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
        if {one.code for one in error.diagnostics} != {"UQ401"}:
            raise
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


def test_a_wrong_rule_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every variable taken for a node: 1 and 1.0 are then no longer equal, and the first property must see it."""
    x, y, z, w, _ = NAMES
    rows = (
        Row("c1", Triple(x, VALUE, y)),
        Row("c2", Triple(x, EDGES[0], w)),
        Row("c3", Triple(w, VALUE, z)),
        Row("c4", Filter(Comparison(ComparisonOperator.EQUAL, y, z))),
    )
    table = Table("t", (Column(x),), rows)

    def differs(pair: tuple[Literal, Literal]) -> bool:
        graph = Graph([(NODES[0], VALUE, pair[0]), (NODES[1], VALUE, pair[1]), (NODES[0], EDGES[0], NODES[1])])
        normal = normal_or_empty(table)
        return normal is None or answers(table, graph) != answers(normal, graph)

    pairs = [(one, other) for one in CONSTANTS for other in CONSTANTS]
    assert not any(map(differs, pairs))
    monkeypatch.setattr(equalities, "_nodes", lambda _: frozenset(NAMES))
    assert any(map(differs, pairs))
