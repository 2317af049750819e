"""Homomorphisms by maintaining arc consistency over bit sets.

The variables of one pattern set are to be mapped into the nodes of another; a domain is an integer with a bit for each
node. Every pattern whose predicate is known is a binary constraint, given as a mask for each node. Propagation to a
fixpoint is the semi-join reduction, so that acyclic patterns need no backtracking (Yannakakis 1981); otherwise the
smallest domain over weighted degree is split next (Boussemart et al. 2004).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TypeAlias

from attrs import define, field, frozen

Masks: TypeAlias = dict[int, int]
"""For a node the set of nodes that it is related to; nodes without one are left out."""


class BudgetExceeded(Exception):
    """The search took more steps than it was given."""


@define
class Effort:
    """Steps left (revisions of arcs, and assignments tried), shared by all searches of one question."""

    left: int

    def spend(self, amount: int = 1) -> None:
        self.left -= amount
        if self.left < 0:
            raise BudgetExceeded


@frozen
class Arc:
    """A binary constraint between variables `first` and `second` (places in the list of domains)."""

    first: int
    second: int
    forward: Masks


@frozen
class Tuples:
    """A constraint by the list of what is allowed: one node for each of the variables."""

    variables: tuple[int, ...]
    allowed: tuple[tuple[int, ...], ...]


@frozen
class Check:
    """A condition on variables, looked at once each of them has one node left."""

    variables: tuple[int, ...]
    holds: Callable[[tuple[int, ...]], bool]


def nodes_in(mask: int) -> Iterator[int]:
    """The nodes of a set, in order."""
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


@define
class Search:
    """All ways to give each variable one node of its domain so that every constraint holds."""

    domains: list[int]
    arcs: Sequence[Arc]
    effort: Effort
    tuples: Sequence[Tuples] = ()
    checks: Sequence[Check] = ()
    _touching: list[list[int]] = field(factory=list[list[int]], init=False)
    _weights: list[int] = field(factory=list[int], init=False)

    def __attrs_post_init__(self) -> None:
        self._touching = [[] for _ in self.domains]
        for place, arc in enumerate(self.arcs):
            self._touching[arc.first].append(place)
            if arc.second != arc.first:
                self._touching[arc.second].append(place)
        self._weights = [1] * len(self.arcs)

    def solutions(self) -> Iterator[list[int]]:
        """Each solution as the node of every variable. Raises BudgetExceeded."""
        domains = list(self.domains)
        if not all(domains) or not self.reduce(domains, range(len(self.arcs))):
            return
        stack: list[tuple[list[int], int, int]] = []
        current: list[int] | None = domains
        while True:
            if current is not None:
                variable = self._next(current)
                if variable is None:
                    yield [one.bit_length() - 1 for one in current]
                    current = None
                else:
                    stack.append((current, variable, current[variable]))
            if not stack:
                return
            base, variable, left = stack.pop()
            low = left & -left
            if left ^ low:
                stack.append((base, variable, left ^ low))
            current = list(base)
            current[variable] = low
            if not self.reduce(current, self._touching[variable]):
                current = None

    def _next(self, domains: list[int]) -> int | None:
        best, score = None, 0.0
        for variable, domain in enumerate(domains):
            if domain & (domain - 1):
                weight = sum(self._weights[place] for place in self._touching[variable]) or 1
                found = domain.bit_count() / weight
                if best is None or found < score:
                    best, score = variable, found
        return best

    def reduce(self, domains: list[int], places: Sequence[int]) -> bool:
        """Make the domains consistent, starting with these arcs; False where one becomes empty."""
        queue = list(places)
        queued = set(queue)
        while True:
            while queue:
                place = queue.pop()
                queued.discard(place)
                changed = self._revise(domains, place)
                if changed is None:
                    self._weights[place] += 1
                    return False
                for variable in changed:
                    for other in self._touching[variable]:
                        if other != place and other not in queued:
                            queued.add(other)
                            queue.append(other)
            again = self._reduce_rest(domains)
            if again is None:
                return False
            queue = [place for variable in again for place in self._touching[variable]]
            queued = set(queue)
            if not queue:
                return True

    def _revise(self, domains: list[int], place: int) -> tuple[int, ...] | None:
        """The variables whose domains shrank; None where one is empty."""
        arc = self.arcs[place]
        first, second = domains[arc.first], domains[arc.second]
        self.effort.spend(1)
        reached, kept, forward = 0, 0, arc.forward
        mask = first
        while mask:
            low = mask & -mask
            mask ^= low
            ends = forward.get(low.bit_length() - 1, 0) & second
            if ends:
                kept |= low
                reached |= ends
        if not kept:
            return None
        changed: tuple[int, ...] = ()
        if kept != first:
            domains[arc.first] = kept
            changed = (arc.first,)
        if reached != second:
            domains[arc.second] = reached & domains[arc.second] if arc.first == arc.second else reached
            changed = (*changed, arc.second)
        return changed if all(domains[variable] for variable in changed) else None

    def _reduce_rest(self, domains: list[int]) -> set[int] | None:
        """The same for constraints over several variables."""
        changed: set[int] = set()
        for one in self.tuples:
            self.effort.spend(1 + len(one.allowed) // 8)
            supported = [0] * len(one.variables)
            for allowed in one.allowed:
                if all(domains[variable] >> node & 1 for variable, node in zip(one.variables, allowed, strict=True)):
                    for place, node in enumerate(allowed):
                        supported[place] |= 1 << node
            for variable, mask in zip(one.variables, supported, strict=True):
                if domains[variable] & mask != domains[variable]:
                    domains[variable] &= mask
                    changed.add(variable)
                if not domains[variable]:
                    return None
        for check in self.checks:
            chosen = [domains[variable] for variable in check.variables]
            if all(one & (one - 1) == 0 for one in chosen):
                self.effort.spend(1)
                if not check.holds(tuple(one.bit_length() - 1 for one in chosen)):
                    return None
        return changed
