"""Branch and bound over sets of rows: the maximal complete sets that leave out the fewest explicit rows."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, TypeAlias

from attrs import define, field, frozen

from uniqgen_ir.passes.search.exact.covers import Cover
from uniqgen_ir.passes.search.exact.gathering import TooMuch
from uniqgen_ir.passes.search.exact.masks import Mask, Masks

MOST_TIES: Final = 24
"""equally good sets that are listed; where there are more the rank among them is not proved"""
ROUNDING: Final = 1e-12

_Alive: TypeAlias = list[tuple[float, tuple[Masks, ...]]]


@frozen
class Found:
    """The best sets, equally good in rows; `proved`: no set is better, and no other as good."""

    sets: tuple[Mask, ...]
    proved: bool


@define(eq=False)
class BestSets:
    """A search over the rows of some blocks.

    `places`: all rows of each block; `need`: the weight of answers to keep; `explicit`: rows that the question says;
    `forced`: rows that must stay; `stands`: whether a set is active and safe; `joins`: whether a row would be active in
    a set; `spend` is called at each state.
    """

    covers: Sequence[Cover]
    places: tuple[Mask, ...]
    need: float
    explicit: Mask
    forced: Mask
    stands: Callable[[Mask], bool]
    joins: Callable[[Mask, Mask], bool]
    spend: Callable[[], None]
    everything: Mask = field(init=False)
    hit: Mask = field(init=False, default=0)
    _best: int = field(init=False, default=-1)
    _found: dict[Mask, None] = field(init=False, factory=dict[Mask, None])
    _all_listed: bool = field(init=False, default=True)

    def __attrs_post_init__(self) -> None:
        self.everything = 0
        for place in self.places:
            self.everything |= place

    def run(self, least: int = -1, hit: Mask = 0) -> Found:
        """The best sets with at least `least` explicit rows and, where `hit` is given, one of its rows."""
        self.hit, self._best, self._found, self._all_listed = hit, least, {}, True
        alive: _Alive = [(one.weight, one.masks) for one in self.covers]
        for bit in _bits(self.forced):
            alive = self._with(alive, bit)
        try:
            if self._weight(alive) >= self.need:
                self._search(self.forced, 0, alive)
        except TooMuch:
            return Found(tuple(self._found), False)
        return Found(tuple(self._found), self._all_listed)

    def _search(self, kept: Mask, left: Mask, alive: _Alive) -> None:
        self.spend()
        within = 0
        for _, masks in alive:
            for block in masks:
                for mask in block:
                    within |= mask
        open_rows = within & ~kept & ~left
        if self.hit and not self.hit & (kept | open_rows):
            return
        bound = self._bound(alive, left)
        if bound < self._best or (bound == self._best and len(self._found) >= MOST_TIES):
            # a full list of equally good sets is only worth searching past for a better one
            self._all_listed = self._all_listed and bound < self._best
            return
        kept = self._take_what_costs_nothing(kept, open_rows, alive)
        rest = _bits(open_rows & ~kept)
        if not rest:
            self._leaf(kept)
            return
        # rows that only together become active (a condition and what it looks at) come last
        joining = [bit for bit in rest if self.joins(kept, bit)] or rest
        bit = max(joining, key=lambda one: (self._weight(self._with(alive, one)), bool(one & self.explicit), -one))
        with_it = self._with(alive, bit)
        if self._weight(with_it) >= self.need:
            self._search(kept | bit, left, with_it)
        self._search(kept, left | bit, self._without(alive, bit))

    def _take_what_costs_nothing(self, kept: Mask, open_rows: Mask, alive: _Alive) -> Mask:
        """Rows that every maximal set holds, as soon as something connects them."""
        common = open_rows
        for _, masks in alive:
            for place, block in zip(self.places, masks, strict=True):
                for mask in block:
                    common &= mask | ~place
        progress = True
        while progress:
            progress = False
            for bit in _bits(common & ~kept):
                if self.joins(kept, bit):
                    kept, progress = kept | bit, True
        return kept

    def _with(self, alive: _Alive, bit: Mask) -> _Alive:
        found: _Alive = []
        for weight, masks in alive:
            narrowed = tuple(
                tuple(mask for mask in block if mask & bit) if place & bit else block
                for place, block in zip(self.places, masks, strict=True)
            )
            if all(narrowed):
                found.append((weight, narrowed))
        return found

    def _without(self, alive: _Alive, bit: Mask) -> _Alive:
        """The masks without the row, those that then lie in others left out."""
        found: _Alive = []
        for weight, masks in alive:
            shrunk = tuple(
                _outermost(tuple(mask & ~bit for mask in block)) if place & bit else block
                for place, block in zip(self.places, masks, strict=True)
            )
            found.append((weight, shrunk))
        return found

    def _weight(self, alive: _Alive) -> float:
        return sum(weight for weight, _ in alive) + ROUNDING

    def _bound(self, alive: _Alive, left: Mask) -> int:
        """At most how many explicit rows a set below this state keeps: what enough of the answers allow."""
        allowed = self.explicit & ~left
        each = sorted(
            (
                (sum(max((mask & allowed).bit_count() for mask in block) for block in masks), weight)
                for weight, masks in alive
            ),
            reverse=True,
        )
        total = ROUNDING
        for size, weight in each:
            total += weight
            if total >= self.need:
                return size
        return -1

    def _leaf(self, kept: Mask) -> None:
        size = (kept & self.explicit).bit_count()
        if size < self._best or kept in self._found or (self.hit and not kept & self.hit):
            return
        if not self.stands(kept) or self._grows(kept):
            return
        if size > self._best:
            self._best, self._found, self._all_listed = size, {}, True
        if len(self._found) < MOST_TIES:
            self._found[kept] = None
        else:
            self._all_listed = False

    def _grows(self, kept: Mask) -> bool:
        """Whether another row could stay, too."""
        return any(
            self.joins(kept, bit) and self.keeps(kept | bit) >= self.need for bit in _bits(self.everything & ~kept)
        )

    def keeps(self, rows: Mask) -> float:
        """The weight of the answers that these rows keep."""
        return sum(one.weight for one in self.covers if one.keeps(rows, self.places)) + ROUNDING


def _bits(mask: Mask) -> Sequence[Mask]:
    found: list[Mask] = []
    while mask:
        lowest = mask & -mask
        found.append(lowest)
        mask ^= lowest
    return found


def _outermost(masks: Masks) -> Masks:
    different = tuple(dict.fromkeys(masks))
    if len(different) > 60:
        return different
    return tuple(one for one in different if not any(one != other and one & ~other == 0 for other in different))
