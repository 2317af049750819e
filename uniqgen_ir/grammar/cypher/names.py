"""From the names of a property graph to IRIs: through a mapping, or, without one, in the namespace `urn:pg:`.

| in Cypher | IRI without a mapping |
|---|---|
| label `Person` | `urn:pg:label:Person` |
| relationship type `ACTED_IN` | `urn:pg:type:ACTED_IN` |
| property `name` | `urn:pg:property:name` |
| every node | instance of `urn:pg:Node` |

A relationship of which more than its type is asked (its properties, itself in the answer) is a node `r`: an instance of
`urn:pg:relationship:ACTED_IN`, with `r urn:pg:source a`, `r urn:pg:target b`, and its properties like those of nodes.
Characters that an IRI cannot hold are percent-encoded, so that the name can be had back.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final
from urllib.parse import quote, unquote

from attrs import define, field, frozen

from uniqgen_ir.ir.mapping import Mapping
from uniqgen_ir.ir.terms import IRI
from uniqgen_ir.ir.vocabulary import RDFS_LABEL

LABEL: Final = "urn:pg:label:"
TYPE: Final = "urn:pg:type:"
PROPERTY: Final = "urn:pg:property:"
RELATIONSHIP: Final = "urn:pg:relationship:"
SOURCE: Final = IRI("urn:pg:source")
TARGET: Final = IRI("urn:pg:target")
NODE: Final = IRI("urn:pg:Node")
"""The class of every node: what `(n)` without a label says."""


def name_of_iri(iri: str) -> str | None:
    """The label, type or property that an IRI of `urn:pg:` stands for; None for any other IRI."""
    for space in (LABEL, TYPE, PROPERTY, RELATIONSHIP):
        if iri.startswith(space):
            return unquote(iri[len(space) :])
    return None


@lru_cache(maxsize=4096)
def _iri(space: str, name: str) -> IRI:
    return IRI(space + quote(name, safe="-._~"))


@frozen
class Relation:
    """A relationship type: its IRI, and whether the mapping stores it the other way round."""

    iri: IRI
    reverse: bool = False


@frozen
class Reified:
    """A relationship as a node: its class, the predicates to its ends, and what its properties are called."""

    type: IRI
    source: IRI
    target: IRI
    properties: tuple[tuple[str, IRI], ...] | None = None
    """None: every property has its name in `urn:pg:`"""


@frozen
class Attribute:
    """A property: its IRI; `many` for a list; `key` where it holds the node's own IRI."""

    iri: IRI
    many: bool = False
    key: bool = False


@define
class Names:
    """Looks names up. `assumed` collects, in order, the names that the mapping does not list."""

    mapping: Mapping | None = None
    assumed: dict[str, IRI] = field(factory=dict[str, IRI])

    def label(self, name: str) -> IRI:
        """The class of a label."""
        for one in self.mapping.labels if self.mapping else ():
            if one.label == name:
                return one.iri
        return self._assume(f"label `{name}`", _iri(LABEL, name))

    def relation(self, name: str) -> Relation:
        """The predicate of a relationship type."""
        if self.mapping is not None:
            for edge in self.mapping.edges:
                if edge.type == name:
                    return Relation(edge.iri, edge.reverse)
        return Relation(self._assume(f"relationship type `{name}`", _iri(TYPE, name)))

    def reified(self, name: str) -> Reified | None:
        """The type as a class of nodes; None where the mapping has no such thing."""
        if self.mapping is None:
            return Reified(_iri(RELATIONSHIP, name), SOURCE, TARGET)
        for one in self.mapping.mediators:
            if one.type == name and one.source is not None and one.target is not None:
                return Reified(one.iri, one.source, one.target, one.properties)
        return None

    def is_mediator(self, name: str) -> bool:
        """Whether the mapping stores relationships of this type as nodes."""
        return self.mapping is not None and any(one.type == name for one in self.mapping.mediators)

    def property(self, name: str) -> Attribute:
        """The predicate of a node's property."""
        if self.mapping is not None:
            for one in self.mapping.properties:
                if one.name == name:
                    return Attribute(one.iri, one.many)
            if name == self.mapping.key:
                return Attribute(_iri(PROPERTY, name), key=True)
            if name == self.mapping.label_property:
                return Attribute(IRI(RDFS_LABEL))
        return Attribute(self._assume(f"property `{name}`", _iri(PROPERTY, name)))

    def _assume(self, what: str, iri: IRI) -> IRI:
        if self.mapping is not None:
            self.assumed[what] = iri
        return iri
