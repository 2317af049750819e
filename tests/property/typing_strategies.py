"""Schemas that a random graph keeps to: what holds in the graph, declared or left out at random."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations

from hypothesis import strategies as st

from uniqgen_ir.ir.graph import Fact, Graph
from uniqgen_ir.ir.schema import ClassDeclaration, PropertyDeclaration, RelationDeclaration, Schema
from uniqgen_ir.ir.terms import IRI, GroundTerm, Literal
from uniqgen_ir.ir.vocabulary import RDF_TYPE

_TYPE = IRI(RDF_TYPE)


def instances(graph: Graph) -> dict[IRI, set[GroundTerm]]:
    """The classes of the graph with their instances."""
    found: dict[IRI, set[GroundTerm]] = {}
    for subject, _, class_ in graph.match(None, _TYPE, None):
        if isinstance(class_, IRI):
            found.setdefault(class_, set()).add(subject)
    return found


@st.composite
def schemas_of(draw: st.DrawFn, graph: Graph, mentioned: Iterable[IRI] = (), predicates: Iterable[IRI] = ()) -> Schema:
    """A schema to which the graph keeps: all its names are declared, and whatever else is true may be.

    `mentioned` and `predicates`: names to declare even if the graph does not have them, so that tables may use them.
    """
    members = {**{one: set[GroundTerm]() for one in mentioned}, **instances(graph)}
    classes: list[ClassDeclaration] = []
    apart = [pair for pair in combinations(sorted(members, key=str), 2) if not members[pair[0]] & members[pair[1]]]
    declared_apart = [pair for pair in apart if draw(st.booleans())]
    for class_ in members:
        above = [one for one in members if one != class_ and members[class_] < members[one] and members[class_]]
        parents = tuple(one for one in above if draw(st.booleans()))
        disjoint = tuple(other for one, other in declared_apart if one == class_)
        classes.append(ClassDeclaration(class_, parents=parents, disjoint=disjoint))
    relations: list[RelationDeclaration] = []
    properties: list[PropertyDeclaration] = []
    for predicate in dict.fromkeys((*graph.predicates, *predicates)):
        facts = list(graph.match(None, predicate, None))
        declared = _declaration(draw, predicate, facts, members) if facts and draw(st.integers(0, 4)) else None
        if predicate == _TYPE:
            continue
        if declared is None or isinstance(declared, RelationDeclaration):
            relations.append(declared or RelationDeclaration(predicate))
        if declared is None or isinstance(declared, PropertyDeclaration):
            properties.append(declared or PropertyDeclaration(predicate))
    return Schema("random", tuple(classes), tuple(relations), tuple(properties))


def _declaration(
    draw: st.DrawFn, predicate: IRI, facts: list[Fact], members: dict[IRI, set[GroundTerm]]
) -> RelationDeclaration | PropertyDeclaration | None:
    subjects, objects = {fact[0] for fact in facts}, {fact[2] for fact in facts}
    domain = draw(st.sampled_from([None, *(one for one, found in members.items() if subjects <= found)]))
    functional = len(subjects) == len(facts) and draw(st.booleans())
    key = len(objects) == len(facts) and draw(st.booleans())
    literals = [one for one in objects if isinstance(one, Literal)]
    if not literals:
        range_ = draw(st.sampled_from([None, *(one for one, found in members.items() if objects <= found)]))
        return RelationDeclaration(predicate, None, domain, range_, None, functional, key)
    datatypes = {one.datatype for one in literals}
    if len(literals) < len(objects):
        return None
    datatype = draw(st.sampled_from([None, *datatypes])) if len(datatypes) == 1 else None
    return PropertyDeclaration(predicate, None, domain, datatype, functional, key)
