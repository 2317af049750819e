"""Looking names up in one or several schemas: what is above a class, what a predicate leads from and to.

Several schemas are read as one: a name that two of them declare may be used as either says. What does not fit
together (cycles, names of two kinds, inverses that disagree) is found by `uniqgen_ir.ir.schema_checks`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Final, TypeAlias

from attrs import evolve, field, frozen

from uniqgen_ir.ir.schema import ClassDeclaration, Lexicon, PropertyDeclaration, RelationDeclaration, Schema
from uniqgen_ir.ir.spans import Span
from uniqgen_ir.ir.suggestions import local_name, namespace, nearest
from uniqgen_ir.ir.terms import IRI
from uniqgen_ir.ir.types import ANY, LITERAL, NODE, LiteralType, NodeType, Type, union
from uniqgen_ir.ir.vocabulary import OWL, RDF, RDFS, SKOS, XSD

_NONE: frozenset[IRI] = frozenset()
EVERYTHING = frozenset({IRI(OWL + "Thing"), IRI(RDFS + "Resource")})
"""Classes that say nothing about their instances."""
_ANYTHING = IRI(RDFS + "Resource")
_ANY_LITERAL = RDFS + "Literal"
_STANDARD = (RDF, RDFS, OWL, SKOS, XSD)


@frozen
class Predicate:
    """What is declared about one predicate, all declarations of it taken together."""

    iri: IRI
    relations: tuple[RelationDeclaration, ...] = ()
    properties: tuple[PropertyDeclaration, ...] = ()

    @property
    def declarations(self) -> tuple[RelationDeclaration | PropertyDeclaration, ...]:
        return (*self.relations, *self.properties)

    @property
    def functional(self) -> bool:
        """At most one object a subject, by every declaration."""
        return all(one.functional for one in self.declarations)

    @property
    def key(self) -> bool:
        """At most one subject an object, by every declaration."""
        return all(one.key for one in self.declarations)

    @property
    def span(self) -> Span | None:
        return next((one.span for one in self.declarations if one.span is not None), None)

    @property
    def subject_type(self) -> Type:
        return union(_node_of(one.domain) for one in self.declarations)

    @property
    def object_type(self) -> Type:
        # every literal is a resource too: a relation to rdfs:Resource leads to anything
        ends: list[Type] = [ANY if one.range == _ANYTHING else _node_of(one.range) for one in self.relations]
        ends += [_literal_of(one.datatype) for one in self.properties]
        return union(ends)


def _node_of(class_: IRI | None) -> Type:
    return NODE if class_ is None or class_ in EVERYTHING else NodeType(frozenset({class_}))


def _literal_of(datatype: str | None) -> LiteralType:
    return LITERAL if datatype is None or datatype == _ANY_LITERAL else LiteralType(frozenset({datatype}))


_MOST_REMEMBERED: Final = 4096
"""how many undeclared names are remembered with what is near them"""


@frozen(eq=False)
class SchemaIndex:
    """Classes and predicates by IRI. Made by `SchemaIndex.of`; lookups of undeclared names give nothing."""

    classes: Mapping[IRI, ClassDeclaration]
    predicates: Mapping[IRI, Predicate]
    ancestors: Mapping[IRI, frozenset[IRI]]
    descendants: Mapping[IRI, frozenset[IRI]]
    disjoint_pairs: frozenset[tuple[IRI, IRI]]
    words: Mapping[IRI, tuple[str, ...]]
    namespaces: frozenset[str]
    mentioned_classes: frozenset[IRI]
    """classes that stand as a parent, domain, range or disjoint class, declared or not"""
    exclusive_classes: bool = False
    """read two classes without a common subclass as disjoint, as in property graphs where a node has one label"""
    _nearest: dict[tuple[IRI, bool], IRI | None] = field(
        factory=dict["tuple[IRI, bool]", "IRI | None"], init=False, eq=False, repr=False
    )

    @classmethod
    def of(cls, *schemas: Schema, lexicons: Iterable[Lexicon] = (), exclusive_classes: bool = False) -> SchemaIndex:
        """The index of the schemas read as one; the lexicons add words for did-you-mean."""
        classes = _merged_classes(one for schema in schemas for one in schema.classes)
        ancestors = {iri: _reachable(iri, classes) for iri in classes}
        descendants: dict[IRI, set[IRI]] = {iri: set() for iri in classes}
        for iri, above in ancestors.items():
            for parent in above:
                descendants.setdefault(parent, set()).add(iri)
        pairs = {pair for one in classes.values() for other in one.disjoint for pair in _both_ways(one.iri, other)}
        predicates = _merged_predicates(schemas)
        return cls(
            classes,
            predicates,
            ancestors,
            {iri: frozenset(below) for iri, below in descendants.items()},
            frozenset(pairs),
            _words(schemas, lexicons),
            frozenset(namespace(iri.value) for iri in (*classes, *predicates)),
            frozenset(_mentioned(schemas)),
            exclusive_classes,
        )

    def superclasses(self, class_: IRI) -> frozenset[IRI]:
        """The class and everything above it."""
        return self.ancestors.get(class_, _NONE) | {class_}

    def superclasses_above(self, class_: IRI) -> frozenset[IRI]:
        """Everything that going up at least once leads to: the class itself only where the parents form a cycle."""
        return self.ancestors.get(class_, _NONE)

    def subclasses(self, class_: IRI) -> frozenset[IRI]:
        """The class and everything below it."""
        return self.descendants.get(class_, _NONE) | {class_}

    def is_subclass(self, lower: IRI, upper: IRI) -> bool:
        """Whether every instance of `lower` is one of `upper`, as far as the schema says."""
        return upper in self.superclasses(lower)

    def predicate(self, iri: IRI) -> Predicate | None:
        return self.predicates.get(iri)

    def declared_relation(self, iri: IRI) -> RelationDeclaration | None:
        """The first declaration of it as a relation."""
        found = self.predicates.get(iri)
        return found.relations[0] if found and found.relations else None

    def declared_property(self, iri: IRI) -> PropertyDeclaration | None:
        """The first declaration of it as a property."""
        found = self.predicates.get(iri)
        return found.properties[0] if found and found.properties else None

    def inverse(self, iri: IRI) -> IRI | None:
        """The relation declared to be the inverse, on whichever side it was declared."""
        for one in self.predicates[iri].relations if iri in self.predicates else ():
            if one.inverse is not None:
                return one.inverse
        return next((other for other, named in self._inverses() if named == iri), None)

    def _inverses(self) -> Iterator[tuple[IRI, IRI]]:
        for predicate in self.predicates.values():
            for one in predicate.relations:
                if one.inverse is not None:
                    yield one.iri, one.inverse

    @property
    def inverse_pairs(self) -> tuple[tuple[IRI, IRI], ...]:
        """Each declared pair once, as first declared."""
        seen: dict[frozenset[IRI], tuple[IRI, IRI]] = {}
        for pair in self._inverses():
            seen.setdefault(frozenset(pair), pair)
        return tuple(seen.values())

    def declared_disjoint(self, left: IRI, right: IRI) -> tuple[IRI, IRI] | None:
        """The two classes, at or above these, that are declared disjoint; None where there are none."""
        if not self.disjoint_pairs:
            return None
        for above_left in sorted(self.superclasses(left), key=str):
            for above_right in sorted(self.superclasses(right), key=str):
                if (above_left, above_right) in self.disjoint_pairs:
                    return above_left, above_right
        return None

    def never_both(self, left: IRI, right: IRI) -> bool:
        """Whether no node is an instance of both."""
        if left == right:
            return False
        if self.declared_disjoint(left, right) is not None:
            return True
        return self.exclusive_classes and not self.related(left, right)

    def related(self, left: IRI, right: IRI) -> bool:
        """Whether the schema has a class that is both. Of classes that it does not declare nothing is known: True."""
        if left not in self.classes or right not in self.classes or {left, right} & EVERYTHING:
            return True
        return bool(self.subclasses(left) & self.subclasses(right))

    def speaks_of(self, iri: IRI) -> bool:
        """Whether the name lies in a namespace that the schema fills, and is not one of the standard vocabularies."""
        return not is_standard(iri) and namespace(iri.value) in self.namespaces

    def near_class(self, iri: IRI) -> IRI | None:
        """The declared class that is spelt most like it."""
        return self._near(iri, classes=True)

    def near_predicate(self, iri: IRI) -> IRI | None:
        """The declared relation or property that is spelt most like it."""
        return self._near(iri, classes=False)

    def _near(self, iri: IRI, *, classes: bool) -> IRI | None:
        key = (iri, classes)
        if key not in self._nearest:
            if len(self._nearest) >= _MOST_REMEMBERED:
                self._nearest.clear()
            among: Iterable[IRI] = self.classes if classes else self.predicates
            texts = (
                (one.value, text) for one in among for text in (local_name(one.value), *self.words.get(one, ())) if text
            )
            found = nearest(local_name(iri.value), texts)
            self._nearest[key] = None if found is None else IRI(found)
        return self._nearest[key]


SchemaLike: TypeAlias = "Schema | SchemaIndex | Iterable[Schema] | None"


def index_of(schema: SchemaLike, lexicon: Lexicon | None = None) -> SchemaIndex | None:
    """The index of whatever was given; one that is an index already is used as it is."""
    if schema is None or isinstance(schema, SchemaIndex):
        return schema
    lexicons = () if lexicon is None else (lexicon,)
    return SchemaIndex.of(*([schema] if isinstance(schema, Schema) else schema), lexicons=lexicons)


def is_standard(iri: IRI) -> bool:
    """Whether it is a name of RDF, RDFS, OWL, SKOS or XML Schema, which no schema needs to declare."""
    return iri.value.startswith(_STANDARD)


def standard_object_type(iri: IRI) -> Type:
    """What an undeclared predicate leads to: a node for `rdf:type` and the class vocabulary, otherwise anything."""
    nodes = {RDF + "type", RDFS + "subClassOf", RDFS + "domain", RDFS + "range", SKOS + "broader", SKOS + "narrower"}
    return NODE if iri.value in nodes else ANY


def _merged_classes(declarations: Iterable[ClassDeclaration]) -> dict[IRI, ClassDeclaration]:
    merged: dict[IRI, ClassDeclaration] = {}
    for one in declarations:
        known = merged.get(one.iri)
        if known is None:
            merged[one.iri] = one
        else:
            parents = tuple(dict.fromkeys((*known.parents, *one.parents)))
            disjoint = tuple(dict.fromkeys((*known.disjoint, *one.disjoint)))
            merged[one.iri] = evolve(known, label=known.label or one.label, parents=parents, disjoint=disjoint)
    return merged


def _merged_predicates(schemas: Iterable[Schema]) -> dict[IRI, Predicate]:
    merged: dict[IRI, Predicate] = {}
    for schema in schemas:
        for relation in schema.relations:
            known = merged.get(relation.iri, Predicate(relation.iri))
            merged[relation.iri] = evolve(known, relations=(*known.relations, relation))
        for property_ in schema.properties:
            known = merged.get(property_.iri, Predicate(property_.iri))
            merged[property_.iri] = evolve(known, properties=(*known.properties, property_))
    return merged


def _mentioned(schemas: Iterable[Schema]) -> Iterator[IRI]:
    for schema in schemas:
        for class_ in schema.classes:
            yield from (*class_.parents, *class_.disjoint)
        for relation in schema.relations:
            yield from (one for one in (relation.domain, relation.range) if one is not None)
        yield from (one.domain for one in schema.properties if one.domain is not None)


def _reachable(class_: IRI, classes: Mapping[IRI, ClassDeclaration]) -> frozenset[IRI]:
    found: set[IRI] = set()
    waiting = [class_]
    while waiting:
        declaration = classes.get(waiting.pop())
        fresh = [one for one in declaration.parents if one not in found] if declaration else []
        found.update(fresh)
        waiting += fresh
    return frozenset(found)


def _both_ways(left: IRI, right: IRI) -> tuple[tuple[IRI, IRI], tuple[IRI, IRI]]:
    return (left, right), (right, left)


def _words(schemas: Iterable[Schema], lexicons: Iterable[Lexicon]) -> dict[IRI, tuple[str, ...]]:
    words: dict[IRI, list[str]] = {}

    def add(iri: IRI, *texts: str | None) -> None:
        words.setdefault(iri, []).extend(text for text in texts if text)

    for schema in schemas:
        for class_ in schema.classes:
            add(class_.iri, class_.label)
        for relation in schema.relations:
            add(relation.iri, relation.label)
        for property_ in schema.properties:
            add(property_.iri, property_.label)
    groups = [*(schema.synonyms for schema in schemas), *(lexicon.synonyms for lexicon in lexicons)]
    for synonym in (one for group in groups for one in group):
        add(synonym.target, *synonym.texts)
    return {iri: tuple(texts) for iri, texts in words.items()}
