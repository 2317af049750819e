"""Words against relation names, and their alignment with paths."""

from __future__ import annotations

import pytest

from tests.unit.kg.films import graph
from uniqgen_ir.agents.alignment import UNMATCHED, align, readings, units_of
from uniqgen_ir.agents.matching import RelationMatcher
from uniqgen_ir.kg.lexicon_words import tokenize
from uniqgen_ir.kg.linking.index import build_index


@pytest.fixture(scope="module")
def matcher() -> RelationMatcher:
    return RelationMatcher(build_index(graph()))


@pytest.mark.parametrize(
    ("words", "name"),
    [
        ("director", "directed by"),
        ("filmmaker", "directed by"),
        ("starring", "starred actor"),
        ("birthplace", "place of birth"),
        ("born where", "place of birth"),
        ("premiere", "release date"),
        ("minuttes", "minutes"),
    ],
)
def test_the_name_that_the_words_say_costs_least(words: str, name: str, matcher: RelationMatcher) -> None:
    cost = matcher.scores(tokenize(words)).cost
    assert name in cost, cost
    assert min(cost, key=cost.__getitem__) == name


def test_words_that_say_nothing_have_no_scores(matcher: RelationMatcher) -> None:
    assert matcher.scores(tokenize("zebra")).cost == {}
    assert matcher.meaning(tokenize("zebra")[0]) == 0.0
    assert matcher.meaning(tokenize("director")[0]) > 0.5


def cheapest(question: str, name: str, keys: list[str], matcher: RelationMatcher) -> float:
    tokens = tokenize(question)
    start = next(place for place, token in enumerate(tokens) if token.text == name)
    orders = readings(tokens, start, start + 1, frozenset({start}))
    skips = [[0.4 + matcher.meaning(token) for token in order.tokens] for order in orders]
    none = [UNMATCHED] * len(keys)
    undo = [False] * len(keys)
    return min(
        align(order, keys, undo, matcher, skip, none, shares=False).cost
        for order, skip in zip(orders, skips, strict=True)
    )


def test_words_are_read_outwards_from_the_name(matcher: RelationMatcher) -> None:
    question = "where was the director of Xyz born"
    right = cheapest(question, "Xyz", ["directed by", "place of birth"], matcher)
    assert right < cheapest(question, "Xyz", ["place of birth", "directed by"], matcher)
    assert right < cheapest(question, "Xyz", ["directed by"], matcher)


def test_a_possessive_is_read_to_the_right_first() -> None:
    tokens = tokenize("what is Xyz 's director 's birthplace")
    first = readings(tokens, 2, 3, frozenset({2}))[0]
    assert [token.lower for token in first.tokens] == ["director", "birthplace", "what"]


def test_a_grandson_is_said_twice_and_phrases_once() -> None:
    units = units_of(tokenize("the grandson of her other half"), frozenset())
    assert [token.lower for _, token in units] == ["son", "son", "other half"]
