"""What a graph's data says about its relations: which invert each other, which chain, which are functional."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from attrs import frozen

from uniqgen_ir.kg.lexicon_words import stem

INVERSE_SHARE = 0.95
"""How much of a relation must be mirrored in another before the pair counts as inverse."""

_CONTAINMENT_WORDS = frozenset(
    map(stem, ("contained", "within", "inside", "part", "located", "situated", "belongs", "in"))
)
_DEEPEST = 4


@frozen
class RelationStatistics:
    """Counts of one relation: edges, distinct subjects and objects."""

    edges: int
    subjects: int
    objects: int

    @property
    def functional(self) -> bool:
        """Whether each subject has one object."""
        return self.edges == self.subjects


def relation_statistics(pairs: Sequence[tuple[int, int]]) -> RelationStatistics:
    """The counts behind the (subject, object) pairs of a relation."""
    return RelationStatistics(len(pairs), len({one for one, _ in pairs}), len({other for _, other in pairs}))


def inverse_pairs(edges: Mapping[int, Sequence[tuple[int, int]]]) -> dict[int, int]:
    """Relations that invert another in the data (both ways ≥ 95 %), from relation → (subject, object) pairs."""
    relations_of: defaultdict[tuple[int, int], list[int]] = defaultdict(list)
    for relation, pairs in edges.items():
        for pair in pairs:
            relations_of[pair].append(relation)
    found: dict[int, int] = {}
    for relation, pairs in edges.items():
        mirrored: defaultdict[int, int] = defaultdict(int)
        for subject, object_ in pairs:
            for other in relations_of.get((object_, subject), ()):
                mirrored[other] += 1
        for other, count in sorted(mirrored.items(), key=lambda item: (-item[1], item[0])):
            if count >= INVERSE_SHARE * max(len(pairs), len(edges[other])):
                found[relation] = other
                break
    return found


def containment_depth(label_stems: Iterable[str], pairs: Sequence[tuple[int, int]]) -> int:
    """How many steps the longest chain of a containment-like relation takes (at most 4); 0 if it is none.

    A relation is containment-like if its name says so and its edges chain without a cycle, so that being in a region
    means being in the region's country.
    """
    if not _CONTAINMENT_WORDS & set(label_stems):
        return 0
    above: defaultdict[int, list[int]] = defaultdict(list)
    for inner, outer in pairs:
        above[inner].append(outer)
    depth = 0
    frontier = set(above)
    while frontier:
        if depth > len(above):  # longer than there are things: it runs in a circle
            return 0
        frontier = {outer for inner in frontier for outer in above.get(inner, ())}
        depth += bool(frontier)
    return min(depth, _DEEPEST) if depth >= 2 else 0
