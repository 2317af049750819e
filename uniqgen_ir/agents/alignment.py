"""Monotone alignment: which words, read outwards from a name, say which relation of a path."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from attrs import frozen

from uniqgen_ir.agents.matching import LONGEST_SPAN, RelationMatcher
from uniqgen_ir.kg.lexicon_english import phrase_groups, word_groups
from uniqgen_ir.kg.lexicon_words import QUESTION_WORDS, Token, stem

UNMATCHED: Final = 2.4
"""What a relation costs that no word says."""
OCCUPATION: Final = "do for a living"
MEDIATED: Final = 0.6
"""What a relation costs that no word says, where it leads to a fact, or on from one whose other side is said.

Of a fact with several sides (*was educated: where, when*) people name one.
"""
OTHER_ORDER: Final = 0.35
"""What it costs to read the sides of a name in the less usual order."""
LEFT_OVER: Final = 0.8
"""How much of its skipping cost a word keeps that is in a span but not in the relation's name."""
SHARED: Final = 0.25
"""What it costs that one span says a relation and its inverse, where the question says *same* or *also*."""
SHARING_WORDS: Final = frozenset({"same", "share", "shares", "shared", "sharing", "also", "co", "together", "common"})


_AMOUNTS: Final = frozenset({"many", "much", "old", "long", "tall", "high", "big", "large", "far", "often", "few"})

State = tuple[float, int, tuple[tuple[int, ...], ...], tuple[float, ...]]
"""Cost so far, words explained, words of each hop, cost of each hop."""


@frozen
class Reading:
    """The words in one order of reading, away from a name: positions in the question, and the tokens."""

    positions: tuple[tuple[int, ...], ...]
    """per word of the reading (a phrase is one word) its places in the question"""
    tokens: tuple[Token, ...]
    penalty: float


@frozen
class Alignment:
    """The cost of a path's words, and a bit per question position that a relation explains."""

    cost: float
    covered: int
    spans: tuple[tuple[int, ...], ...]
    """positions that say each hop; empty where none does"""
    hop_costs: tuple[float, ...]
    penalty: float = 0.0
    """for the order of reading; part of the cost"""


def readings(tokens: Sequence[Token], start: int, end: int, excluded: frozenset[int]) -> tuple[Reading, ...]:
    """The orders in which the words around the name at `start:end` may be read.

    After a possessive (`X 's mother`) first the words to the right, then those to the left backwards; otherwise the
    left ones first. The other order is possible and costs a little.
    """
    units = units_of(tokens, excluded)
    left = [unit for unit in reversed(units) if unit[0][-1] < start]
    right = [unit for unit in units if unit[0][0] >= end]
    possessive = end < len(tokens) and tokens[end].possessive
    orders = [(right + left, 0.0), (left + right, OTHER_ORDER)]
    if not possessive:
        orders = [(left + right, 0.0), (right + left, OTHER_ORDER)]
    if not left or not right:
        orders = orders[:1]
    return tuple(
        Reading(tuple(places for places, _ in order), tuple(token for _, token in order), cost)
        for order, cost in orders
    )


Unit = tuple[tuple[int, ...], Token]
"""A word or phrase: its places in the question, and the token that stands for it."""


def units_of(tokens: Sequence[Token], excluded: frozenset[int]) -> list[Unit]:
    """The words that can say something, phrases of the thesaurus as one."""
    units: list[Unit] = []
    place = 0
    while place < len(tokens):
        length = _phrase_length(tokens, place, excluded)
        words = tokens[place : place + length]
        if length == 1 and _asks_for_occupation(tokens, place, excluded):
            units.append(((place,), Token(tokens[place].text, OCCUPATION, tokens[place].start, tokens[place].end)))
        elif length > 1:
            text = " ".join(token.lower for token in words)
            units.append((tuple(range(place, place + length)), Token(text, text, words[0].start, words[-1].end)))
        elif _readable(tokens, place, excluded):
            units += [((place,), token) for token in _kin(tokens[place])]
        place += length
    return units


def _kin(token: Token) -> tuple[Token, ...]:
    """The word itself; *grandson* is a son's son, *great-grand…* comes as two words."""
    rest = token.lower.removeprefix("grand")
    if rest == token.lower or not word_groups(stem(rest)) & (word_groups("parent") | word_groups("child")):
        return (token,)
    once = Token(rest, rest, token.start, token.end)
    return once, once


def _readable(tokens: Sequence[Token], place: int, excluded: frozenset[int]) -> bool:
    token = tokens[place]
    following = tokens[place + 1].lower if place + 1 < len(tokens) else ""
    if token.lower == "how" and following in _AMOUNTS:
        return False
    return place not in excluded and (token.content or token.lower in QUESTION_WORDS) and not token.possessive


def _phrase_length(tokens: Sequence[Token], place: int, excluded: frozenset[int]) -> int:
    for length in (4, 3, 2):
        words = tuple(token.lower for token in tokens[place : place + length])
        if len(words) == length and phrase_groups(words) and not excluded & set(range(place, place + length)):
            return length
    return 1


def asks_who_someone_is(tokens: Sequence[Token], excluded: frozenset[int]) -> bool:
    """Whether the question is "who was X?": it asks what somebody did."""
    start = [token.lower for token in tokens[:2]]
    rest = range(2, len(tokens))
    named = any(place in excluded for place in rest)
    return (
        start[:1] == ["who"]
        and start[1:] in (["is"], ["was"], ["are"], ["were"], ["s"])
        and named
        and all(place in excluded or not tokens[place].content for place in rest)
    )


def _asks_for_occupation(tokens: Sequence[Token], place: int, excluded: frozenset[int]) -> bool:
    """Whether the word is the *do* of "what does she do?", or the *who* of "who is she?"."""
    if place == 0 and asks_who_someone_is(tokens, excluded):
        return True
    asks = [token.lower for token in tokens[:2]] in (["what", "does"], ["what", "do"], ["what", "did"])
    return place == len(tokens) - 1 and place not in excluded and asks and tokens[place].lower in {"do", "doing"}


def sharing(tokens: Sequence[Token]) -> bool:
    """Whether the question says that two things have something in common."""
    return any(token.lower in SHARING_WORDS for token in tokens)


def align(
    reading: Reading,
    keys: Sequence[str],
    undo: Sequence[bool],
    matcher: RelationMatcher,
    skip_costs: Sequence[float],
    unmatched: Sequence[float],
    shares: bool,
    facts: Sequence[bool] = (),
) -> Alignment:
    """The cheapest way to say the relations `keys` in order with the words of the reading.

    `undo[j]` tells that hop `j` walks hop `j-1` back; `skip_costs` has a cost for each word of the reading that no
    relation takes; `unmatched` one for each relation that no word says. `facts[j]` tells that hop `j` starts from nodes
    that stand for facts, so that it and the hop before are two sides of one.
    """
    words, hops = len(reading.tokens), len(keys)
    table = _Table([[None] * (words + 1) for _ in range(hops + 1)])
    table.improve(0, 0, (0.0, 0, (), ()))
    costs = _span_costs(reading, matcher)
    for hop in range(hops + 1):
        for place in range(words + 1):
            state = table.states[hop][place]
            if state is None:
                continue
            cost, covered, spans, each = state
            if place < words:
                table.improve(hop, place + 1, (cost + skip_costs[place], covered, spans, each))
            if hop == hops:
                continue
            none = _unsaid(hop, spans, unmatched, facts)
            table.improve(hop + 1, place, (cost + none, covered, (*spans, ()), (*each, none)))
            for length in range(1, min(LONGEST_SPAN, words - place) + 1):
                said = costs[place][length - 1].get(keys[hop], UNMATCHED)
                if said >= none:
                    continue
                said += _left_over(reading, place, length, keys[hop], matcher, skip_costs)
                span = tuple(one for unit in reading.positions[place : place + length] for one in unit)
                bits = covered | sum(1 << one for one in span)
                table.improve(hop + 1, place + length, (cost + said, bits, (*spans, span), (*each, said)))
                if shares and hop + 1 < hops and undo[hop + 1]:
                    both = (*spans, span, span), (*each, said, SHARED)
                    table.improve(hop + 2, place + length, (cost + said + SHARED, bits, *both))
    best = table.states[hops][words]
    assert best is not None
    return Alignment(best[0] + reading.penalty, *best[1:], reading.penalty)


@frozen
class _Table:
    """The best state by hops said and words read."""

    states: list[list[State | None]]

    def improve(self, hop: int, place: int, state: State) -> None:
        known = self.states[hop][place]
        if known is None or state[0] < known[0] - 1e-12:
            self.states[hop][place] = state


def _unsaid(hop: int, spans: Sequence[tuple[int, ...]], unmatched: Sequence[float], facts: Sequence[bool]) -> float:
    """What it costs that no word says a hop: of the two sides of a fact only one needs a word."""
    if any(facts[hop + 1 : hop + 2]):
        return min(unmatched[hop], MEDIATED)
    if any(facts[hop : hop + 1]):
        # the first side was let through: without any word the whole fact costs as one relation
        return min(unmatched[hop], MEDIATED) if spans[-1] else unmatched[hop]
    return unmatched[hop]


def _left_over(
    reading: Reading, place: int, length: int, key: str, matcher: RelationMatcher, skip_costs: Sequence[float]
) -> float:
    """What the words of a span cost that say nothing of the relation's name."""
    left = matcher.scores(reading.tokens[place : place + length]).left.get(key, ())
    return LEFT_OVER * sum(skip_costs[place + one] for one in left)


def _span_costs(reading: Reading, matcher: RelationMatcher) -> list[list[dict[str, float]]]:
    """By first word and length of the span: relation name → cost."""
    words = len(reading.tokens)
    return [
        [
            matcher.scores(reading.tokens[place : place + length]).cost
            for length in range(1, min(LONGEST_SPAN, words - place) + 1)
        ]
        for place in range(words)
    ]
