"""The relations near what a question names, ranked by how well its words say them: before any is cut."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from attrs import frozen

from uniqgen_ir.agents.likeness import best_likeness
from uniqgen_ir.agents.matching import RelationMatcher
from uniqgen_ir.ir.terms import Literal
from uniqgen_ir.ir.vocabulary import XSD_BOOLEAN, XSD_STRING
from uniqgen_ir.kg.linking.index import GraphIndex
from uniqgen_ir.kg.linking.mentions import LinkedQuestion
from uniqgen_ir.kg.neighbourhood_adjacency import capped, reverse

FARTHER: Final = 0.12
"""What each further hop takes off a relation's likeness to the question's words."""
FEW_VALUES: Final = 6
_SAMPLE: Final = 30
_MEANINGS: Final = 3
_LISTED_TYPES: Final = frozenset({XSD_STRING, XSD_BOOLEAN})


@frozen
class NearRelation:
    """A relation within reach: how far it is, how like the question, and what it connects there.

    `source` and `target` are the smallest classes of its two sides (None: no common one), `example` is one edge,
    `values` are its objects there, where they are few and plain.
    """

    number: int
    distance: int
    likeness: float
    source: int | None
    target: int | None
    example: tuple[int, int]
    values: tuple[int, ...] = ()

    @property
    def rank(self) -> tuple[float, int, int]:
        return (FARTHER * (self.distance - 1) - self.likeness, self.distance, self.number)


def near_relations(
    linked: LinkedQuestion, index: GraphIndex, matcher: RelationMatcher, hops: int
) -> list[NearRelation]:
    """Every relation on a path of at most `hops` from anything that is named, the likeliest first."""
    likeness = best_likeness(linked, matcher)
    found: dict[int, NearRelation] = {}
    for start in _starts(linked, index):
        seen = set(start)
        frontier: Collection[int] = start
        for distance in range(1, hops + 1):
            buckets = index.adjacency.expand(frontier)
            for directed, targets in sorted(buckets.items()):
                number = directed // 2
                known = found.get(number)
                if known is None or known.distance > distance:
                    likely, _ = likeness.get(matcher.key_of(number), (0.0, ()))
                    found[number] = described(index, directed, frontier, targets, distance, likely)
            fresh = set[int]().union(*buckets.values()) - seen
            seen |= fresh
            frontier = capped(fresh)
    return sorted(found.values(), key=lambda one: one.rank)


def _starts(linked: LinkedQuestion, index: GraphIndex) -> list[Collection[int]]:
    starts: list[Collection[int]] = [one.nodes[:_MEANINGS] for one in linked.entities]
    starts += [capped(one.nodes) for one in linked.values]
    for mention in linked.classes:
        members = frozenset[int]().union(*(index.classes[one].instances for one in mention.classes))
        starts.append(capped(members))
    return starts


def described(
    index: GraphIndex, directed: int, frontier: Collection[int], targets: Collection[int], distance: int, likely: float
) -> NearRelation:
    """What is told about a relation that leads from some of the nodes of `frontier` to `targets`."""
    sample = sorted(targets)[:_SAMPLE]
    near = set(frontier)
    sources = {node for one in sample for node in index.adjacency.follow(one, reverse(directed)) if node in near}
    start = min(sources)
    end = next(node for node in index.adjacency.follow(start, directed) if node in targets)
    source, target = index.smallest_class(sorted(sources)[:_SAMPLE]), index.smallest_class(sample)
    example = (start, end)
    if directed % 2 == 1:
        source, target, example = target, source, (end, start)
    values = _few_values(index, directed, targets)
    return NearRelation(directed // 2, distance, likely, source, target, example, values)


def _few_values(index: GraphIndex, directed: int, targets: Collection[int]) -> tuple[int, ...]:
    """The objects that are reached, where they are few plain texts or truth values."""
    relation = index.relations[directed // 2]
    plain = relation.literal and set(relation.datatypes) <= _LISTED_TYPES
    if not plain or directed % 2 == 1 or len(targets) > FEW_VALUES:
        return ()
    return tuple(sorted(value for value in targets if isinstance(index.terms[value], Literal)))
