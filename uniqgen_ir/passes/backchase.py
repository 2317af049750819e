"""The pass `backchase`: leave out rows while the answers stay the same."""

from __future__ import annotations

from attrs import evolve, frozen

from uniqgen_ir.ir.rows import OptionalBlock
from uniqgen_ir.ir.table import Table
from uniqgen_ir.passes.base import Outcome, PassContext, Rewritten, Unchanged
from uniqgen_ir.passes.relaxation import Evidence, Objective, RelaxationOptions, Strategy, report_of, tighten
from uniqgen_ir.passes.search.budget import Meter
from uniqgen_ir.passes.search.problem import Problem
from uniqgen_ir.passes.search.refusals import check_searchable
from uniqgen_ir.passes.search.result import Relaxed, Status


@frozen(kw_only=True)
class Backchase:
    """Leave out rows while the answers stay the same.

    Options: `strategy` and `beam`; `objective` (minimal, tight); `evidence` (data: redundant on this graph; schema: on
    every graph).
    """

    strategy: Strategy = "greedy"
    beam: int = 4
    objective: Objective = "minimal"
    evidence: Evidence = "data"

    name = "backchase"

    def run(self, table: Table, context: PassContext) -> Outcome:
        store = context.need_store(self.name)
        options = RelaxationOptions(
            strategy=self.strategy,
            beam=self.beam,
            objective=self.objective,
            evidence=self.evidence,
            budget=context.budget,
            schema=context.schema,
            ranker=context.ranker,
        )
        check_searchable(table, context.references or ())
        problem = Problem(table, context.references or (), Meter(store, context.budget))
        relaxed = _relaxed(problem, context)
        tightened = tighten(problem, relaxed, options)
        report = report_of(problem, evolve(relaxed, dropped=()), tightened)
        context.report = report
        assert report.table is not None
        return Rewritten(report.table, report.steps) if report.table != table else Unchanged(report.steps)


def _relaxed(problem: Problem, context: PassContext) -> Relaxed:
    """What the chase just found for these very rows, or the table as it stands, taken for U*."""
    core = tuple(row.id for row in problem.table.rows if not isinstance(row.atom, OptionalBlock))
    if context.relaxed is not None and context.relaxed.rows == core:
        return context.relaxed
    active = problem.active(core)
    return Relaxed(Status.OK, tuple(name for name in core if name in active), ())
