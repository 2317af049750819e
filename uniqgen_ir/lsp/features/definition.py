"""Where a name comes from."""

from __future__ import annotations

from itertools import pairwise
from typing import TypeAlias

from attrs import frozen

from uniqgen_ir.grammar.ctable.tree import Token
from uniqgen_ir.ir.analysis import binds
from uniqgen_ir.ir.schema import ClassDeclaration, Document, PropertyDeclaration, RelationDeclaration
from uniqgen_ir.ir.spans import Span
from uniqgen_ir.ir.terms import IRI, Variable
from uniqgen_ir.ir.visitor import walk_rows
from uniqgen_ir.lsp.scopes import Occurrence, at, group_of
from uniqgen_ir.lsp.source import NAME_KINDS, Source
from uniqgen_ir.lsp.vocabulary import Vocabulary

Declaration: TypeAlias = ClassDeclaration | RelationDeclaration | PropertyDeclaration


@frozen
class Target:
    """A place in a file: characters `start` to `end` of the file's text."""

    file: str
    start: int = 0
    end: int = 0


def definition(source: Source, offset: int, vocabulary: Vocabulary) -> Target | None:
    """What the word at a character stands for; None where it stands for nothing that has a place.

    A variable: where it is first bound. A prefix: its declaration. A name: its declaration in a schema. The string of
    `use schema`: the file.
    """
    place = at(source.occurrences, offset)
    if place is not None:
        bound = first_binding(source, place)
        return Target(source.name, bound.start, bound.end)
    token = source.token_at(offset)
    if token is None:
        return None
    if token.kind == "STRING":
        return _file(source, token)
    if token.kind not in NAME_KINDS:
        return None
    on_prefix = token.kind == "PNAME" and offset <= token.start + token.text.index(":")
    iri = source.iri_of(token)
    span = None if on_prefix or iri is None else declaration_span(IRI(iri), vocabulary.documents)
    if span is not None:
        return Target(span.source, span.start, span.end)
    return _prefix(source, token)


def first_binding(source: Source, place: Occurrence) -> Token:
    """The word that first binds the variable; where no row can be seen to bind it, its first word outside the head."""
    group = group_of(source.occurrences, place)
    variable = Variable(place.name)
    spans = [
        row.span
        for table in source.tables
        for row in walk_rows(table.rows)
        if row.span is not None and variable in binds(row)
    ]
    bound = [one for one in group if any(span.start <= one.token.start < span.end for span in spans)]
    # what a negative block binds for itself is no answer for the variable around it
    around = [one for one in bound if one.scope is place.owner]
    outside = [one for one in group if not one.in_head]
    return (around or bound or outside or group)[0].token


def declaration_span(iri: IRI, documents: tuple[Document, ...]) -> Span | None:
    """Where a class, relation or property is declared."""
    for document in documents:
        for schema in document.schemas:
            declared: list[Declaration] = [*schema.classes, *schema.relations]
            declared.extend(schema.properties)
            for one in declared:
                if one.iri == iri and one.span is not None:
                    return one.span
    return None


def _prefix(source: Source, token: Token) -> Target | None:
    if token.kind != "PNAME":
        return None
    wanted = token.text[: token.text.index(":") + 1]
    tokens = source.lexed.tokens
    for before, one in pairwise(tokens):
        if before.kind == "_PREFIX" and (one.text == wanted or (wanted == ":" and one.kind == "COLON")):
            return Target(source.name, one.start, one.end)
    return None


def _file(source: Source, token: Token) -> Target | None:
    if source.folder is None or all(one.start != token.start for one in source.uses):
        return None
    path = source.folder / token.text[1:-1]
    return Target(str(path)) if path.is_file() else None
