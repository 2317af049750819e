"""Normalisation keeps answers on every graph, is idempotent, and does not depend on the names of inner variables."""

from __future__ import annotations

import time
from collections import Counter

import pytest
from hypothesis import assume, given, reject, settings
from hypothesis import strategies as st

from tests.property.passes_strategies import CLASSES, CONSTANTS, EDGES, NAMES, NODES, VALUE, graphs, tables
from uniqgen_ir.ir.diagnostics import DiagnosticError
from uniqgen_ir.ir.evaluation.evaluate import evaluate
from uniqgen_ir.ir.expressions import Call, Comparison, ComparisonOperator, Not
from uniqgen_ir.ir.graph import Graph
from uniqgen_ir.ir.protocols import AnswerRow, StoreTimeout
from uniqgen_ir.ir.rows import Either, Filter, OptionalBlock, Row, Triple, TypeAtom
from uniqgen_ir.ir.schema import ClassDeclaration, Schema
from uniqgen_ir.ir.table import Column, Table
from uniqgen_ir.ir.terms import Literal, Variable
from uniqgen_ir.ir.visitor import rename_variables, variables_in_order, walk_rows
from uniqgen_ir.passes.normal import blocks, equalities
from uniqgen_ir.passes.normal.rule import RuleResult, Settings
from uniqgen_ir.passes.normalize import normalize
from uniqgen_ir.passes.verify import verify

# nested tables cost more than plain ones
few = settings(max_examples=max(40, settings().max_examples // 3))


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


@given(tables(depth=2), graphs(), st.booleans())
def test_answers_are_unchanged_on_every_graph(table: Table, graph: Graph, rename: bool) -> None:
    assume(not verify(table))
    normal = normal_or_empty(table, rename)
    before = answers(table, graph)
    assert before == (answers(normal, graph) if normal is not None else Counter())


@given(tables(depth=2))
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


@few
@given(tables(depth=2))
def test_every_row_names_the_rows_it_came_from(table: Table) -> None:
    assume(not verify(table))
    normal, _ = normalized(table)
    given_ids = {row.id for row in walk_rows(table.rows)}
    for row in walk_rows(normal.rows):
        assert row.id in given_ids or set(row.note.sources) & given_ids
        assert set(row.note.sources) <= given_ids


@few
@given(tables(depth=2))
def test_no_row_goes_without_a_trace(table: Table) -> None:
    """Every row of the input is in the output, a source of a row in it, or named in a step."""
    assume(not verify(table))
    normal, steps = normalized(table)
    rows = list(walk_rows(normal.rows))
    known = {row.id for row in rows} | {name for row in rows for name in row.note.sources}
    known |= {name for step in steps for name in step.rows_before}
    assert {row.id for row in table.rows} <= known


@few
@given(tables(depth=2), graphs())
def test_units_stay_rows_where_the_search_comes_next(table: Table, graph: Graph) -> None:
    assume(not verify(table))
    normal, _ = normalized(table, Settings(keep_units=True))
    gone = {row.id for row in table.rows} - {row.id for row in normal.rows}
    assert all(isinstance(table.row(name).atom, Filter) for name in gone)  # always true
    assert answers(table, graph) == answers(normal, graph)


@few
@given(tables(depth=2), st.data())
def test_the_reason_of_a_contradiction_is_minimal(table: Table, data: st.DataObject) -> None:
    subject, first, second = NAMES[0], *CLASSES
    typed = [Row("d1", TypeAtom(subject, first)), Row("d2", TypeAtom(subject, second))]
    rows = data.draw(st.permutations([*table.rows, *typed]))
    table = table.with_rows(rows)
    assume(not verify(table))
    found = reason_of(table)
    assert found is not None
    assert reason_of(table.only(found)) is not None
    assert all(reason_of(table.only(found - {name})) is None for name in found if len(found) > 1)


def reason_of(table: Table) -> frozenset[str] | None:
    """The ids that the message names; None for a table that is not refused."""
    schema = Schema("s", (ClassDeclaration(CLASSES[0], disjoint=(CLASSES[1],)),))
    try:
        normalize(table, Settings(schema=schema))
    except DiagnosticError as error:
        (one,) = error.diagnostics
        assert one.code in ("UQ401", "UQ402")
        words = set(one.message.split(":")[0].split())
        return frozenset(row.id for row in table.rows if row.id in words)
    return None


def normalized(table: Table, settings: Settings | None = None) -> RuleResult:
    try:
        return normalize(table, settings)
    except DiagnosticError:
        reject()


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


def test_lifting_where_a_branch_looks_at_what_is_optional_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    """The branch is solved before `optional` binds ?y; lifted, its condition would see the value."""
    x, y, *_ = NAMES
    unbound = Row("e1", Triple(x, EDGES[0], NODES[1])), Row("e2", Filter(Not(Call("bound", (y,)))))
    rows = (
        Row("c1", Triple(x, EDGES[0], NODES[1])),
        Row("kind", Either((unbound, (Row("e3", Triple(x, EDGES[2], NODES[0])),)))),
        Row("more", OptionalBlock((Row("more.1", Triple(x, EDGES[1], y)),))),
    )
    table = Table("t", (Column(x), Column(y)), rows)
    graph = Graph([(NODES[0], EDGES[0], NODES[1]), (NODES[0], EDGES[1], NODES[2])])
    assert answers(table, graph) == answers(normalized(table)[0], graph)
    monkeypatch.setattr(blocks, "_distributes", lambda *_: True)
    assert answers(table, graph) != answers(normalized(table)[0], graph)


def test_dropping_a_block_that_says_more_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    x = NAMES[0]
    branches = ((Row("e1", Triple(x, EDGES[0], NODES[1])),), (Row("e2", Triple(x, EDGES[1], NODES[1])),))
    table = Table("t", (Column(x),), (Row("c1", Triple(x, EDGES[2], NODES[1])), Row("kind", Either(branches))))
    facts = [(NODES[0], edge, NODES[1]) for edge in EDGES[1:]]
    assert answers(table, Graph(facts)) == answers(normalized(table)[0], Graph(facts))
    monkeypatch.setattr(blocks, "_contains", lambda *_: True)
    assert answers(table, Graph(facts)) != answers(normalized(table)[0], Graph(facts))
