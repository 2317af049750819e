"""Mappings: how the names of an RDF vocabulary stand in a property graph."""

from __future__ import annotations

from attrs import field, frozen

from uniqgen_ir.ir.spans import Span
from uniqgen_ir.ir.terms import IRI


@frozen
class LabelMapping:
    """A class is a node label: `med:Medicine => :Medicine`."""

    iri: IRI
    label: str
    span: Span | None = field(default=None, eq=False, repr=False)


@frozen
class EdgeMapping:
    """A relation is a relationship type: `med:treats => -[:TREATS]->`; `reverse` for `<-[:TREATED_BY]-`."""

    iri: IRI
    type: str
    reverse: bool = False
    span: Span | None = field(default=None, eq=False, repr=False)


@frozen
class PropertyMapping:
    """A literal predicate is a node property: `ol:season => .season`; `many`: a list property, `.aliases[]`."""

    iri: IRI
    name: str
    many: bool = False
    span: Span | None = field(default=None, eq=False, repr=False)


@frozen
class MediatorMapping:
    """A mediator node is an edge with properties: `med:Dosage => edge -[:DOSED_WITH {strength: med:strength}]->`.

    `source` and `target` are the two predicates of the mediator that lead to the ends, where the mapping names them.
    """

    iri: IRI
    type: str
    properties: tuple[tuple[str, IRI], ...] = ()
    source: IRI | None = None
    target: IRI | None = None
    span: Span | None = field(default=None, eq=False, repr=False)


@frozen
class Mapping:
    """A mapping; names that it does not list follow `preset`.

    `key` is the node property that holds the IRI (or its local part), `label_property` the one that holds the name.
    """

    name: str
    schema: str | None = None
    preset: str = "plain"
    key: str = "id"
    label_property: str = "name"
    labels: tuple[LabelMapping, ...] = ()
    edges: tuple[EdgeMapping, ...] = ()
    properties: tuple[PropertyMapping, ...] = ()
    mediators: tuple[MediatorMapping, ...] = ()
    span: Span | None = field(default=None, eq=False, repr=False)
