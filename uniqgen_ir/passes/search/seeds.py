"""A safe start where not every start will do: rows that bind the key, and hold every pinned row, and keep the answers.

With one key variable and pinned rows that it binds, the first row that is kept is safe by itself. Several key
variables, or a pinned row that hangs on others, need a search: a row that is kept too early may shut out the only one
that could be kept with it. No bound on calls is promised there.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from attrs import define, field

from uniqgen_ir.ir.analysis import binds
from uniqgen_ir.passes.search.lazy_fetch import Neighbourhood
from uniqgen_ir.passes.search.problem import AnswerKey, Problem

MOST_TRIED: Final = 2_000
"""sets of rows that are tried; beyond it the search is stopped, and says so"""


def needs_seed(problem: Problem) -> bool:
    """Whether the rows cannot simply be tried one after the other."""
    pinned = (name for name, row in problem.rows.items() if row.note.required)
    return len(problem.key) > 1 or any(name not in problem.active([name]) for name in pinned)


@define(eq=False)
class Seed:
    """The search for a seed, depth first. `find` may be called once."""

    problem: Problem
    neighbourhood: Neighbourhood
    order: Sequence[str]
    cut: bool = field(init=False, default=False)
    """whether the budget ended the search, so that a seed may have been overlooked"""
    _tried: int = field(init=False, default=0)
    _waiting_allowed: bool = field(init=False, default=False)

    def find(self, answers: Sequence[AnswerKey]) -> tuple[str, ...]:
        """The rows of a seed, what binds a variable before what needs it; none where there is no seed.

        Each is active when its turn comes. Where there is no such seed, rows may wait for others: what only a condition
        or a `not` connects, which in turn needs it, is active only together with it.
        """
        found = self._grow((), tuple(answers), frozenset())
        if found is None and not self.cut:
            self._waiting_allowed = True
            found = self._grow((), tuple(answers), frozenset())
        return self._in_order(found or ())

    def _in_order(self, found: Sequence[str]) -> tuple[str, ...]:
        """The active ones among the rows found, so that those before a row bind what it needs."""
        active = self.problem.active(found)
        left, placed = [name for name in found if name in active], list[str]()
        while left:
            bound = self.problem.bound(placed)
            name = next((one for one in left if self.problem.needs(one) <= bound), left[0])
            left.remove(name)
            placed.append(name)
        return tuple(placed)

    def _grow(
        self, kept: tuple[str, ...], answers: tuple[AnswerKey, ...], spent: frozenset[str]
    ) -> tuple[str, ...] | None:
        useful = self._useful(kept)
        if useful is None:
            return kept
        for name in (one for one in self.order if one in useful and one not in kept):
            if self.cut:
                break
            if name in spent or not (self._waiting_allowed or name in self.problem.active([*kept, name])):
                continue
            stay = self._stay(name, kept, answers)
            found = self._grow((*kept, name), stay, spent) if stay else None
            if found is not None:
                return found
            spent |= {name}  # whatever holds this row, too, was tried by now
        return None

    def _useful(self, kept: tuple[str, ...]) -> frozenset[str] | None:
        """The rows on the way to the first thing that is missing: a pinned row, a row that binds a key variable.

        None where nothing is missing.
        """
        rows = self.problem.rows
        active = self.problem.active(kept)
        pinned = next((name for name in self.order if rows[name].note.required and name not in active), None)
        if pinned is not None:
            return self._around(pinned)
        bound = self.problem.bound(active)
        variable = next((one for one in self.problem.key if one not in bound), None)
        if variable is None:
            return None
        return frozenset[str]().union(*(self._around(name) for name in rows if variable in binds(rows[name])))

    def _around(self, name: str) -> frozenset[str]:
        """The row, and what may bind and connect it."""
        if name in self.problem.active([name]):
            return frozenset({name})
        rows = self.problem.rows
        around, needed = frozenset({name}), self.problem.needs(name)
        while True:
            sources = around.union(one for one in rows if binds(rows[one]) & needed)
            found = frozenset(one for source in sources for one in self.problem.block_of(source, rows))
            if found == around:
                return around
            around, needed = found, needed.union(*(self.problem.needs(one) for one in found))

    def _stay(self, name: str, kept: tuple[str, ...], answers: tuple[AnswerKey, ...]) -> tuple[AnswerKey, ...]:
        """The answers that stay with the row; none where they are too few, or nobody knows."""
        before, after = self.problem.active(kept), self.problem.active([*kept, name])
        tested = set[tuple[str, ...]]()
        for row_id in (one for one in (*kept, name) if one in after - before):
            others = after - {row_id}
            block = self.problem.block_of(row_id, others)
            if block in tested:
                continue
            tested.add(block)
            answers = self._without_lost(row_id, tuple(one for one in (*kept, name) if one in others), answers)
            if not answers:
                return ()
        return answers

    def _without_lost(self, name: str, kept: tuple[str, ...], answers: tuple[AnswerKey, ...]) -> tuple[AnswerKey, ...]:
        self._tried += 1
        lost = self.neighbourhood.lost(name, kept, answers)
        if lost is None or self._tried > MOST_TRIED:
            self.cut = True
            return ()
        gone = frozenset(lost)
        stay = tuple(one for one in answers if one not in gone)
        return stay if self.problem.covered(stay) else ()
