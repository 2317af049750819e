"""A graph's edges as compact arrays: who is next to whom, along which relation, in which direction."""

from __future__ import annotations

from array import array
from collections import defaultdict
from collections.abc import Collection, Iterable

from attrs import frozen

NODE_CAP = 4_000
"""How many nodes a set may hold before it is cut; enough to tell readings apart, small enough to stay fast."""


def forward(relation: int) -> int:
    """The directed number of a relation walked from subject to object."""
    return 2 * relation


def backward(relation: int) -> int:
    """The directed number of a relation walked from object to subject."""
    return 2 * relation + 1


def reverse(directed: int) -> int:
    """The same relation walked the other way."""
    return directed ^ 1


@frozen
class Adjacency:
    """Edges in rows: those of node `n` are the places `offsets[n]` to `offsets[n + 1]` of the other two arrays."""

    offsets: array[int]
    directed: array[int]
    targets: array[int]

    @classmethod
    def build(cls, size: int, edges: Iterable[tuple[int, int, int]]) -> Adjacency:
        """From (subject, relation, object) numbers; `size` is the number of nodes."""
        rows: list[list[tuple[int, int]]] = [[] for _ in range(size)]
        for subject, relation, object_ in edges:
            rows[subject].append((2 * relation, object_))
            rows[object_].append((2 * relation + 1, subject))
        offsets, directed, targets = array("l", [0]), array("l"), array("l")
        for row in rows:
            row.sort()
            directed.extend([name for name, _ in row])
            targets.extend([target for _, target in row])
            offsets.append(len(targets))
        return cls(offsets, directed, targets)

    def degree(self, node: int) -> int:
        return self.offsets[node + 1] - self.offsets[node]

    def edges(self, node: int) -> zip[tuple[int, int]]:
        """(directed relation, other end) of each edge of a node."""
        start, end = self.offsets[node], self.offsets[node + 1]
        return zip(self.directed[start:end], self.targets[start:end], strict=True)

    def expand(self, nodes: Iterable[int]) -> dict[int, set[int]]:
        """Directed relation → what it leads to from any of the nodes."""
        found: defaultdict[int, set[int]] = defaultdict(set)
        offsets, directed, targets = self.offsets, self.directed, self.targets
        for node in nodes:
            start, end = offsets[node], offsets[node + 1]
            for place in range(start, end):
                found[directed[place]].add(targets[place])
        return dict(found)

    def image(self, nodes: Iterable[int], wanted: int) -> set[int]:
        """What one directed relation leads to from any of the nodes."""
        found: set[int] = set()
        for node in nodes:
            found.update(self.follow(node, wanted))
        return found

    def follow(self, node: int, wanted: int) -> array[int]:
        """The ends of one directed relation at a node."""
        start, end = self.offsets[node], self.offsets[node + 1]
        low, high = start, end
        while low < high:  # edges of a node are sorted by relation
            middle = (low + high) // 2
            if self.directed[middle] < wanted:
                low = middle + 1
            else:
                high = middle
        stop = low
        while stop < end and self.directed[stop] == wanted:
            stop += 1
        return self.targets[low:stop]


def capped(nodes: Collection[int], cap: int = NODE_CAP) -> Collection[int]:
    """The nodes, cut to the first `cap` by number if there are more."""
    return nodes if len(nodes) <= cap else sorted(nodes)[:cap]
