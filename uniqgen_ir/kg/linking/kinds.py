"""Classes, values, flags and peoples that a question names."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from uniqgen_ir.ir.terms import Literal
from uniqgen_ir.ir.vocabulary import XSD_BOOLEAN
from uniqgen_ir.kg.lexicon_english import demonyms, word_groups
from uniqgen_ir.kg.lexicon_words import QUESTION_WORDS, Token, content_stems, normalise, stem
from uniqgen_ir.kg.linking.index import GraphIndex
from uniqgen_ir.kg.linking.mentions import Mention, MentionKind, best_first
from uniqgen_ir.kg.linking.values import value_mentions

_NEGATIONS: Final = frozenset({"no", "not", "without", "lacking", "lack", "lacks"})


def class_mentions(tokens: Sequence[Token], index: GraphIndex, taken: set[int]) -> list[Mention]:
    """Words that name a class, exactly or by a word of the same meaning, left to right."""
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
        if len(words) == 1 and carries_another_noun(tokens, position):
            return None
        classes = index.class_names.get(" ".join(stem(token.lower) for token in words), ())
        text = " ".join(token.text for token in words)
        if classes:
            return Mention(MentionKind.CLASS, position, end, text, classes=classes, strong=True)
        if len(words) == 1 and words[0].lower not in QUESTION_WORDS and (similar := _similar_classes(index, words[0])):
            return Mention(MentionKind.CLASS, position, end, text, classes=similar, score=0.7, strong=False)
    return None


_CARRIERS: Final = frozenset({"type", "types", "kind", "kinds", "sort", "sorts", "form", "forms", "name", "names"})


def carries_another_noun(tokens: Sequence[Token], position: int) -> bool:
    """Whether a noun only leads to the one that is meant: the *type* of *what type of currency*."""
    following = tokens[position + 1].lower if position + 1 < len(tokens) else ""
    return tokens[position].lower in _CARRIERS and following == "of"


def _similar_classes(index: GraphIndex, token: Token) -> tuple[int, ...]:
    groups = word_groups(stem(token.lower))
    return tuple(
        sorted({number for name, ones in index.class_names.items() if groups & word_groups(name) for number in ones})
    )


def demonym_mentions(tokens: Sequence[Token], index: GraphIndex, taken: set[int]) -> list[Mention]:
    """Adjectives of countries and peoples: *American* names the United States."""
    found: list[Mention] = []
    for position, token in enumerate(tokens):
        name = demonyms().get(token.lower) or demonyms().get(token.lower.removesuffix("s"))
        if position in taken or name is None or not (token.capitalised or stem(token.lower) not in index.vocabulary):
            continue
        nodes = index.names.get(normalise(name), ())
        if nodes:
            nodes = (*best_first(index, name, nodes), *index.names.get(f"{token.lower} language", ()))
            found.append(Mention(MentionKind.ENTITY, position, position + 1, token.text, nodes))
    return found


def condition_mentions(tokens: Sequence[Token], index: GraphIndex, taken: set[int]) -> list[Mention]:
    """Numbers, years, months and what is said of them, with the literals of the graph that meet it."""
    found: list[Mention] = []
    for mention in value_mentions(tokens, taken):
        nodes = tuple(node for node, value in index.values if mention.condition.holds(value))
        if nodes:
            text = " ".join(token.text for token in tokens[mention.start : mention.end])
            found.append(
                Mention(MentionKind.VALUE, mention.start, mention.end, text, nodes, condition=mention.condition)
            )
    return found


def flag_mentions(tokens: Sequence[Token], index: GraphIndex, taken: set[int]) -> list[Mention]:
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
