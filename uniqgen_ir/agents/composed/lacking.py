"""What a question says to be lacking: *no prerequisite*, *teach no modules*, *without an address of e-mail*."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from uniqgen_ir.agents.matching import LONGEST_SPAN, RelationMatcher
from uniqgen_ir.agents.plans import Plan
from uniqgen_ir.ir.vocabulary import NUMERIC_DATATYPES
from uniqgen_ir.kg.lexicon_words import Token
from uniqgen_ir.kg.linking.index import GraphIndex, Relation
from uniqgen_ir.kg.linking.mentions import LinkedQuestion, Mention, positions_of
from uniqgen_ir.kg.neighbourhood_adjacency import reverse

LACKING: Final = frozenset({"no", "without"})
SAID: Final = 0.6
"""The similarity from which words say the relation that things have or lack: *no prerequisite*."""


def inside(mention: Mention, tokens: Sequence[Token], linked: LinkedQuestion) -> bool:
    """Whether a mention lies in these last words of the question."""
    return linked.tokens[mention.start].start >= tokens[0].start


def lacks_value(linked: LinkedQuestion, relation: Relation) -> bool:
    """Whether a property may be said to be lacking: *no e-mail address*, not *not in stock*, which may mean none."""
    words = [token.lower for token in linked.tokens]
    return bool(LACKING & set(words) | {"have", "has"} & set(words)) and not set(relation.datatypes) & NUMERIC_DATATYPES


def said_relation(
    negated: Sequence[Token], linked: LinkedQuestion, plan: Plan, index: GraphIndex, matcher: RelationMatcher
) -> tuple[int, frozenset[int]] | None:
    """The one directed relation of some answers that all the words say, and the answers that have it.

    A class among the words is what the relation leads to: *teach no modules*, *have no students*.
    """
    named = [one for one in linked.classes if one.strong and inside(one, negated, linked)]
    places = positions_of(named)
    content = [token for token in negated if token.content]
    words = [token for token in content if linked.tokens.index(token) not in places]
    ends: dict[int, set[int]] = {}
    holders: dict[int, set[int]] = {}
    for node in plan.answers:
        for directed, end in index.adjacency.edges(node):
            holders.setdefault(directed, set()).add(node)
            ends.setdefault(directed, set()).add(end)
    members = [frozenset[int]().union(*(index.classes[one].instances for one in each.classes)) for each in named]
    whole = {directed for directed in holders if _says(content, directed, matcher)}
    fitting = {one for one in holders if members and all(ends[one] <= those for those in members)}
    chosen = whole or {one for one in fitting if not words or _says(words, one, matcher)}
    # a relation and its inverse lack the same things; of a relation between things of one class people mean its object
    distinct = {one for one in chosen if not (one % 2 and (one // 2 in index.inverses or reverse(one) in chosen))}
    if len(distinct) != 1:
        return None
    best = next(iter(distinct))
    return best, frozenset(holders[best])


def _says(words: Sequence[Token], directed: int, matcher: RelationMatcher) -> bool:
    """Whether all the words together say a relation."""
    if not words or len(words) > LONGEST_SPAN:
        return False
    scores, key = matcher.scores(words), matcher.key_of(directed // 2)
    return scores.similarity.get(key, 0.0) >= SAID and not scores.left.get(key, ())
