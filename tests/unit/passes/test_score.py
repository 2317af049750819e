"""The score: the formula, what is counted together, and what stays on the row to explain the figure."""

from __future__ import annotations

import math

import pytest
from attrs import evolve

from uniqgen_ir.ir.evaluation.evaluate import ReferenceStore
from uniqgen_ir.ir.expressions import Comparison, ComparisonOperator
from uniqgen_ir.ir.graph import Graph
from uniqgen_ir.ir.rows import Filter, NotBlock, Origin, Row, RowNote, Triple
from uniqgen_ir.ir.table import Column, Table
from uniqgen_ir.ir.terms import IRI, Literal, Variable
from uniqgen_ir.passes.score import LogarithmicScore, score_rows

X, V = Variable("x"), Variable("v")
SIZE, IN, GONE = (IRI(f"http://example.org/{name}") for name in ("size", "in", "gone"))
NODES = [IRI(f"http://example.org/n{place}") for place in range(10)]
GRAPH = Graph(
    [
        *((node, SIZE, Literal.of(place)) for place, node in enumerate(NODES)),
        *((node, IN, NODES[0]) for node in NODES[:4]),
    ]
)
ABOVE = Filter(Comparison(ComparisonOperator.GREATER, V, Literal.of(7)))
TABLE = Table(
    "t",
    (Column(X),),
    (
        Row("size", Triple(X, SIZE, V)),
        Row("above", ABOVE),
        Row("in", Triple(X, IN, NODES[0])),
        Row("one", Triple(X, SIZE, Literal.of(3))),
        Row("none", Triple(X, GONE, V)),
        Row("not", NotBlock((Row("not.1", Triple(X, GONE, V)),))),
    ),
)


def test_the_formula() -> None:
    score = LogarithmicScore().uncertainty
    assert score(0, 100, None) == 1.0
    assert score(1, 100, None) == 0.0
    assert score(10, 100, None) == pytest.approx(0.5)
    assert score(1000, 100, None) == 1.0
    assert score(1, 0, None) == 0.0
    assert score(10, 100, 0.4) == pytest.approx(1 - 0.5 * 0.6)


def test_rows_are_counted_on_one_graph() -> None:
    store = ReferenceStore(GRAPH)
    scored, steps = score_rows(TABLE, store)
    support = {row.id: row.note.support for row in scored.rows}
    assert support == {"size": 10, "above": 2, "in": 4, "one": 1, "none": 0, "not": None}
    assert scored.row("in").note.uncertainty == pytest.approx(math.log(4) / math.log(14), abs=1e-4)
    assert scored.row("none").note.uncertainty == 1.0
    assert store.statistics.calls == 6
    by_row = {step.rows_after[0]: step for step in steps}
    assert by_row["in"].evidence["matches"] == 4
    assert by_row["in"].evidence["size"] == 14
    assert by_row["none"].reason.startswith("unsupported")
    assert "not" not in by_row


def test_a_pragmatic_row_keeps_its_prior_in_the_figure_and_is_not_counted_twice() -> None:
    note = RowNote(origin=Origin.PRAGMATIC, uncertainty=0.4)
    table = TABLE.with_rows(evolve(row, note=note) if row.id == "in" else row for row in TABLE.rows)
    scored, steps = score_rows(table, ReferenceStore(GRAPH))
    counted = math.log(4) / math.log(14)
    assert scored.row("in").note.uncertainty == pytest.approx(1 - (1 - counted) * 0.6, abs=1e-4)
    assert next(step for step in steps if step.rows_after == ("in",)).evidence["prior"] == 0.4
    assert score_rows(scored, ReferenceStore(GRAPH)) == (scored, ())


def test_another_strategy_can_be_plugged_in() -> None:
    class Half:
        name = "half"

        def uncertainty(self, matches: int, size: int, prior: float | None) -> float:
            return 0.5 if matches < size and prior is None else 1.0

    scored, _ = score_rows(TABLE, ReferenceStore(GRAPH), Half(), size=14)
    assert scored.row("one").note.uncertainty == 0.5
