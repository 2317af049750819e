"""Schema inference: what every fact of a graph has in common.

The schema that comes out describes the graph as it is: the graph keeps to it, and each claim holds for all facts. Where
too few facts stand behind a claim, it becomes a comment instead. The order of the facts plays no part.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from attrs import frozen

from uniqgen_ir.ir.graph import Graph
from uniqgen_ir.ir.schema import ClassDeclaration, Document, PropertyDeclaration, RelationDeclaration, Schema
from uniqgen_ir.ir.schema_index import is_standard
from uniqgen_ir.ir.terms import IRI, GroundTerm
from uniqgen_ir.ir.types import derives
from uniqgen_ir.ir.vocabulary import OWL, RDFS, XSD_DECIMAL
from uniqgen_ir.kg.inference.facts import Use, ancestors_of, class_names, direct_types, stated_parents, use_of
from uniqgen_ir.kg.inference.names import labels_of, prefixes_for

MIN_SUPPORT = 10
"""From so many subjects on, "at most one object" is taken for a rule and not for chance."""

_RESOURCE = IRI(RDFS + "Resource")
_DISJOINT = IRI(OWL + "disjointWith")
_INVERSE = IRI(OWL + "inverseOf")


@frozen
class InferredSchema:
    """A schema with what stands behind it: `comments` by name of the class, relation or property."""

    schema: Schema
    prefixes: tuple[tuple[str, str], ...]
    comments: Mapping[IRI, str]

    @property
    def document(self) -> Document:
        """The schema as a file of its own."""
        return Document((self.schema,), prefixes=self.prefixes)


def infer_schema(graph: Graph, name: str = "inferred", *, min_support: int = MIN_SUPPORT) -> InferredSchema:
    """The schema that the graph keeps to.

    Classes: what things are instances of, with the parents that the graph states. A predicate is a relation where it
    leads to nodes, a property where it leads to literals; where it leads to both, a relation to rdfs:Resource, which
    means anything. Domain and range: the most specific class that all subjects (objects) have in common.
    """
    return _Inference(graph, name, min_support).result()


class _Inference:
    def __init__(self, graph: Graph, name: str, min_support: int) -> None:
        self.graph = graph
        self.name = name
        self.min_support = min_support
        self.uses = {
            predicate: use_of(graph, predicate)
            for predicate in sorted(graph.predicates, key=str)
            if not is_standard(predicate)
        }
        # a name is a class or a predicate in a schema, never both
        self.classes = [one for one in class_names(graph) if one not in self.uses]
        self.parents = stated_parents(graph, self.classes)
        self.ancestors = ancestors_of(self.parents)
        self.direct = direct_types(graph, frozenset(self.classes))
        self.instances: dict[IRI, set[GroundTerm]] = {one: set() for one in self.classes}
        self.types: dict[GroundTerm, frozenset[IRI]] = {}
        self._spread_types()
        self.labels = labels_of(graph, (*self.classes, *self.uses))

    def _spread_types(self) -> None:
        for node, classes in self.direct.items():
            all_classes = frozenset(classes).union(*(self.ancestors[one] for one in classes))
            self.types[node] = all_classes
            for one in all_classes:
                self.instances[one].add(node)

    def result(self) -> InferredSchema:
        kinds = {one: self.kind(use) for one, use in self.uses.items()}
        relations = [one for one, kind in kinds.items() if kind != "property"]
        schema = Schema(
            self.name,
            tuple(self.class_(one) for one in self.classes),
            tuple(self.relation(one, kinds) for one in relations),
            tuple(self.property(one) for one, kind in kinds.items() if kind == "property"),
        )
        comments = {one: self.class_comment(one) for one in self.classes}
        comments |= {one: self.comment(use) for one, use in self.uses.items()}
        return InferredSchema(schema, prefixes_for((*comments, *self.mentioned(schema))), comments)

    def mentioned(self, schema: Schema) -> Iterable[IRI]:
        return (IRI(one.datatype) for one in schema.properties if one.datatype is not None)

    def kind(self, use: Use) -> str:
        if not use.nodes:
            return "property"
        return "relation" if use.nodes == use.facts else "mixed"

    def class_(self, iri: IRI) -> ClassDeclaration:
        return ClassDeclaration(iri, self.labels.get(iri), self.parents[iri], disjoint=self.disjoint(iri))

    def disjoint(self, iri: IRI) -> tuple[IRI, ...]:
        """The classes that the graph states to be disjoint with this one, where its facts agree."""
        named = {one for one in self.graph.objects(iri, _DISJOINT) if isinstance(one, IRI)}
        return tuple(
            other
            for other in sorted(named & self.instances.keys(), key=str)
            if other != iri and not self.instances[other] & self.instances[iri] and not self.common_subclass(iri, other)
        )

    def common_subclass(self, left: IRI, right: IRI) -> bool:
        return any({left, right} <= self.ancestors[one] | {one} for one in self.classes)

    def relation(self, iri: IRI, kinds: Mapping[IRI, str]) -> RelationDeclaration:
        use = self.uses[iri]
        mixed = kinds[iri] == "mixed"
        return RelationDeclaration(
            iri,
            self.labels.get(iri),
            self.common_class(use.subjects),
            _RESOURCE if mixed else self.common_class(use.objects),
            self.inverse(iri, kinds),
            functional=self.functional(use),
        )

    def inverse(self, iri: IRI, kinds: Mapping[IRI, str]) -> IRI | None:
        """The inverse that the graph states, where its facts agree; said on one side only."""
        stated = {one for one in self.graph.objects(iri, _INVERSE) if isinstance(one, IRI)}
        for other in sorted(stated, key=str):
            back = iri in self.graph.objects(other, _INVERSE) and other.value < iri.value
            both = kinds[iri] == "relation" == kinds.get(other)
            if other != iri and not back and both and self.mirrored(iri, other):
                return other
        return None

    def mirrored(self, iri: IRI, other: IRI) -> bool:
        """Whether each fact of one predicate stands, the other way round, under the other."""
        facts = self.graph.match(None, iri, None)
        return self.uses[iri].facts == self.uses[other].facts and all(
            subject in self.graph.objects(object_, other) for subject, _, object_ in facts
        )

    def property(self, iri: IRI) -> PropertyDeclaration:
        use = self.uses[iri]
        return PropertyDeclaration(
            iri,
            self.labels.get(iri),
            self.common_class(use.subjects),
            common_datatype(use.datatypes),
            functional=self.functional(use),
        )

    def functional(self, use: Use) -> bool:
        return use.one_object and len(use.subjects) >= self.min_support

    def common_class(self, nodes: Iterable[GroundTerm]) -> IRI | None:
        """The class with the fewest instances that all the nodes have in common."""
        common: frozenset[IRI] | None = None
        for node in nodes:
            types = self.types.get(node, frozenset())
            common = types if common is None else common & types
            if not common:
                return None
        return min(common or (), key=self.breadth, default=None)

    def breadth(self, one: IRI) -> tuple[int, int, str]:
        """A key that puts the most specific class first."""
        return len(self.instances[one]), -len(self.ancestors[one]), one.value

    def class_comment(self, iri: IRI) -> str:
        return _plural(len(self.instances[iri]), "instance")

    def comment(self, use: Use) -> str:
        said = [_plural(use.facts, "fact")]
        if use.one_object and not self.functional(use):
            said.append(f"functional so far ({_plural(len(use.subjects), 'subject')})")
        if use.one_subject:
            said.append("key so far")
        if use.nodes and use.nodes != use.facts:
            said.append(f"{_plural(use.nodes, 'node')} and {_plural(use.facts - use.nodes, 'literal')}")
        if len(use.datatypes) > 1:
            said.append("literals of " + ", ".join(sorted(one.rsplit("#", 1)[-1] for one in use.datatypes)))
        return ", ".join(said)


def common_datatype(datatypes: set[str]) -> str | None:
    """The datatype that every one of these is or derives from; None where there is none."""
    candidates = [*sorted(datatypes), XSD_DECIMAL]
    return next((one for one in candidates if all(derives(other, one) for other in datatypes)), None)


def _plural(count: int, noun: str) -> str:
    return f"{count} {noun}{'' if count == 1 else 's'}"
