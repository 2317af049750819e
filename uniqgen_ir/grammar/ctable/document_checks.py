"""Checks across documents: duplicates, names that nothing declares, circles."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TypeAlias

from uniqgen_ir.grammar.ctable.context import did_you_mean
from uniqgen_ir.ir.diagnostics import Diagnostic, Related, Severity
from uniqgen_ir.ir.mapping import EdgeMapping, LabelMapping, Mapping, MediatorMapping, PropertyMapping
from uniqgen_ir.ir.schema import ClassDeclaration, Document, Lexicon, PropertyDeclaration, RelationDeclaration, Schema
from uniqgen_ir.ir.spans import Span
from uniqgen_ir.ir.suggestions import local_name
from uniqgen_ir.ir.terms import IRI
from uniqgen_ir.ir.vocabulary import OWL, RDF, RDFS, SKOS, XSD

Declaration: TypeAlias = ClassDeclaration | RelationDeclaration | PropertyDeclaration
Entry: TypeAlias = LabelMapping | EdgeMapping | PropertyMapping | MediatorMapping

_OPEN_NAMESPACES = (RDF, RDFS, OWL, XSD, SKOS)
"""Names from here need no declaration."""


def check_documents(documents: tuple[Document, ...]) -> list[Diagnostic]:
    """What is not right about documents that belong together."""
    schemas = [schema for document in documents for schema in document.schemas]
    found = list(_duplicates(documents, schemas))
    found += _undeclared_classes(schemas)
    found += _class_circles(schemas)
    found += _unknown_schemas(documents, schemas)
    for document in documents:
        for mapping in document.mappings:
            found += _unknown_in_mapping(mapping, schemas)
    return found


def _twice(what: str, named: Iterable[tuple[str, Span | None]]) -> Iterator[Diagnostic]:
    first: dict[str, Span | None] = {}
    for name, span in named:
        if name in first:
            before = first[name]
            related = (Related("the first one", before),) if before is not None else ()
            yield Diagnostic("UQ301", f"{what} {name} is declared twice", span, related=related)
        else:
            first[name] = span


def _duplicates(documents: tuple[Document, ...], schemas: list[Schema]) -> Iterator[Diagnostic]:
    yield from _twice("the schema", ((one.name, one.span) for one in schemas))
    yield from _twice("the lexicon", ((one.name, one.span) for document in documents for one in document.lexicons))
    yield from _twice("the mapping", ((one.name, one.span) for document in documents for one in document.mappings))
    # one namespace: a name is either a class, a relation or a property
    declared = [one for schema in schemas for one in _declarations(schema)]
    yield from _twice("the name", ((str(one.iri), one.span) for one in sorted(declared, key=_place)))
    yield from _twice("the rule", ((one.name, one.span) for schema in schemas for one in schema.dependencies))
    for document in documents:
        for lexicon in document.lexicons:
            yield from _twice("the rule", ((one.name, one.span) for one in lexicon.implied))
        for mapping in document.mappings:
            named = [(str(one.iri), one.span) for one in sorted(_entries(mapping), key=_place)]
            yield from _twice("the mapping of", named)


def _declarations(schema: Schema) -> list[Declaration]:
    declared: list[Declaration] = [*schema.classes, *schema.relations]
    declared.extend(schema.properties)
    return declared


def _entries(mapping: Mapping) -> list[Entry]:
    entries: list[Entry] = [*mapping.labels, *mapping.edges]
    entries.extend(mapping.properties)
    entries.extend(mapping.mediators)
    return entries


def _place(one: Declaration | Entry) -> tuple[str, int]:
    return (one.span.source, one.span.start) if one.span is not None else ("", 0)


def _is_open(iri: IRI) -> bool:
    return iri.value.startswith(_OPEN_NAMESPACES)


def _unknown(code: str, what: str, iri: IRI, known: Iterable[IRI], span: Span | None) -> Diagnostic:
    close = did_you_mean(local_name(iri.value), (local_name(one.value) for one in known))
    hint = f"did you mean `{close}`?" if close else None
    return Diagnostic(code, f"{what} <{iri.value}> is not declared", span, Severity.WARNING, hint)


def _undeclared_classes(schemas: list[Schema]) -> Iterator[Diagnostic]:
    classes = {one.iri for schema in schemas for one in schema.classes}
    for schema in schemas:
        for owner in _declarations(schema):
            for iri in _classes_of(owner):
                if iri not in classes and not _is_open(iri):
                    yield _unknown("UQ302", "the class", iri, classes, owner.span)


def _classes_of(owner: Declaration) -> tuple[IRI, ...]:
    match owner:
        case ClassDeclaration():
            return (*owner.parents, *owner.disjoint)
        case RelationDeclaration():
            return tuple(one for one in (owner.domain, owner.range) if one is not None)
        case PropertyDeclaration():
            return (owner.domain,) if owner.domain is not None else ()


def _class_circles(schemas: list[Schema]) -> Iterator[Diagnostic]:
    declared = {one.iri: one for schema in schemas for one in schema.classes}
    for iri, declaration in declared.items():
        above: set[IRI] = set()
        waiting = list(declaration.parents)
        while waiting:
            one = waiting.pop()
            if one not in above:
                above.add(one)
                waiting += declared[one].parents if one in declared else ()
        if iri in above:
            yield Diagnostic("UQ309", f"the class {iri} is below itself", declaration.span)


def _unknown_schemas(documents: tuple[Document, ...], schemas: list[Schema]) -> Iterator[Diagnostic]:
    names = [schema.name for schema in schemas]
    for document in documents:
        owners: list[Lexicon | Mapping] = [*document.lexicons]
        owners.extend(document.mappings)
        for one in owners:
            if one.schema is not None and one.schema not in names:
                close = did_you_mean(one.schema, names)
                hint = f"did you mean `{close}`?" if close else None
                yield Diagnostic("UQ304", f"there is no schema `{one.schema}`", one.span, hint=hint)


def _unknown_in_mapping(mapping: Mapping, schemas: list[Schema]) -> Iterator[Diagnostic]:
    # without the schema that it is for, a mapping has nothing to be checked against
    if mapping.schema is None or all(schema.name != mapping.schema for schema in schemas):
        return
    known = {one.iri for schema in schemas for one in _declarations(schema)}
    for entry in _entries(mapping):
        if entry.iri not in known and not _is_open(entry.iri):
            yield _unknown("UQ303", "the name", entry.iri, known, entry.span)
