"""A safe start for tables with several key variables: one complete choice of a row per key variable.

With one key variable the first row that is kept is safe by itself. With several, a maximal set may leave a key variable
unbound; no bound on calls is promised there.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

from uniqgen_ir.ir.analysis import binds
from uniqgen_ir.passes.search.lazy_fetch import Neighbourhood
from uniqgen_ir.passes.search.problem import AnswerKey, Problem


def seed_rows(
    problem: Problem, neighbourhood: Neighbourhood, answers: Sequence[AnswerKey], order: Sequence[str]
) -> list[str]:
    """The order of trial with the rows of a safe complete seed first; the order as it was where there is none."""
    holders = [
        [name for name in order if variable in binds(problem.rows[name]) and not problem.needs(name)]
        for variable in problem.key
    ]
    required = [name for name in order if problem.rows[name].note.required]
    for choice in product(*holders):
        seed = list(dict.fromkeys(choice))
        if _complete(neighbourhood, answers, seed):
            first = [*required, *(name for name in seed if name not in required)]
            return [*first, *(name for name in order if name not in first)]
    return list(order)


def _complete(neighbourhood: Neighbourhood, answers: Sequence[AnswerKey], seed: Sequence[str]) -> bool:
    kept: list[str] = []
    for name in seed:
        lost = neighbourhood.lost(name, kept, answers)
        if lost is None or lost:
            return False
        kept.append(name)
    return True
