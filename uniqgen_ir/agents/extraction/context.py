"""What a model sees of the graph: G' around what a question names, the likeliest relations first, cut to fit.

Everything has a short id; a model answers with ids only, so that nothing can come back that is not there.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final, TypeAlias

from attrs import field, frozen

from uniqgen_ir.agents.extraction.nearby import NearRelation, near_relations
from uniqgen_ir.agents.llm.messages import estimated_tokens
from uniqgen_ir.agents.matching import RelationMatcher
from uniqgen_ir.agents.prompting import one_line
from uniqgen_ir.ir.terms import IRI, Literal
from uniqgen_ir.kg.linking.index import GraphIndex
from uniqgen_ir.kg.linking.mentions import LinkedQuestion, Mention
from uniqgen_ir.kg.linking.values import ValueCondition

VARIABLES: Final = ("?answer", "?a", "?b", "?c", "?d")
TYPE: Final = "type"
"""The id of *is a*."""
MEANINGS: Final = 3
"""How many things of one name are shown."""
CONTEXT_TOKENS: Final = 2_500
"""Tokens that the list of relations may take unless asked otherwise."""
_BULLET: Final = 2
"""Tokens of what stands around a line."""


@frozen
class Thing:
    """Something that the question names: a node of the graph."""

    id: str
    node: int
    term: IRI | Literal
    label: str
    kind: str | None


@frozen
class ClassChoice:
    id: str
    number: int
    label: str


@frozen
class ValueChoice:
    """A value: a condition that the question states, or a literal that the graph has."""

    id: str
    text: str
    condition: ValueCondition | None = None
    literal: Literal | None = None


@frozen
class RelationChoice:
    """A relation with everything that is told about it, in one line.

    `depth` above 1 stands for a chain of one to so many steps: being in a part of something is being in it.
    """

    id: str
    number: int
    line: str
    depth: int = 1


Choice: TypeAlias = Thing | ClassChoice | ValueChoice | RelationChoice


@frozen
class Context:
    """All that a model may name. `left_out` relations were near and did not fit."""

    things: tuple[Thing, ...]
    classes: tuple[ClassChoice, ...]
    values: tuple[ValueChoice, ...]
    relations: tuple[RelationChoice, ...]
    left_out: int = 0
    by_id: Mapping[str, Choice] = field(init=False, repr=False, eq=False)

    def __attrs_post_init__(self) -> None:
        every: tuple[Choice, ...] = (*self.things, *self.classes, *self.values, *self.relations)
        object.__setattr__(self, "by_id", {one.id: one for one in every})

    @property
    def ids(self) -> frozenset[str]:
        """Every id that stands for something of the graph."""
        return frozenset(self.by_id)


def gather(
    linked: LinkedQuestion,
    index: GraphIndex,
    matcher: RelationMatcher,
    *,
    hops: int,
    tokens: int = CONTEXT_TOKENS,
    near: Sequence[NearRelation] | None = None,
) -> Context:
    """The context of a question: relations within `hops` of what it names, as many as fit in `tokens`.

    `near` are the relations in the order in which they are tried, where a walk has found them already.
    """
    near = near_relations(linked, index, matcher, hops) if near is None else near
    values = list(_conditions(linked.values))
    numbers = dict.fromkeys(number for one in linked.classes for number in one.classes)
    relations: list[RelationChoice] = []
    spent = 0
    for one in near:
        name, listed = f"r{len(relations) + 1}", _listed_values(one, index, len(values))
        line = _line(name, one, index, listed)
        cost = estimated_tokens(line) + _BULLET
        if spent + cost > tokens:
            continue  # a shorter one may still fit
        spent += cost
        relations.append(RelationChoice(name, one.number, line))
        depth = index.relations[one.number].depth
        if depth > 1:
            name = f"r{len(relations) + 1}"
            line = f'{name}: "{one_line(index.relations[one.number].label)}, in one step or several"'
            relations.append(RelationChoice(name, one.number, line, depth))
        values += listed
        numbers |= dict.fromkeys(number for number in (one.source, one.target) if number is not None)
    classes = (
        ClassChoice(f"c{place}", number, one_line(index.classes[number].label))
        for place, number in enumerate(numbers, 1)
    )
    things = tuple(_things(linked.entities, index))
    return Context(
        things, tuple(classes), tuple(values), tuple(relations), len(near) - len({one.number for one in relations})
    )


def _things(mentions: Iterable[Mention], index: GraphIndex) -> Iterator[Thing]:
    nodes = dict.fromkeys(node for mention in mentions for node in mention.nodes[:MEANINGS])
    place = 0
    for node in nodes:
        term = index.terms[node]
        if isinstance(term, IRI | Literal):  # a blank node cannot be named in a query
            place += 1
            number = index.smallest_class((node,))
            kind = None if number is None else index.classes[number].label
            yield Thing(f"e{place}", node, term, one_line(index.labels[node]), kind)


def _conditions(mentions: Sequence[Mention]) -> Iterator[ValueChoice]:
    for place, mention in enumerate((one for one in mentions if one.condition is not None), 1):
        yield ValueChoice(f"v{place}", mention.text, condition=mention.condition)


def _listed_values(relation: NearRelation, index: GraphIndex, before: int) -> list[ValueChoice]:
    """The values of a relation that has few, so that a row can ask for one of them."""
    terms = (index.terms[node] for node in relation.values)
    literals = [term for term in terms if isinstance(term, Literal)]
    return [
        ValueChoice(f"v{before + place}", one_line(term.lexical), literal=term)
        for place, term in enumerate(literals, 1)
    ]


def _line(name: str, relation: NearRelation, index: GraphIndex, values: Sequence[ValueChoice]) -> str:
    entry = index.relations[relation.number]
    sides = [_side(number, index) for number in (relation.source, relation.target)]
    if entry.literal:
        sides[1] = "value"
    text = f'{name}: "{one_line(entry.label)}" {sides[0]} → {sides[1]}'
    others = [word for word in entry.synonyms if word != entry.label][:4]
    if others:
        text += " (also " + ", ".join(f'"{one_line(word)}"' for word in others) + ")"
    if values:
        return text + "; its values: " + ", ".join(f'{one.id} "{one.text}"' for one in values)
    subject, object_ = (one_line(index.labels[node], 40) for node in relation.example)
    return f'{text}, such as "{subject}" → "{object_}"'


def _side(number: int | None, index: GraphIndex) -> str:
    return "thing" if number is None else one_line(index.classes[number].label)
