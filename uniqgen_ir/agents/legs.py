"""Legs: paths of relations from something that the question names towards the answer, found set at a time."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Final

from attrs import field, frozen

from uniqgen_ir.kg.linking.index import GraphIndex
from uniqgen_ir.kg.linking.names import all_nameless
from uniqgen_ir.kg.neighbourhood_adjacency import capped, reverse

HOP: Final = 0.25
BACKWARD: Final = 0.15
UNDO: Final = 0.4

CHAIN: Final = 0.15
PREFIXES_KEPT: Final = 120


@frozen
class Hop:
    """One relation walked in one direction (`directed`), or a containment chain of one to `depth` steps of it."""

    directed: int
    depth: int = 1

    @property
    def relation(self) -> int:
        return self.directed // 2

    @property
    def backward(self) -> bool:
        return self.directed % 2 == 1


@frozen
class Leg:
    """Hops from a start, the nodes after each hop (the start first), and which hops walk the one before back."""

    hops: tuple[Hop, ...]
    sets: tuple[frozenset[int], ...] = field(repr=False, eq=False)
    undo: tuple[bool, ...] = field(default=(), eq=False)
    cost: float = field(default=0.0, eq=False)
    """what the hops cost, whatever the words say"""

    @property
    def end(self) -> frozenset[int]:
        return self.sets[-1]


def enumerate_legs(
    index: GraphIndex,
    start: Collection[int],
    hops: int,
    bound: Callable[[Hop], float],
    kept: int = PREFIXES_KEPT,
    side: float = 0.0,
) -> list[Leg]:
    """Every leg of one to `hops` hops, both directions; at each length the best `kept` by a lower bound go on.

    `bound` gives the least that a hop can cost once words are aligned with it, `side` what one costs to or from nodes
    that stand for facts.
    """
    found: list[Leg] = []
    bounds: dict[Leg, float] = {}
    frontier = [Leg((), (frozenset(capped(start)),))]
    for _ in range(hops):
        fresh: list[tuple[float, int, Leg]] = []
        for leg in frontier:
            for extended in extensions(index, leg):
                said = bound(extended.hops[-1])
                if all_nameless(extended.end, index.nameless) or (leg.hops and all_nameless(leg.end, index.nameless)):
                    said = min(said, side)
                lower = bounds.get(leg, 0.0) + said + extended.cost - leg.cost
                bounds[extended] = lower
                fresh.append((lower, len(fresh), extended))
        fresh.sort(key=lambda entry: entry[:2])
        frontier = [leg for _, _, leg in fresh[:kept]]
        found += [leg for _, _, leg in fresh[: 2 * kept]]
    return found


def extensions(index: GraphIndex, leg: Leg) -> list[Leg]:
    """The leg with each relation that leads on from its end, in both directions, and each containment chain."""
    last = leg.hops[-1] if leg.hops else None
    buckets = index.adjacency.expand(capped(leg.end))
    extended: list[Leg] = []
    values = bool(leg.hops) and index.relations[leg.hops[-1].relation].literal and not leg.hops[-1].backward
    for directed in sorted(buckets):
        relation = directed // 2
        if values and directed != reverse(leg.hops[-1].directed):
            continue  # two properties that happen to have one value (an id, a year) connect nothing
        if directed % 2 == 1 and relation in index.inverses:
            continue  # the same as its inverse walked forwards
        undo = last is not None and last.depth == 1 and _undoes(index, last.directed, directed)
        nodes = buckets[directed]
        if undo and len(leg.sets[-2]) == 1:
            nodes = nodes - leg.sets[-2]
        if nodes:
            extended.append(_extend(leg, Hop(directed), frozenset(capped(nodes)), undo))
        depth = index.relations[relation].depth
        if depth and not undo and not (last is not None and last.relation == relation):
            chain = _chain(index, buckets[directed], directed, depth)
            if chain != buckets[directed]:
                extended.append(_extend(leg, Hop(directed, depth), frozenset(capped(chain)), False))
    return extended


def _undoes(index: GraphIndex, before: int, now: int) -> bool:
    if now == reverse(before):
        return True
    both_forward = before % 2 == 0 and now % 2 == 0
    return both_forward and before != now and index.inverses.get(before // 2) == now // 2


def _chain(index: GraphIndex, first: set[int], directed: int, depth: int) -> set[int]:
    reached = set(first)
    frontier = set(first)
    for _ in range(depth - 1):
        frontier = index.adjacency.image(frontier, directed) - reached
        reached |= frontier
    return reached


def _extend(leg: Leg, hop: Hop, nodes: frozenset[int], undo: bool) -> Leg:
    cost = HOP + (BACKWARD if hop.backward else 0.0) + (UNDO if undo else 0.0) + (CHAIN if hop.depth > 1 else 0.0)
    return Leg((*leg.hops, hop), (*leg.sets, nodes), (*leg.undo, undo), leg.cost + cost)


def image_of_hop(index: GraphIndex, nodes: Collection[int], hop: Hop) -> set[int]:
    """What a hop leads to from any of the nodes."""
    first = index.adjacency.image(nodes, hop.directed)
    return first if hop.depth == 1 else _chain(index, first, hop.directed, hop.depth)
