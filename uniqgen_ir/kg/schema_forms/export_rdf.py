"""Schemas as RDFS with OWL, as SHACL shapes, and as a VoID description, in Turtle."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Final, TypeAlias

from uniqgen_ir.ir.diagnostics import Diagnostic
from uniqgen_ir.ir.rows import Triple, TypeAtom
from uniqgen_ir.ir.schema import Dependency, PropertyDeclaration, RelationDeclaration, Schema
from uniqgen_ir.ir.terms import IRI, BlankNode, Literal
from uniqgen_ir.ir.vocabulary import BUILTIN_PREFIXES, OWL, RDF, RDF_TYPE, RDFS
from uniqgen_ir.kg.schema_forms.export_json import lost, predicates_of
from uniqgen_ir.kg.schema_forms.shapes import SHACL, VOID, VOID_EXT

if TYPE_CHECKING:
    import pyoxigraph

Term: TypeAlias = IRI | BlankNode | Literal
Fact: TypeAlias = tuple[IRI | BlankNode, str, Term]
Exported: TypeAlias = tuple[str, tuple[Diagnostic, ...]]
_RESOURCE: Final = IRI(RDFS + "Resource")


# ---- RDFS and OWL ----------------------------------------------------------------------------------------------------


def ontology_text(schema: Schema, prefixes: Iterable[tuple[str, str]]) -> Exported:
    """The schema in RDFS, with OWL's words for what RDFS cannot say."""
    rules = {rule.name: list(_rule(rule)) for rule in schema.dependencies}
    warnings = tuple(lost(f"rules such as `{name}`", "RDFS and OWL") for name, facts in rules.items() if not facts)
    facts = [*_classes(schema), *_predicates(schema), *(one for many in rules.values() for one in many)]
    if schema.synonyms:
        warnings = (*warnings, lost("synonyms", "RDFS and OWL"))
    return _turtle(facts, prefixes), warnings


def _classes(schema: Schema, *, disjoint: bool = True) -> Iterator[Fact]:
    for one in schema.classes:
        yield one.iri, RDF_TYPE, IRI(OWL + "Class")
        yield from _label(one.iri, one.label)
        yield from ((one.iri, RDFS + "subClassOf", parent) for parent in one.parents)
        if disjoint:
            yield from ((one.iri, OWL + "disjointWith", other) for other in one.disjoint)


def _predicates(schema: Schema) -> Iterator[Fact]:
    for relation in schema.relations:
        # a relation to rdfs:Resource leads to anything: it is no object property
        either = relation.range == _RESOURCE
        yield relation.iri, RDF_TYPE, IRI(RDF + "Property" if either else OWL + "ObjectProperty")
        yield from _described(relation)
        if relation.range is not None and not either:
            yield relation.iri, RDFS + "range", relation.range
        if relation.inverse is not None:
            yield relation.iri, OWL + "inverseOf", relation.inverse
    for one in schema.properties:
        yield one.iri, RDF_TYPE, IRI(OWL + "DatatypeProperty")
        yield from _described(one)
        if one.datatype is not None:
            yield one.iri, RDFS + "range", IRI(one.datatype)


def _described(one: RelationDeclaration | PropertyDeclaration) -> Iterator[Fact]:
    if one.functional:
        yield one.iri, RDF_TYPE, IRI(OWL + "FunctionalProperty")
    if one.key:
        yield one.iri, RDF_TYPE, IRI(OWL + "InverseFunctionalProperty")
    yield from _label(one.iri, one.label)
    if one.domain is not None:
        yield one.iri, RDFS + "domain", one.domain


def _label(iri: IRI, label: str | None) -> Iterator[Fact]:
    if label is not None:
        yield iri, RDFS + "label", Literal(label)


def _rule(rule: Dependency) -> Iterator[Fact]:
    """A rule of a form that OWL has a word for; nothing for others."""
    body, head = [row.atom for row in rule.body], [row.atom for row in rule.head]
    match body, head:
        case [TypeAtom(x, IRI() as lower)], [TypeAtom(y, IRI() as upper)] if x == y:
            yield lower, OWL + "equivalentClass" if "_same" in rule.name else RDFS + "subClassOf", upper
        case [Triple(x, IRI() as lower, y)], [Triple(u, IRI() as upper, v)] if (x, y) == (u, v):
            yield lower, OWL + "equivalentProperty" if "_same" in rule.name else RDFS + "subPropertyOf", upper
        case [Triple(x, IRI() as one, y)], [Triple(u, other, v)] if (x, y) == (v, u) and one == other:
            yield one, RDF_TYPE, IRI(OWL + "SymmetricProperty")
        case [Triple(x, IRI() as one, y), Triple(z, two, w)], [Triple(u, three, v)] if one == two == three and (
            y,
            x,
            w,
        ) == (z, u, v):
            yield one, RDF_TYPE, IRI(OWL + "TransitiveProperty")
        case _:
            return


# ---- SHACL -----------------------------------------------------------------------------------------------------------


def shapes_text(schema: Schema, prefixes: Iterable[tuple[str, str]]) -> Exported:
    """One shape for each class, and one for each predicate without a domain."""
    facts = list(_classes(schema, disjoint=False))
    for number, one in enumerate(predicates_of(schema)):
        shape: IRI | BlankNode = BlankNode(f"shape{number}")
        facts.append((shape, RDF_TYPE, IRI(SHACL + "NodeShape")))
        if one.domain is not None:
            facts.append((shape, SHACL + "targetClass", one.domain))
        else:
            facts.append((shape, SHACL + "targetSubjectsOf", one.iri))
        inner = BlankNode(f"property{number}")
        facts.append((shape, SHACL + "property", inner))
        facts += _property_shape(inner, one)
    kinds = {
        "disjoint classes": any(one.disjoint for one in schema.classes),
        "inverse relations": any(one.inverse for one in schema.relations),
        "`key` predicates": any(one.key for one in predicates_of(schema)),
        "rules": bool(schema.dependencies),
        "synonyms": bool(schema.synonyms),
    }
    return _turtle(facts, prefixes), tuple(lost(what, "SHACL") for what, there in kinds.items() if there)


def _property_shape(inner: BlankNode, one: RelationDeclaration | PropertyDeclaration) -> Iterator[Fact]:
    yield inner, SHACL + "path", one.iri
    if one.label is not None:
        yield inner, SHACL + "name", Literal(one.label)
    if isinstance(one, PropertyDeclaration):
        if one.datatype is None:
            yield inner, SHACL + "nodeKind", IRI(SHACL + "Literal")
        else:
            yield inner, SHACL + "datatype", IRI(one.datatype)
    elif one.range is None:
        yield inner, SHACL + "nodeKind", IRI(SHACL + "BlankNodeOrIRI")
    elif one.range != _RESOURCE:
        yield inner, SHACL + "class", one.range
    if one.functional:
        yield inner, SHACL + "maxCount", Literal.of(1)


# ---- VoID ------------------------------------------------------------------------------------------------------------


def void_text(schema: Schema, prefixes: Iterable[tuple[str, str]]) -> Exported:
    """A data set with a partition for each class and, inside, one for each of its predicates; without counts."""
    data = IRI(f"urn:uniqgen:schema:{schema.name}")
    facts: list[Fact] = [(data, RDF_TYPE, IRI(VOID + "Dataset"))]
    owners = {one.iri: BlankNode(f"class{place}") for place, one in enumerate(schema.classes)}
    for class_, node in owners.items():
        facts += [(data, VOID + "classPartition", node), (node, VOID + "class", class_)]
    number = 0
    for one in predicates_of(schema):
        for owner in owners.values() if one.domain is None else [owners[one.domain]] if one.domain in owners else []:
            inner, end = BlankNode(f"property{number}"), BlankNode(f"end{number}")
            facts += [(owner, VOID + "propertyPartition", inner), (inner, VOID + "property", one.iri)]
            if isinstance(one, PropertyDeclaration) and one.datatype is not None:
                facts += [(inner, VOID_EXT + "datatypePartition", end)]
                facts += [(end, VOID_EXT + "datatype", IRI(one.datatype))]
            elif isinstance(one, RelationDeclaration) and one.range not in (None, _RESOURCE):
                assert one.range is not None
                facts += [(inner, VOID + "classPartition", end), (end, VOID + "class", one.range)]
            number += 1
    kinds = {
        "labels": any(one.label for one in schema.classes),
        "parents of classes": any(one.parents for one in schema.classes),
        "disjoint classes": any(one.disjoint for one in schema.classes),
        "inverse relations": any(one.inverse for one in schema.relations),
        "`functional` and `key`": any(one.functional or one.key for one in predicates_of(schema)),
        "rules": bool(schema.dependencies),
        "synonyms": bool(schema.synonyms),
    }
    return _turtle(facts, prefixes), tuple(lost(what, "VoID") for what, there in kinds.items() if there)


# ---- Turtle ----------------------------------------------------------------------------------------------------------


def _turtle(facts: Iterable[Fact], prefixes: Iterable[tuple[str, str]]) -> str:
    import pyoxigraph

    triples = [pyoxigraph.Triple(_node(one), pyoxigraph.NamedNode(name), _term(end)) for one, name, end in facts]
    known = {**BUILTIN_PREFIXES, "sh": SHACL, "void": VOID, **{name: space for name, space in prefixes if name}}
    mentioned = {str(term) for triple in triples for term in triple}
    used = {name: space for name, space in known.items() if any(space in one for one in mentioned)}
    text = pyoxigraph.serialize(triples, format=pyoxigraph.RdfFormat.TURTLE, prefixes=used)
    assert text is not None
    return text.decode()


def _node(term: IRI | BlankNode) -> pyoxigraph.NamedNode | pyoxigraph.BlankNode:
    import pyoxigraph

    return pyoxigraph.NamedNode(term.value) if isinstance(term, IRI) else pyoxigraph.BlankNode(term.label)


def _term(term: Term) -> pyoxigraph.NamedNode | pyoxigraph.BlankNode | pyoxigraph.Literal:
    import pyoxigraph

    if isinstance(term, Literal):
        return pyoxigraph.Literal(term.lexical, datatype=pyoxigraph.NamedNode(term.datatype))
    return _node(term)
