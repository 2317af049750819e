"""Vocabularies from everything that says what is in a graph: `.cts` schemas, JSON of several shapes.

| shape | keys |
|---|---|
| property graph | `nodes: {Label: {property: TYPE}}`, `rels: [{type, from, to, props}]`, `multi_labels: [[…]]` |
| tool chains | `node_props`, `rel_props`, `relationships: [{start, type, end}]`, `metadata` |
| RDF | `prefixes`, `classes: {ex:Class: {ex:property: [xsd:string]}}` |
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final
from urllib.parse import unquote

from attrs import evolve

from uniqgen_ir.grammar.schema import load_documents
from uniqgen_ir.ir.diagnostics import DiagnosticError, errors, fail
from uniqgen_ir.ir.graph import Graph
from uniqgen_ir.ir.schema import Schema, declared_schema
from uniqgen_ir.ir.suggestions import local_name
from uniqgen_ir.ir.terms import IRI
from uniqgen_ir.ir.vocabulary import BUILTIN_PREFIXES, PG_NODE, PG_SOURCE, PG_TARGET, RDF_LANG_STRING, RDFS, XSD
from uniqgen_ir.kg.inference.imported import TEXT_ENDINGS, import_schema, read_json, read_text
from uniqgen_ir.kg.inference.property_graph import LABEL, PROPERTY, RELATIONSHIP, TYPE, schema_of_json
from uniqgen_ir.kg.schema_forms.text import schema_of_text
from uniqgen_ir.kg.schema_forms.tool_json import known_shape
from uniqgen_ir.validate.labels_together import labels_together
from uniqgen_ir.validate.statistics import statistics_of
from uniqgen_ir.validate.vocabulary import (
    Ontology,
    PredicateUse,
    Properties,
    PropertyGraph,
    RelationshipType,
    Vocabulary,
)

_SPACES: Final = (LABEL, TYPE, PROPERTY, RELATIONSHIP)
_TYPE_NAMES: Final = {
    XSD + "string": "STRING",
    XSD + "integer": "INTEGER",
    XSD + "decimal": "FLOAT",
    XSD + "double": "FLOAT",
    XSD + "float": "FLOAT",
    XSD + "boolean": "BOOLEAN",
    XSD + "date": "DATE",
    XSD + "dateTime": "DATETIME",
    XSD + "time": "TIME",
    XSD + "duration": "DURATION",
}
Json = Any


def vocabulary_of_json(content: Json) -> Vocabulary:
    """The vocabulary of a schema in one of the JSON shapes. Raises DiagnosticError (UQ682)."""
    imported = schema_of_json(content, "schema")
    try:
        content = known_shape(content)
        if "classes" in content or "prefixes" in content:
            return Vocabulary(None, _ontology_of_classes(content, imported.schema))
        if {"nodes", "rels", "node_props", "rel_props", "relationships"} & set(content):
            return Vocabulary(_property_graph(content), ontology_of(imported.schema))
    except (AttributeError, KeyError, TypeError) as error:
        raise fail("UQ682", f"the JSON has not the form of a schema: {type(error).__name__} at {error}") from error
    return vocabulary_of_schema(imported.schema, dict(imported.prefixes))


def vocabulary_of_schema(schema: Schema, prefixes: Mapping[str, str] | None = None) -> Vocabulary:
    """The vocabulary of a declared or inferred schema. Names of `urn:pg:` become labels; others by their local name."""
    return Vocabulary(property_graph_of(schema), ontology_of(schema, prefixes))


def vocabulary_of_file(file: Path) -> Vocabulary:
    """The vocabulary of a `.cts` schema, a JSON schema or an ontology. Raises DiagnosticError."""
    if file.suffix.lower() == ".cts":
        return vocabulary_of_declarations((file,))
    if file.suffix.lower() == ".json":
        return vocabulary_of_json(read_json(file))
    if file.suffix.lower() in TEXT_ENDINGS:
        return vocabulary_of_json(schema_of_text(read_text(file)))
    imported = import_schema(file)
    return vocabulary_of_schema(imported.schema, dict(imported.prefixes))


def vocabulary_of_graph(
    graph: Graph, declared: Schema | None = None, prefixes: Mapping[str, str] | None = None
) -> Vocabulary:
    """The vocabulary that a graph keeps to: the schema declared for it, or else what its facts have in common."""
    if declared is None:
        from uniqgen_ir.kg.inference.infer import infer_schema

        inferred = infer_schema(graph, "inferred")
        declared, prefixes = inferred.schema, dict(inferred.prefixes)
    found = vocabulary_of_schema(declared, prefixes)
    return evolve(found, statistics=statistics_of(graph, _name))


def vocabulary_of_declarations(files: Sequence[Path]) -> Vocabulary:
    """The vocabulary of several `.cts` files together; lexicons among them say nothing here.

    Raises DiagnosticError (UQ682) where none declares a schema.
    """
    results = [load_documents(str(file)) for file in files]
    faults = [one for result in results for one in result.diagnostics]
    if errors(faults):
        raise DiagnosticError(tuple(faults))
    documents = [document for result in results for document in result.documents]
    schema = declared_schema(documents)
    if schema is None:
        raise fail("UQ682", f"{', '.join(map(str, files))} declares no schema", hint="schema NAME { … }")
    prefixes = dict(pair for document in documents for pair in document.prefixes)
    return vocabulary_of_schema(schema, prefixes)


# ---- property graphs -------------------------------------------------------------------------------------------------


def _property_graph(content: Json) -> PropertyGraph:
    if {"node_props", "rel_props", "relationships"} & set(content):
        return _tool_chain(content)
    labels: dict[str, Properties | None] = {name: _types(known) for name, known in content.get("nodes", {}).items()}
    types: dict[str, RelationshipType] = {}
    for one in content.get("rels", []):
        _add_end(types, one["type"], one["from"], one["to"], _types(one.get("props") or {}))
        for label in (one["from"], one["to"]):
            labels.setdefault(label, None)
    several = tuple(frozenset(map(str, group)) for group in content.get("multi_labels", []))
    for label in (label for group in several for label in group):
        labels.setdefault(label, None)
    return PropertyGraph(labels, types, several, exclusive=True)


def _tool_chain(content: Json) -> PropertyGraph:
    labels: dict[str, Properties | None] = {
        name: {one["property"]: str(one["type"]).upper() for one in known}
        for name, known in content.get("node_props", {}).items()
    }
    types: dict[str, RelationshipType] = {}
    for one in content.get("relationships", []):
        _add_end(types, one["type"], one["start"], one["end"], {})
        for label in (one["start"], one["end"]):
            labels.setdefault(label, None)
    for name, known in content.get("rel_props", {}).items():
        ends = types[name].ends if name in types else frozenset({(None, None)})
        types[name] = RelationshipType(name, ends, {one["property"]: str(one["type"]).upper() for one in known})
    return PropertyGraph(labels, types, labels_together(labels, types))


def _types(properties: Mapping[str, object]) -> Properties:
    return {name: str(kind).upper() for name, kind in properties.items()}


def _add_end(
    types: dict[str, RelationshipType], name: str, start: str | None, end: str | None, properties: Properties | None
) -> None:
    known = types.get(name)
    before: Properties | None = known.properties if known is not None else {}
    together = None if before is None or properties is None else {**before, **properties}
    ends = known.ends if known is not None else frozenset[tuple[str | None, str | None]]()
    types[name] = RelationshipType(name, ends | {(start, end)}, together)


def property_graph_of(schema: Schema) -> PropertyGraph:
    """The labels and types that the classes and relations of a schema stand for.

    What a relationship carries is known only where the schema describes some, as classes of `urn:pg:relationship:`.
    """
    everywhere = {_name(one.iri): _type(one.datatype) for one in schema.properties if one.domain is None}
    if any(not one.iri.value.startswith(_SPACES) for one in schema.classes):
        # a graph made from RDF keeps the IRI and the name of each thing
        everywhere |= {"id": "ANY", "name": "ANY"}
    everywhere |= {_name(one.iri): _type(one.datatype) for one in schema.properties if _is_any_node(one.domain)}
    classes = [one for one in schema.classes if not (_is_any_node(one.iri) or one.iri.value.startswith(RELATIONSHIP))]
    own: dict[str, dict[str, str]] = {_name(one.iri): dict(everywhere) for one in classes}
    edges = {_name(one.iri): dict(everywhere) for one in schema.classes if one.iri.value.startswith(RELATIONSHIP)}
    for one in schema.properties:
        if one.domain is not None and not _is_any_node(one.domain):
            holder = edges if one.domain.value.startswith(RELATIONSHIP) else own
            holder.setdefault(_name(one.domain), dict(everywhere))[_name(one.iri)] = _type(one.datatype)
    parents = {_name(one.iri): {_name(above) for above in one.parents if not _is_any_node(above)} for one in classes}
    ancestors = {name: frozenset(_above(name, parents)) for name in parents}
    types: dict[str, RelationshipType] = {}
    for relation in schema.relations:
        if relation.iri.value in (PG_SOURCE, PG_TARGET):
            continue
        ends = (relation.domain, relation.range)
        start, end = (None if class_ is None or _is_any_node(class_) else _name(class_) for class_ in ends)
        name = _name(relation.iri)
        _add_end(types, name, start, end, edges.get(name, everywhere) if edges else None)
    apart = frozenset(frozenset((_name(one.iri), _name(other))) for one in classes for other in one.disjoint)
    labels = {name: _inherited(name, own, ancestors) for name in own}
    return PropertyGraph(labels, types, (), ancestors, disjoint=apart)


def _is_any_node(class_: IRI | None) -> bool:
    """Whether it is the class of every node, which is no label."""
    return class_ is not None and class_.value == PG_NODE


def _inherited(name: str, own: Mapping[str, Mapping[str, str]], ancestors: Mapping[str, frozenset[str]]) -> Properties:
    found: dict[str, str] = {}
    for one in (*ancestors.get(name, ()), name):
        found.update(own.get(one, {}))
    return found


def _above(name: str, parents: Mapping[str, set[str]]) -> set[str]:
    found: set[str] = set()
    waiting = [name]
    while waiting:
        fresh = parents.get(waiting.pop(), set()) - found
        found |= fresh
        waiting += fresh
    return found - {name}


def _name(iri: IRI) -> str:
    for space in _SPACES:
        if iri.value.startswith(space):
            return unquote(iri.value[len(space) :])
    return local_name(iri.value)


def _type(datatype: str | None) -> str:
    return _TYPE_NAMES.get(datatype or "", "ANY")


# ---- ontologies ------------------------------------------------------------------------------------------------------


def ontology_of(schema: Schema, prefixes: Mapping[str, str] | None = None) -> Ontology:
    """The classes and predicates of a schema."""
    uses: dict[str, list[PredicateUse]] = {}
    for relation in schema.relations:
        use = PredicateUse(_value(relation.domain), _value(relation.range), literal=False)
        uses.setdefault(relation.iri.value, []).append(use)
    for one in schema.properties:
        uses.setdefault(one.iri.value, []).append(PredicateUse(_value(one.domain), one.datatype, literal=True))
    return _ontology(schema, prefixes or {}, uses)


def _ontology_of_classes(content: Json, schema: Schema) -> Ontology:
    prefixes: dict[str, str] = dict(content.get("prefixes", {}))
    known = {**BUILTIN_PREFIXES, **prefixes}
    uses: dict[str, list[PredicateUse]] = {}
    for class_, predicates in content.get("classes", {}).items():
        for predicate, ranges in predicates.items():
            for range_ in [ranges] if isinstance(ranges, str) else ranges:
                full = _expanded(range_, known)
                literal = full.startswith(XSD) or full in (RDF_LANG_STRING, RDFS + "Literal")
                use = PredicateUse(_expanded(class_, known), full, literal)
                uses.setdefault(_expanded(predicate, known), []).append(use)
    return _ontology(schema, prefixes, uses, exclusive=True)


def _ontology(
    schema: Schema, prefixes: Mapping[str, str], uses: Mapping[str, list[PredicateUse]], *, exclusive: bool = False
) -> Ontology:
    parents = {one.iri.value: {above.value for above in one.parents} for one in schema.classes}
    return Ontology(
        schema,
        prefixes,
        {name: tuple(many) for name, many in uses.items()},
        frozenset(parents),
        {name: frozenset(_above(name, parents)) for name in parents},
        exclusive,
    )


def _expanded(name: str, prefixes: Mapping[str, str]) -> str:
    prefix, colon, local = name.partition(":")
    return prefixes[prefix] + local if colon and prefix in prefixes else name.strip("<>")


def _value(iri: IRI | None) -> str | None:
    return None if iri is None else iri.value
