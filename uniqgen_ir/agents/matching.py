"""How well a stretch of a question says a relation.

sim(relation, span) = max(cosine of embeddings, 0.9 × weighted overlap of stems and synonyms); cost = −log softmax over
the distinct relation names and a null (temperature .08, null .4): a name costs little only where it beats the others.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Final

from attrs import define, field, frozen

from uniqgen_ir.agents.embedding import Embedder
from uniqgen_ir.kg.lexicon_english import phrase_groups, word_groups
from uniqgen_ir.kg.lexicon_words import QUESTION_WORDS, Token, normalise, stem, tokenize
from uniqgen_ir.kg.linking_index import GraphIndex

TEMPERATURE: Final = 0.08
NULL: Final = 0.4
LEXICAL: Final = 0.9
SYNONYM: Final = 0.9
QUESTION_WORD: Final = 0.75
"""What a question word (where, when, who) is worth against a word of its group."""
SPELLING: Final = 0.85
LONGEST_SPAN: Final = 4


@frozen
class _Word:
    stem: str
    groups: frozenset[int]
    weight: float
    quality: float = 1.0


@frozen
class SpanScores:
    """What a span says, by relation name: similarity, cost, and which words of the span say nothing of it."""

    similarity: dict[str, float]
    cost: dict[str, float]
    left: dict[str, tuple[int, ...]]


@define
class RelationMatcher:
    """Scores spans of words against the distinct names of a graph's relations. Scores are cached by span."""

    index: GraphIndex
    embedder: Embedder | None = None
    names: dict[str, tuple[str, ...]] = field(init=False)
    """distinct label → label and synonyms"""
    _weights: dict[str, float] = field(init=False)
    _entries: dict[str, tuple[tuple[_Word, ...], ...]] = field(init=False)
    _known: dict[tuple[str, ...], SpanScores] = field(factory=dict[tuple[str, ...], SpanScores], init=False)
    _default_weight: float = field(init=False, default=1.0)
    _meanings: dict[str, float] = field(factory=dict[str, float], init=False)

    def __attrs_post_init__(self) -> None:
        gathered: dict[str, dict[str, None]] = {}
        for relation in self.index.relations:
            texts = gathered.setdefault(self.key(relation.label), {})
            texts.update(dict.fromkeys((relation.label, *relation.synonyms)))
        self.names = {key: tuple(texts) for key, texts in gathered.items()}
        counts = Counter(word for key in self.names for word in set(_stems(key)))
        self._weights = {word: math.log((len(self.names) + 1) / count) for word, count in counts.items()}
        self._default_weight = math.log(len(self.names) + 1) or 1.0
        self._entries = {key: tuple(self._words(text) for text in texts) for key, texts in self.names.items()}

    @staticmethod
    def key(label: str) -> str:
        return normalise(label)

    def key_of(self, relation: int) -> str:
        """The name under which a relation is scored."""
        return self.key(self.index.relations[relation].label)

    def _words(self, text: str) -> tuple[_Word, ...]:
        tokens = tokenize(text)
        chosen = [token for token in tokens if token.content] or list(tokens)
        return tuple(self._word(token.lower) for token in chosen)

    def _word(self, word: str) -> _Word:
        stemmed = stem(word)
        return _Word(stemmed, word_groups(stemmed), self._weights.get(stemmed, self._default_weight))

    def scores(self, span: Sequence[Token]) -> SpanScores:
        """The scores of every relation name for this span."""
        key = tuple(token.lower for token in span)
        known = self._known.get(key)
        if known is None:
            known = self._known[key] = self._score(span)
        return known

    def _score(self, span: Sequence[Token]) -> SpanScores:
        words = self._span_words(span)
        similarity: dict[str, float] = {}
        left: dict[str, tuple[int, ...]] = {}
        for key, entries in self._entries.items():
            best, rest = max((_overlap(name, words) for name in entries), key=lambda entry: entry[0])
            similarity[key], left[key] = LEXICAL * best, rest
        if self.embedder is not None:
            text = span_text(span)
            for key, names in self.names.items():
                similarity[key] = max(similarity[key], self.embedder.similarity(text, names[0].lower()))
        weights = {key: math.exp(value / TEMPERATURE) for key, value in similarity.items()}
        total = sum(weights.values()) + math.exp(NULL / TEMPERATURE)
        return SpanScores(similarity, {key: -math.log(weight / total) for key, weight in weights.items()}, left)

    def meaning(self, token: Token) -> float:
        """How surely a word means something to this graph: its best likeness to a word of a relation's name."""
        known = self._meanings.get(token.lower)
        if known is None:
            word = self._span_word(token)
            known = max(
                (
                    _alike(other, word) * min(1.0, other.weight / self._default_weight)
                    for names in self._entries.values()
                    for name in names
                    for other in name
                ),
                default=0.0,
            )
            self._meanings[token.lower] = known
        return known

    def _span_words(self, span: Sequence[Token]) -> tuple[_Word, ...]:
        return tuple(self._span_word(token) for token in span)

    def _span_word(self, token: Token) -> _Word:
        if " " in token.lower:  # a phrase
            return _Word("", phrase_groups(tuple(token.lower.split())), self._default_weight)
        word = self._word(token.lower)
        if token.lower in QUESTION_WORDS:
            return _Word(word.stem, word.groups, 0.5 * self._default_weight, QUESTION_WORD)
        return word


def span_text(span: Sequence[Token]) -> str:
    """The words of a span in the order of the question."""
    return " ".join(token.lower for token in sorted(span, key=lambda token: token.start))


def _stems(text: str) -> Iterable[str]:
    return (stem(token.lower) for token in tokenize(text))


def _overlap(name: Sequence[_Word], span: Sequence[_Word]) -> tuple[float, tuple[int, ...]]:
    """The weighted Dice overlap of two lists of words, and the places of the span that share nothing.

    Each word of the name takes the best word left of the span.
    """
    left = list(range(len(span)))
    if not name or not span:
        return 0.0, tuple(left)
    shared = 0.0
    for word in name:
        best, quality = -1, 0.0
        for place in left:
            alike = _alike(word, span[place])
            if alike > quality:
                best, quality = place, alike
        if best >= 0:
            left.remove(best)
            shared += quality * (word.weight + span[best].weight)
    return shared / (sum(word.weight for word in name) + sum(word.weight for word in span)), tuple(left)


def _alike(one: _Word, other: _Word) -> float:
    if one.stem == other.stem and one.stem:
        return 1.0
    if one.groups & other.groups:
        return SYNONYM * other.quality
    if len(one.stem) >= 5 and len(other.stem) >= 5 and one.stem[0] == other.stem[0]:
        from rapidfuzz import fuzz

        return SPELLING if fuzz.ratio(one.stem, other.stem) >= 85 else 0.0
    return 0.0
