"""Property graphs as facts, in the names under which Cypher is read without a mapping (`urn:pg:`).

A node is an IRI in `urn:pg:node:`, an instance of `urn:pg:Node` and of its labels; a property is a fact for each value.
A relationship is a fact between its ends and, beside that, a node in `urn:pg:edge:` of the class
`urn:pg:relationship:TYPE` with `urn:pg:source`, `urn:pg:target` and its properties. So queries that ask for no more
than the ends use plain facts, under which relationships of one type that run in parallel are one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Final, TypeAlias
from urllib.parse import quote

from uniqgen_ir.ir.graph import Fact
from uniqgen_ir.ir.terms import IRI, Literal
from uniqgen_ir.ir.vocabulary import (
    PG_LABEL,
    PG_NODE,
    PG_PROPERTY,
    PG_RELATIONSHIP,
    PG_SOURCE,
    PG_TARGET,
    PG_TYPE,
    RDF_TYPE,
)

Value: TypeAlias = "Literal | str | int | float | bool | list[Value] | None"
"""A property: a literal, what becomes one, a list of these; None is no property."""

NODE_PREFIX: Final = "urn:pg:node:"
_EDGES: Final = "urn:pg:edge:"
_A: Final = IRI(RDF_TYPE)


def _named(space: str, name: str) -> IRI:
    return IRI(space + quote(name, safe="-._~"))


def node_iri(key: str) -> IRI:
    """The node with this key."""
    return _named(NODE_PREFIX, key)


def node_facts(node: IRI, labels: Iterable[str], properties: Mapping[str, Value]) -> Iterator[Fact]:
    """What there is to say about a node."""
    yield node, _A, IRI(PG_NODE)
    for label in labels:
        yield node, _A, _named(PG_LABEL, label)
    yield from property_facts(node, properties)


def relationship_facts(
    key: str, kind: str, source: IRI, target: IRI, properties: Mapping[str, Value]
) -> Iterator[Fact]:
    """What there is to say about a relationship; `key` is one that no other has."""
    yield source, _named(PG_TYPE, kind), target
    edge = _named(_EDGES, key)
    yield edge, _A, _named(PG_RELATIONSHIP, kind)
    yield edge, IRI(PG_SOURCE), source
    yield edge, IRI(PG_TARGET), target
    yield from property_facts(edge, properties)


def property_facts(subject: IRI, properties: Mapping[str, Value]) -> Iterator[Fact]:
    """A fact for each value; items of a list lose their order."""
    for name, value in properties.items():
        for one in value if isinstance(value, list) else [value]:
            literal = _literal(one)
            if literal is not None:
                yield subject, _named(PG_PROPERTY, name), literal


def _literal(value: Value) -> Literal | None:
    if value is None or isinstance(value, Literal):
        return value
    if isinstance(value, list):
        raise TypeError("a list of lists is no property")
    return Literal.of(value)
