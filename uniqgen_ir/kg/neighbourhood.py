"""The local subgraph G': the union of the k-hop neighbourhoods of the linked entities."""

from __future__ import annotations

from collections.abc import Collection

from attrs import frozen

from uniqgen_ir.kg.neighbourhood_adjacency import NODE_CAP, Adjacency


@frozen
class Neighbourhood:
    """The nodes of G', by distance from the start; `complete` is False where the cap cut something off."""

    nodes: frozenset[int]
    complete: bool


def neighbourhood(adjacency: Adjacency, starts: Collection[int], hops: int, cap: int = NODE_CAP) -> Neighbourhood:
    """Everything within `hops` edges of any start, at most `cap` nodes, nearest first and then by number."""
    seen: set[int] = set(sorted(starts)[:cap])
    frontier: Collection[int] = sorted(seen)
    for _ in range(hops):
        fresh = {target for node in frontier for _, target in adjacency.edges(node)} - seen
        room = cap - len(seen)
        if len(fresh) > room:
            return Neighbourhood(frozenset(seen | set(sorted(fresh)[:room])), complete=False)
        seen |= fresh
        frontier = sorted(fresh)
    return Neighbourhood(frozenset(seen), complete=True)
