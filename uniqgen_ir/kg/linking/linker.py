"""Linking: which words of a question name things of the graph.

Quoted and bracketed names win; then the longest run of words that is a name or alias; then, where nothing was found,
the most similar names. Classes and values (years, months, numbers) are found beside them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from uniqgen_ir.kg.lexicon_words import FILLERS, Token, stem, tokenize
from uniqgen_ir.kg.linking.compounds import split_compounds
from uniqgen_ir.kg.linking.fuzzy import further_parts, fuzzy_mentions, partly_named, similar_names
from uniqgen_ir.kg.linking.index import GraphIndex
from uniqgen_ir.kg.linking.kinds import class_mentions, condition_mentions, demonym_mentions, flag_mentions
from uniqgen_ir.kg.linking.mentions import LinkedQuestion, Mention, MentionKind, best_first, is_common, positions_of

_NEIGHBOURS: Final = 200
LONGEST_NAME: Final = 16
"""How many words a name may have."""
_SHORTEST_PLURAL: Final = 4

_MARKED: Final = re.compile(r"\[([^\[\]]+)\]|\"([^\"]+)\"|“([^”]+)”|«([^»]+)»|(?<!\w)'([^']+)'(?!\w)")


def link(question: str, index: GraphIndex) -> LinkedQuestion:
    """Everything of the graph that the question names."""
    tokens = split_compounds(tokenize(question), index)
    marked = _marked_mentions(question, tokens, index)
    others = _exact_mentions(question, tokens, index, positions_of(marked))
    if marked:  # who marks names marks them all
        others = [mention for mention in others if tokens[mention.start].capitalised and mention.strong]
    entities = _non_overlapping([*marked, *others])
    classes = class_mentions(tokens, index, positions_of(marked))
    entities = _without_class_words(entities, classes)
    entities += demonym_mentions(tokens, index, positions_of(entities))
    tried: tuple[str, ...] = ()
    if not any(mention.strong for mention in entities):
        # a word that merely means the same as a class may be a part of a name
        sure = [mention for mention in classes if mention.strong]
        fuzzy, tried = fuzzy_mentions(tokens, index, positions_of([*entities, *sure]))
        entities += fuzzy
    elif not marked:
        entities += further_parts(tokens, index, positions_of([*entities, *classes]))
    entities = _joined(tokens, entities, index)
    strong = [mention for mention in entities if mention.strong]
    classes = [mention for mention in classes if not positions_of([mention]) & positions_of(strong)]
    values = condition_mentions(tokens, index, positions_of(strong))
    values += flag_mentions(tokens, index, positions_of([*strong, *values]))
    entities = [mention for mention in entities if not positions_of([mention]) & positions_of(values)]
    ordered = sorted(entities, key=lambda mention: mention.start)
    return LinkedQuestion(question, tokens, tuple(ordered), tuple(values), tuple(classes), tried)


def _span(tokens: Sequence[Token], start: int, end: int) -> tuple[int, int]:
    inside = [place for place, token in enumerate(tokens) if token.start >= start and token.end <= end]
    return (inside[0], inside[-1] + 1) if inside else (0, 0)


def _marked_mentions(question: str, tokens: Sequence[Token], index: GraphIndex) -> list[Mention]:
    found: list[Mention] = []
    for match in _MARKED.finditer(question):
        text = next(group for group in match.groups() if group is not None).strip()
        start, end = _span(tokens, match.start(), match.end())
        nodes = best_first(index, text, index.lookup(text))
        if nodes:
            found.append(Mention(MentionKind.ENTITY, start, end, text, nodes))
        elif match.group(5) is None:  # single quotes are often apostrophes
            found += similar_names(index, text, start, end)
    return found


def _exact_mentions(question: str, tokens: Sequence[Token], index: GraphIndex, taken: set[int]) -> list[Mention]:
    found: list[Mention] = []
    position = 0
    while position < len(tokens):
        mention = None if position in taken else _longest_at(question, tokens, index, position, taken)
        if mention is None:
            position += 1
        else:
            found.append(mention)
            position = mention.end
    return found


def _longest_at(
    question: str, tokens: Sequence[Token], index: GraphIndex, position: int, taken: set[int]
) -> Mention | None:
    limit = min(len(tokens), position + LONGEST_NAME)
    limit = next((place for place in range(position, limit) if place in taken), limit)
    for end in range(limit, position, -1):
        words = tokens[position:end]
        nodes = index.names.get(" ".join(token.lower for token in words), ()) or _singular(words, index)
        if nodes and (words[-1].possessive is False or end - position > 1):
            text = question[words[0].start : words[-1].end]
            strong = _is_strong(index, words, text)
            if strong or any(token.content for token in words):
                return Mention(MentionKind.ENTITY, position, end, text, best_first(index, text, nodes), strong=strong)
    return None


def _singular(words: Sequence[Token], index: GraphIndex) -> tuple[int, ...]:
    """What the words name with the last one in the singular: *inspectors* for `Inspector`, *soups* for `soup`."""
    last = words[-1].lower
    if not last.endswith("s") or len(last) < _SHORTEST_PLURAL or is_common(index, words[-1]):
        return ()
    before = [token.lower for token in words[:-1]]
    forms = [last[:-1], last[:-2], f"{last[:-3]}y"][: 3 if last.endswith("ies") else 2 if last.endswith("es") else 1]
    return next((found for form in forms if (found := index.names.get(" ".join([*before, form]), ()))), ())


def _is_strong(index: GraphIndex, words: Sequence[Token], text: str) -> bool:
    """Whether words that are a name can hardly be meant as ordinary words."""
    content = [token for token in words if token.content]
    if "_" in text:
        return True
    if len(content) >= 2:
        # *cause of death* in small letters are words of the graph before they are the name of something
        return text != text.lower() or not all(stem(token.lower) in index.vocabulary for token in content)
    if not content:
        # "US" against "us": only in capitals does a word of grammar name something
        return len(words) == 1 and len(text) >= 2 and text.isupper() and text != "I"
    token = content[0]
    if token.text[:1].isdigit() or token.text in FILLERS:
        return False
    if token.capitalised and (words[0].start > 0 or len(words) > 1):
        return True
    return not is_common(index, token)


def _non_overlapping(mentions: Sequence[Mention]) -> list[Mention]:
    chosen: list[Mention] = []
    for mention in mentions:  # earlier ones in the list win
        if not any(mention.start < other.end and other.start < mention.end for other in chosen):
            chosen.append(mention)
    return chosen


def _joined(tokens: Sequence[Token], entities: Sequence[Mention], index: GraphIndex) -> list[Mention]:
    """Names that stand side by side as one: a longer name of which both are parts, or a place and what it lies in."""
    found: list[Mention] = []
    for mention in sorted(entities, key=lambda one: one.start):
        before = found[-1] if found else None
        if before is None or before.end != mention.start or not (before.strong and mention.strong):
            found.append(mention)
            continue
        whole = partly_named(index, tokens, before.start, mention.end)
        near = tuple(node for node in before.nodes if _is_near(index, node, mention.nodes))
        if whole:
            found[-1] = whole[0]
        elif near:
            text = f"{before.text} {mention.text}"
            found[-1] = Mention(MentionKind.ENTITY, before.start, mention.end, text, near)
        else:
            found.append(mention)
    return found


def _is_near(index: GraphIndex, node: int, others: Sequence[int]) -> bool:
    """Whether one or two steps lead from a thing to one of the others."""
    reached = {end for _, end in index.adjacency.edges(node)}
    if reached.intersection(others):
        return True
    return any(end in others for one in sorted(reached)[:_NEIGHBOURS] for _, end in index.adjacency.edges(one))


def _without_class_words(entities: Sequence[Mention], classes: Sequence[Mention]) -> list[Mention]:
    """Entities minus weak ones that are better read as the name of a class."""
    return [
        one
        for one in entities
        if one.strong or not any(two.score == 1.0 and two.start <= one.start and one.end <= two.end for two in classes)
    ]
