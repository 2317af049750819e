"""What kind of answer a question expects: a class, a person, a place, a date, a number."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Sequence
from typing import Final

from attrs import frozen

from uniqgen_ir.agents.alignment import asks_who_someone_is
from uniqgen_ir.ir.terms import Literal
from uniqgen_ir.ir.vocabulary import NUMERIC_DATATYPES, TEMPORAL_DATATYPES
from uniqgen_ir.kg.lexicon_english import word_groups
from uniqgen_ir.kg.lexicon_words import Token, stem
from uniqgen_ir.kg.linking.index import GraphIndex
from uniqgen_ir.kg.linking.kinds import carries_another_noun
from uniqgen_ir.kg.linking.mentions import LinkedQuestion, Mention, positions_of

WRONG_CLASS: Final = 4.0
WRONG_KIND: Final = 1.5
NAMELESS: Final = 5.0
_ASKING: Final = frozenset({"which", "what", "whose"})
_COPULAS: Final = frozenset({"is", "are", "was", "were"})
_BREAKING: Final = _COPULAS | frozenset(
    {"of", "does", "do", "did", "has", "have", "in", "by", "for", "to", "with", "from", "s"}
)
"""Words between *which* and a class that show that the class is not what is asked for."""
_COMMANDS: Final = frozenset({"name", "list", "give", "show", "find"})
_PERSONAL: Final = ("parent", "child", "spouse", "sibling", "actor", "director", "writer", "composer", "producer")
_AGENT: Final = re.compile(r"(er|or|ers|ors|ist|ists|actress|actresses)$")
TIME_WORDS: Final = frozenset({"year", "years", "date", "dates", "day", "days", "month"})
_ROLE_SAMPLE: Final = 500
_YEAR: Final = re.compile(r"-?\d{4}(-\d\d(-\d\d)?)?")
_NUMBER: Final = re.compile(r"-?\d+([.,]\d+)?")


@frozen
class Expectation:
    """`kind` is one of who, where, when, number, count, or None; `classes` what the noun of the question names."""

    kind: str | None = None
    classes: tuple[int, ...] = ()
    class_mention: Mention | None = None
    nouns: tuple[Token, ...] = ()
    """the words that name the answers, if the question has them: *which football club*, *what is the gender of*"""


def expectation(linked: LinkedQuestion) -> Expectation:
    """What the first words of the question ask for."""
    tokens = linked.tokens
    lowered = [token.lower for token in tokens]
    named = frozenset(place for mention in linked.entities for place in mention.positions)
    kind = None if asks_who_someone_is(tokens, named) else _kind(lowered)
    alone = not linked.anchors
    mention = None if kind == "when" or (kind == "who" and not alone) else _answer_class(linked, lowered)
    kind = None if kind == "who" and mention is not None else kind  # *who is the oldest employee*
    return Expectation(
        kind, mention.classes if mention else (), mention, _nouns(linked, lowered) if kind is None else ()
    )


def _kind(lowered: Sequence[str]) -> str | None:
    text = " ".join(lowered)
    if re.search(r"\bhow many\b|\bnumber of\b", text):
        return "count"
    if re.search(r"\bhow (old|much|long|tall|high|big|far)\b", text):
        return "number"
    if re.search(r"\b(what|which) (year|date|day|month)s?\b", text):
        return "when"
    for word in lowered:
        if word in {"who", "whom"}:
            return "who"
        if word in {"where", "when"}:
            return word
        if word in {"which", "what"}:
            return None
    return None


def _answer_class(linked: LinkedQuestion, lowered: Sequence[str]) -> Mention | None:
    """The class that names the answers: after which/what/how many, or the first one if the question starts with it."""
    tokens = linked.tokens
    asking = next((place for place, word in enumerate(lowered) if word in _ASKING), None)
    start = 0 if asking is None else asking + 1
    named = {place for mention in (*linked.entities, *linked.values) for place in mention.positions}
    for mention in linked.classes:
        if mention.start < start:
            continue
        between = [
            lowered[place]
            for place in range(start, mention.start)
            if place not in named
            and not any(carries_another_noun(tokens, one) for one in (place - 1, place) if one >= 0)
        ]
        if asking is None and between[:1] == ["who"]:
            between = between[1:]  # *who is the oldest employee*
        if between[:1] and between[0] in _COPULAS and lowered[mention.end : mention.end + 1] != ["of"]:
            between = between[1:]  # *what are the drugs that*, but not *what is the currency of*
        return None if any(word in _BREAKING for word in between) else mention
    return None


def _nouns(linked: LinkedQuestion, lowered: Sequence[str]) -> tuple[Token, ...]:
    """The first run of words with content after which/what/name/list, if it stands before every name."""
    asking = next((place for place, word in enumerate(lowered) if word in _ASKING or word in _COMMANDS), None)
    if asking is None:
        return ()
    named = positions_of(linked.anchors)
    run: list[Token] = []
    for place in range(asking + 1, len(lowered)):
        token = linked.tokens[place]
        if place in named or (run and not token.content):
            break
        if token.content:
            run.append(token)
    else:
        return tuple(run[:3])
    followed = place < len(lowered) and linked.tokens[place].possessive  # pyright: ignore[reportPossiblyUnbound]
    return () if followed else tuple(run[:3])


def kind_cost(index: GraphIndex, expected: Expectation, nodes: Collection[int]) -> float:
    """What it costs that the answers are not of the kind that the question word asks for."""
    sample = sorted(nodes)[:40]
    if not sample or expected.kind is None:
        return 0.0
    if expected.kind == "count":
        return 0.0
    share = sum(_fits(index, expected.kind, node) for node in sample) / len(sample)
    return WRONG_KIND * (1.0 - share)


def nameless_cost(index: GraphIndex, nodes: Collection[int]) -> float:
    """What it costs that answers have no name: nobody asks for the node in the middle of a fact."""
    return NAMELESS * len(index.nameless.intersection(nodes)) / max(1, len(nodes)) if index.nameless else 0.0


def _fits(index: GraphIndex, kind: str, node: int) -> bool:
    term, label = index.terms[node], index.labels[node]
    numeric = bool(_NUMBER.fullmatch(label))
    if kind == "when":
        temporal = isinstance(term, Literal) and term.datatype in TEMPORAL_DATATYPES
        return temporal or bool(_YEAR.fullmatch(label))
    if kind == "number":
        return numeric or (isinstance(term, Literal) and term.datatype in NUMERIC_DATATYPES)
    if numeric or isinstance(term, Literal):
        return False
    wanted = word_groups(stem(kind)) if kind == "where" else word_groups("person")
    classes = index.classes_of.get(node, ())
    if not classes:
        return _plays_role(index, kind, node)
    return any(
        word_groups(stem(word)) & wanted
        for one in classes
        for name in index.classes[one].names
        for word in name.split()
    )


def _plays_role(index: GraphIndex, kind: str, node: int) -> bool:
    """Without classes: whether the relations that lead to a node call it a place or, for *who*, a person."""
    leading = _leading(index, node)
    if kind == "where":
        places = word_groups(stem("where"))
        return any(word_groups(stem(word)) & places for one in leading for word in _label_words(index, one))
    return not leading or any(_is_personal(_label_words(index, one)) for one in leading)


def _leading(index: GraphIndex, node: int) -> set[int]:
    """The relations that lead to a node, those aside that only mirror another one."""
    found = {directed // 2 for directed, _ in index.adjacency.edges(node) if directed % 2 == 1}
    return {one for one in found if not index.relations[one].mirror}


def _label_words(index: GraphIndex, relation: int) -> list[str]:
    return index.relations[relation].label.lower().split()


def _is_personal(words: Sequence[str]) -> bool:
    people = frozenset[int]().union(*(word_groups(stem(word)) for word in ("person", *_PERSONAL)))
    return words[-1:] == ["by"] or any(word_groups(stem(word)) & people for word in words)


def role_fit(index: GraphIndex, nouns: Sequence[Token], nodes: Collection[int]) -> tuple[float, Token | None]:
    """Which part of the nodes play a role that one of the nouns names, and that noun.

    A node plays the role of a relation that leads to it (*club* for `plays in club`), and, for nouns of agency, of one
    that starts from it (*player* for `plays position`).
    """
    sample = sorted(nodes)[:30]
    best: tuple[float, Token | None] = (0.0, None)
    for noun in nouns:
        share = sum(_has_role(index, noun, node) for node in sample) / max(1, len(sample))
        if share > best[0]:
            best = share, noun
    return best


def role_relation(index: GraphIndex, noun: Token, nodes: Collection[int]) -> int | None:
    """The directed relation that makes some, not all, of the nodes what the noun names: *directors* have directed."""
    sample = sorted(nodes)[:_ROLE_SAMPLE]
    counts = Counter(
        directed for node in sample for directed in {directed for directed, _ in index.adjacency.edges(node)}
    )
    named = [
        (count, -directed)
        for directed, count in counts.items()
        if count < len(sample) and not index.relations[directed // 2].mirror and _makes(index, noun, directed)
    ]
    return -max(named)[1] if named else None


def _makes(index: GraphIndex, noun: Token, directed: int) -> bool:
    named = names_role if directed % 2 else names_doer
    return named(index, noun, directed // 2)


def _has_role(index: GraphIndex, noun: Token, node: int) -> bool:
    if any(names_role(index, noun, one) for one in _leading(index, node)):
        return True
    starting = {directed // 2 for directed, _ in index.adjacency.edges(node) if directed % 2 == 0}
    return any(names_doer(index, noun, one) for one in starting if not index.relations[one].mirror)


def names_doer(index: GraphIndex, noun: Token, relation: int) -> bool:
    """Whether a noun names who does what a relation's verb says: *player* for `plays position`."""
    if not _AGENT.search(noun.lower):
        return False
    word = stem(noun.lower)
    return any(stem(other) == word and other != noun.lower for other in _label_words(index, relation))


def names_role(index: GraphIndex, noun: Token, relation: int) -> bool:
    """Whether a noun is a word of a relation's label, or means the same as one."""
    word = stem(noun.lower)
    for text in (index.relations[relation].label, *index.relations[relation].synonyms):
        for other in text.lower().split():
            stemmed = stem(other)
            if stemmed == word or word_groups(stemmed) & word_groups(word):
                return True
    return False


def class_share(index: GraphIndex, classes: Sequence[int], nodes: Collection[int]) -> float:
    """Which part of the nodes are instances of any of the classes."""
    if not nodes:
        return 0.0
    members = [index.classes[one].instances for one in classes]
    return sum(any(node in one for one in members) for node in nodes) / len(nodes)
