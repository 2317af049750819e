"""Facts as nodes and relationships of a property graph, under the names of a mapping."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from typing import Protocol
from urllib.parse import unquote

from attrs import frozen

from uniqgen_ir.ir.vocabulary import RDF_TYPE
from uniqgen_ir.kg.export.properties import Properties, Property, clash, refuse_clashes
from uniqgen_ir.kg.export.spool import Spool, Subject
from uniqgen_ir.kg.export.things import Relationship, ThingForm, Things
from uniqgen_ir.kg.property_graph.facts import NODE_PREFIX


class Naming(Protocol):
    """How a mapping names things in a property graph."""

    @property
    def key(self) -> str | None:
        """The property that identifies a node; None where nodes are written as they are, without one."""
        ...

    @property
    def common_label(self) -> str | None:
        """A label that every node gets, so that its key can be indexed; None where there is no key."""
        ...

    def key_value(self, iri: str) -> str: ...

    def label(self, iri: str) -> str:
        """The label of a class; empty where it says no more than that something is a node."""
        ...

    def relationship(self, predicate: str) -> tuple[str, bool]:
        """A type, and whether it is stored from object to subject."""
        ...

    def property(self, predicate: str) -> tuple[str, bool]:
        """A name, and whether it always holds a list."""
        ...

    def thing(self, class_: str) -> ThingForm | None:
        """How instances of a class are relationships; None where they are nodes."""
        ...


@frozen
class Node:
    """A node; `properties` without the key."""

    key: str
    labels: tuple[str, ...]
    properties: dict[str, Property]


class ExportedGraph:
    """The nodes and relationships of a filled spool, one at a time.

    Raises DiagnosticError: UQ684 where the mapping gives two things the same name, because they could not be told
    apart afterwards; UQ686 where a node that the mapping keeps as a relationship says more than one can.
    """

    def __init__(self, spool: Spool, naming: Naming) -> None:
        self.naming = naming
        self._spool = spool
        self._bare = naming.key is None
        self._things = Things(spool, naming.thing, naming.property, self._key)
        uses = spool.uses()
        self._properties = Properties.of(uses, naming.property, naming.key)
        edges = [one.predicate for one in uses if one.edges and one.predicate != RDF_TYPE]
        self._types = {one: naming.relationship(one) for one in edges}
        refuse_clashes("relationship type", [(iri, name) for iri, (name, _) in self._types.items()])

    @property
    def lists(self) -> frozenset[str]:
        """The properties of nodes that hold lists: of every node, if of one."""
        return self._properties.lists

    @property
    def relationship_lists(self) -> frozenset[str]:
        """The properties of relationships that hold lists."""
        return self._things.properties.lists

    @property
    def types(self) -> list[str]:
        """The relationship types."""
        return sorted({*(name for name, _ in self._types.values()), *self._things.types})

    @property
    def labels(self) -> list[str]:
        """The labels of nodes that classes give."""
        return sorted({self.naming.label(one) for one in self._spool.classes()})

    def nodes(self) -> Iterator[Node]:
        """Every node, once."""
        before: dict[str, str] = {}
        for subject in self._spool.subjects():
            key = self._key(subject.name)
            # names are sorted, keys may not be: only names that the key shortens can clash
            if key != subject.name and before.setdefault(key, subject.name) != subject.name:
                raise clash("key", key, before[key], subject.name)
            yield Node(key, self._labels(subject), self._properties.values(subject.literals))

    def keys(self) -> Iterator[str]:
        """The key of every node, in no order."""
        return map(self._key, self._spool.names())

    def relationships(self) -> Iterator[Relationship]:
        """Every relationship, those without properties of one type together."""
        return chain(self._plain_relationships(), self._things.relationships())

    def columns(self) -> dict[str, str]:
        """The kind of each property of nodes: `string` where values are of several kinds."""
        return self._properties.columns(self._spool.subjects())

    def relationship_columns(self) -> dict[str, str]:
        """The kind of each property of relationships."""
        return self._things.columns()

    def _plain_relationships(self) -> Iterator[Relationship]:
        for start, predicate, end in self._spool.edges():
            name, reverse = self._types[predicate]
            ends = (self._key(start), self._key(end))
            yield Relationship(ends[reverse], name, ends[not reverse])

    def _key(self, name: str) -> str:
        if self._bare and name.startswith(NODE_PREFIX):
            return unquote(name.removeprefix(NODE_PREFIX))
        return name if name.startswith("_:") else self.naming.key_value(name)

    def _labels(self, subject: Subject) -> tuple[str, ...]:
        own = (self.naming.label(one) for one in subject.classes)
        return tuple(dict.fromkeys(one for one in (self.naming.common_label, *own) if one))
