"""How well the free words of a question say each relation."""

from __future__ import annotations

from collections.abc import Collection

from uniqgen_ir.agents.matching import LONGEST_SPAN, RelationMatcher
from uniqgen_ir.kg.linking.mentions import LinkedQuestion, MentionKind


def best_likeness(
    linked: LinkedQuestion, matcher: RelationMatcher, taken: Collection[int] = ()
) -> dict[str, tuple[float, tuple[int, ...]]]:
    """Name of a relation → its best likeness to a stretch of free words, and the places of that stretch."""
    named = {
        place for one in linked.entities if one.kind is MentionKind.ENTITY and one.strong for place in one.positions
    }
    free = [place for place in range(len(linked.tokens)) if place not in named and place not in taken]
    best: dict[str, tuple[float, tuple[int, ...]]] = {}
    for start in range(len(free)):
        for end in range(start + 1, min(start + LONGEST_SPAN, len(free)) + 1):
            span = tuple(free[start:end])
            scores = matcher.scores([linked.tokens[place] for place in span])
            for key, value in scores.similarity.items():
                if value > best.get(key, (0.0, ()))[0]:
                    best[key] = (value, span)
    return best
