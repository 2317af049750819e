"""What a schema says, as the checks of both languages need it.

`Vocabulary.property_graph` speaks of labels, relationship types and properties, per label and per pair of end points;
`Vocabulary.ontology` of classes and predicates by IRI. Either is None where the schema says nothing of that kind.
How schemas of all shapes are read is in `schema_sources.py`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property

from attrs import define, field, frozen

from uniqgen_ir.ir.schema import Schema
from uniqgen_ir.validate.statistics import Statistics

Properties = Mapping[str, str]
"""From the name of a property to its type in capitals, as in `INTEGER`; `ANY` where it is not known."""


@frozen
class RelationshipType:
    """A relationship type: the labels that it leads from and to (`None`: any), and its properties (None: not known)."""

    name: str
    ends: frozenset[tuple[str | None, str | None]] = frozenset()
    properties: Properties | None = None


@define(frozen=True, slots=False, eq=False)
class PropertyGraph:
    """Labels with their properties (None: not known), relationship types, and labels that stand together, or never do.

    A *kind* is the set of labels that one node can carry. Where `exclusive`, those in `kinds` are all there are;
    otherwise a node may carry other labels beside.
    """

    labels: Mapping[str, Properties | None]
    types: Mapping[str, RelationshipType]
    multi_labels: tuple[frozenset[str], ...] = ()
    ancestors: Mapping[str, frozenset[str]] = field(factory=dict[str, "frozenset[str]"])
    exclusive: bool = False
    disjoint: frozenset[frozenset[str]] = frozenset()
    """pairs of labels that no node carries together, nor those below them"""

    @cached_property
    def kinds(self) -> frozenset[frozenset[str]]:
        """Every set of labels that a node can carry, as far as the schema says."""
        alone = {frozenset({label}) | self.ancestors.get(label, frozenset()) for label in self.labels}
        return frozenset(alone | set(self.multi_labels))

    @cached_property
    def property_names(self) -> frozenset[str]:
        """Every property of any label or relationship type."""
        nodes = (names for names in self.labels.values() if names is not None)
        edges = (one.properties for one in self.types.values() if one.properties is not None)
        return frozenset(name for names in (*nodes, *edges) for name in names)


@frozen
class PredicateUse:
    """One way in which a predicate is declared: from a class to a class or a datatype (None: to or from anything)."""

    domain: str | None
    range: str | None
    literal: bool | None
    """whether it leads to literals; None where that is not known"""


@define(frozen=True, slots=False, eq=False)
class Ontology:
    """Classes and predicates, by IRI."""

    schema: Schema
    prefixes: Mapping[str, str]
    uses: Mapping[str, tuple[PredicateUse, ...]]
    """predicate → the ways it is declared; per class, so that it is known which class has which predicate"""
    classes: frozenset[str]
    ancestors: Mapping[str, frozenset[str]]
    """class → everything above it"""
    exclusive: bool = False
    """the predicates listed for a class are all that it has, and a node is of one class"""

    def predicates_of(self, classes: Iterable[str]) -> frozenset[str]:
        """The predicates that a node of one of these classes may have as a subject."""
        wanted = {above for one in classes for above in (one, *self.ancestors.get(one, ()))}
        return frozenset(
            name for name, uses in self.uses.items() if any(use.domain is None or use.domain in wanted for use in uses)
        )


@frozen(eq=False)
class Vocabulary:
    """A schema for the checks of both languages."""

    property_graph: PropertyGraph | None = None
    ontology: Ontology | None = None
    statistics: Statistics | None = None
    """how much the graph has, where the schema was taken from one"""

    @property
    def prefixes(self) -> Mapping[str, str]:
        """The prefixes that the schema declares."""
        return self.ontology.prefixes if self.ontology is not None else {}
