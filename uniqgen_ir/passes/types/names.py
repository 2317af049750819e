"""Names against the schema: unknown ones, and ones of another kind."""

from __future__ import annotations

from collections.abc import Iterator

from attrs import frozen

from uniqgen_ir.ir.analysis import walk_expression
from uniqgen_ir.ir.diagnostics import Diagnostic, Edit, Fix, Related, Severity
from uniqgen_ir.ir.expressions import Exists, Expression
from uniqgen_ir.ir.inference.paths import path_predicates
from uniqgen_ir.ir.rows import (
    Bind,
    Either,
    Filter,
    MinusBlock,
    NotBlock,
    OptionalBlock,
    PathAtom,
    Row,
    SubTable,
    Triple,
    TypeAtom,
)
from uniqgen_ir.ir.schema_index import EVERYTHING, SchemaIndex, is_standard
from uniqgen_ir.ir.suggestions import is_typo
from uniqgen_ir.ir.terms import IRI
from uniqgen_ir.ir.vocabulary import RDF_TYPE
from uniqgen_ir.passes.types.places import Places


@frozen
class Use:
    """A name in a row: as a class, or as a predicate."""

    name: IRI
    row: Row
    as_class: bool


def uses(rows: tuple[Row, ...]) -> Iterator[Use]:
    """Every class and predicate that the rows name, those inside blocks, conditions and inner tables included."""
    for row in rows:
        conditions: list[Expression] = [] if row.where is None else [row.where]
        match row.atom:
            case TypeAtom(_, IRI() as name):
                yield Use(name, row, True)
            case Triple(_, IRI() as name, object_):
                yield Use(name, row, False)
                if name.value == RDF_TYPE and isinstance(object_, IRI):
                    yield Use(object_, row, True)
            case PathAtom(_, path, _):
                yield from (Use(name, row, False) for name in path_predicates(path))
            case Filter(expression) | Bind(expression, _):
                conditions.append(expression)
            case OptionalBlock(inner) | NotBlock(inner) | MinusBlock(inner):
                yield from uses(inner)
            case Either(branches):
                for branch in branches:
                    yield from uses(branch)
            case SubTable(table):
                yield from uses(table.rows)
            case _:
                pass
        for condition in conditions:
            for one in walk_expression(condition):
                if isinstance(one, Exists):
                    yield from uses(one.rows)


def check_names(rows: tuple[Row, ...], index: SchemaIndex, places: Places) -> Iterator[Diagnostic]:
    """Rules unknown-class, unknown-predicate and wrong-kind-of-name."""
    seen: set[tuple[IRI, bool, str]] = set()
    for use in uses(rows):
        mark = (use.name, use.as_class, use.row.id)
        if mark in seen or is_standard(use.name) or use.name in EVERYTHING:
            continue
        seen.add(mark)
        yield from _check(use, index, places)


def _check(use: Use, index: SchemaIndex, places: Places) -> Iterator[Diagnostic]:
    own, other = (index.classes, index.predicates) if use.as_class else (index.predicates, index.classes)
    # a domain or parent that is declared nowhere is the schema's fault, not the table's
    if use.name in own or (use.as_class and use.name in index.mentioned_classes):
        return
    text, span = places.text(use.name), places.span(use.row, use.name)
    if use.name in other:
        kinds = ("a relation or property", "a class") if use.as_class else ("a class", "a relation or property")
        declared = other[use.name].span
        related = () if declared is None else (Related("declared here", declared),)
        message = f"{text} is {kinds[0]}, and stands here as {kinds[1]}"
        yield Diagnostic("UQ349", message, span, related=related)
    elif index.speaks_of(use.name):
        yield _unknown(use, index, places)


def _unknown(use: Use, index: SchemaIndex, places: Places) -> Diagnostic:
    near = index.near_class(use.name) if use.as_class else index.near_predicate(use.name)
    code, kind = ("UQ340", "class") if use.as_class else ("UQ341", "relation or property")
    place = places.token(use.row, use.name)
    fix: Fix | None = None
    hint: str | None = None
    if near is not None:
        hint = f"did you mean {places.text(near)}?"
        if place is not None:
            fix = Fix(
                f"write {places.text(near)}",
                (Edit(place.start, place.end, places.text(near)),),
                is_typo(use.name.value, near.value),
            )
    message = f"the schema declares no {kind} {places.text(use.name)}"
    return Diagnostic(code, message, places.span(use.row, use.name), Severity.ERROR, hint, fix)
