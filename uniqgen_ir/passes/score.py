"""The pass `score`: how uncertain each row is, from how many matches it has.

The formula is ours (`spec/semantics.md`): with `m` matches in a graph of `N` triples, `u = min(1, log m / log max(2,
N))`;
one match says a lot (0), a row that matches everything says next to nothing (1), a row without a match gets 1 and is
called unsupported. A pragmatic row combines this with its prior: `u = 1 - (1 - u_count)(1 - u_prior)`.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Protocol

from attrs import evolve, frozen

from uniqgen_ir.ir.analysis import binds, needs, positive_variables
from uniqgen_ir.ir.expressions import Aggregate
from uniqgen_ir.ir.protocols import Store, StoreTimeout
from uniqgen_ir.ir.rows import Bind, MinusBlock, NotBlock, OptionalBlock, Origin, Row, Triple
from uniqgen_ir.ir.table import Column, Shell, Table
from uniqgen_ir.ir.terms import Literal, Variable
from uniqgen_ir.ir.values import value_of
from uniqgen_ir.passes.base import Outcome, PassContext, Rewritten, Unchanged
from uniqgen_ir.passes.search.budget import Budget, BudgetExhausted, Meter
from uniqgen_ir.passes.trace import Step

_COUNT = Variable("matches")


class ScoreStrategy(Protocol):
    """Turns counts into uncertainty."""

    @property
    def name(self) -> str: ...

    def uncertainty(self, matches: int, size: int, prior: float | None) -> float:
        """u in [0, 1] for a row with this many matches in a graph of `size` triples; `prior` for pragmatic rows."""
        ...


@frozen
class LogarithmicScore:
    """The default strategy."""

    name = "logarithmic"

    def uncertainty(self, matches: int, size: int, prior: float | None) -> float:
        counted = 1.0 if matches == 0 else min(1.0, math.log(matches) / math.log(max(2, size)))
        combined = counted if prior is None else 1.0 - (1.0 - counted) * (1.0 - prior)
        return round(combined, 4)  # people read and write it back; the count that explains it stays beside it


@frozen(kw_only=True)
class Score:
    """Count every row's matches on one graph and set its uncertainty.

    One statement a row, and one for the size of the graph. Option: `again` counts rows that were counted before, too.
    """

    again: bool = False

    name = "score"

    def run(self, table: Table, context: PassContext) -> Outcome:
        meter = Meter(context.need_store(self.name), context.budget)
        scored, steps = score_rows(table, meter, again=self.again)
        return Rewritten(scored, steps) if scored != table else Unchanged(steps)


def score_rows(
    table: Table,
    store: Meter | Store,
    strategy: ScoreStrategy | None = None,
    *,
    size: int | None = None,
    again: bool = False,
) -> tuple[Table, tuple[Step, ...]]:
    """The table with `uncertainty` and `support` on its rows, and a step for each that explains the figure.

    `size` is the number of triples; without it one statement counts them. Rows that cannot be counted in time, and
    `not`, `optional`, `minus` and `bind` rows, stay as they are.
    """
    meter = store if isinstance(store, Meter) else Meter(store, Budget())
    strategy = strategy or LogarithmicScore()
    wanted = [row for row in table.rows if _countable(row) and (again or row.note.support is None)]
    if not wanted:
        return table, ()
    size = _count(meter, table, (_anything(),)) if size is None else size
    if size is None:
        return table, ()
    scored: dict[str, Row] = {}
    steps: list[Step] = []
    for row in wanted:
        matches = _count(meter, table, (*_binders(table, row), row))
        if matches is not None:
            scored[row.id], step = _scored(row, matches, size, strategy)
            steps.append(step)
    return table.with_rows(scored.get(row.id, row) for row in table.rows), tuple(steps)


def _scored(row: Row, matches: int, size: int, strategy: ScoreStrategy) -> tuple[Row, Step]:
    # the prior stands on a pragmatic row as long as it has not been counted
    prior = row.note.uncertainty if row.note.origin is Origin.PRAGMATIC and row.note.support is None else None
    value = strategy.uncertainty(matches, size, prior)
    reason = "unsupported: it matches nothing in this graph" if matches == 0 else f"{matches} matches in {size} triples"
    step = Step(
        "score.count",
        (row.id,),
        (row.id,),
        reason,
        {"matches": matches, "size": size, "prior": prior, "uncertainty": value, "strategy": strategy.name},
    )
    return evolve(row, note=evolve(row.note, uncertainty=value, support=matches)), step


def _countable(row: Row) -> bool:
    return not isinstance(row.atom, NotBlock | OptionalBlock | MinusBlock | Bind)


def _binders(table: Table, row: Row) -> tuple[Row, ...]:
    """The rows that a condition is counted together with: they bind its variables, the first that do."""
    missing = set(needs(row, positive_variables(table.rows))) - binds(row)
    chosen: list[Row] = []
    for other in table.rows:
        if missing & binds(other) and other is not row and not needs(other, positive_variables(table.rows)):
            chosen.append(other)
            missing -= binds(other)
    return tuple(chosen)


def _anything() -> Row:
    return Row("anything", Triple(Variable("s"), Variable("p"), Variable("o")))


def _count(meter: Meter, table: Table, rows: Sequence[Row]) -> int | None:
    """How many solutions the rows have; None where the time or the budget ended first."""
    head = (Column(Aggregate("count"), _COUNT),)
    statement = evolve(table, head=head, rows=tuple(rows), shell=Shell(distinct=False), question=None)
    try:
        found = meter.select(statement)
    except (StoreTimeout, BudgetExhausted):
        return None
    term = found.rows[0][0] if found.rows else None
    value = value_of(term) if isinstance(term, Literal) else None
    return value if isinstance(value, int) else None
