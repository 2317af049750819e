"""The exact backchase: a smallest set of rows with the answers of U*, by implicit hitting sets.

A set that lets an unwanted answer in lies within the rows that this answer satisfies, so every sound set holds a row
outside of them: a clause. Take a smallest set that hits all clauses known, ask for an answer beyond those of U*, learn
from it, repeat; the first set that lets nothing in is a smallest one. (Implicit hitting sets: Moreno-Centeno and Karp
2013.)
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import product
from math import inf, prod
from typing import Final

from attrs import define, field

from uniqgen_ir.ir.analysis import binds
from uniqgen_ir.ir.protocols import AnswerRow
from uniqgen_ir.ir.schema import Schema
from uniqgen_ir.ir.terms import Variable
from uniqgen_ir.passes.search.asking import answers_nested, answers_within
from uniqgen_ir.passes.search.branches import narrowed
from uniqgen_ir.passes.search.exact.covers import Surroundings
from uniqgen_ir.passes.search.exact.extents import Extents
from uniqgen_ir.passes.search.exact.gathering import TooMuch
from uniqgen_ir.passes.search.exact.hitting import HittingSets
from uniqgen_ir.passes.search.exact.masks import Mask
from uniqgen_ir.passes.search.exact.semijoin import answers_by_rows
from uniqgen_ir.passes.search.implication import Implication, implication
from uniqgen_ir.passes.search.lazy_fetch import Neighbourhood
from uniqgen_ir.passes.search.order import answer_order
from uniqgen_ir.passes.search.problem import AnswerKey, Problem
from uniqgen_ir.passes.search.result import (
    Kept,
    LeftOut,
    Outcome,
    RedundancyKind,
    Redundant,
    Relaxed,
    Status,
    Tightened,
    WitnessKind,
)
from uniqgen_ir.passes.search.show import show_answer

FIRST_TRY_MS: Final = 1_500.0
"""how long an engine may join several rows at least before they are joined here"""
PROBE: Final = 500
"""answers of a candidate that are looked at first: where much leaks, a leak is among them"""
LEAKS_AT_ONCE: Final = 8
MOST_CLAUSES: Final = 64
"""clauses learnt from one answer"""
SHARE: Final = 0.75
"""of the time and the statements that are left when the backchase begins: after it no smallest set is looked for, and
the rest goes into deleting single rows"""


@define(eq=False)
class ExactBackchase:
    """One run over the rows of U*. `run` may be called once."""

    problem: Problem
    relaxed: Relaxed
    schema: Schema | None = None
    protected: frozenset[Variable] = frozenset()
    """variables beside the key that must stay bound: order keys and the like"""
    around: Surroundings = field(init=False)
    whole: Problem = field(init=False)
    """the problem with every branch; `problem` is that without those that give nothing"""
    branches: tuple[LeftOut, ...] = field(init=False, default=())
    extents: Extents = field(init=False)
    every: Mask = field(init=False)
    target: frozenset[AnswerRow] = field(init=False, factory=frozenset[AnswerRow])
    has_target: bool = field(init=False, default=False)
    """whether the answers of U* are known"""
    search: HittingSets = field(init=False)
    leaks: dict[AnswerKey, list[Mask]] = field(init=False, factory=dict[AnswerKey, list[Mask]])
    """answers beyond the target, each with sets of rows that it satisfies"""
    time_share: float = field(init=False, default=1.0)
    """the share of the budget's time that may be spent when the search for a smallest set ends"""
    most_calls: int | None = field(init=False, default=None)
    """the statements that may be sent by then"""

    def __attrs_post_init__(self) -> None:
        self.whole = self.problem
        meter = self.problem.meter
        if (ms := meter.budget.ms) is not None:
            self.time_share = min(1.0, (meter.ms + SHARE * meter.left()) / ms)
        if (calls := meter.budget.calls) is not None:
            self.most_calls = calls - min(len(self.relaxed.rows), int((1.0 - SHARE) * (calls - meter.calls)))
        self._begin()

    def _begin(self) -> None:
        self.around = Surroundings(self.problem, self.relaxed.rows, share=self.time_share)
        self.extents = Extents(self.problem)
        bits = self.around.bits
        self.every = bits.mask(self.relaxed.rows)
        order = sorted(self.relaxed.rows, key=self.problem.uncertainty)
        self.search = HittingSets(self.every, [bits.of[one] for one in order], self._active, self.around.effort.spend)
        self.search.add(bits.of[name] for name in self.relaxed.rows if self.problem.rows[name].note.required)
        self.search.add(self._binders(one) for one in (*self.problem.key, *self.protected))

    def run(self) -> Tightened:
        """A smallest set; where the budget ends first a sound one that is as small as was found, status `stopped`."""
        cap = self.problem.meter.budget.answers
        target = self._answers(self.every, cap + 1)
        if target is None or len(target) > cap:
            return self._result(self.every, proved=False)
        self.target, self.has_target = target, True
        self._narrow()
        try:
            return self._loop()
        except TooMuch:
            return self._result(self._deleted(), proved=False)

    def _narrow(self) -> None:
        """Leave out branches of `either` that U* does not need; the answers stay, and all else begins anew."""
        rows, most = self.relaxed.rows, len(self.target) + 1

        def ask(problem: Problem) -> frozenset[AnswerRow] | None:
            return answers_within(problem, rows, most, self.relaxed.width, most_ms=self._first_try())

        self.problem, self.branches = narrowed(self.problem, rows, self.protected, self.target, ask)
        if self.branches:
            self._begin()

    def _loop(self) -> Tightened:
        while True:
            wanted = self.search.smallest()
            if wanted is None or wanted == self.every:
                return self._result(self.every, proved=True)
            if not self._goes_on():
                raise TooMuch
            tested, found = self._settle(wanted)
            leaks = self._leaks_of(tested, found)
            if leaks is None:
                raise TooMuch
            if not leaks:
                return self._result(tested, proved=tested == wanted)
            self._learn(tested, leaks[:LEAKS_AT_ONCE])

    def _leaks_of(self, rows: Mask, found: frozenset[AnswerRow] | None) -> list[AnswerKey] | None:
        """The answers beyond the target, noted for the lattice; None where the answers could not be had."""
        names = self.around.bits.list(rows)
        if found is None:
            self.problem.record(names, Outcome.UNKNOWN)
            return None
        leaks = sorted((_key(line) for line in found - self.target), key=answer_order)
        self.problem.record(names, Outcome.LEAKING if leaks else Outcome.SOUND, leaks[0] if leaks else None)
        return leaks

    def _deleted(self) -> Mask:
        """A sound set by deletion from U*, most uncertain rows first, in what is left of the budget.

        What leaks by the clauses known is not asked for, nor what follows on every graph.
        """
        rows, bits = self.every, self.around.bits
        for name in sorted(self.relaxed.rows, key=self.problem.uncertainty, reverse=True):
            bit = bits.of[name]
            rest = self._active(rows & ~bit)
            if not rows & bit or any(not clause & rest for clause in self.search.clauses):
                continue
            why = self._follows(name, bits.list(rows), frozenset(self.problem.key) | self.protected)
            if why is None or why.needs_data:
                most_ms = self.problem.meter.left() / 2
                found = answers_within(
                    *(self.problem, bits.list(rest), len(self.target) + 1, self.relaxed.width), most_ms=most_ms
                )
                leaks = self._leaks_of(rest, found)
                if leaks:
                    self.leaks.setdefault(leaks[0], []).append(rest)
                if leaks is None or leaks:
                    continue
            rows = rest
        return rows

    def _settle(self, wanted: Mask) -> tuple[Mask, frozenset[AnswerRow] | None]:
        """The set and its answers; where these cannot be had in time, those of a set with more rows."""
        tested = wanted
        while (found := self._beyond(tested)) is None:
            more = next((bit for bit in self.search.order if bit & ~tested and bit & self._active(tested | bit)), None)
            if more is None or not self._goes_on():
                return tested, None
            tested |= more
        return tested, found

    def _beyond(self, rows: Mask) -> frozenset[AnswerRow] | None:
        """Some answers of these rows, all of them where none is beyond the target."""
        wanted = len(self.target) + LEAKS_AT_ONCE
        if wanted > 2 * PROBE:
            names = self.around.bits.list(rows)
            some = answers_within(self.problem, names, PROBE, self.relaxed.width, most_ms=self._first_try())
            if some is not None and some - self.target:
                return some
        return self._answers(rows, wanted)

    def _goes_on(self) -> bool:
        """Whether a smallest set is still looked for."""
        meter = self.problem.meter
        return meter.has_time(self.time_share) and (self.most_calls is None or meter.calls < self.most_calls)

    def _first_try(self) -> float:
        """Milliseconds for a plain join: a sixth of what is left, so that there is time for the other ways."""
        left = self.problem.meter.left(self.time_share)
        return FIRST_TRY_MS if left == inf else max(FIRST_TRY_MS, left / 6)

    def _answers(self, rows: Mask, limit: int) -> frozenset[AnswerRow] | None:
        names = self.around.bits.list(rows)
        found = answers_within(self.problem, names, limit, self.relaxed.width, most_ms=self._first_try())
        if found is None:
            left = None if self.problem.meter.budget.ms is None else 2 * self._first_try()
            found = answers_nested(self.problem, names, limit, left)
        if found is None:
            found = self.extents.answers(names)
        return answers_by_rows(self.problem, names) if found is None else found

    def _learn(self, rows: Mask, leaks: Sequence[AnswerKey]) -> None:
        """New clauses from answers that these rows let in."""
        try:
            by_block = [(group, self.around.masks(group, leaks)) for group in self.around.groups]
        except TooMuch:
            satisfied = {leak: [self._grown(rows, leak)] for leak in leaks[:1]}
        else:
            satisfied = {leak: self._satisfied(rows, [masks[leak] for _, masks in by_block]) for leak in leaks}
        before = list(self.search.clauses)
        for leak, masks in satisfied.items():
            self.leaks.setdefault(leak, []).extend(masks)
            self.search.add(self.every & ~mask for mask in masks)
        if self.search.clauses == before:  # memory and store disagree about these answers: believe the store
            self.leaks.setdefault(leaks[0], []).append(rows)
            self.search.add([self.every & ~rows])

    def _satisfied(self, rows: Mask, blocks: Sequence[tuple[Mask, ...]]) -> list[Mask]:
        """Largest sets that the answer satisfies: all of them, or where there are many those around the rows."""
        if prod(len(one) for one in blocks) > MOST_CLAUSES:
            everything = [self.around.bits.mask(group) for group in self.around.groups]
            blocks = [
                tuple(mask for mask in masks if rows & place & ~mask == 0)[:1]
                for masks, place in zip(blocks, everything, strict=True)
            ]
        return [sum(choice) for choice in product(*blocks)]

    def _grown(self, rows: Mask, leak: AnswerKey) -> Mask:
        """These rows, and every further one that the answer satisfies along with them."""
        bits, neighbourhood = self.around.bits, Neighbourhood(self.problem, spare_calls=0)
        kept: list[str] = []
        waiting = [*bits.list(rows), *bits.list(self.every & ~rows)]
        while (name := next((one for one in waiting if one in self.problem.active([*kept, one])), None)) is not None:
            waiting.remove(name)
            sure = bool(bits.of[name] & rows)
            lost = neighbourhood.lost(name, kept, [leak])
            if sure or lost == ():
                kept.append(name)
        return bits.mask(kept) | rows

    def _binders(self, variable: Variable) -> Mask:
        rows = self.problem.rows
        return self.around.bits.mask(name for name in self.relaxed.rows if variable in binds(rows[name]))

    def _active(self, rows: Mask) -> Mask:
        return self.around.bits.mask(self.problem.active(self.around.bits.list(rows)))

    # --- the result ---------------------------------------------------------------------------------------------------

    def _result(self, rows: Mask, *, proved: bool) -> Tightened:
        names = self.around.bits.list(rows)
        kept = tuple(self._kept(name, rows, proved=proved) for name in names)
        redundant = self._redundant([name for name in self.relaxed.rows if name not in names])
        answers = tuple(sorted((_key(line) for line in self.target), key=answer_order)) if self.has_target else None
        branches = tuple(one for one in self.branches if one.row in names)
        for one in branches:
            why = "the answers stay the same without these branches"
            self.problem.note("backchase.branch", names, names, why, row=one.row, branches=list(one.branches))
        return Tightened(Status.OK if proved else Status.STOPPED, kept, redundant, answers, proved, branches)

    def _kept(self, name: str, rows: Mask, *, proved: bool) -> Kept:
        problem, bits = self.problem, self.around.bits
        if problem.rows[name].note.required:
            return Kept(name, WitnessKind.REQUIRED)
        rest = self._active(rows & ~bits.of[name])
        names = bits.list(rest)
        pinned = {one for one in self.relaxed.rows if problem.rows[one].note.required}
        if not problem.safe(names) or not pinned <= set(names) or not self.protected <= problem.bound(names):
            return Kept(name, WitnessKind.UNSAFE)
        for leak, masks in self.leaks.items():
            if any(rest & ~mask == 0 for mask in masks):
                problem.note(
                    *("backchase.keep", bits.list(rows), bits.list(rows), "without it another answer comes in"),
                    row=name,
                    answer=show_answer(leak),
                )
                return Kept(name, WitnessKind.ANSWER, leak)
        assert not proved, "every row of a smallest hitting set hits a clause alone"
        return Kept(name, WitnessKind.UNTESTED)

    def _redundant(self, names: Iterable[str]) -> tuple[Redundant, ...]:
        """Rows that follow from others on every graph, found one after the other; the rest only on this one."""
        problem, left = self.problem, list(self.relaxed.rows)
        open_names = sorted(names, key=problem.uncertainty, reverse=True)
        fixed, found = frozenset(problem.key) | self.protected, dict[str, Redundant]()
        while implied := next(((one, why) for one in open_names if (why := self._follows(one, left, fixed))), None):
            name, why = implied
            found[name] = Redundant(name, RedundancyKind.IMPLIED, why.reason)
            self._note_removed(name, left, RedundancyKind.IMPLIED, why)
            open_names.remove(name)
        for name in open_names:
            why = Implication("the answers stay the same without it", (), ())
            found[name] = Redundant(name, RedundancyKind.DATA, why.reason)
            self._note_removed(name, left, RedundancyKind.DATA, why)
        return tuple(found[name] for name in problem.row_ids if name in found)

    def _follows(self, name: str, left: Sequence[str], fixed: frozenset[Variable]) -> Implication | None:
        return implication(self.whole, name, left, fixed, self.schema)

    def _note_removed(self, name: str, left: list[str], kind: RedundancyKind, why: Implication) -> None:
        rest = [one for one in left if one != name]
        self.problem.note(
            *("backchase.remove", left, rest, why.reason),
            row=name,
            kind=kind.value,
            because=list(why.because),
            proof=list(why.proof),
        )
        left[:] = rest


def _key(line: AnswerRow) -> AnswerKey:
    return tuple(term for term in line if term is not None)
