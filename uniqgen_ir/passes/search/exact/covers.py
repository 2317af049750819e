"""What a set of rows keeps of the reference answers, known in memory: per answer and block the maximal sets."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from attrs import define, field, frozen

from uniqgen_ir.ir.analysis import blocks
from uniqgen_ir.passes.search.budget import Meter
from uniqgen_ir.passes.search.exact.gathering import Gathering, TooMuch
from uniqgen_ir.passes.search.exact.masks import BlockMasks, Mask, Masks
from uniqgen_ir.passes.search.lazy_fetch import Fetched
from uniqgen_ir.passes.search.problem import AnswerKey, Problem

MOST_STATES: Final = 400_000
"""states of the search in memory, some seconds; beyond it the optimum is not proved"""


@define(eq=False)
class Effort:
    """Counts what a search in memory does. Raises TooMuch at a fixed number of states, or when the time is over."""

    meter: Meter
    share: float = 1.0
    """the share of the budget's time that may be spent when this ends"""
    most: int = MOST_STATES
    spent: int = 0

    def spend(self) -> None:
        self.spent += 1
        if self.spent > self.most or (self.spent % 512 == 0 and not self.meter.has_time(self.share)):
            raise TooMuch


@define(eq=False)
class Bits:
    """Row names as bits, in table order."""

    names: tuple[str, ...]
    of: Mapping[str, Mask] = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.of = {name: 1 << place for place, name in enumerate(self.names)}

    def mask(self, names: Iterable[str]) -> Mask:
        return sum(self.of[name] for name in set(names))

    def list(self, mask: Mask) -> tuple[str, ...]:
        """The names of a mask, in table order."""
        return tuple(name for name in self.names if mask & self.of[name])

    def each(self, mask: Mask) -> Iterator[Mask]:
        return (bit for bit in self.of.values() if mask & bit)


@frozen
class Cover:
    """Answers that the same sets of rows keep: their weight, and the maximal sets of each block."""

    weight: float
    masks: tuple[Masks, ...]
    answers: tuple[AnswerKey, ...]

    def keeps(self, wanted: Mask, places: Sequence[Mask]) -> bool:
        """Whether the answers stay with these rows; `places` are all rows of each block."""
        return all(
            any(wanted & place & ~mask == 0 for mask in masks) for masks, place in zip(self.masks, places, strict=True)
        )


@define(eq=False)
class Surroundings:
    """The blocks whose surroundings were fetched, and those that are too large. Answers may be added."""

    problem: Problem
    names: tuple[str, ...]
    before: Mapping[str, Fetched] = field(factory=dict[str, Fetched])
    """what was fetched near the reference answers"""
    share: float = 1.0
    """the share of the budget's time that may be spent when this ends"""
    bits: Bits = field(init=False)
    effort: Effort = field(init=False)
    groups: tuple[tuple[str, ...], ...] = field(init=False)
    whole: bool = field(init=False, default=True)
    """False where sets that only conditions hold together may be missing"""

    def __attrs_post_init__(self) -> None:
        self.bits = Bits(self.problem.row_ids)
        self.effort = Effort(self.problem.meter, self.share)
        self.groups = blocks(self.problem.core, self.problem.active(self.names))

    def masks(self, group: tuple[str, ...], keys: Sequence[AnswerKey]) -> dict[AnswerKey, Masks]:
        """The maximal sets of the block for each of the answers. Raises TooMuch."""
        if not self.problem.meter.has_time(self.share):
            raise TooMuch
        gathering = Gathering(self.problem, group, keys, self.before if self._are_references(keys) else {})
        known = gathering.run()
        self.whole = self.whole and gathering.whole
        found = BlockMasks(self.problem, group, known, self.bits.of, self.effort.spend)
        return {key: found.of(key) for key in keys}

    def _are_references(self, keys: Sequence[AnswerKey]) -> bool:
        return set(keys) == {one.key for one in self.problem.references}


def covers_of(
    masks: Sequence[Mapping[AnswerKey, Masks]], weights: Mapping[AnswerKey, float], *, all_needed: bool
) -> tuple[Cover, ...]:
    """One cover per kind of answer. `all_needed`: answers that stay whenever another does are left out."""
    grouped: dict[tuple[Masks, ...], list[AnswerKey]] = {}
    for key in weights:
        grouped.setdefault(tuple(one[key] for one in masks), []).append(key)
    found = [Cover(sum(weights[key] for key in keys), one, tuple(keys)) for one, keys in grouped.items()]
    if not all_needed or len(found) > 300:
        return tuple(found)
    kept: list[Cover] = []
    for one in found:
        if not any(_implies(other, one) for other in kept):
            kept = [other for other in kept if not _implies(one, other)]
            kept.append(one)
    return tuple(kept)


def _implies(one: Cover, other: Cover) -> bool:
    """Whether every set of rows that keeps `one` keeps `other`."""
    return all(
        all(any(mask & ~larger == 0 for larger in wide) for mask in narrow)
        for narrow, wide in zip(one.masks, other.masks, strict=True)
    )
