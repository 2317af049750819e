"""The greedy chase: one maximal complete set, one test per row.

Start from nothing, try rows in order of uncertainty as soon as something binds them, keep a row if the reference
answers stay. By monotonicity a row that fails once fails for every larger set, so the result is maximal.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Final

from attrs import define, field

from uniqgen_ir.passes.search.lazy_fetch import Neighbourhood
from uniqgen_ir.passes.search.paths import leading
from uniqgen_ir.passes.search.problem import AnswerKey, Problem
from uniqgen_ir.passes.search.result import Blocking, Dropped, DropReason, Outcome, Relaxed, Status
from uniqgen_ir.passes.search.seeds import Seed, needs_seed
from uniqgen_ir.passes.search.show import show_answers
from uniqgen_ir.passes.search.suspects import suspects_of, without_suspects

MOST_TOLD: Final = 20
"""lost answers that a step names"""


@define(eq=False)
class GreedyChase:
    """One run. `run` may be called once."""

    problem: Problem
    neighbourhood: Neighbourhood = field(init=False)
    kept: list[str] = field(init=False, factory=list[str])
    answers: tuple[AnswerKey, ...] = field(init=False)
    dropped: dict[str, Dropped] = field(init=False, factory=dict[str, Dropped])
    blocked_by: list[str] = field(init=False, factory=list[str])
    cut: bool = field(init=False, default=False)
    """whether the search for a start ended early, so that there may be one"""

    def __attrs_post_init__(self) -> None:
        self.answers = tuple(dict.fromkeys(reference.key for reference in self.problem.references))
        self.neighbourhood = Neighbourhood(self.problem, spare_calls=None if needs_seed(self.problem) else 1)

    def run(self) -> Relaxed:
        """The maximal set, or status `none` with the answers that stand in the way."""
        waiting = list(self.problem.order())
        for start in self._seed(waiting):
            waiting.remove(start)
            self._try(start)
        waiting = [*self._let_go_of_inactive(), *waiting]
        while (row_id := self._next(waiting)) is not None:
            waiting.remove(row_id)
            self._try(row_id)
        for row_id in waiting:
            self._orphan(row_id)
        return self._result()

    def _seed(self, waiting: Sequence[str]) -> tuple[str, ...]:
        """Rows to begin with, where a search for them is needed."""
        if not needs_seed(self.problem):
            return ()
        seed = Seed(self.problem, self.neighbourhood, waiting)
        found = seed.find(self.answers)
        self.cut = seed.cut and not found
        return found

    def _let_go_of_inactive(self) -> Sequence[str]:
        """Rows of the seed that count only beside one that was not kept, as where the budget ended before its test."""
        live = self.problem.active(self.kept)
        gone = [one for one in self.kept if one not in live]
        if gone:
            self.kept = [one for one in self.kept if one in live]
            told = ((one, one.evidence.get("row") if one.rule == "chase.keep" else None) for one in self.problem.steps)
            self.problem.steps[:] = [step for step, row in told if row not in gone]
        return gone

    def _next(self, waiting: Sequence[str]) -> str | None:
        """The row to try: by uncertainty, or sooner where it leads to rows that are more certain."""
        ready = [one for one in waiting if one in self.problem.active([*self.kept, one])]
        return leading(self.problem, ready, waiting, self.kept) if ready else None

    def _try(self, row_id: str) -> None:
        lost = self.neighbourhood.lost(row_id, self.kept, self.answers)
        outcome = Outcome.UNKNOWN if lost is None else Outcome.COMPLETE if not lost else Outcome.INCOMPLETE
        self.problem.record([*self.kept, row_id], outcome, lost[0] if lost else None)
        if lost is None:
            self.dropped[row_id] = Dropped(row_id, DropReason.UNTESTED)
            self.problem.note(
                "chase.untested", [*self.kept, row_id], self.kept, "the budget ended before it was tested"
            )
            return
        gone = set(lost)
        stay = tuple(one for one in self.answers if one not in gone)
        if self.problem.covered(stay):
            self.kept.append(row_id)
            self.answers = stay
            self.problem.note("chase.keep", self.kept[:-1], self.kept, "the reference answers stay", row=row_id)
            return
        self.dropped[row_id] = Dropped(row_id, DropReason.LOSES_ANSWERS, lost)
        if self.problem.rows[row_id].note.required:
            self.blocked_by.append(row_id)
        self.problem.note(
            *("chase.drop", [*self.kept, row_id], self.kept, "it loses reference answers"),
            row=row_id,
            lost=show_answers(lost[:MOST_TOLD]),
            lost_in_all=len(lost),
        )

    def _orphan(self, row_id: str) -> None:
        unbound = tuple(variable.name for variable in self.problem.missing(row_id, self.kept))
        self.dropped[row_id] = Dropped(row_id, DropReason.ORPHANED, unbound=unbound)
        if self.problem.rows[row_id].note.required:
            self.blocked_by.append(row_id)
        self.problem.note(
            *("chase.orphan", [*self.kept, row_id], self.kept, "no kept row binds its variables"),
            row=row_id,
            unbound=list(unbound),
        )

    def _result(self) -> Relaxed:
        problem = self.problem
        order = problem.row_ids
        dropped = tuple(self.dropped[name] for name in order if name in self.dropped)
        untested = any(one.reason is DropReason.UNTESTED for one in dropped)
        if self.blocked_by or not problem.safe(self.kept):
            status = Status.STOPPED if untested or self.cut else Status.NONE
            return Relaxed(status, (), dropped, blocking=self._blocking(), maximal=False)
        kept = tuple(name for name in order if name in set(self.kept))
        suspects = suspects_of(problem, dropped)
        return Relaxed(
            Status.STOPPED if untested else Status.OK,
            kept,
            dropped,
            maximal=not untested,
            answers=self.answers,
            suspects=suspects,
            alternatives=without_suspects(problem, self.neighbourhood.still_lost, suspects, self.kept, self.answers),
            width=cache(self._width),
        )

    def _width(self, block: tuple[str, ...]) -> float:
        return self.neighbourhood.width(block, self.answers)

    def _blocking(self) -> tuple[Blocking, ...]:
        rows: dict[AnswerKey, list[str]] = {}
        for name, one in self.dropped.items():
            for answer in one.lost:
                if name in self.blocked_by or not self.blocked_by:
                    rows.setdefault(answer, []).append(name)
        return tuple(Blocking(answer, tuple(names)) for answer, names in rows.items())
