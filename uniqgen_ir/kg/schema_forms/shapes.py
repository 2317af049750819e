"""SHACL shapes and VoID descriptions as schemas of ours.

| in SHACL | in the schema |
|---|---|
| `sh:targetClass C`, or a shape that is itself a class | class C |
| `sh:property [ sh:path p ; sh:class D ]` | relation p : C -> D |
| `sh:property [ sh:path p ; sh:datatype t ]` | property p : C -> t |
| `sh:maxCount 1` in every shape of p | functional |
| `sh:targetSubjectsOf p` | p without a domain |

| in VoID | in the schema |
|---|---|
| `void:classPartition [ void:class C ]` | class C |
| `void:propertyPartition [ void:property p ]` inside it | p starts from C |
| `void:classPartition` or `void-ext:datatypePartition` inside that | what p leads to |

What has no counterpart is left out with a warning (UQ683) that names it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from attrs import define, evolve, field, frozen

from uniqgen_ir.ir.diagnostics import Diagnostic, Severity
from uniqgen_ir.ir.graph import Graph
from uniqgen_ir.ir.schema import ClassDeclaration, PropertyDeclaration, RelationDeclaration, Schema
from uniqgen_ir.ir.terms import IRI, GroundTerm, Literal
from uniqgen_ir.ir.vocabulary import OWL, RDF_TYPE, RDFS
from uniqgen_ir.kg.inference.infer import common_datatype
from uniqgen_ir.kg.inference.names import labels_of, prefixes_for, words_of
from uniqgen_ir.kg.inference.rdfs import ImportedSchema, schema_of_ontology

SHACL: Final = "http://www.w3.org/ns/shacl#"
VOID: Final = "http://rdfs.org/ns/void#"
VOID_EXT: Final = "http://ldf.fi/void-ext#"
_TYPE: Final = IRI(RDF_TYPE)
_RESOURCE: Final = IRI(RDFS + "Resource")
_KNOWN: Final = frozenset(
    SHACL + name
    for name in (
        *("path", "datatype", "class", "nodeKind", "maxCount", "minCount", "name", "description", "order", "group"),
        *("message", "severity", "node", "pattern", "in", "hasValue"),
    )
)


@frozen
class _Use:
    """One predicate at one class. `datatype` or `range`: what it leads to; None where nothing is said."""

    predicate: IRI
    domain: IRI | None
    range: IRI | None = None
    datatype: str | None = None
    literal: bool | None = None
    functional: bool = False


def has_shapes(graph: Graph) -> bool:
    """Whether the graph holds SHACL shapes."""
    return any(one.value.startswith(SHACL) for one in graph.predicates)


def is_void(graph: Graph) -> bool:
    """Whether the graph describes a data set by its partitions."""
    return IRI(VOID + "classPartition") in graph.predicates or IRI(VOID + "propertyPartition") in graph.predicates


def schema_of_shapes(graph: Graph, name: str, prefixes: Mapping[str, str]) -> ImportedSchema:
    """The schema of SHACL shapes, with the hierarchy of classes that stands beside them."""
    reader = _Shapes(graph)
    return _schema(graph, name, prefixes, list(reader.uses()), reader.classes, tuple(reader.found.values()))


def schema_of_void(graph: Graph, name: str, prefixes: Mapping[str, str]) -> ImportedSchema:
    """The schema that a VoID description with partitions amounts to."""
    classes: dict[IRI, None] = {}
    uses: list[_Use] = []
    for partition in _objects(graph, None, VOID + "classPartition"):
        class_ = next(_named(graph, partition, VOID + "class"), None)
        if class_ is None:
            continue
        classes[class_] = None
        for inner in _objects(graph, partition, VOID + "propertyPartition"):
            for predicate in _named(graph, inner, VOID + "property"):
                if predicate != _TYPE:
                    uses += _void_uses(graph, inner, predicate, class_)
    classes |= {one.range: None for one in uses if one.range is not None}
    return _schema(graph, name, prefixes, uses, classes, ())


def _void_uses(graph: Graph, partition: GroundTerm, predicate: IRI, class_: IRI) -> list[_Use]:
    found: list[_Use] = []
    for inner in _objects(graph, partition, VOID + "classPartition"):
        found += [_Use(predicate, class_, one, None, False) for one in _named(graph, inner, VOID + "class")]
    for inner in _objects(graph, partition, VOID_EXT + "datatypePartition"):
        found += [_Use(predicate, class_, None, one.value, True) for one in _named(graph, inner, VOID_EXT + "datatype")]
    return found or [_Use(predicate, class_)]


@define
class _Shapes:
    graph: Graph
    classes: dict[IRI, None] = field(factory=dict[IRI, None])
    found: dict[str, Diagnostic] = field(factory=dict[str, Diagnostic])

    def uses(self) -> Iterator[_Use]:
        for shape in dict.fromkeys(
            (*self.graph.subjects(_TYPE, IRI(SHACL + "NodeShape")), *_subjects(self.graph, SHACL + "property"))
        ):
            domains = self.domains(shape)
            self.classes |= {one: None for one in domains if one is not None}
            for inner in _objects(self.graph, shape, SHACL + "property"):
                yield from self.use(inner, domains)

    def domains(self, shape: GroundTerm) -> list[IRI | None]:
        """The classes that a shape is about; None for the subjects of a predicate, whatever they are."""
        found: list[IRI | None] = [*_named(self.graph, shape, SHACL + "targetClass")]
        kinds = {IRI(RDFS + "Class"), IRI(OWL + "Class")}
        if isinstance(shape, IRI) and kinds & set(self.graph.objects(shape, _TYPE)):
            found.append(shape)
        if any(True for _ in _objects(self.graph, shape, SHACL + "targetSubjectsOf")):
            found.append(None)
        return found

    def use(self, inner: GroundTerm, domains: list[IRI | None]) -> Iterator[_Use]:
        path = next(_objects(self.graph, inner, SHACL + "path"), None)
        if not isinstance(path, IRI):
            self.say("path", "a shape for a path of several steps")
            return
        for _, predicate, _ in self.graph.match(inner, None, None):
            if predicate.value.startswith(SHACL) and predicate.value not in _KNOWN:
                self.say(predicate.value, f"`sh:{predicate.value.removeprefix(SHACL)}` at {path}")
        counts = (one for one in _objects(self.graph, inner, SHACL + "maxCount") if isinstance(one, Literal))
        functional = any(one.lexical == "1" for one in counts)
        ranges = list(_named(self.graph, inner, SHACL + "class"))
        datatypes = list(_named(self.graph, inner, SHACL + "datatype"))
        kinds = {one.value.removeprefix(SHACL) for one in _named(self.graph, inner, SHACL + "nodeKind")}
        literal = True if datatypes or "Literal" in kinds else False if ranges or kinds else None
        self.classes |= dict.fromkeys(ranges)
        for domain in domains:
            yield _Use(
                path,
                domain,
                ranges[0] if ranges else None,
                datatypes[0].value if datatypes else None,
                literal,
                functional,
            )

    def say(self, key: str, what: str) -> None:
        message = f"{what} has no counterpart; left out"
        self.found.setdefault(key, Diagnostic("UQ683", message, None, Severity.WARNING))


def _schema(
    graph: Graph,
    name: str,
    prefixes: Mapping[str, str],
    uses: list[_Use],
    classes: Mapping[IRI, None],
    found: tuple[Diagnostic, ...],
) -> ImportedSchema:
    ontology = schema_of_ontology(_without(graph, SHACL, VOID), name, prefixes)
    stated = {one.iri: one for one in ontology.schema.classes}
    names = sorted({*classes, *stated}, key=str)
    by_predicate: dict[IRI, list[_Use]] = {}
    for use in uses:
        by_predicate.setdefault(use.predicate, []).append(use)
    names = [one for one in names if one not in by_predicate]
    labels = labels_of(graph, [*names, *by_predicate])
    _shape_names(graph, labels)
    declared = [_declaration(one, by_predicate[one], labels.get(one)) for one in sorted(by_predicate, key=str)]
    known = {one.iri for one in declared}
    schema = Schema(
        name,
        tuple(stated.get(one) or ClassDeclaration(one, labels.get(one) or words_of(one.value)) for one in names),
        (
            *(one for one in declared if isinstance(one, RelationDeclaration)),
            *(one for one in ontology.schema.relations if one.iri not in known),
        ),
        (
            *(one for one in declared if isinstance(one, PropertyDeclaration)),
            *(one for one in ontology.schema.properties if one.iri not in known),
        ),
        (),
        ontology.schema.dependencies,
    )
    mentioned = [*names, *by_predicate, *(IRI(one.datatype) for one in schema.properties if one.datatype)]
    return ImportedSchema(_tidy(schema), prefixes_for(mentioned, prefixes), (*found, *ontology.diagnostics))


def _tidy(schema: Schema) -> Schema:
    def order(one: ClassDeclaration | RelationDeclaration | PropertyDeclaration) -> str:
        return one.iri.value

    return evolve(
        schema,
        relations=tuple(sorted(schema.relations, key=order)),
        properties=tuple(sorted(schema.properties, key=order)),
    )


def _without(graph: Graph, *spaces: str) -> Graph:
    """The facts of other vocabularies."""
    return Graph(
        (subject, predicate, object_)
        for subject, predicate, object_ in graph
        if not predicate.value.startswith(spaces)
        and not (isinstance(object_, IRI) and predicate == _TYPE and object_.value.startswith(spaces))
    )


def _shape_names(graph: Graph, labels: dict[IRI, str]) -> None:
    """`sh:name` says how a predicate is called."""
    for shape in _subjects(graph, SHACL + "path"):
        path = next(_objects(graph, shape, SHACL + "path"))
        called = next((one for one in _objects(graph, shape, SHACL + "name") if isinstance(one, Literal)), None)
        if isinstance(path, IRI) and called is not None:
            labels[path] = called.lexical


def _declaration(iri: IRI, uses: list[_Use], label: str | None) -> RelationDeclaration | PropertyDeclaration:
    domains, ranges = {one.domain for one in uses}, {one.range for one in uses}
    domain = domains.pop() if len(domains) == 1 else None
    functional = all(one.functional for one in uses)
    label = label or words_of(iri.value)
    kinds = {one.literal for one in uses}
    if kinds == {True}:
        datatypes = {one.datatype for one in uses if one.datatype is not None}
        common = common_datatype(datatypes) if datatypes and all(one.datatype for one in uses) else None
        return PropertyDeclaration(iri, label, domain, common, functional=functional)
    # nodes here and literals there, or nothing said: rdfs:Resource is both
    range_ = _RESOURCE if kinds != {False} else ranges.pop() if len(ranges) == 1 else None
    return RelationDeclaration(iri, label, domain, range_, functional=functional)


def _objects(graph: Graph, subject: GroundTerm | None, predicate: str) -> Iterator[GroundTerm]:
    return (one for _, _, one in graph.match(subject, IRI(predicate), None))


def _subjects(graph: Graph, predicate: str) -> Iterator[GroundTerm]:
    return (one for one, _, _ in graph.match(None, IRI(predicate), None))


def _named(graph: Graph, subject: GroundTerm, predicate: str) -> Iterator[IRI]:
    return (one for one in _objects(graph, subject, predicate) if isinstance(one, IRI))
