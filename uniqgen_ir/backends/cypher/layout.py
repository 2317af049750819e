"""How the names of a table stand in a property graph: what a renderer asks, and the answers of mappings and presets."""

from __future__ import annotations

from collections.abc import Iterable
from collections.abc import Mapping as MappingOf
from itertools import count
from typing import Final, Protocol, TypeAlias

from attrs import evolve, field, frozen

from uniqgen_ir.backends.cypher.presets import (
    KEYS,
    N10S_PREFIXES,
    Preset,
    local_part,
    namespace,
    preset_of,
    property_graph_name,
)
from uniqgen_ir.ir.diagnostics import fail
from uniqgen_ir.ir.mapping import EdgeMapping, Mapping, PropertyMapping
from uniqgen_ir.ir.vocabulary import (
    PG,
    PG_LABEL,
    PG_NODE,
    PG_PROPERTY,
    PG_RELATIONSHIP,
    PG_SOURCE,
    PG_TARGET,
    RDFS_LABEL,
)


@frozen
class EdgeForm:
    """The predicate is a relationship type between nodes. `reverse`: stored from object to subject."""

    type: str
    reverse: bool = False


@frozen
class PropertyForm:
    """The predicate is a node property. `datatype` None: not known; `many`: a list."""

    name: str
    datatype: str | None = None
    many: bool = False


@frozen
class LiteralForm:
    """The predicate is a relationship type that leads to nodes which stand for literals.

    `categories` says which kinds of values occur; `exact` is False where some numbers or times have no exact column.
    """

    type: str
    categories: frozenset[str] = frozenset()
    exact: bool = True
    clocks: frozenset[str] = frozenset()


Form: TypeAlias = "EdgeForm | PropertyForm | LiteralForm"


class Layout(Protocol):
    """What a renderer needs to know about a property graph."""

    @property
    def node_label(self) -> str | None:
        """The label that every node has, where there is one."""
        ...

    @property
    def key(self) -> str | None:
        """The property that holds a node's IRI, or its local part; None where nodes answer for themselves."""
        ...

    @property
    def lossless(self) -> bool:
        """Whether every RDF term comes back as it was."""
        ...

    def key_value(self, iri: str) -> str:
        """What the key of the node with this IRI holds."""
        ...

    def class_label(self, iri: str) -> str | None:
        """The label of a class; None where classes are nodes."""
        ...

    def forms(self, predicate: str) -> tuple[Form, ...] | None:
        """Every form in which the predicate occurs: () where it does not occur, None where nothing is known."""
        ...

    def plain_type(self, predicate: str) -> str | None:
        """The relationship type of a predicate that is that and nothing else, stored forwards."""
        ...

    def mediator_type(self, iri: str) -> str | None:
        """The relationship type that a class stands for, whose instances are kept as relationships."""
        ...

    def mediator_end(self, predicate: str) -> tuple[str, tuple[str, ...]] | None:
        """`source` or `target`, where the predicate leads from such an instance to an end, and its types if known."""
        ...

    def mediator_property(self, predicate: str) -> str | None:
        """The relationship type that alone has this property."""
        ...

    def guess(self, predicate: str, form: str) -> Form:
        """The form that naming alone suggests: `form` is `edge` or `property`."""
        ...


_PLAIN: Final = Mapping("plain")


@frozen
class MappingLayout:
    """The layout that a mapping describes; the mapping's preset names what it does not list."""

    mapping: Mapping = _PLAIN
    known: MappingOf[str, tuple[Form, ...]] = field(factory=dict[str, "tuple[Form, ...]"])
    """Forms found elsewhere (a schema, a graph's statistics), by predicate; the mapping's own entries win."""
    lossless: bool = False

    prefixes: MappingOf[str, str] = field(factory=dict[str, str])
    """n10s: the prefix of every namespace that is not one of its standard ones"""
    whole_nodes: bool = False
    """the table speaks of a property graph as it is (`urn:pg:`): nodes are returned, not keys"""
    common_label: str | None = None
    """a label that every node of the graph has: written with each node, its index on the key is used"""

    @property
    def preset(self) -> Preset:
        return preset_of(self.mapping.preset)

    @property
    def node_label(self) -> str | None:
        return "Resource" if self.mapping.preset == "n10s" else self.common_label

    @property
    def key(self) -> str | None:
        if self.whole_nodes:
            return None
        own = self.mapping.key
        return KEYS.get(self.mapping.preset, own) if own == "id" else own

    def key_value(self, iri: str) -> str:
        return self.preset.key(iri)

    def for_names(self, iris: Iterable[str]) -> MappingLayout:
        """The same layout with prefixes for the namespaces of these names: those that entries of the mapping show
        (`ex:name => .ns3__name`), then the next free `ns0`, `ns1`, … in the order of the names."""
        iris = tuple(iris)
        plain = self.mapping.preset == "plain" and not (self.mapping.labels or self.mapping.edges)
        if plain and any(one.startswith(PG) for one in iris):
            return evolve(self, whole_nodes=True)
        if self.mapping.preset != "n10s":
            return self
        found: dict[str, str] = {**N10S_PREFIXES, **self.prefixes}
        listed = [(one.iri.value, one.label) for one in self.mapping.labels]
        listed += [(one.iri.value, one.type) for one in self.mapping.edges]
        listed += [(one.iri.value, one.name) for one in self.mapping.properties]
        for iri, name in listed:
            prefix, mark, _ = name.partition("__")
            if mark:
                found[namespace(iri)] = prefix
        free = (f"ns{number}" for number in count())
        for iri in iris:
            if namespace(iri) not in found:
                found[namespace(iri)] = next(one for one in free if one not in found.values())
        return evolve(self, prefixes=found)

    def _prefixed(self, iri: str, name: str) -> str:
        if self.mapping.preset != "n10s":
            return name
        return f"{self.prefixes.get(namespace(iri)) or N10S_PREFIXES.get(namespace(iri), 'ns0')}__{name}"

    def class_label(self, iri: str) -> str | None:
        if iri == PG_NODE:
            return ""
        self._refuse_mediators(iri)
        if iri.startswith(PG_LABEL):
            return property_graph_name(iri)
        named = next((one.label for one in self.mapping.labels if one.iri.value == iri), None)
        return named or self._prefixed(iri, self.preset.label(iri))

    def forms(self, predicate: str) -> tuple[Form, ...] | None:
        name = self._mediator_properties.get(predicate)
        if name is not None:
            return (PropertyForm(name[1]),)
        self._refuse_mediators(predicate)
        own = property_graph_name(predicate)
        if own is not None:
            return (PropertyForm(own),) if predicate.startswith(PG_PROPERTY) else (EdgeForm(own),)
        entries: list[EdgeMapping | PropertyMapping] = [*self.mapping.edges, *self.mapping.properties]
        listed = tuple(_form(one) for one in entries if one.iri.value == predicate)
        if listed:
            return listed
        if predicate == RDFS_LABEL:
            n10s = self.mapping.preset == "n10s" and self.mapping.label_property == "name"
            return (PropertyForm("rdfs__label" if n10s else self.mapping.label_property),)
        known = self.known.get(predicate)
        return known if known is None else tuple(self._prefixed_form(predicate, one) for one in known)

    def _prefixed_form(self, predicate: str, form: Form) -> Form:
        if isinstance(form, PropertyForm):
            return evolve(form, name=self._prefixed(predicate, form.name))
        return evolve(form, type=self._prefixed(predicate, form.type))

    def _refuse_mediators(self, iri: str) -> None:
        """For names of a relationship kept as such that were not found together with its two ends."""
        if iri in (PG_SOURCE, PG_TARGET) or iri.startswith(PG_RELATIONSHIP):
            raise fail("UQ500", f"{local_part(iri)} speaks of a relationship of which no rows give both ends")
        for one in self.mapping.mediators:
            if iri in {name.value for name in (one.iri, one.source, one.target) if name is not None}:
                owner = local_part(one.iri.value)
                raise fail(
                    "UQ500",
                    f"{local_part(iri)} belongs to the mediator {owner}, which is kept as an edge, and no rows give"
                    " both of its ends",
                    hint="name the two ends in the mapping and in the table",
                )

    @property
    def _mediator_properties(self) -> dict[str, tuple[str, str]]:
        """Type and name of the properties of mediators, by IRI."""
        return {iri.value: (one.type, name) for one in self.mapping.mediators for name, iri in one.properties}

    def plain_type(self, predicate: str) -> str | None:
        if self.mediator_end(predicate) is not None or self.mediator_property(predicate) is not None:
            return None
        forms = self.forms(predicate)
        if forms is None or len(forms) != 1:
            return None
        return forms[0].type if isinstance(forms[0], EdgeForm) and not forms[0].reverse else None

    def mediator_type(self, iri: str) -> str | None:
        if iri.startswith(PG_RELATIONSHIP):
            return property_graph_name(iri)
        return next((one.type for one in self.mapping.mediators if one.iri.value == iri), None)

    def mediator_end(self, predicate: str) -> tuple[str, tuple[str, ...]] | None:
        if predicate in (PG_SOURCE, PG_TARGET):
            return ("source" if predicate == PG_SOURCE else "target"), ()
        for one in self.mapping.mediators:
            for end, name in (("source", one.source), ("target", one.target)):
                if name is not None and name.value == predicate and one.source != one.target:
                    return end, (one.type,)
        return None

    def mediator_property(self, predicate: str) -> str | None:
        found = self._mediator_properties.get(predicate)
        return None if found is None else found[0]

    def guess(self, predicate: str, form: str) -> Form:
        if form == "property":
            return PropertyForm(self._prefixed(predicate, self.preset.property(predicate)))
        return EdgeForm(self._prefixed(predicate, self.preset.type(predicate)))


class PredicateFacts(Protocol):
    """What is known of a predicate from a graph."""

    @property
    def edges(self) -> int: ...

    @property
    def literals(self) -> int: ...

    @property
    def most_objects(self) -> int: ...


def forms_in_graph(profiles: MappingOf[str, PredicateFacts], preset: Preset) -> dict[str, tuple[Form, ...]]:
    """The forms of predicates as their use in a graph shows them, named by a preset."""
    found: dict[str, tuple[Form, ...]] = {}
    for predicate, use in profiles.items():
        edge = (EdgeForm(preset.type(predicate)),) if use.edges else ()
        value = (PropertyForm(preset.property(predicate), None, use.most_objects > 1),) if use.literals else ()
        found[predicate] = (*edge, *value)
    return found


def _form(entry: EdgeMapping | PropertyMapping) -> Form:
    if isinstance(entry, EdgeMapping):
        return EdgeForm(entry.type, entry.reverse)
    return PropertyForm(entry.name, None, entry.many)
