"""Without reference answers: the tightest set of rows that still has an answer, in order of uncertainty.

Non-emptiness is a question about all rows together (blocks cannot be tested one by one), so each test is one
statement over
the rows kept so far, limited to one answer.
"""

from __future__ import annotations

from uniqgen_ir.ir.analysis import blocks
from uniqgen_ir.ir.protocols import StoreTimeout
from uniqgen_ir.passes.search.budget import BudgetExhausted
from uniqgen_ir.passes.search.problem import Problem
from uniqgen_ir.passes.search.result import Dropped, DropReason, Relaxed, Status
from uniqgen_ir.passes.search.statements import answers_of


def tightest(problem: Problem) -> Relaxed:
    """A set that no further row can join without losing every answer; status `none` where nothing matches."""
    kept: list[str] = []
    dropped: dict[str, Dropped] = {}
    waiting = list(problem.order())
    blocked = False
    while (name := next((one for one in waiting if one in problem.active([*kept, one])), None)) is not None:
        waiting.remove(name)
        found = _has_answer(problem, [*kept, name])
        if found:
            kept.append(name)
            problem.note("chase.keep", kept[:-1], kept, "there is still an answer", row=name)
            continue
        reason = DropReason.UNTESTED if found is None else DropReason.EMPTY
        dropped[name] = Dropped(name, reason)
        blocked = blocked or problem.rows[name].note.required
        problem.note("chase.drop", [*kept, name], kept, "no answer is left", row=name)
    for name in waiting:
        unbound = tuple(variable.name for variable in problem.missing(name, kept))
        dropped[name] = Dropped(name, DropReason.ORPHANED, unbound=unbound)
        blocked = blocked or problem.rows[name].note.required
    ordered = tuple(dropped[name] for name in problem.row_ids if name in dropped)
    untested = any(one.reason is DropReason.UNTESTED for one in ordered)
    if blocked or not problem.safe(kept):
        return Relaxed(Status.STOPPED if untested else Status.NONE, (), ordered, maximal=False)
    rows = tuple(name for name in problem.row_ids if name in set(kept))
    return Relaxed(Status.STOPPED if untested else Status.OK, rows, ordered, maximal=not untested)


def _has_answer(problem: Problem, names: list[str]) -> bool | None:
    key = [variable for variable in problem.key if variable in problem.bound(names)]
    if not key:
        return None
    groups = [problem.take(group) for group in blocks(problem.core, names)]
    try:
        return bool(problem.meter.select(answers_of(problem.core, key, groups), limit=1).rows)
    except (StoreTimeout, BudgetExhausted):
        return None
