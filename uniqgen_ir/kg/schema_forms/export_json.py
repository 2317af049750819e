"""Schemas as JSON and as labels with properties, for tools that speak of property graphs."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final
from urllib.parse import unquote

from uniqgen_ir.ir.diagnostics import Diagnostic, Severity, fail
from uniqgen_ir.ir.schema import PropertyDeclaration, RelationDeclaration, Schema
from uniqgen_ir.ir.suggestions import local_name
from uniqgen_ir.ir.terms import IRI
from uniqgen_ir.ir.vocabulary import BUILTIN_PREFIXES, RDFS, XSD
from uniqgen_ir.kg.inference.property_graph import LABEL, PROPERTY, RELATIONSHIP, TYPE

Json = dict[str, Any]
Warnings = tuple[Diagnostic, ...]
_SPACES: Final = (LABEL, TYPE, PROPERTY, RELATIONSHIP)
_TYPES: Final = {
    XSD + "string": "STRING",
    XSD + "integer": "INTEGER",
    XSD + "double": "FLOAT",
    XSD + "float": "FLOAT",
    XSD + "decimal": "FLOAT",
    XSD + "boolean": "BOOLEAN",
    XSD + "date": "DATE",
    XSD + "dateTime": "DATE_TIME",
    XSD + "time": "TIME",
    XSD + "duration": "DURATION",
}


def predicates_of(schema: Schema) -> tuple[RelationDeclaration | PropertyDeclaration, ...]:
    """The relations, then the properties."""
    return (*schema.relations, *schema.properties)


def is_property_graph(schema: Schema) -> bool:
    """Whether the names are labels, types and properties."""
    names = [*(one.iri for one in schema.classes), *(one.iri for one in predicates_of(schema))]
    return any(one.value.startswith(_SPACES) for one in names)


def classes_json(schema: Schema, prefixes: Iterable[tuple[str, str]]) -> tuple[Json, Warnings]:
    """`{"prefixes", "classes": {class: {predicate: [range]}}}`; a predicate without a domain belongs to every class."""
    names = _Shortener(prefixes)
    classes: dict[str, dict[str, list[str]]] = {names(one.iri.value): {} for one in schema.classes}
    ends = [(one.iri, one.domain, one.range.value if one.range else RDFS + "Resource") for one in schema.relations]
    ends += [(one.iri, one.domain, one.datatype or RDFS + "Literal") for one in schema.properties]
    for iri, domain, range_ in ends:
        owners = list(classes) if domain is None else [names(domain.value)]
        for owner in owners:
            classes.setdefault(owner, {}).setdefault(names(iri.value), []).append(names(range_))
    lost = _lost(schema, "JSON", hierarchy=True)
    return {"prefixes": names.used, "classes": classes}, lost


class _Shortener:
    """Shortens IRIs and remembers the prefixes used."""

    def __init__(self, prefixes: Iterable[tuple[str, str]]) -> None:
        self.known = {**BUILTIN_PREFIXES, **dict(prefixes)}
        self.used: dict[str, str] = {}

    def __call__(self, iri: str) -> str:
        fitting = [(len(space), prefix) for prefix, space in self.known.items() if space and iri.startswith(space)]
        if not fitting:
            return iri
        length, prefix = max(fitting)
        self.used[prefix] = self.known[prefix]
        return f"{prefix}:{iri[length:]}"


def tool_chain_json(schema: Schema) -> tuple[Json, Warnings]:
    """`{"node_props", "rel_props", "relationships"}`. Raises DiagnosticError (UQ682) where two names become one."""
    labels = [one.iri for one in schema.classes if not one.iri.value.startswith(RELATIONSHIP)]
    _refuse_clashes(labels, [one.iri for one in schema.relations], [one.iri for one in schema.properties])
    nodes: dict[str, list[dict[str, str]]] = {label_of(one): [] for one in labels}
    edges: dict[str, list[dict[str, str]]] = {}
    for one in schema.properties:
        described = {"property": label_of(one.iri), "type": _TYPES.get(one.datatype or "", "ANY")}
        if one.domain is not None and one.domain.value.startswith(RELATIONSHIP):
            edges.setdefault(label_of(one.domain), []).append(described)
            continue
        for owner in nodes if one.domain is None else [label_of(one.domain)]:
            nodes.setdefault(owner, []).append(described)
    patterns: list[dict[str, str]] = []
    for relation in schema.relations:
        starts, ends = (_labels(one, nodes) for one in (relation.domain, relation.range))
        patterns += [{"start": start, "type": label_of(relation.iri), "end": end} for start in starts for end in ends]
    content: Json = {"node_props": nodes, "rel_props": edges, "relationships": patterns}
    return content, _lost(schema, "a property-graph schema", hierarchy=True)


def _labels(end: IRI | None, nodes: Iterable[str]) -> list[str]:
    return list(nodes) if end is None or end == IRI(RDFS + "Resource") else [label_of(end)]


def graphrag_json(schema: Schema) -> tuple[Json, Warnings]:
    """`{"node_types", "relationship_types", "patterns"}` of neo4j-graphrag."""
    content, warnings = tool_chain_json(schema)

    def described(name: str, properties: list[dict[str, str]]) -> Json:
        # a property must have a type there; of values that may be anything a string is the safest
        types = {"ANY": "STRING", "DATE_TIME": "ZONED_DATETIME", "TIME": "ZONED_TIME"}
        listed = [{"name": one["property"], "type": types.get(one["type"], one["type"])} for one in properties]
        return {"label": name, "properties": listed}

    types = dict.fromkeys(one["type"] for one in content["relationships"])
    edges = {name: content["rel_props"].get(name, []) for name in (*types, *content["rel_props"])}
    return {
        "node_types": [described(*one) for one in content["node_props"].items()],
        "relationship_types": [described(*one) for one in edges.items()],
        "patterns": [[one["start"], one["type"], one["end"]] for one in content["relationships"]],
    }, warnings


def label_of(iri: IRI) -> str:
    """The label, type or property that a name stands for: its own, or its local name."""
    for space in _SPACES:
        if iri.value.startswith(space):
            return unquote(iri.value[len(space) :])
    return local_name(iri.value)


def _refuse_clashes(*groups: list[IRI]) -> None:
    for group in groups:
        seen: dict[str, IRI] = {}
        for one in group:
            other = seen.setdefault(label_of(one), one)
            if other != one:
                raise fail("UQ682", f"{one} and {other} would both be called {label_of(one)}")


def _lost(schema: Schema, form: str, *, hierarchy: bool) -> Warnings:
    """One warning for each kind of statement that the form has no words for."""
    predicates = predicates_of(schema)
    kinds = {
        "parents of classes": hierarchy and any(one.parents for one in schema.classes),
        "disjoint classes": any(one.disjoint for one in schema.classes),
        "inverse relations": any(one.inverse for one in schema.relations),
        "`functional` and `key`": any(one.functional or one.key for one in predicates),
        "rules": bool(schema.dependencies),
        "synonyms": bool(schema.synonyms),
    }
    return tuple(lost(what, form) for what, there in kinds.items() if there)


def lost(what: str, form: str) -> Diagnostic:
    """The warning that a form has no words for something."""
    return Diagnostic("UQ683", f"{what} have no counterpart in {form}; left out", None, Severity.WARNING)
