"""Paths of a walk, kept symbolically and whole, whatever a prompt shows of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from attrs import field, frozen

from uniqgen_ir.agents.legs import Hop, Leg
from uniqgen_ir.agents.prompting import one_line
from uniqgen_ir.kg.linking.index import GraphIndex
from uniqgen_ir.kg.linking.mentions import Mention


@frozen
class Topic:
    """Where a walk starts: a mention of the question, and the node that it may mean (None: all nodes of it)."""

    mention: Mention
    node: int | None
    nodes: frozenset[int] = field(repr=False)
    score: float = 1.0
    """less for a second thing of the same name"""


@frozen
class Path:
    """An immutable path: its hops as a leg, how likely it is, and the path that it continues.

    `score` in (0, 1] is the product of the shares that its choices had among the choices of their steps.
    """

    topic: Topic
    leg: Leg
    score: float
    parent: Path | None = field(default=None, repr=False, eq=False)

    @property
    def depth(self) -> int:
        """How many hops it has."""
        return len(self.leg.hops)

    @property
    def ends(self) -> frozenset[int]:
        """The nodes that it leads to."""
        return self.leg.end

    @property
    def key(self) -> tuple[int, int | None, tuple[Hop, ...]]:
        """What tells paths of one walk apart; the same whatever a prompt showed."""
        return (self.topic.mention.start, self.topic.node, self.leg.hops)

    def continued(self, leg: Leg, share: float) -> Path:
        """The path with one more hop."""
        return Path(self.topic, leg, self.score * share, self)


def hop_text(index: GraphIndex, hop: Hop) -> str:
    """A hop's relation in words, with its direction."""
    label = one_line(index.relations[hop.relation].label)
    chain = ", in one step or several" if hop.depth > 1 else ""
    return f"{label}{chain}{', backwards' if hop.backward else ''}"


def nodes_text(index: GraphIndex, nodes: frozenset[int]) -> str:
    """A set of nodes in a few words: the first label, and how many others there are."""
    first = one_line(index.labels[min(nodes)], 60)
    return f'"{first}"' if len(nodes) == 1 else f'"{first}" and {len(nodes) - 1} others'


def hops_told(index: GraphIndex, path: Path) -> list[str]:
    """Each hop as a line: from where, along what, to where."""
    sets = path.leg.sets
    return [
        f"{nodes_text(index, sets[place])} → {hop_text(index, hop)} → {nodes_text(index, sets[place + 1])}"
        for place, hop in enumerate(path.leg.hops)
    ]


def path_text(index: GraphIndex, path: Path) -> str:
    """A whole path in one line: the start and its relations."""
    start = index.labels[path.topic.node] if path.topic.node is not None else path.topic.mention.text
    return " → ".join((f'"{one_line(start, 60)}"', *(hop_text(index, hop) for hop in path.leg.hops)))


def facts_of(index: GraphIndex, path: Path, answer: int) -> tuple[tuple[int, Hop, int], ...]:
    """One chain of nodes by which the path reaches an answer: (from, hop, to) for each hop. For audits.

    Raises ValueError where the path does not reach it.
    """
    if answer not in path.ends:
        raise ValueError("the path does not lead to this node")
    chain: list[tuple[int, Hop, int]] = []
    here = answer
    for place in range(path.depth, 0, -1):
        hop = path.leg.hops[place - 1]
        before = next(_sources(index, hop, here, path.leg.sets[place - 1]))
        chain.append((before, hop, here))
        here = before
    return tuple(reversed(chain))


def _sources(index: GraphIndex, hop: Hop, end: int, within: frozenset[int]) -> Iterator[int]:
    """The nodes of a set from which a hop leads to this end, lowest first."""
    frontier, seen = {end}, set[int]()
    for _ in range(hop.depth):
        frontier = index.adjacency.image(frontier, hop.directed ^ 1) - seen
        seen |= frontier
    yield from sorted(seen & within)


def best_first(paths: Sequence[Path]) -> list[Path]:
    """The paths by score; equal ones by their hops, so that the order never depends on the data's."""
    return sorted(paths, key=lambda one: (-one.score, one.depth, one.topic.mention.start, _order(one)))


def _order(path: Path) -> tuple[tuple[int, int], ...]:
    return tuple((hop.directed, hop.depth) for hop in path.leg.hops)
