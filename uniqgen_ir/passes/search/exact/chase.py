"""The exact chase: from greedy's set to the best-ranked maximal set, and the second best beside it.

Rank: fewest explicit rows dropped, fewest answers that nobody asked for, largest sum of 1-u, order of rows. With one
key variable and every reference answer needed, blocks are searched one by one; otherwise all rows together.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import islice, product
from typing import Final

from attrs import define, evolve, field

from uniqgen_ir.ir.protocols import AnswerRow
from uniqgen_ir.ir.rows import Origin
from uniqgen_ir.passes.search.asking import answers_within, covered_by
from uniqgen_ir.passes.search.exact.covers import Bits, Cover, Surroundings, covers_of
from uniqgen_ir.passes.search.exact.gathering import TooMuch
from uniqgen_ir.passes.search.exact.masks import Mask, Masks
from uniqgen_ir.passes.search.exact.sets import ROUNDING, BestSets, Found
from uniqgen_ir.passes.search.greedy import GreedyChase
from uniqgen_ir.passes.search.order import answer_order
from uniqgen_ir.passes.search.problem import AnswerKey, Problem
from uniqgen_ir.passes.search.result import Alternative, Dropped, DropReason, Outcome, Relaxed, Status
from uniqgen_ir.passes.search.suspects import suspects_of, without_suspects

MOST_COUNTED: Final = 12
"""equally good sets whose answers are counted on the store"""
SHARE: Final = 0.5
"""the share of the budget's time after which nothing better than greedy's set is looked for: the rest of the time is
for the backchase"""


@define(eq=False)
class ExactChase:
    """One run. `run` may be called once."""

    problem: Problem
    greedy: GreedyChase = field(init=False)
    bits: Bits = field(init=False)
    weights: dict[AnswerKey, float] = field(init=False)
    parts: list[_Part] = field(init=False, factory=lambda: list[_Part]())
    fixed: Mask = field(init=False, default=0)
    """greedy's rows of the blocks that are not searched"""
    proved: bool = field(init=False, default=True)

    def __attrs_post_init__(self) -> None:
        self.greedy = GreedyChase(self.problem)
        self.bits = Bits(self.problem.row_ids)
        self.weights = self.problem.weights()

    def run(self) -> Relaxed:
        """The best maximal set; `optimal` says whether that was proved. Never worse than greedy's."""
        begun = len(self.problem.steps)
        first = self.greedy.run()
        if not first.rows:
            return first
        if not self.problem.active(self.problem.row_ids) & {one.row for one in first.dropped}:
            return evolve(first, optimal=True)  # every row that can be active stays
        self._prepare(first)
        found = self._best()
        for one in found:
            self.problem.record(self.bits.list(one), Outcome.COMPLETE)
        ranked = self._ranked(found)
        mine = self.bits.mask(first.rows)
        best = ranked[0] if ranked else mine
        if best != mine and not self._confirmed(best):
            best, self.proved = mine, False
        result = first if best == mine else self._better(best, first, begun)
        result = evolve(result, optimal=self.proved and result.maximal)
        return evolve(result, alternatives=(*result.alternatives, *self._second(best, ranked)))

    # --- what is known ------------------------------------------------------------------------------------------------

    def _prepare(self, first: Relaxed) -> None:
        """Fetch the surroundings of the blocks that lose rows; the others stay as greedy left them."""
        problem, near = self.problem, self.greedy.neighbourhood
        around = Surroundings(problem, problem.row_ids, near.fetched, SHARE)
        alone = self._alone()
        kept, missing = set(first.rows), {one.row for one in first.dropped}
        found: list[tuple[tuple[str, ...], dict[AnswerKey, Masks]]] = []
        for group in around.groups:
            if alone and not missing & set(group):
                self.fixed |= self.bits.mask(kept & set(group))
                continue
            try:
                found.append((group, around.masks(group, tuple(self.weights))))
            except TooMuch:
                self.proved = False
                self.fixed |= self.bits.mask(kept & set(group))
        self.proved = self.proved and around.whole
        if alone:
            self.parts = [self._part(around, (group,), [masks]) for group, masks in found]
        elif len(found) == len(around.groups):
            self.parts = [self._part(around, [group for group, _ in found], [masks for _, masks in found])]
        else:
            self.fixed = self.bits.mask(first.rows)
        assert problem.references

    def _alone(self) -> bool:
        """Whether each block can be searched by itself."""
        return len(self.problem.key) == 1 and self.problem.theta > 1.0 - ROUNDING

    def _part(
        self, around: Surroundings, groups: Sequence[tuple[str, ...]], masks: Sequence[dict[AnswerKey, Masks]]
    ) -> _Part:
        problem, alone = self.problem, self._alone()
        covers = covers_of(masks, self.weights, all_needed=alone)
        own = {name for group in groups for name in group}
        elsewhere = self.bits.mask(name for name in problem.row_ids if name not in own)
        forced = self.bits.mask(name for name in own if problem.rows[name].note.required)
        total = sum(one.weight for one in covers)

        def stands(rows: Mask) -> bool:
            return self._active(rows | elsewhere) & rows == rows and (alone or problem.safe(self.bits.list(rows)))

        def joins(rows: Mask, bit: Mask) -> bool:
            return bool(self._active(rows | bit | elsewhere) & bit)

        search = BestSets(
            covers,
            tuple(self.bits.mask(group) for group in groups),
            total if alone else problem.theta * total,
            self._explicit(),
            forced,
            stands,
            joins,
            around.effort.spend,
        )
        return _Part(search, covers_of(masks, self.weights, all_needed=False))

    def _active(self, rows: Mask) -> Mask:
        return self.bits.mask(self.problem.active(self.bits.list(rows)))

    def _explicit(self) -> Mask:
        rows = self.problem.rows
        return self.bits.mask(name for name, row in rows.items() if row.note.origin is Origin.EXPLICIT)

    # --- the best sets ------------------------------------------------------------------------------------------------

    def _best(self) -> list[Mask]:
        """Sets of the whole table that keep the most explicit rows, equally good ones side by side."""
        choices: list[tuple[Mask, ...]] = []
        for part in self.parts:
            part.found = part.search.run()
            self.proved = self.proved and part.found.proved
            if not part.found.sets:
                return []
            choices.append(part.found.sets)
        found = list(islice(product(*choices), MOST_COUNTED * 4 + 1))
        if len(found) > MOST_COUNTED * 4:
            self.proved = False
        whole = [rows for one in found if (rows := self._whole(one)) is not None]
        self.proved = self.proved and bool(whole)
        return whole

    def _whole(self, choice: Iterable[Mask]) -> Mask | None:
        """The sets of the blocks together; None where one counted on rows of another block that are left out."""
        rows = self.fixed
        for one in choice:
            rows |= one
        return rows if self._active(rows) == rows and self.problem.safe(self.bits.list(rows)) else None

    def _ranked(self, sets: Sequence[Mask]) -> list[Mask]:
        """Best first: fewest answers outside the reference answers, then certainty, then the order of rows."""
        ordered = sorted(dict.fromkeys(sets), key=self._preference)
        if len(ordered) < 2:
            return ordered
        if len(ordered) > MOST_COUNTED:
            self.proved = False
        outside = {one: self._outside(one) for one in ordered[:MOST_COUNTED]}
        if any(count is None for count in outside.values()):
            self.proved = False
        known = {one: count for one, count in outside.items() if count is not None}
        return sorted(ordered, key=lambda one: (known.get(one, float("inf")), self._preference(one)))

    def _preference(self, rows: Mask) -> tuple[float, tuple[int, ...]]:
        names = self.bits.list(rows)
        certain = sum(1.0 - self.problem.uncertainty(name) for name in names)
        return -round(certain, 9), tuple(self.bits.names.index(name) for name in names)

    def _outside(self, rows: Mask) -> int | None:
        """How many answers the rows give beyond the reference answers; None where that took too long."""
        most = self.problem.meter.budget.answers
        found = self._answers(rows, most + 1)
        return None if found is None or len(found) > most else len(found - set(self.weights))

    def _answers(self, rows: Mask, limit: int) -> frozenset[AnswerRow] | None:
        left = self.problem.meter.left(SHARE)
        if not left:
            return None
        return answers_within(self.problem, self.bits.list(rows), limit, self._width, most_ms=left)

    def _width(self, block: tuple[str, ...]) -> float:
        return self.greedy.neighbourhood.width(block, self.greedy.answers)

    def _confirmed(self, rows: Mask) -> bool:
        """Whether the store, too, gives the answers that the set is said to keep. An engine has the last word."""
        kept = self._kept_answers(rows)
        for group in self.problem.groups(self.bits.list(rows)):
            if len(group) > 1 and self.bits.mask(group) & ~self.fixed:
                given = covered_by(self.problem, group, kept)
                if given is None or not set(kept) <= given:
                    return False
        return True

    def _second(self, best: Mask, ranked: Sequence[Mask]) -> tuple[Alternative, ...]:
        """The next best maximal set, with an answer that only one of the two gives; none where there is no other."""
        other = next((one for one in ranked if one != best), None) or self._next_best(best)
        if other is None:
            return ()
        apart = self._tells_apart(best, other)
        names = self.bits.list(other)
        more, fewer = self.bits.list(other & ~best), self.bits.list(best & ~other)
        reason = f"another maximal set: {', '.join(more)} instead of {', '.join(fewer)}"
        self.problem.note("chase.alternative", self.bits.list(best), names, reason)
        shown = {*names, *(row.id for row in self.problem.decoration)}
        return (Alternative(names, reason, apart, self.problem.written.only(shown)),)

    def _next_best(self, best: Mask) -> Mask | None:
        """The best set with a row that the best one leaves out, block by block."""
        found: list[Mask] = []
        for part in self.parts:
            own = part.search.everything
            following = part.search.run(hit=own & ~best)
            wholes = (self._whole([(best & ~own) | one]) for one in following.sets)
            found += [one for one in wholes if one is not None]
        others = [one for one in found if one & ~best and best & ~one]
        return min(others, key=lambda one: (-(one & self._explicit()).bit_count(), self._preference(one)), default=None)

    def _tells_apart(self, one: Mask, other: Mask) -> AnswerKey | None:
        """An answer that only one of the sets gives; None where both give the same, or that took too long."""
        most = self.problem.meter.budget.answers
        given = [self._answers(rows, most) for rows in (one, other)]
        if given[0] is None or given[1] is None:
            return None
        different = given[0] ^ given[1]
        lines = (tuple(term for term in line if term is not None) for line in different)
        return min(lines, key=answer_order, default=None)

    # --- the result ---------------------------------------------------------------------------------------------------

    def _better(self, rows: Mask, first: Relaxed, begun: int) -> Relaxed:
        """The result for another set than greedy's, whose story is then of no use."""
        problem, names = self.problem, self.bits.list(rows)
        del problem.steps[begun:]
        problem.note("chase.improve", first.rows, names, "a maximal set that ranks before the one found first")
        answers = self._kept_answers(rows)
        earlier = {one.row: one for one in first.dropped}
        dropped = tuple(self._dropped(name, rows, answers, earlier) for name in problem.row_ids if name not in names)
        suspects = suspects_of(problem, dropped)
        untested = any(one.reason is DropReason.UNTESTED for one in dropped)
        return evolve(
            first,
            status=Status.STOPPED if untested else Status.OK,
            rows=names,
            dropped=dropped,
            maximal=not untested,
            answers=answers,
            suspects=suspects,
            alternatives=without_suspects(problem, self._still_lost, suspects, names, answers),
            blocking=(),
        )

    def _dropped(self, name: str, rows: Mask, answers: Sequence[AnswerKey], earlier: dict[str, Dropped]) -> Dropped:
        names = self.bits.list(rows)
        if name not in self.problem.active([*names, name]):
            unbound = tuple(variable.name for variable in self.problem.missing(name, names))
            return Dropped(name, DropReason.ORPHANED, unbound=unbound)
        lost = self._lost(rows | self.bits.of[name], answers)
        return Dropped(name, DropReason.LOSES_ANSWERS, lost) if lost else earlier[name]

    def _lost(self, rows: Mask, answers: Sequence[AnswerKey]) -> tuple[AnswerKey, ...]:
        gone = {key for part in self.parts for one in part.covers if not part.keeps(one, rows) for key in one.answers}
        return tuple(one for one in answers if one in gone)

    def _still_lost(self, name: str, kept: Iterable[str], answers: Sequence[AnswerKey]) -> Sequence[AnswerKey] | None:
        """As `Neighbourhood.still_lost`; None for a row of a block that was not searched."""
        bit = self.bits.of[name]
        if not any(bit & part.search.everything for part in self.parts):
            return None
        return self._lost(self.bits.mask(kept) | bit, answers)

    def _kept_answers(self, rows: Mask) -> tuple[AnswerKey, ...]:
        lost = set(self._lost(rows, tuple(self.weights)))
        return tuple(one for one in self.weights if one not in lost)


@define(eq=False)
class _Part:
    """Blocks that are searched together, and what they keep of every reference answer."""

    search: BestSets
    covers: tuple[Cover, ...]
    found: Found | None = None

    def keeps(self, cover: Cover, rows: Mask) -> bool:
        return cover.keeps(rows, self.search.places)
