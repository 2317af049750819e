"""Literals by themselves, differences that always hold, and two values where the schema allows one."""

from __future__ import annotations

from collections.abc import Iterator

from uniqgen_ir.ir.analysis import walk_expression
from uniqgen_ir.ir.diagnostics import Diagnostic, Edit, Fix, Related, Severity
from uniqgen_ir.ir.expressions import Comparison, ComparisonOperator, Expression, Membership
from uniqgen_ir.ir.inference import ScopeTyping, expression_type
from uniqgen_ir.ir.inference.expressions import partner
from uniqgen_ir.ir.rows import Bind, Filter, Row, Triple
from uniqgen_ir.ir.schema_index import SchemaIndex
from uniqgen_ir.ir.temporal import Temporal
from uniqgen_ir.ir.terms import IRI, Literal, Term, Variable
from uniqgen_ir.ir.types import LiteralType, has_known_values, overlap, union
from uniqgen_ir.ir.values import equal, value_of
from uniqgen_ir.passes.types.fixes import recast
from uniqgen_ir.passes.types.places import Places


def conditions(row: Row) -> tuple[Expression, ...]:
    """The expressions that stand in the row itself."""
    own = () if row.where is None else (row.where,)
    match row.atom:
        case Filter(expression) | Bind(expression, _):
            return (*own, expression)
        case _:
            return own


def check_literals(scope: ScopeTyping, places: Places) -> Iterator[Diagnostic]:
    """Rule ill-formed-literal."""
    for row in scope.rows:
        terms: list[object] = [one for condition in conditions(row) for one in walk_expression(condition)]
        if isinstance(row.atom, Triple):
            terms += [row.atom.subject, row.atom.object]
        for term in terms:
            if isinstance(term, Literal) and has_known_values(term.datatype) and value_of(term) is None:
                message = f"{places.text(term)} is not a well-formed {places.short(term.datatype)}"
                yield Diagnostic(
                    "UQ222", message, places.span(row, term), Severity.WARNING, *_mended(row, term, places)
                )


def _mended(row: Row, literal: Literal, places: Places) -> tuple[str | None, Fix | None]:
    found = recast(literal, LiteralType(frozenset({literal.datatype})))
    if found is None:
        return None, None
    text, place = places.text(found.literal), places.token(row, literal)
    fix = None if place is None else Fix(f"write {text}", (Edit(place.start, place.end, text),), found.safe)
    return f"write {text}", fix


def check_differences(scope: ScopeTyping, index: SchemaIndex | None, places: Places) -> Iterator[Diagnostic]:
    """Rule always-different."""

    def never_both(left: IRI, right: IRI) -> bool:
        return index is not None and index.never_both(left, right)

    for row in scope.rows:
        for one in (part for condition in conditions(row) for part in walk_expression(condition)):
            match one:
                case Comparison(ComparisonOperator.NOT_EQUAL, left, right):
                    others: tuple[Expression, ...] = (right,)
                    word = "!="
                case Membership(left, options, True):
                    others, word = options, "not in"
                case _:
                    continue
            if isinstance(left, Variable) and all(isinstance(other, Variable) for other in others):
                # "all different", written pair by pair, is common and means no harm
                continue
            found = expression_type(left, scope.types)
            wanted = union(partner(expression_type(other, scope.types), ordered=False) for other in others)
            if others and not overlap(found, wanted, never_both):
                message = (
                    f"`{places.text(left)} {word} …` holds whatever the value is: the two sides are of unlike types"
                )
                yield Diagnostic(
                    "UQ230", message, places.token(row, left) or places.span(row, others[0]), Severity.WARNING
                )


def check_functional(scope: ScopeTyping, index: SchemaIndex, places: Places) -> Iterator[Diagnostic]:
    """Rule functional-conflict: two different constants where a functional or key predicate allows one."""
    first_by_place: dict[tuple[Term, IRI, str], tuple[Row, Term]] = {}
    for row in scope.rows:
        triple = row.atom
        if not isinstance(triple, Triple) or not isinstance(triple.predicate, IRI):
            continue
        declared = index.predicate(triple.predicate)
        if declared is None:
            continue
        for promised, fixed, free, word in (
            (declared.functional, triple.subject, triple.object, "one value"),
            (declared.key, triple.object, triple.subject, "one subject for a value"),
        ):
            if not promised or not isinstance(free, IRI | Literal):
                continue
            row_before, value = first_by_place.setdefault((fixed, triple.predicate, word), (row, free))
            if _surely_differ(value, free):
                yield _conflict(
                    row_before, row, (value, free), f"{places.text(triple.predicate)} has only {word}", places
                )


def _conflict(first: Row, second: Row, values: tuple[Term, Term], promise: str, places: Places) -> Diagnostic:
    one, other = (places.text(value) for value in values)
    span = places.span(first, values[0])
    related = () if span is None else (Related(f"{one} here", span),)
    message = f"{promise}: it cannot be {one} and {other} at once"
    return Diagnostic("UQ347", message, places.span(second, values[1]), related=related)


def _surely_differ(left: Term, right: Term) -> bool:
    if isinstance(left, IRI) or isinstance(right, IRI):
        return left != right
    if not isinstance(left, Literal) or not isinstance(right, Literal):
        return False
    first, second = value_of(left), value_of(right)
    if isinstance(first, Temporal) and isinstance(second, Temporal) and (first.zone is None) != (second.zone is None):
        # with and without a zone they may be the same moment
        return False
    return first is not None and second is not None and equal(left, right) is False
