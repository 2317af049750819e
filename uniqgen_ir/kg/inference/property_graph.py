"""Schemas of property graphs, as tool chains pass them around in JSON, as schemas of ours.

Three shapes are read; a file that mixes them, or has other keys, is refused.

* `{"node_props": {"Label": [{"property", "type"}]}, "rel_props": {"TYPE": […]},
  "relationships": [{"start", "type", "end"}]}`
* `{"nodes": {"Label": {"property": "TYPE"}}, "rels": [{"type", "from", "to", "props"}], "multi_labels": [["A", "B"]]}`
* `{"prefixes": {"ex": "http://…"}, "classes": {"ex:Class": {"ex:property": ["xsd:string"]}}}`

Names become IRIs in `urn:pg:`, as they do where Cypher is read without a mapping. Properties of relationships belong to
the class `urn:pg:relationship:TYPE`.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final, TypeAlias
from urllib.parse import quote

from attrs import define, field

from uniqgen_ir.ir.diagnostics import Diagnostic, DiagnosticError, Severity, fail
from uniqgen_ir.ir.schema import ClassDeclaration, PropertyDeclaration, RelationDeclaration, Schema
from uniqgen_ir.ir.terms import IRI
from uniqgen_ir.ir.vocabulary import BUILTIN_PREFIXES, RDF_LANG_STRING, XSD
from uniqgen_ir.kg.inference.infer import common_datatype
from uniqgen_ir.kg.inference.names import prefixes_for, words_of
from uniqgen_ir.kg.inference.rdfs import ImportedSchema
from uniqgen_ir.kg.schema_forms.tool_json import known_shape

LABEL: Final = "urn:pg:label:"
TYPE: Final = "urn:pg:type:"
PROPERTY: Final = "urn:pg:property:"
RELATIONSHIP: Final = "urn:pg:relationship:"

_TYPES: Final = {
    **dict.fromkeys(("STRING", "TEXT"), XSD + "string"),
    **dict.fromkeys(("INTEGER", "INT", "LONG"), XSD + "integer"),
    **dict.fromkeys(("FLOAT", "DOUBLE"), XSD + "double"),
    **dict.fromkeys(("BOOLEAN", "BOOL"), XSD + "boolean"),
    "DATE": XSD + "date",
    **dict.fromkeys(("DATETIME", "DATE_TIME", "ZONED DATETIME", "LOCAL DATETIME", "LOCALDATETIME"), XSD + "dateTime"),
    **dict.fromkeys(("TIME", "ZONED TIME", "LOCAL TIME", "LOCALTIME"), XSD + "time"),
    "DURATION": XSD + "duration",
}
_UNKNOWN: Final = frozenset({"LIST", "MAP", "POINT", "ANY", "NULL"})
"""Types of which a schema of ours says nothing: any literal."""
_SHAPES: Final = (
    frozenset({"node_props", "rel_props", "relationships", "metadata"}),
    frozenset({"nodes", "rels", "multi_labels"}),
    frozenset({"prefixes", "classes"}),
)

Json: TypeAlias = Any


def schema_of_json(content: Json, name: str) -> ImportedSchema:
    """The schema of JSON in one of the three shapes, or in a form of `schema_forms.tool_json`.

    Raises DiagnosticError (UQ682).
    """
    try:
        content = known_shape(content)
    except (AttributeError, KeyError, TypeError, IndexError, ValueError) as error:
        raise fail("UQ682", f"the JSON has not the form of a schema: {type(error).__name__} at {error}") from error
    if not isinstance(content, dict):
        raise fail("UQ682", "the JSON is not an object", hint="a schema of a property graph has `nodes` and `rels`")
    keys = frozenset(map(str, content))  # pyright: ignore[reportUnknownArgumentType]
    shape = next((one for one in _SHAPES if keys and keys <= one), None)
    if shape is None:
        known = ", or ".join("/".join(sorted(one)) for one in _SHAPES)
        raise fail("UQ682", f"no schema has the keys {', '.join(sorted(keys)) or '(none)'}", hint=f"it has {known}")
    builder = _Builder(name)
    try:
        match sorted(shape)[0]:
            case "classes":
                builder.rdf(content)
            case "metadata":
                builder.langchain(content)
            case _:
                builder.plain(content)
    except (AttributeError, KeyError, TypeError) as error:
        raise fail("UQ682", f"the JSON has not the form of a schema: {type(error).__name__} at {error}") from error
    return builder.result()


@define
class _Builder:
    """Collects what the shapes have in common."""

    name: str
    classes: dict[IRI, None] = field(factory=dict[IRI, None])
    edges: dict[IRI, list[tuple[IRI | None, IRI | None]]] = field(
        factory=dict[IRI, "list[tuple[IRI | None, IRI | None]]"]
    )
    values: dict[IRI, list[tuple[IRI, str | None]]] = field(factory=dict[IRI, "list[tuple[IRI, str | None]]"])
    prefixes: dict[str, str] = field(factory=dict[str, str])
    labels: dict[IRI, str] = field(factory=dict[IRI, str])
    found: dict[str, Diagnostic] = field(factory=dict[str, Diagnostic])

    # ---- the shapes --------------------------------------------------------------------------------------------------
    def langchain(self, content: Json) -> None:
        for label, properties in content.get("node_props", {}).items():
            self.properties(self.label(label), {one["property"]: one["type"] for one in properties})
        for kind, properties in content.get("rel_props", {}).items():
            self.relationship(kind, {one["property"]: one["type"] for one in properties})
        for one in content.get("relationships", []):
            self.edge(one["type"], one["start"], one["end"])

    def plain(self, content: Json) -> None:
        for label, properties in content.get("nodes", {}).items():
            self.properties(self.label(label), properties)
        for one in content.get("rels", []):
            self.edge(one["type"], one["from"], one["to"])
            self.relationship(one["type"], one.get("props") or {})
        for group in content.get("multi_labels", []):
            self.several_labels([str(one) for one in group])

    def rdf(self, content: Json) -> None:
        self.prefixes = dict(content.get("prefixes", {}))
        prefixes = {**BUILTIN_PREFIXES, **self.prefixes}
        described = content.get("classes", {})
        names = {one: self.expand(one, prefixes) for one in described}
        self.classes |= dict.fromkeys(names.values())
        for class_, predicates in described.items():
            for predicate, ranges in predicates.items():
                for range_ in [ranges] if isinstance(ranges, str) else ranges:
                    self.rdf_predicate(names[class_], self.expand(predicate, prefixes), self.expand(range_, prefixes))

    def rdf_predicate(self, class_: IRI, predicate: IRI, range_: IRI) -> None:
        if range_.value.startswith(XSD) or range_.value == RDF_LANG_STRING:
            self.values.setdefault(predicate, []).append((class_, range_.value))
        else:
            self.classes[range_] = None
            self.edges.setdefault(predicate, []).append((class_, range_))

    # ---- parts -------------------------------------------------------------------------------------------------------
    def expand(self, name: str, prefixes: dict[str, str]) -> IRI:
        prefix, colon, local = name.partition(":")
        if colon and prefix in prefixes:
            return IRI(prefixes[prefix] + local)
        if "://" in name or name.startswith("urn:"):
            return IRI(name.strip("<>"))
        raise fail("UQ682", f"`{name}` is no name with a prefix that the schema declares")

    def label(self, name: str) -> IRI:
        return self.class_(LABEL, name)

    def class_(self, space: str, name: str) -> IRI:
        iri = _iri(space, name)
        self.classes[iri] = None
        self.labels[iri] = words_of(LABEL + quote(name, safe="")) or name
        return iri

    def edge(self, kind: str, start: str, end: str) -> None:
        iri = _iri(TYPE, kind)
        self.labels[iri] = words_of(TYPE + quote(kind, safe="")) or kind
        self.edges.setdefault(iri, []).append((self.label(start), self.label(end)))

    def relationship(self, kind: str, properties: Json) -> None:
        if properties:
            self.properties(self.class_(RELATIONSHIP, kind), properties)

    def properties(self, owner: IRI, properties: Json) -> None:
        for name, kind in properties.items():
            iri = _iri(PROPERTY, name)
            self.labels[iri] = words_of(PROPERTY + quote(name, safe="")) or name
            self.values.setdefault(iri, []).append((owner, self.datatype(str(kind))))

    def datatype(self, kind: str) -> str | None:
        base = kind.upper().partition("<")[0].removesuffix(" NOT NULL").strip()
        if base not in _TYPES and base not in _UNKNOWN:
            self.say(kind, f"`{kind}` is no type of a property that is known; any literal is allowed")
        return _TYPES.get(base)

    def several_labels(self, group: list[str]) -> None:
        # classes are not exclusive unless they are declared disjoint, so there is nothing to say
        for one in group:
            self.label(one)

    def say(self, key: str, message: str) -> None:
        self.found.setdefault(key, Diagnostic("UQ683", message, None, Severity.WARNING))

    # ---- the schema --------------------------------------------------------------------------------------------------
    def result(self) -> ImportedSchema:
        clashing = sorted(one.value for one in self.edges if one in self.values or one in self.classes)
        clashing += sorted(one.value for one in self.values if one in self.classes)
        if clashing:
            raise DiagnosticError(Diagnostic("UQ682", f"`{one}` is of two kinds at once") for one in clashing)
        schema = Schema(
            self.name,
            tuple(ClassDeclaration(one, self.words(one)) for one in sorted(self.classes, key=str)),
            tuple(self.relation(one) for one in sorted(self.edges, key=str)),
            tuple(self.property(one) for one in sorted(self.values, key=str)),
        )
        names = [*self.classes, *self.edges, *self.values]
        return ImportedSchema(schema, prefixes_for(names, self.prefixes), tuple(self.found.values()))

    def words(self, iri: IRI) -> str | None:
        return self.labels.get(iri) or words_of(iri.value)

    def relation(self, iri: IRI) -> RelationDeclaration:
        ends = self.edges[iri]
        return RelationDeclaration(iri, self.words(iri), _only(one for one, _ in ends), _only(one for _, one in ends))

    def property(self, iri: IRI) -> PropertyDeclaration:
        owners = self.values[iri]
        types = {datatype for _, datatype in owners}
        known = {one for one in types if one is not None}
        common = common_datatype(known) if known and None not in types else None
        return PropertyDeclaration(iri, self.words(iri), _only(one for one, _ in owners), common)


def _only(classes: Iterable[IRI | None]) -> IRI | None:
    """The class, if it is the same everywhere."""
    found = set(classes)
    return found.pop() if len(found) == 1 else None


def _iri(space: str, name: str) -> IRI:
    return IRI(space + quote(name, safe="-._~"))
