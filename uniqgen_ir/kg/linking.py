"""Linking: which words of a question name things of the graph.

Quoted and bracketed names win; then the longest run of words that is a name or alias; then, where nothing was found,
the most similar names. Classes and values (years, months, numbers) are found beside them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from enum import StrEnum
from typing import Final

from attrs import field, frozen

from uniqgen_ir.ir.terms import IRI, BlankNode, Literal
from uniqgen_ir.ir.vocabulary import XSD_BOOLEAN
from uniqgen_ir.kg.lexicon_english import demonyms, word_groups
from uniqgen_ir.kg.lexicon_words import QUESTION_WORDS, Token, content_stems, normalise, stem, tokenize
from uniqgen_ir.kg.linking_index import GraphIndex
from uniqgen_ir.kg.linking_values import Value, ValueCondition, literal_value, value_mentions

FUZZY_FLOOR: Final = 80.0
"""The similarity (0 to 100) below which a name is not taken for a misspelt one."""
LONGEST_NAME: Final = 16
"""How many words a name may have."""

_MARKED: Final = re.compile(r"\[([^\[\]]+)\]|\"([^\"]+)\"|“([^”]+)”|«([^»]+)»|(?<!\w)'([^']+)'(?!\w)")


class MentionKind(StrEnum):
    ENTITY = "entity"
    VALUE = "value"
    CLASS = "class"


@frozen
class Mention:
    """Words `start` to `end` (half-open, counted in tokens) that name something.

    `nodes` are the things that it may mean; for a value, the literals that meet `condition`; for a class, `classes` are
    the numbers of the classes. `score` in (0, 1] says how alike name and words are, `strong` that the words can hardly
    mean anything else.
    """

    kind: MentionKind
    start: int
    end: int
    text: str
    nodes: tuple[int, ...] = field(default=(), repr=False)
    classes: tuple[int, ...] = ()
    condition: ValueCondition | None = None
    relation: int | None = None
    """the one relation whose value is meant: *with a boxed warning* speaks of `boxedWarning true`"""
    score: float = 1.0
    strong: bool = True

    @property
    def positions(self) -> range:
        return range(self.start, self.end)


@frozen
class LinkedQuestion:
    """A question cut into words, with everything that they name."""

    text: str
    tokens: tuple[Token, ...]
    entities: tuple[Mention, ...]
    values: tuple[Mention, ...]
    classes: tuple[Mention, ...]
    tried: tuple[str, ...] = ()
    """the texts that were looked up without success"""

    @property
    def empty(self) -> bool:
        return not (self.entities or self.values or self.classes)


def link(question: str, index: GraphIndex) -> LinkedQuestion:
    """Everything of the graph that the question names."""
    tokens = tokenize(question)
    marked = _marked_mentions(question, tokens, index)
    others = _exact_mentions(question, tokens, index, _positions(marked))
    if marked:  # who marks names marks them all
        others = [mention for mention in others if tokens[mention.start].capitalised and mention.strong]
    entities = _non_overlapping([*marked, *others])
    classes = _class_mentions(tokens, index, _positions(marked))
    entities = _without_class_words(entities, classes)
    entities += _demonym_mentions(tokens, index, _positions(entities))
    tried: tuple[str, ...] = ()
    if not any(mention.strong for mention in entities):
        fuzzy, tried = _fuzzy_mentions(tokens, index, _positions([*entities, *classes]))
        entities += fuzzy
    strong = [mention for mention in entities if mention.strong]
    classes = [mention for mention in classes if not _positions([mention]) & _positions(strong)]
    values = _value_mentions(tokens, index, _positions(strong))
    values += _flag_mentions(tokens, index, _positions([*strong, *values]))
    entities = [mention for mention in entities if not _positions([mention]) & _positions(values)]
    ordered = sorted(entities, key=lambda mention: mention.start)
    return LinkedQuestion(question, tokens, tuple(ordered), tuple(values), tuple(classes), tried)


def _positions(mentions: Sequence[Mention]) -> set[int]:
    return {position for mention in mentions for position in mention.positions}


def _span(tokens: Sequence[Token], start: int, end: int) -> tuple[int, int]:
    inside = [place for place, token in enumerate(tokens) if token.start >= start and token.end <= end]
    return (inside[0], inside[-1] + 1) if inside else (0, 0)


def _marked_mentions(question: str, tokens: Sequence[Token], index: GraphIndex) -> list[Mention]:
    found: list[Mention] = []
    for match in _MARKED.finditer(question):
        text = next(group for group in match.groups() if group is not None).strip()
        start, end = _span(tokens, match.start(), match.end())
        nodes = _exact_case(index, text, index.lookup(text))
        if nodes:
            found.append(Mention(MentionKind.ENTITY, start, end, text, nodes))
        elif match.group(5) is None:  # single quotes are often apostrophes
            found += _similar(index, text, start, end)
    return found


def _exact_case(index: GraphIndex, text: str, nodes: Sequence[int]) -> tuple[int, ...]:
    """The nodes, entities before literals, and those first whose label is the text as it stands."""

    def order(node: int) -> tuple[bool, bool, int]:
        return (isinstance(index.terms[node], Literal), index.labels[node] != text, node)

    return tuple(sorted(nodes, key=order))


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
        nodes = index.names.get(" ".join(token.lower for token in words), ())
        if nodes and (words[-1].possessive is False or end - position > 1):
            text = question[words[0].start : words[-1].end]
            strong = _is_strong(index, words, text)
            if strong or any(token.content for token in words):
                return Mention(MentionKind.ENTITY, position, end, text, _exact_case(index, text, nodes), strong=strong)
    return None


def _is_strong(index: GraphIndex, words: Sequence[Token], text: str) -> bool:
    """Whether words that are a name can hardly be meant as ordinary words."""
    content = [token for token in words if token.content]
    if "_" in text or len(content) >= 2:
        return True
    if not content:
        # "US" against "us": only in capitals does a word of grammar name something
        return len(words) == 1 and len(text) >= 2 and text.isupper() and text != "I"
    token = content[0]
    if token.text[:1].isdigit():
        return False
    if token.capitalised and (words[0].start > 0 or len(words) > 1):
        return True
    return not _is_common(index, token)


def _is_common(index: GraphIndex, token: Token) -> bool:
    word = stem(token.lower)
    return bool(word_groups(word)) or word in _vocabulary(index)


_VOCABULARIES: dict[int, tuple[GraphIndex, frozenset[str]]] = {}


def _vocabulary(index: GraphIndex) -> frozenset[str]:
    """The stems that occur in names of relations and classes."""
    known = _VOCABULARIES.get(id(index))
    if known is None or known[0] is not index:
        words = {word for one in index.relations for text in (one.label, *one.synonyms) for word in content_stems(text)}
        words |= {word for entry in index.classes for name in entry.names for word in name.split()}
        _VOCABULARIES.clear()
        known = _VOCABULARIES[id(index)] = (index, frozenset(words))
    return known[1]


def _non_overlapping(mentions: Sequence[Mention]) -> list[Mention]:
    chosen: list[Mention] = []
    for mention in mentions:  # earlier ones in the list win
        if not any(mention.start < other.end and other.start < mention.end for other in chosen):
            chosen.append(mention)
    return chosen


def _class_mentions(tokens: Sequence[Token], index: GraphIndex, taken: set[int]) -> list[Mention]:
    found: list[Mention] = []
    position = 0
    while position < len(tokens):
        mention = None if position in taken or not index.classes else _class_at(tokens, index, position)
        if mention is None:
            position += 1
        else:
            found.append(mention)
            position = mention.end
    return found


def _class_at(tokens: Sequence[Token], index: GraphIndex, position: int) -> Mention | None:
    for end in range(min(len(tokens), position + 4), position, -1):
        words = tokens[position:end]
        if not all(token.content or token.lower in {"of", "the"} for token in words) or not words[0].content:
            continue
        classes = index.class_names.get(" ".join(stem(token.lower) for token in words), ())
        text = " ".join(token.text for token in words)
        if classes:
            return Mention(MentionKind.CLASS, position, end, text, classes=classes, strong=True)
        if len(words) == 1 and words[0].lower not in QUESTION_WORDS and (similar := _similar_classes(index, words[0])):
            return Mention(MentionKind.CLASS, position, end, text, classes=similar, score=0.7, strong=False)
    return None


def _similar_classes(index: GraphIndex, token: Token) -> tuple[int, ...]:
    groups = word_groups(stem(token.lower))
    return tuple(
        sorted({number for name, ones in index.class_names.items() if groups & word_groups(name) for number in ones})
    )


def _without_class_words(entities: Sequence[Mention], classes: Sequence[Mention]) -> list[Mention]:
    """Entities minus weak ones that are better read as the name of a class."""
    return [
        one
        for one in entities
        if one.strong or not any(two.score == 1.0 and two.start <= one.start and one.end <= two.end for two in classes)
    ]


def _demonym_mentions(tokens: Sequence[Token], index: GraphIndex, taken: set[int]) -> list[Mention]:
    found: list[Mention] = []
    for position, token in enumerate(tokens):
        name = demonyms().get(token.lower)
        if position in taken or name is None or not token.capitalised:
            continue
        nodes = index.names.get(normalise(name), ())
        if nodes:
            found.append(
                Mention(MentionKind.ENTITY, position, position + 1, token.text, _exact_case(index, name, nodes))
            )
    return found


def _fuzzy_mentions(
    tokens: Sequence[Token], index: GraphIndex, taken: set[int]
) -> tuple[list[Mention], tuple[str, ...]]:
    """Similar names for the longest runs of words that nothing explains, capitalised runs first."""
    runs = _unexplained_runs(tokens, index, taken)
    tried: list[str] = []
    for start, end in runs[:24]:
        text = " ".join(token.text for token in tokens[start:end])
        tried.append(text)
        if found := _similar(index, text, start, end):
            return found, tuple(tried)
    return [], tuple(tried)


def _unexplained_runs(tokens: Sequence[Token], index: GraphIndex, taken: set[int]) -> list[tuple[int, int]]:
    runs: list[tuple[float, int, int]] = []
    for start in range(len(tokens)):
        for end in range(start + 1, min(len(tokens), start + 7) + 1):
            words = tokens[start:end]
            if taken & set(range(start, end)) or not words[0].content or not words[-1].content:
                continue
            if all(_is_common(index, token) or not token.content for token in words) and not any(
                token.capitalised and token.start > 0 for token in words
            ):
                continue
            weight = sum(
                (token.capitalised and token.start > 0) * 2.0 + token.content * (not _is_common(index, token)) - 0.5
                for token in words
            )
            runs.append((-weight, start, end))
    return [(start, end) for _, start, end in sorted(runs)]


def _similar(index: GraphIndex, text: str, start: int, end: int) -> list[Mention]:
    from rapidfuzz import fuzz, process

    wanted = normalise(text)
    if len(wanted) < 4:
        return []
    matches = process.extract(wanted, index.names.keys(), scorer=fuzz.ratio, limit=3, score_cutoff=FUZZY_FLOOR)
    if not matches:
        return []
    name, score, _ = matches[0]
    nodes = tuple(node for node in index.names[name] if isinstance(index.terms[node], IRI | BlankNode))
    if not nodes:
        return []
    return [Mention(MentionKind.ENTITY, start, end, text, nodes, score=score / 100.0)]


def _value_mentions(tokens: Sequence[Token], index: GraphIndex, taken: set[int]) -> list[Mention]:
    found: list[Mention] = []
    for mention in value_mentions(tokens, taken):
        nodes = tuple(node for node, value in literal_values(index) if mention.condition.holds(value))
        if nodes:
            text = " ".join(token.text for token in tokens[mention.start : mention.end])
            found.append(
                Mention(MentionKind.VALUE, mention.start, mention.end, text, nodes, condition=mention.condition)
            )
    return found


_NEGATIONS: Final = frozenset({"no", "not", "without", "lacking", "lack", "lacks"})


def _flag_mentions(tokens: Sequence[Token], index: GraphIndex, taken: set[int]) -> list[Mention]:
    """Names of true-or-false properties: *a boxed warning*, *without a boxed warning*."""
    found: list[Mention] = []
    for number, relation in enumerate(index.relations):
        if relation.datatypes != (XSD_BOOLEAN,):
            continue
        for text in (relation.label, *relation.synonyms):
            place = _find_words(tokens, content_stems(text), taken)
            if place is None:
                continue
            start, end = place
            before = [token.lower for token in tokens[max(0, start - 3) : start]]
            wanted = "false" if _NEGATIONS & set(before) else "true"
            nodes = tuple(node for node in index.lookup(wanted) if index.terms[node] == Literal(wanted, XSD_BOOLEAN))
            if nodes:
                text_found = " ".join(token.text for token in tokens[start:end])
                found.append(Mention(MentionKind.ENTITY, start, end, text_found, nodes, relation=number))
                break
    return found


def _find_words(tokens: Sequence[Token], stems: Sequence[str], taken: set[int]) -> tuple[int, int] | None:
    size = len(stems)
    for start in range(len(tokens) - size + 1):
        words = tokens[start : start + size]
        if size and not taken & set(range(start, start + size)) and [stem(one.lower) for one in words] == list(stems):
            return start, start + size
    return None


_VALUES: dict[int, tuple[GraphIndex, list[tuple[int, Value]]]] = {}


def literal_values(index: GraphIndex) -> list[tuple[int, Value]]:
    """Every literal of the graph that is a number or a date, with its value."""
    known = _VALUES.get(id(index))
    if known is None or known[0] is not index:
        pairs: list[tuple[int, Value]] = []
        for node, term in enumerate(index.terms):
            if isinstance(term, Literal) and (value := literal_value(term)) is not None:
                pairs.append((node, value))
        _VALUES.clear()
        known = _VALUES[id(index)] = (index, pairs)
    return known[1]
