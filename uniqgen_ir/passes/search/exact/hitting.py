"""Smallest active sets of rows that hit every clause.

A clause names rows of which one must be kept: those that bind a variable of the answer, or those that an unwanted
answer does not satisfy. Only active rows count. Branch and bound: the branches are the rows of the clause with the
fewest choices, the bound is a packing of disjoint clauses.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from attrs import define, field

from uniqgen_ir.passes.search.exact.masks import Mask


@define(eq=False)
class HittingSets:
    """Clauses over the rows `every`; `order`: their bits, those to prefer first."""

    every: Mask
    order: Sequence[Mask]
    active: Callable[[Mask], Mask]
    spend: Callable[[], None]
    clauses: list[Mask] = field(init=False, factory=list[Mask])
    _best: Mask = field(init=False, default=0)
    _size: int = field(init=False, default=0)

    def add(self, clauses: Iterable[Mask]) -> None:
        """Clauses that hold more than another say nothing new and are left out."""
        for clause in sorted(set(clauses), key=Mask.bit_count):
            if not any(one & ~clause == 0 for one in self.clauses):
                self.clauses = [one for one in self.clauses if clause & ~one != 0]
                self.clauses.append(clause)

    def smallest(self) -> Mask | None:
        """A smallest active set that hits every clause; None where there is none. Raises TooMuch."""
        self._best, self._size = 0, self.every.bit_count() + 1
        self._search(0, 0)
        return self._best if self._size <= self.every.bit_count() else None

    def _search(self, chosen: Mask, excluded: Mask) -> None:
        self.spend()
        live = self.active(chosen)
        open_clauses = [one for one in self.clauses if not one & live]
        if not open_clauses:
            if live.bit_count() < self._size:
                self._best, self._size = live, live.bit_count()
            return
        if chosen.bit_count() + max(1, _packing(open_clauses, chosen, excluded)) >= self._size:
            return
        clause = min(open_clauses, key=lambda one: (bool(one & chosen), (one & ~excluded).bit_count()))
        # where a chosen row of the clause is not active yet, any other row may be what connects it
        options = self.every if clause & chosen else clause
        for bit in self.order:
            if bit & options & ~chosen & ~excluded:
                self._search(chosen | bit, excluded)
                excluded |= bit


def _packing(clauses: Iterable[Mask], chosen: Mask, excluded: Mask) -> int:
    """How many rows the clauses need at least: one for each of some that share no row."""
    used, count = 0, 0
    for clause in sorted((one for one in clauses if not one & chosen), key=Mask.bit_count):
        left = clause & ~excluded
        if not left & used:
            used |= left
            count += 1
    return count
