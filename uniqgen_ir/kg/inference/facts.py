"""What schema inference reads from a graph: how predicates are used, what classes there are."""

from __future__ import annotations

from collections.abc import Mapping

from attrs import define, field

from uniqgen_ir.ir.graph import Graph
from uniqgen_ir.ir.schema_index import EVERYTHING
from uniqgen_ir.ir.terms import IRI, GroundTerm, Literal
from uniqgen_ir.ir.vocabulary import OWL, RDF, RDF_TYPE, RDFS, XSD

_SUBCLASS = IRI(RDFS + "subClassOf")
_CLASS_OF_CLASSES = (IRI(RDFS + "Class"), IRI(OWL + "Class"))
_NO_CLASSES = (RDF, RDFS, OWL, XSD)


@define
class Use:
    """How one predicate is used."""

    facts: int = 0
    nodes: int = 0
    datatypes: set[str] = field(factory=set[str])
    subjects: dict[GroundTerm, int] = field(factory=dict[GroundTerm, int])
    objects: dict[GroundTerm, int] = field(factory=dict[GroundTerm, int])

    def add(self, subject: GroundTerm, object_: GroundTerm) -> None:
        self.facts += 1
        self.subjects[subject] = self.subjects.get(subject, 0) + 1
        self.objects[object_] = self.objects.get(object_, 0) + 1
        if isinstance(object_, Literal):
            self.datatypes.add(object_.datatype)
        else:
            self.nodes += 1

    @property
    def one_object(self) -> bool:
        """Whether no subject has two objects."""
        return max(self.subjects.values(), default=0) <= 1

    @property
    def one_subject(self) -> bool:
        """Whether no object has two subjects."""
        return max(self.objects.values(), default=0) <= 1


def use_of(graph: Graph, predicate: IRI) -> Use:
    """How the graph uses a predicate."""
    use = Use()
    for subject, _, object_ in graph.match(None, predicate, None):
        use.add(subject, object_)
    return use


def _is_class_name(term: GroundTerm) -> bool:
    return isinstance(term, IRI) and term not in EVERYTHING and not term.value.startswith(_NO_CLASSES)


def class_names(graph: Graph) -> list[IRI]:
    """The classes that things are instances of, that are stated, or that stand above or below one, in order."""
    found: set[GroundTerm] = {object_ for _, _, object_ in graph.match(None, IRI(RDF_TYPE), None)}
    for subject, _, object_ in graph.match(None, _SUBCLASS, None):
        found |= {subject, object_}
    for kind in _CLASS_OF_CLASSES:
        found.update(graph.subjects(IRI(RDF_TYPE), kind))
    return sorted((one for one in found if isinstance(one, IRI) and _is_class_name(one)), key=str)


def direct_types(graph: Graph, classes: frozenset[IRI]) -> dict[GroundTerm, list[IRI]]:
    """For each instance the classes that the graph states, those above them left out."""
    found: dict[GroundTerm, list[IRI]] = {}
    for subject, _, object_ in graph.match(None, IRI(RDF_TYPE), None):
        if isinstance(object_, IRI) and object_ in classes:
            found.setdefault(subject, []).append(object_)
    return found


def stated_parents(graph: Graph, classes: list[IRI]) -> dict[IRI, tuple[IRI, ...]]:
    """The stated parents. One that would close a circle is left out, because a schema may have none."""
    parents: dict[IRI, list[IRI]] = {one: [] for one in classes}

    def leads_to(start: IRI, goal: IRI) -> bool:
        waiting, seen = [start], set[IRI]()
        while waiting:
            one = waiting.pop()
            if one == goal:
                return True
            if one not in seen:
                seen.add(one)
                waiting += parents[one]
        return False

    for child in classes:
        for parent in sorted((one for one in graph.objects(child, _SUBCLASS) if isinstance(one, IRI)), key=str):
            if parent in parents and not leads_to(parent, child):
                parents[child].append(parent)
    return {one: tuple(above) for one, above in parents.items()}


def ancestors_of(parents: Mapping[IRI, tuple[IRI, ...]]) -> dict[IRI, frozenset[IRI]]:
    """Everything above each class."""
    found: dict[IRI, frozenset[IRI]] = {}
    for one in parents:
        above, waiting = set[IRI](), list(parents[one])
        while waiting:
            parent = waiting.pop()
            if parent not in above:
                above.add(parent)
                waiting += parents[parent]
        found[one] = frozenset(above)
    return found
