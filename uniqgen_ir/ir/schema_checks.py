"""What does not fit together in one or several schemas."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from uniqgen_ir.ir.diagnostics import Diagnostic, Related, Severity
from uniqgen_ir.ir.schema import Schema
from uniqgen_ir.ir.schema_index import EVERYTHING, Predicate, SchemaIndex, is_standard
from uniqgen_ir.ir.spans import Span
from uniqgen_ir.ir.terms import IRI


def check_schemas(*schemas: Schema) -> tuple[Diagnostic, ...]:
    """Cycles of classes, declarations that contradict each other, classes that are declared nowhere.

    Several schemas are checked as one. Only what no graph could satisfy, or no reader could have meant, is an error.
    """
    index = SchemaIndex.of(*schemas)
    found = [*_cycles(index), *_impossible_classes(index)]
    for predicate in index.predicates.values():
        found += [*_two_kinds(predicate), *_differing(predicate), *_inverses(predicate, index)]
    return (*found, *_undeclared(schemas, index))


def _cycles(index: SchemaIndex) -> Iterator[Diagnostic]:
    seen: set[IRI] = set()
    for iri, declaration in index.classes.items():
        if iri in seen or iri not in index.superclasses_above(iri):
            continue
        circle = [
            one
            for one in index.classes
            if one in index.superclasses_above(iri) and iri in index.superclasses_above(one)
        ]
        seen.update(circle)
        names = " < ".join(f"<{one.value}>" for one in (*circle, circle[0]))
        others = (index.classes[one].span for one in circle if one != iri)
        related = tuple(Related("part of the cycle", span) for span in others if span is not None)
        yield Diagnostic("UQ309", f"a class is below itself: {names}", declaration.span, related=related)


def _impossible_classes(index: SchemaIndex) -> Iterator[Diagnostic]:
    for iri, declaration in index.classes.items():
        pair = index.declared_disjoint(iri, iri)
        if pair is not None:
            message = f"<{iri.value}> lies below <{pair[0].value}> and <{pair[1].value}>, which are disjoint"
            yield Diagnostic("UQ351", message, declaration.span, hint="a class like this has no instances")


def _two_kinds(predicate: Predicate) -> Iterator[Diagnostic]:
    if predicate.relations and predicate.properties:
        message = f"<{predicate.iri.value}> is declared as a relation and as a property"
        yield _conflict(message, predicate.relations[0].span, predicate.properties[0].span)


def _differing(predicate: Predicate) -> Iterator[Diagnostic]:
    for word, values in (
        ("domains", [(one.domain, one.span) for one in predicate.declarations]),
        ("ranges", [(one.range, one.span) for one in predicate.relations]),
        ("datatypes", [(one.datatype, one.span) for one in predicate.properties]),
        ("inverses", [(one.inverse, one.span) for one in predicate.relations]),
    ):
        given = [(value, span) for value, span in values if value is not None]
        if len({str(value) for value, _ in given}) > 1:
            message = f"<{predicate.iri.value}> is declared with different {word}; any of them is taken to be right"
            yield _conflict(message, given[0][1], given[-1][1], Severity.WARNING)


def _inverses(predicate: Predicate, index: SchemaIndex) -> Iterator[Diagnostic]:
    for one in predicate.relations:
        other = None if one.inverse is None else index.declared_relation(one.inverse)
        if other is None:
            continue
        if other.inverse is not None and other.inverse != one.iri:
            message = f"<{other.iri.value}> is the inverse of <{one.iri.value}>, and is declared to be another's"
            yield _conflict(message, one.span, other.span)
        for here, there in ((one.domain, other.range), (one.range, other.domain)):
            if here and there and not index.related(here, there):
                message = f"<{one.iri.value}> and its inverse <{other.iri.value}> lead between different classes"
                yield _conflict(message, one.span, other.span, Severity.WARNING)


def _conflict(message: str, span: Span | None, other: Span | None, severity: Severity = Severity.ERROR) -> Diagnostic:
    related = () if other is None else (Related("the other declaration", other),)
    return Diagnostic("UQ351", message, span, severity, related=related)


def _undeclared(schemas: Iterable[Schema], index: SchemaIndex) -> Iterator[Diagnostic]:
    seen: set[IRI] = set()
    for name, span in _mentions(schemas):
        if name in index.classes or name in seen or name in EVERYTHING or is_standard(name):
            continue
        seen.add(name)
        near = index.near_class(name)
        hint = None if near is None else f"did you mean <{near.value}>?"
        yield Diagnostic("UQ302", f"the class <{name.value}> is declared nowhere", span, Severity.WARNING, hint)


def _mentions(schemas: Iterable[Schema]) -> Iterator[tuple[IRI, Span | None]]:
    for schema in schemas:
        for class_ in schema.classes:
            yield from ((one, class_.span) for one in (*class_.parents, *class_.disjoint))
        for relation in schema.relations:
            yield from ((one, relation.span) for one in (relation.domain, relation.range) if one is not None)
        yield from ((one.domain, one.span) for one in schema.properties if one.domain is not None)
