"""Schemas and lexicons: what a `.cts` file declares."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from attrs import field, frozen

from uniqgen_ir.ir.mapping import Mapping
from uniqgen_ir.ir.rows import Row, RowNote
from uniqgen_ir.ir.spans import Span
from uniqgen_ir.ir.terms import IRI, Variable


@frozen
class ClassDeclaration:
    iri: IRI
    label: str | None = None
    parents: tuple[IRI, ...] = ()
    disjoint: tuple[IRI, ...] = field(default=(), kw_only=True)
    """classes that share no instance with this one or anything below it; declaring it on one side is enough"""
    span: Span | None = field(default=None, eq=False, repr=False)


@frozen
class RelationDeclaration:
    """A predicate between entities.

    `functional`: at most one object per subject; `key`: at most one subject per object.
    """

    iri: IRI
    label: str | None = None
    domain: IRI | None = None
    range: IRI | None = None
    inverse: IRI | None = None
    functional: bool = False
    key: bool = False
    span: Span | None = field(default=None, eq=False, repr=False)


@frozen
class PropertyDeclaration:
    """A predicate from an entity to a literal of `datatype` (an IRI string)."""

    iri: IRI
    label: str | None = None
    domain: IRI | None = None
    datatype: str | None = None
    functional: bool = False
    key: bool = False
    span: Span | None = field(default=None, eq=False, repr=False)


@frozen
class Synonym:
    """Other words for a class, relation, property or entity."""

    texts: tuple[str, ...]
    target: IRI
    span: Span | None = field(default=None, eq=False, repr=False)


@frozen
class Dependency:
    """`body => head`: a tuple-generating dependency, or, with `equal`, an equality-generating one."""

    name: str
    body: tuple[Row, ...]
    head: tuple[Row, ...] = ()
    equal: tuple[Variable, Variable] | None = None
    span: Span | None = field(default=None, eq=False, repr=False)


@frozen
class ImpliedRule:
    """`body => head` as a habit of speech, not a law: where a plan says `body`, people also mean `head`.

    `note` carries the prior (its uncertainty) and the reason that the trace will give.
    """

    name: str
    body: tuple[Row, ...]
    head: tuple[Row, ...]
    note: RowNote
    span: Span | None = field(default=None, eq=False, repr=False)


@frozen
class Schema:
    """What a graph is made of: classes, relations, properties, words for them, and what follows from what."""

    name: str
    classes: tuple[ClassDeclaration, ...] = ()
    relations: tuple[RelationDeclaration, ...] = ()
    properties: tuple[PropertyDeclaration, ...] = ()
    synonyms: tuple[Synonym, ...] = ()
    dependencies: tuple[Dependency, ...] = ()
    span: Span | None = field(default=None, eq=False, repr=False)


def together(schemas: Sequence[Schema]) -> Schema:
    """At least one schema as one, under the name of the first."""
    return Schema(
        name=schemas[0].name,
        classes=tuple(one for schema in schemas for one in schema.classes),
        relations=tuple(one for schema in schemas for one in schema.relations),
        properties=tuple(one for schema in schemas for one in schema.properties),
        synonyms=tuple(one for schema in schemas for one in schema.synonyms),
        dependencies=tuple(one for schema in schemas for one in schema.dependencies),
    )


@frozen
class Lexicon:
    """Words for the names of a schema, and what people imply."""

    name: str
    schema: str | None = None
    synonyms: tuple[Synonym, ...] = ()
    implied: tuple[ImpliedRule, ...] = ()
    span: Span | None = field(default=None, eq=False, repr=False)


@frozen
class Document:
    """Everything that one `.cts` file holds. `uses` names other files, relative to this one."""

    schemas: tuple[Schema, ...] = ()
    lexicons: tuple[Lexicon, ...] = ()
    mappings: tuple[Mapping, ...] = ()
    uses: tuple[str, ...] = ()
    prefixes: tuple[tuple[str, str], ...] = field(default=(), eq=False)


def declared_schema(documents: Iterable[Document]) -> Schema | None:
    """Every schema of some documents as one; None where they declare none."""
    schemas = [schema for document in documents for schema in document.schemas]
    return together(schemas) if schemas else None
