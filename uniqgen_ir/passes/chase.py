"""The pass `chase`: relax the table to a maximal set of rows that keeps the reference answers."""

from __future__ import annotations

from attrs import frozen

from uniqgen_ir.ir.diagnostics import Diagnostic, DiagnosticError
from uniqgen_ir.ir.rows import OptionalBlock
from uniqgen_ir.ir.table import Table
from uniqgen_ir.passes.base import Outcome, PassContext, Rewritten, Unchanged, missing
from uniqgen_ir.passes.relaxation import RelaxationOptions, Strategy, relax
from uniqgen_ir.passes.search.budget import Meter
from uniqgen_ir.passes.search.problem import Problem
from uniqgen_ir.passes.search.refusals import check_searchable
from uniqgen_ir.passes.search.result import Relaxed, Status
from uniqgen_ir.passes.search.show import show_answer


@frozen(kw_only=True)
class Chase:
    """Relax the table to a maximal set of rows that keeps the reference answers.

    Options: `strategy` (greedy, exact, beam), `beam` (its width), `theta` (the share of the reference answers to keep).
    """

    strategy: Strategy = "greedy"
    beam: int = 4
    theta: float = 1.0

    name = "chase"

    def run(self, table: Table, context: PassContext) -> Outcome:
        """Raises DiagnosticError UQ415 where no safe set keeps the reference answers."""
        store = context.need_store(self.name)
        if context.references is None:
            raise missing(self.name, "reference answers")
        options = RelaxationOptions(
            strategy=self.strategy, beam=self.beam, theta=self.theta, budget=context.budget, ranker=context.ranker
        )
        check_searchable(table, context.references)
        problem = Problem(table, context.references, Meter(store, context.budget), self.theta)
        relaxed = relax(problem, options)
        context.relaxed = relaxed
        if not relaxed.rows:
            raise no_complete_set(table, relaxed)
        rows = {*relaxed.rows, *(row.id for row in table.rows if isinstance(row.atom, OptionalBlock))}
        steps = tuple(problem.steps)
        return Rewritten(table.only(rows), steps) if len(rows) < len(table.rows) else Unchanged(steps)


def no_complete_set(table: Table, relaxed: Relaxed) -> DiagnosticError:
    """UQ415, naming the answers that stand in the way and the rows that lose them; UQ416 out of budget."""
    if relaxed.status is Status.STOPPED:
        message = "the budget ended before any set of rows was found that keeps the reference answers"
        return DiagnosticError((Diagnostic("UQ416", message, table.span, hint="raise the budget"),))
    if not relaxed.blocking:
        return DiagnosticError((Diagnostic("UQ415", "no row of the table has a match in this graph", table.span),))
    found = [
        Diagnostic("UQ415", f"{show_answer(one.answer)} is lost by {', '.join(one.rows)}", table.span)
        for one in relaxed.blocking
    ]
    return DiagnosticError(found)
