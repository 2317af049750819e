"""What a question names: mentions of things, classes and values."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum

from attrs import field, frozen

from uniqgen_ir.ir.terms import Literal
from uniqgen_ir.kg.lexicon_english import word_groups
from uniqgen_ir.kg.lexicon_words import Token, stem
from uniqgen_ir.kg.linking.index import GraphIndex
from uniqgen_ir.kg.linking.values import ValueCondition


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

    @property
    def anchors(self) -> tuple[Mention, ...]:
        """The names and values that are surely meant."""
        return tuple(one for one in (*self.entities, *self.values) if one.strong)


def positions_of(mentions: Sequence[Mention]) -> set[int]:
    """The places of all words of the mentions."""
    return {position for mention in mentions for position in mention.positions}


def best_first(index: GraphIndex, text: str, nodes: Sequence[int]) -> tuple[int, ...]:
    """The nodes, entities before literals, and those first whose label is the text as it stands."""

    def order(node: int) -> tuple[bool, bool, int]:
        return (isinstance(index.terms[node], Literal), index.labels[node] != text, node)

    return tuple(sorted(nodes, key=order))


def is_common(index: GraphIndex, token: Token) -> bool:
    """Whether a word is one of everyday language or of the graph's relations and classes."""
    word = stem(token.lower)
    return bool(word_groups(word)) or word in index.vocabulary
