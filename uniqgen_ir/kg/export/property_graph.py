"""Facts as nodes and relationships of a property graph, under the names of a mapping."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Protocol, TypeAlias

from attrs import frozen

from uniqgen_ir.ir.diagnostics import DiagnosticError, fail
from uniqgen_ir.ir.vocabulary import RDF_TYPE
from uniqgen_ir.kg.export.spool import Spool, Subject
from uniqgen_ir.kg.export.values import Value, kind_of, native, text_of


class Naming(Protocol):
    """How a mapping names things in a property graph."""

    @property
    def key(self) -> str:
        """The property that identifies a node."""
        ...

    @property
    def common_label(self) -> str:
        """A label that every node gets, so that its key can be indexed."""
        ...

    def key_value(self, iri: str) -> str: ...

    def label(self, iri: str) -> str: ...

    def relationship(self, predicate: str) -> tuple[str, bool]:
        """A type, and whether it is stored from object to subject."""
        ...

    def property(self, predicate: str) -> tuple[str, bool]:
        """A name, and whether it always holds a list."""
        ...


Property: TypeAlias = "Value | list[Value]"


@frozen
class Node:
    """A node; `properties` without the key."""

    key: str
    labels: tuple[str, ...]
    properties: dict[str, Property]


@frozen
class Relationship:
    """A relationship between two nodes, given by their keys."""

    start: str
    type: str
    end: str


class ExportedGraph:
    """The nodes and relationships of a filled spool, one at a time.

    Raises DiagnosticError (UQ684) where the mapping gives two things the same name, because they could not be told
    apart afterwards.
    """

    def __init__(self, spool: Spool, naming: Naming) -> None:
        self.naming = naming
        self._spool = spool
        uses = spool.uses()
        self._properties = {one.predicate: naming.property(one.predicate)[0] for one in uses if one.most_literals}
        self._types = {
            one.predicate: naming.relationship(one.predicate) for one in uses if one.edges and one.predicate != RDF_TYPE
        }
        _refuse_clashes("property", [*self._properties.items(), ("the key of nodes", naming.key)])
        _refuse_clashes("relationship type", [(iri, name) for iri, (name, _) in self._types.items()])
        self.lists = {
            self._properties[one.predicate]
            for one in uses
            if one.most_literals > 1 or (one.most_literals and naming.property(one.predicate)[1])
        }
        """the properties that hold lists: of every node, if of one"""

    @property
    def types(self) -> list[str]:
        """The relationship types."""
        return sorted({name for name, _ in self._types.values()})

    def nodes(self) -> Iterator[Node]:
        """Every node, once."""
        before: dict[str, str] = {}
        for subject in self._spool.subjects():
            key = self._key(subject.name)
            # names are sorted, keys may not be: only names that the key shortens can clash
            if key != subject.name and before.setdefault(key, subject.name) != subject.name:
                raise _clash("key", key, before[key], subject.name)
            yield Node(key, self._labels(subject), self._values(subject))

    def _key(self, name: str) -> str:
        return name if name.startswith("_:") else self.naming.key_value(name)

    def _labels(self, subject: Subject) -> tuple[str, ...]:
        own = (self.naming.label(one) for one in subject.classes)
        return tuple(dict.fromkeys((self.naming.common_label, *own)))

    def _values(self, subject: Subject) -> dict[str, Property]:
        found: dict[str, dict[tuple[str, Value], None]] = {}
        for predicate, literal in subject.literals:
            value = native(literal)
            # with the kind, because `1` equals `True` in Python
            found.setdefault(self._properties[predicate], {})[kind_of(value), value] = None
        return {
            name: _alike(list(values)) if name in self.lists else next(iter(values))[1]
            for name, values in found.items()
        }

    def relationships(self) -> Iterator[Relationship]:
        """Every relationship, those of one type together."""
        for start, predicate, end in self._spool.edges():
            name, reverse = self._types[predicate]
            ends = (self._key(start), self._key(end))
            yield Relationship(ends[reverse], name, ends[not reverse])

    def columns(self) -> dict[str, str]:
        """The kind of each property, by reading all nodes: `string` where values are of several kinds."""
        kinds: dict[str, str] = dict.fromkeys(self._properties.values(), "")
        for subject in self._spool.subjects():
            for predicate, literal in subject.literals:
                name, kind = self._properties[predicate], kind_of(native(literal))
                kinds[name] = kind if kinds[name] in ("", kind) else "string"
        return kinds


def _alike(values: list[tuple[str, Value]]) -> list[Value]:
    """Lists hold values of one kind: others become texts."""
    same = len({kind for kind, _ in values}) == 1
    return [value if same else text_of(value) for _, value in values]


def _refuse_clashes(what: str, named: Iterable[tuple[str, str]]) -> None:
    owners: dict[str, str] = {}
    for iri, name in named:
        if owners.setdefault(name, iri) != iri:
            raise _clash(what, name, owners[name], iri)


def _clash(what: str, name: str, one: str, other: str) -> DiagnosticError:
    return fail(
        "UQ684",
        f"{one} and {other} would both be the {what} {name}",
        hint="give one of them another name in a mapping: --mapping FILE",
    )
