"""How well a stretch of a question says a relation.

sim(relation, span) = max(cosine of embeddings, 0.9 × weighted overlap of stems and synonyms); cost = −log softmax over
the distinct relation names and a null (temperature .08, null .4): a name costs little only where it beats the others.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from attrs import define, field, frozen

from uniqgen_ir.agents.embedding import Embedder
from uniqgen_ir.kg.lexicon_english import phrase_groups, word_groups
from uniqgen_ir.kg.lexicon_words import QUESTION_WORDS, Token, normalise, stem, tokenize
from uniqgen_ir.kg.linking.index import GraphIndex

TEMPERATURE: Final = 0.08
NULL: Final = 0.4
LEXICAL: Final = 0.9
SYNONYM: Final = 0.9
QUESTION_WORD: Final = 0.75
"""What a question word (where, when, who) is worth against a word of its group."""
SPELLING: Final = 0.85
PART_OF_SYNONYM: Final = 0.6
"""What is left of the likeness to a declared synonym if at most half of it is said: *president* is no *chief city*."""
LEAST_COSINE: Final = 0.3
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
    _keys: list[str] = field(init=False)
    """by number of the relation, the name under which it is scored"""
    _weights: dict[str, float] = field(init=False)
    _default_weight: float = field(init=False, default=1.0)
    _entries: dict[str, tuple[tuple[_Word, ...], ...]] = field(init=False)
    _vocabulary: dict[str, _Word] = field(init=False)
    _using: dict[str, list[str]] = field(init=False)
    """stem → the names that have it"""
    _scored: dict[tuple[str, ...], SpanScores] = field(factory=dict[tuple[str, ...], SpanScores], init=False)
    _telling: frozenset[str] | None = field(default=None, init=False)
    _likeness: dict[str, dict[str, float]] = field(factory=dict[str, dict[str, float]], init=False)

    def __attrs_post_init__(self) -> None:
        gathered: dict[str, dict[str, None]] = {}
        self._keys = [normalise(relation.label) for relation in self.index.relations]
        for key, relation in zip(self._keys, self.index.relations, strict=True):
            gathered.setdefault(key, {}).update(dict.fromkeys((relation.label, *relation.synonyms)))
        self.names = {key: tuple(texts) for key, texts in gathered.items()}
        counts = Counter(word for key in self.names for word in set(_stems(key)))
        self._weights = {word: math.log((len(self.names) + 1) / count) for word, count in counts.items()}
        self._default_weight = math.log(len(self.names) + 1) or 1.0
        self._entries = {key: tuple(self._words(text) for text in texts) for key, texts in self.names.items()}
        self._vocabulary, self._using = {}, {}
        for key, entries in self._entries.items():
            for word in {word.stem: word for entry in entries for word in entry}.values():
                self._vocabulary[word.stem] = word
                self._using.setdefault(word.stem, []).append(key)

    def key_of(self, relation: int) -> str:
        """The name under which a relation is scored."""
        return self._keys[relation]

    def _words(self, text: str) -> tuple[_Word, ...]:
        tokens = tokenize(text)
        chosen = [token for token in tokens if token.content] or list(tokens)
        return tuple(self._word(token.lower) for token in chosen)

    def _word(self, word: str) -> _Word:
        stemmed = stem(word)
        return _Word(stemmed, word_groups(stemmed), self._weights.get(stemmed, self._default_weight))

    def scores(self, span: Sequence[Token]) -> SpanScores:
        """The scores of every relation name that has anything in common with this span."""
        key = tuple(token.lower for token in span)
        known = self._scored.get(key)
        if known is None:
            known = self._scored[key] = self._score(span)
        return known

    def _score(self, span: Sequence[Token]) -> SpanScores:
        words = tuple(self._span_word(token) for token in span)
        likeness = [self._alike_stems(word, token.lower) for word, token in zip(words, span, strict=True)]
        candidates = dict.fromkeys(key for alike in likeness for name in alike for key in self._using[name])
        similarity: dict[str, float] = {}
        left: dict[str, tuple[int, ...]] = {}
        for key in candidates:
            options = [
                _overlap(entry, words, likeness, PART_OF_SYNONYM if place else 1.0)
                for place, entry in enumerate(self._entries[key])
            ]
            best, rest = max(options, key=lambda option: option[0])
            similarity[key], left[key] = LEXICAL * best, rest
        for key, cosine in self._cosines(span):
            if cosine > similarity.get(key, 0.0):
                similarity[key] = cosine
        weights = {key: math.exp(value / TEMPERATURE) for key, value in similarity.items()}
        total = sum(weights.values()) + math.exp(NULL / TEMPERATURE)
        return SpanScores(similarity, {key: -math.log(weight / total) for key, weight in weights.items()}, left)

    def _cosines(self, span: Sequence[Token]) -> list[tuple[str, float]]:
        """The names whose embedding is near that of the span, with the cosine; none without an embedder."""
        if self.embedder is None:
            return []
        texts = [names[0].lower() for names in self.names.values()]
        cosines = self.embedder.similarities(span_text(span), tuple(texts))
        return [(key, value) for key, value in zip(self.names, cosines, strict=True) if value >= LEAST_COSINE]

    def _alike_stems(self, word: _Word, text: str) -> dict[str, float]:
        """The stems of the graph's names that a word is like, with how much; cached by the word."""
        known = self._likeness.get(text)
        if known is None:
            scored = ((name, _alike(other, word)) for name, other in self._vocabulary.items())
            known = self._likeness[text] = {name: quality for name, quality in scored if quality > 0.0}
        return known

    def is_like_name(self, token: Token, key: str) -> bool:
        """Whether a word is like a word of the relation name itself, synonyms aside."""
        alike = self._alike_stems(self._span_word(token), token.lower)
        return any(word.stem in alike for word in self._entries[key][0])

    def stands_alone(self, stemmed: str) -> bool:
        """Whether a stem is a word of a relation's own name, or a synonym of one by itself."""
        if self._telling is None:
            entries = [(place, entry) for ones in self._entries.values() for place, entry in enumerate(ones)]
            whole = (entry for place, entry in entries if place == 0 or len(entry) == 1)
            self._telling = frozenset(word.stem for entry in whole for word in entry)
        return stemmed in self._telling

    def meaning(self, token: Token) -> float:
        """How surely a word means something to this graph: its best likeness to a word of a relation's name."""
        alike = self._alike_stems(self._span_word(token), token.lower)
        weights = ((self._vocabulary[name].weight / self._default_weight, quality) for name, quality in alike.items())
        return max((quality * min(1.0, weight) for weight, quality in weights), default=0.0)

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


def _overlap(
    name: Sequence[_Word], span: Sequence[_Word], likeness: Sequence[Mapping[str, float]], partial: float = 1.0
) -> tuple[float, tuple[int, ...]]:
    """The weighted Dice overlap of two lists of words, and the places of the span that share nothing.

    Each word of the name takes the best word left of the span; `likeness` says by place how like a stem each is.
    Where at most half of the name is said, the overlap is worth `partial` of itself.
    """
    left = list(range(len(span)))
    if not name or not span:
        return 0.0, tuple(left)
    shared, said = 0.0, 0
    for word in name:
        best, quality = -1, 0.0
        for place in left:
            alike = likeness[place].get(word.stem, 0.0)
            if alike > quality:
                best, quality = place, alike
        if best >= 0:
            left.remove(best)
            shared += quality * (word.weight + span[best].weight)
            said += 1
    total = sum(word.weight for word in name)
    worth = partial if 2 * said <= len(name) else 1.0
    return worth * shared / (total + sum(word.weight for word in span)), tuple(left)


def _alike(one: _Word, other: _Word) -> float:
    if one.stem == other.stem and one.stem:
        return 1.0
    if one.groups & other.groups:
        return SYNONYM * other.quality
    if len(one.stem) >= 5 and len(other.stem) >= 5 and one.stem[0] == other.stem[0]:
        from rapidfuzz import fuzz

        return SPELLING if fuzz.ratio(one.stem, other.stem) >= 85 else 0.0
    return 0.0
