"""Misspelt names: the most similar ones of the graph, where no name was found exactly."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from uniqgen_ir.ir.terms import IRI, BlankNode, Literal
from uniqgen_ir.kg.lexicon_words import NEGATIONS, Token, normalise
from uniqgen_ir.kg.linking.index import GraphIndex
from uniqgen_ir.kg.linking.mentions import Mention, MentionKind, is_common

FUZZY_FLOOR: Final = 80.0
"""The similarity (0 to 100) below which a name is not taken for a misspelt one."""
CHARACTERS_PER_EDIT: Final = 6
"""A misspelt name has one wrong letter, and one more for so many letters; a share alone takes *king* for *Peking*."""
MUCH_MORE: Final = 2.0
"""How many times more is said of what a part of a name means than of anything else with that part."""
PART_SCORE: Final = 0.7
"""The score of a thing that is named by a part of its name."""
_RUNS_TRIED: Final = 24
_SHORTEST_PART: Final = 6
_LONGEST_INITIALS: Final = 5


def fuzzy_mentions(
    tokens: Sequence[Token], index: GraphIndex, taken: set[int]
) -> tuple[list[Mention], tuple[str, ...]]:
    """Similar names for the longest runs of words that nothing explains, capitalised runs first."""
    runs = _unexplained_runs(tokens, index, taken)
    tried: list[str] = []
    for start, end in runs[:_RUNS_TRIED]:
        if end - start == 1 and (found := partly_named(index, tokens, start, end)):
            continue  # a name's own word is no misspelling of another name
        text = " ".join(token.text for token in tokens[start:end])
        tried.append(text)
        if found := similar_names(index, text, start, end):
            return found, tuple(tried)
    for start, end in runs[:_RUNS_TRIED]:
        if _is_whole(tokens, index, taken, start, end) and (found := partly_named(index, tokens, start, end)):
            return found, tuple(tried)
    return [], tuple(tried)


def _is_whole(tokens: Sequence[Token], index: GraphIndex, taken: set[int], start: int, end: int) -> bool:
    """Whether the words beside a run are explained: *fever* is not looked up by itself in *dragon fever*."""
    beside = [place for place in (start - 1, end) if 0 <= place < len(tokens)]
    return all(
        place in taken or not tokens[place].content or is_common(index, tokens[place]) or tokens[place].possessive
        for place in beside
    )


def _unexplained_runs(tokens: Sequence[Token], index: GraphIndex, taken: set[int]) -> list[tuple[int, int]]:
    runs: list[tuple[float, int, int]] = []
    for start in range(len(tokens)):
        for end in range(start + 1, min(len(tokens), start + 7) + 1):
            words = tokens[start:end]
            if taken & set(range(start, end)) or not words[0].content or not words[-1].content:
                continue
            if any(token.lower in NEGATIONS for token in words) or not any(token.lower.isalpha() for token in words):
                continue  # a number is a value, not a misspelt one
            if all(is_common(index, token) or not token.content for token in words) and not any(
                token.capitalised and token.start > 0 for token in words
            ):
                continue
            weight = sum(
                (token.capitalised and token.start > 0) * 2.0 + token.content * (not is_common(index, token)) - 0.5
                for token in words
            )
            runs.append((-weight, start, end))
    return [(start, end) for _, start, end in sorted(runs)]


def similar_names(index: GraphIndex, text: str, start: int, end: int) -> list[Mention]:
    """A mention of the things whose name is most like the text, if any is like enough."""
    from rapidfuzz import fuzz, process
    from rapidfuzz.distance import Levenshtein

    wanted = normalise(text)
    if len(wanted) < 4:
        return []
    matches = process.extract(wanted, index.names.keys(), scorer=fuzz.ratio, limit=3, score_cutoff=FUZZY_FLOOR)
    edits = 1 + len(wanted) // CHARACTERS_PER_EDIT
    near = [match for match in matches if Levenshtein.distance(wanted, match[0], score_cutoff=edits) <= edits]
    if not near:
        return []
    name, score, _ = near[0]
    nodes = tuple(node for node in index.names[name] if isinstance(index.terms[node], IRI | BlankNode))
    if not nodes:
        return []
    return [Mention(MentionKind.ENTITY, start, end, text, nodes, score=score / 100.0)]


def partly_named(index: GraphIndex, tokens: Sequence[Token], start: int, end: int) -> list[Mention]:
    """A mention of the thing in whose name the words stand in this order, or whose initials the word is.

    Of several it is the one that is much more talked about than the others; otherwise nobody can tell.
    """
    words = [token.lower for token in tokens[start:end]]
    shared = list(_by_initials(tokens[start], index)) if len(words) == 1 else []
    if not shared and sum(map(len, words)) + len(words) >= _SHORTEST_PART - 1:
        named = set(index.parts.get(words[0], ())).intersection(*(index.parts.get(word, ()) for word in words[1:]))
        shared = [node for node in named if _has_in_order(index, node, words)]
    ranked = sorted(((index.adjacency.degree(node), -node) for node in shared), reverse=True)
    if not ranked or (len(ranked) > 1 and ranked[0][0] < MUCH_MORE * ranked[1][0]):
        return []
    text = " ".join(token.text for token in tokens[start:end])
    return [Mention(MentionKind.ENTITY, start, end, text, (-ranked[0][1],), score=PART_SCORE)]


def _has_in_order(index: GraphIndex, node: int, words: Sequence[str]) -> bool:
    rest = iter(normalise(index.labels[node]).split())
    return not isinstance(index.terms[node], Literal) and all(word in rest for word in words)


def _by_initials(token: Token, index: GraphIndex) -> tuple[int, ...]:
    """What a short word in capitals is the initials of; in a word without capitals they cannot be seen."""
    if not (2 <= len(token.text) <= _LONGEST_INITIALS) or not (token.text.isupper() or token.text.islower()):
        return ()
    return index.acronyms.get(token.lower, ()) if token.content and not is_common(index, token) else ()


def further_parts(tokens: Sequence[Token], index: GraphIndex, taken: set[int]) -> list[Mention]:
    """Parts of names beside a name that was found whole: only words in capitals, where the question has small ones."""
    capitals = [place for place, token in enumerate(tokens) if token.capitalised and place and place not in taken]
    if all(token.capitalised for token in tokens if token.text[:1].isalpha()):
        return []
    found: list[Mention] = []
    for start, end in _stretches(capitals):
        if all(is_common(index, token) or not token.content for token in tokens[start:end]):
            continue
        if _is_whole(tokens, index, taken, start, end):
            found += partly_named(index, tokens, start, end)
    return found


def _stretches(places: Sequence[int]) -> list[tuple[int, int]]:
    found: list[tuple[int, int]] = []
    for place in places:
        if found and found[-1][1] == place:
            found[-1] = (found[-1][0], place + 1)
        else:
            found.append((place, place + 1))
    return found
