"""The answers of rows by statements over one row each, where an engine fails to join them in time.

Candidates come from the most certain row that binds the whole key; each further row takes away those that it does not
allow, joined in memory (a semi-join reduction).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from uniqgen_ir.ir.analysis import binds
from uniqgen_ir.ir.protocols import AnswerRow
from uniqgen_ir.passes.nesting import core_table
from uniqgen_ir.passes.search.asking import select
from uniqgen_ir.passes.search.lazy_fetch import Neighbourhood, complete_lines
from uniqgen_ir.passes.search.order import answer_order
from uniqgen_ir.passes.search.problem import AnswerKey, Problem


def answers_by_rows(problem: Problem, names: Iterable[str]) -> frozenset[AnswerRow] | None:
    """All answers of the active rows; None where the budget ends first, a row meets a hub, or rows need each other."""
    waiting = [name for name in problem.order() if name in set(names)]
    first, left = _candidates(problem, waiting)
    if left is None:
        return None
    if waiting == [first]:
        return frozenset(left)
    neighbourhood = Neighbourhood(problem, spare_calls=0)
    kept: list[str] = []
    while (name := next((one for one in waiting if one in problem.active([*kept, one])), None)) is not None:
        waiting.remove(name)
        lost = neighbourhood.lost(name, kept, left)
        if lost is None:
            return None
        gone = set(lost)
        left = [one for one in left if one not in gone]
        kept.append(name)
    # rows that count only together, such as a comparison and the only row that binds its other side, are never next
    return None if waiting else frozenset(left)


def _candidates(problem: Problem, names: Sequence[str]) -> tuple[str, list[AnswerKey] | None]:
    """A row that binds the key, and all answers that it alone allows; None where they are too many."""
    most = problem.meter.budget.rows
    whole = [name for name in names if set(problem.key) <= binds(problem.rows[name]) and not problem.needs(name)]
    for name in whole[:3]:
        found = select(problem, core_table(problem.core, problem.key, problem.take([name])), most)
        if found is not None and found.complete and len(found.rows) < most:
            return name, sorted(complete_lines(problem.respell(found)), key=answer_order)
    return "", None
