"""Which row to try next, where certain rows hang on uncertain ones.

A question names a thing, and rows lead from it to the answer. The row that names it is the most certain one, and
nothing binds it before the rows between were kept. Tried strictly by their own uncertainty, these come after any row
that hangs on the same variables and is a little more certain, though it may be the one that contradicts the thing. So a
row counts with the best path that begins with it: by the mean uncertainty of the rows on it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from uniqgen_ir.ir.terms import Variable
from uniqgen_ir.passes.search.problem import Problem


def leading(problem: Problem, ready: Sequence[str], waiting: Iterable[str], kept: Iterable[str]) -> str:
    """The row among `ready` (active with the kept rows, in order of trial) with which the best path begins."""
    ahead = [one for one in waiting if one not in ready and not problem.needs(one)]
    if len(ready) == 1 or not ahead or problem.rows[ready[0]].note.required:
        return ready[0]
    reached = frozenset(problem.key) | problem.bound(kept)
    return min(ready, key=lambda one: _best(problem, one, ahead, reached))


def _best(problem: Problem, first: str, ahead: Iterable[str], reached: frozenset[Variable]) -> float:
    """The least mean uncertainty of a path of rows that begins with this one; rows are reached the shortest way."""
    total = problem.uncertainty(first)
    best, left, ends = total, set(ahead), [(total, 1, problem.outer(first) - reached)]
    while ends:
        following: list[tuple[float, int, frozenset[Variable]]] = []
        for before, length, open_variables in ends:
            for name in sorted(one for one in left if problem.outer(one) & open_variables):
                left.remove(name)
                total = before + problem.uncertainty(name)
                best = min(best, total / (length + 1))
                following.append((total, length + 1, problem.outer(name) - reached - open_variables))
        ends = following
    return best
