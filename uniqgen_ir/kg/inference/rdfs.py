"""RDFS and OWL as a schema of ours.

| in RDFS and OWL | in the schema |
|---|---|
| `rdfs:Class`, `owl:Class`, `rdfs:subClassOf`, `owl:disjointWith` | `class … < … disjoint …` |
| `owl:ObjectProperty`, `rdf:Property` with a class as range | `relation` |
| `owl:DatatypeProperty`, `rdf:Property` with a datatype as range | `property` |
| `owl:FunctionalProperty`, `owl:InverseFunctionalProperty` | `functional`, `key` |
| `owl:inverseOf` | `inverse` |
| `rdfs:subPropertyOf`, `owl:equivalentProperty`, `owl:equivalentClass` | `rule` |
| `owl:SymmetricProperty`, `owl:TransitiveProperty` | `rule` |

What has no counterpart is left out with a warning (UQ683) that names it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from attrs import frozen

from uniqgen_ir.ir.diagnostics import Diagnostic, Severity
from uniqgen_ir.ir.graph import Graph
from uniqgen_ir.ir.rows import Row, Triple, TypeAtom
from uniqgen_ir.ir.schema import (
    ClassDeclaration,
    Dependency,
    Document,
    PropertyDeclaration,
    RelationDeclaration,
    Schema,
)
from uniqgen_ir.ir.schema_index import EVERYTHING, is_standard
from uniqgen_ir.ir.terms import IRI, GroundTerm, Variable
from uniqgen_ir.ir.vocabulary import OWL, RDF, RDF_LANG_STRING, RDF_TYPE, RDFS, XSD
from uniqgen_ir.kg.inference.names import labels_of, prefixes_for, split_iri

_TYPE: Final = IRI(RDF_TYPE)
_LITERAL: Final = IRI(RDFS + "Literal")
_RESOURCE: Final = IRI(RDFS + "Resource")
_X, _Y, _Z = Variable("x"), Variable("y"), Variable("z")

_CONSTRUCTS: Final = tuple(
    OWL + name
    for name in (
        *("unionOf", "intersectionOf", "complementOf", "oneOf", "disjointUnionOf", "hasKey", "propertyChainAxiom"),
        *("propertyDisjointWith", "withRestrictions", "members", "imports"),
    )
)
_TRAITS_UNKNOWN: Final = tuple(
    OWL + name for name in ("AsymmetricProperty", "IrreflexiveProperty", "ReflexiveProperty")
)


def _rdfs(name: str) -> IRI:
    return IRI(RDFS + name)


def _owl(name: str) -> IRI:
    return IRI(OWL + name)


@frozen
class ImportedSchema:
    """A schema from elsewhere, and warnings about what could not be taken over."""

    schema: Schema
    prefixes: tuple[tuple[str, str], ...] = ()
    diagnostics: tuple[Diagnostic, ...] = ()

    @property
    def document(self) -> Document:
        """The schema as a file of its own."""
        return Document((self.schema,), prefixes=self.prefixes)


def schema_of_ontology(graph: Graph, name: str, prefixes: Mapping[str, str] | None = None) -> ImportedSchema:
    """The schema that an RDFS or OWL graph states; `prefixes` are those of its file."""
    return _Ontology(graph, name).result(prefixes or {})


class _Ontology:
    def __init__(self, graph: Graph, name: str) -> None:
        self.graph = graph
        self.name = name
        self.found: dict[str, Diagnostic] = {}
        self.predicates = self._predicates()
        self.classes = [one for one in self._classes() if one not in self.predicates]
        self.labels = labels_of(graph, (*self.classes, *self.predicates))

    def result(self, prefixes: Mapping[str, str]) -> ImportedSchema:
        classes = tuple(map(self.class_, self.classes))
        declared = [self.predicate(one) for one in self.predicates]
        rules = tuple(self.rules())
        self.report_constructs()
        schema = Schema(
            self.name,
            classes,
            tuple(one for one in declared if isinstance(one, RelationDeclaration)),
            tuple(one for one in declared if isinstance(one, PropertyDeclaration)),
            (),
            rules,
        )
        names = [*self.classes, *self.predicates]
        names += [IRI(one.datatype) for one in schema.properties if one.datatype is not None]
        return ImportedSchema(schema, prefixes_for(names, prefixes), tuple(self.found.values()))

    # ---- looking up --------------------------------------------------------------------------------------------------
    def typed(self, *kinds: IRI) -> set[IRI]:
        found = (one for kind in kinds for one in self.graph.subjects(_TYPE, kind))
        return {one for one in found if isinstance(one, IRI) and not is_standard(one)}

    def named(self, subject: IRI, predicate: IRI) -> list[IRI]:
        """The named objects, in order; an object without a name is reported."""
        objects = list(self.graph.objects(subject, predicate))
        if any(not isinstance(one, IRI) for one in objects):
            self.skip(f"{subject} {predicate}", f"{_short(predicate)} of {subject} leads to a class without a name")
        return sorted((one for one in objects if isinstance(one, IRI)), key=str)

    def skip(self, key: str, message: str) -> None:
        """Say, once, that something is left out."""
        self.found.setdefault(key, Diagnostic("UQ683", f"{message}; left out", None, Severity.WARNING))

    def _classes(self) -> list[IRI]:
        found: set[GroundTerm] = set(self.typed(_rdfs("Class"), _owl("Class")))
        for subject, _, object_ in self.graph.match(None, _rdfs("subClassOf"), None):
            found |= {subject, object_}
        for _, _, object_ in (
            *self.graph.match(None, _rdfs("domain"), None),
            *self.graph.match(None, _rdfs("range"), None),
        ):
            if not self.is_datatype(object_):
                found.add(object_)
        named = (one for one in found if isinstance(one, IRI) and one not in EVERYTHING and not is_standard(one))
        return sorted(named, key=str)

    def _predicates(self) -> list[IRI]:
        kinds = ("ObjectProperty", "DatatypeProperty", "FunctionalProperty", "InverseFunctionalProperty")
        more = ("SymmetricProperty", "TransitiveProperty", "AnnotationProperty")
        found = self.typed(IRI(RDF + "Property"), *(_owl(one) for one in (*kinds, *more)))
        for predicate in (_rdfs("domain"), _rdfs("range"), _rdfs("subPropertyOf"), _owl("inverseOf")):
            for subject, _, _ in self.graph.match(None, predicate, None):
                if isinstance(subject, IRI) and not is_standard(subject):
                    found.add(subject)
        return sorted(found, key=str)

    def is_datatype(self, term: GroundTerm) -> bool:
        if not isinstance(term, IRI):
            return False
        known = term == _LITERAL or term.value.startswith(XSD) or term.value == RDF_LANG_STRING
        return known or term in self.graph.subjects(_TYPE, _rdfs("Datatype"))

    # ---- declarations ------------------------------------------------------------------------------------------------
    def class_(self, iri: IRI) -> ClassDeclaration:
        parents = tuple(one for one in self.named(iri, _rdfs("subClassOf")) if self.is_parent(one, iri))
        disjoint = tuple(one for one in self.named(iri, _owl("disjointWith")) if one in self.classes and one != iri)
        return ClassDeclaration(iri, self.labels.get(iri), parents, disjoint=disjoint)

    def is_parent(self, parent: IRI, child: IRI) -> bool:
        """Whether the parent can stand in the schema: it is a class of it, and the two are not in a circle."""
        if parent == child or parent not in self.classes:
            return False
        if self.is_below(parent, child):
            self.skip(f"circle {child}", f"{child} and {parent} are below each other")
            return False
        return True

    def is_below(self, lower: IRI, upper: IRI) -> bool:
        waiting, seen = [lower], set[GroundTerm]()
        while waiting:
            for above in self.graph.objects(waiting.pop(), _rdfs("subClassOf")):
                if above == upper:
                    return True
                if above not in seen and isinstance(above, IRI):
                    seen.add(above)
                    waiting.append(above)
        return False

    def predicate(self, iri: IRI) -> RelationDeclaration | PropertyDeclaration:
        domain = self.one_class(iri, "domain")
        ranges = self.named(iri, _rdfs("range"))
        functional, key = (iri in self.typed(_owl(one)) for one in ("FunctionalProperty", "InverseFunctionalProperty"))
        label = self.labels.get(iri)
        if iri in self.typed(_owl("DatatypeProperty")) or (ranges and all(map(self.is_datatype, ranges))):
            return PropertyDeclaration(iri, label, domain, self.datatype(iri, ranges), functional=functional, key=key)
        is_edge = iri in self.typed(_owl("ObjectProperty")) or bool(ranges)
        # nothing says whether it leads to nodes or to literals: rdfs:Resource is both
        range_ = self.one_class(iri, "range") if is_edge else _RESOURCE
        return RelationDeclaration(iri, label, domain, range_, self.inverse(iri), functional=functional, key=key)

    def datatype(self, iri: IRI, ranges: list[IRI]) -> str | None:
        if len(ranges) > 1:
            self.skip(f"{iri} ranges", f"{iri} has several datatypes at once")
            return None
        return ranges[0].value if ranges and ranges[0] != _LITERAL else None

    def one_class(self, iri: IRI, end: str) -> IRI | None:
        """The domain or range. Several hold together, so one that is below the others says it all."""
        named = [one for one in self.named(iri, _rdfs(end)) if one not in EVERYTHING]
        if not named or (end == "range" and any(map(self.is_datatype, named))):
            return None
        for one in named:
            if all(one == other or self.is_below(one, other) for other in named):
                return one if one in self.classes else None
        self.skip(f"{iri} {end}", f"{iri} has several classes as its {end}, none below the others")
        return None

    def inverse(self, iri: IRI) -> IRI | None:
        stated = [one for one in self.named(iri, _owl("inverseOf")) if one in self.predicates and one != iri]
        back = {one for one in stated if iri in self.graph.objects(one, _owl("inverseOf")) and one.value < iri.value}
        left = [one for one in stated if one not in back]
        for other in left[1:]:
            self.skip(f"{iri} inverse {other}", f"{iri} has a second inverse, {other}")
        return left[0] if left else None

    # ---- rules -------------------------------------------------------------------------------------------------------
    def rules(self) -> Iterator[Dependency]:
        names: dict[str, int] = {}

        def rule(kind: str, iri: IRI, body: tuple[Row, ...], head: Row) -> Dependency:
            stem = f"{split_iri(iri.value)[1]}_{kind}"
            names[stem] = names.get(stem, 0) + 1
            return Dependency(stem if names[stem] == 1 else f"{stem}_{names[stem]}", body, (head,))

        for iri in self.predicates:
            for other in self.also(iri, "subPropertyOf", RDFS):
                yield rule("also", iri, (_fact(1, _X, iri, _Y),), _fact(2, _X, other, _Y))
            for other in self.also(iri, "equivalentProperty", OWL):
                yield rule("same", iri, (_fact(1, _X, iri, _Y),), _fact(2, _X, other, _Y))
                yield rule("same", iri, (_fact(1, _X, other, _Y),), _fact(2, _X, iri, _Y))
            if iri in self.typed(_owl("SymmetricProperty")):
                yield rule("symmetric", iri, (_fact(1, _X, iri, _Y),), _fact(2, _Y, iri, _X))
            if iri in self.typed(_owl("TransitiveProperty")):
                yield rule("transitive", iri, (_fact(1, _X, iri, _Y), _fact(2, _Y, iri, _Z)), _fact(3, _X, iri, _Z))
        for iri in self.classes:
            for other in self.named(iri, _owl("equivalentClass")):
                if other in self.classes and other != iri:
                    yield rule("same", iri, (_instance(1, iri),), _instance(2, other))
                    yield rule("same", iri, (_instance(1, other),), _instance(2, iri))

    def also(self, iri: IRI, name: str, space: str) -> Iterable[IRI]:
        return (one for one in self.named(iri, IRI(space + name)) if one != iri and not is_standard(one))

    def report_constructs(self) -> None:
        """Name what the language has no words for."""
        for construct in _CONSTRUCTS:
            if any(True for _ in self.graph.match(None, IRI(construct), None)):
                self.skip(construct, f"`owl:{construct.removeprefix(OWL)}` has no counterpart")
        if any(True for _ in self.graph.match(None, _TYPE, _owl("Restriction"))):
            self.skip("restriction", "restrictions on classes (`owl:Restriction`) have no counterpart")
        for trait in _TRAITS_UNKNOWN:
            for one in sorted(self.typed(IRI(trait)), key=str):
                self.skip(f"{trait} {one}", f"{one} is an `owl:{trait.removeprefix(OWL)}`, which has no counterpart")


def _fact(number: int, subject: Variable, predicate: IRI, object_: Variable) -> Row:
    return Row(f"c{number}", Triple(subject, predicate, object_))


def _instance(number: int, class_: IRI) -> Row:
    return Row(f"c{number}", TypeAtom(_X, class_))


def _short(iri: IRI) -> str:
    for space, prefix in ((RDFS, "rdfs"), (OWL, "owl")):
        if iri.value.startswith(space):
            return f"`{prefix}:{iri.value.removeprefix(space)}`"
    return str(iri)
