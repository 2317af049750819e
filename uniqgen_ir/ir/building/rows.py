"""Rows and paths for programs: what the builder adds to a table."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, TypeAlias

from uniqgen_ir.ir.building.expressions import ExpressionLike, Plain, Term, expression
from uniqgen_ir.ir.diagnostics import fail
from uniqgen_ir.ir.paths import Alternative, Inverse, NegatedSet, Path, Repeat, Sequence, Step
from uniqgen_ir.ir.rows import (
    Filter,
    MinusBlock,
    NotBlock,
    OptionalBlock,
    Origin,
    PathAtom,
    Row,
    RowNote,
    Triple,
    TypeAtom,
)
from uniqgen_ir.ir.terms import IRI, BlankNode, GroundTerm, Literal, Parameter, Variable
from uniqgen_ir.ir.vocabulary import RDF_TYPE

PLAIN: Final = RowNote()

TermLike: TypeAlias = Term | IRI | Literal | Variable | Parameter | Plain
PredicateLike: TypeAlias = Term | IRI | Variable | Parameter | Path
"""A predicate, or a path made with `path`, `inverse`, `either_path`, `repeat`."""

a = Term(IRI(RDF_TYPE))
"""`row("c1", v.city, a, ex.City)`: the subject is an instance of the class."""


def term(value: TermLike) -> Variable | Parameter | IRI | Literal:
    """What may stand in a triple. Raises DiagnosticError UQ175 for a compound expression."""
    node = expression(value)
    if not isinstance(node, Variable | Parameter | IRI | Literal):
        raise fail("UQ175", "a triple holds terms, not expressions", hint="compare with `where=` or `filter`")
    return node


def note(
    *,
    origin: Origin = Origin.EXPLICIT,
    required: bool = False,
    uncertainty: float | None = None,
    reason: str | None = None,
) -> RowNote:
    """The annotation of a row. Raises DiagnosticError UQ176 where the uncertainty is not between 0 and 1."""
    if uncertainty is not None and not 0.0 <= uncertainty <= 1.0:
        raise fail("UQ176", f"uncertainty {uncertainty} is not between 0 and 1")
    return RowNote(origin, required, uncertainty, reason)


def row(
    row_id: str,
    subject: TermLike,
    predicate: PredicateLike,
    object_: TermLike,
    *,
    where: ExpressionLike | None = None,
    note: RowNote = PLAIN,
) -> Row:
    """A triple, type or path row, with an optional condition that is one unit with it."""
    condition = None if where is None else expression(where)
    return Row(row_id, _atom(term(subject), predicate, term(object_)), condition, note)


def _atom(
    subject: Variable | Parameter | IRI | Literal,
    predicate: PredicateLike,
    object_: Variable | Parameter | IRI | Literal,
) -> Triple | TypeAtom | PathAtom:
    if isinstance(predicate, Inverse | Sequence | Alternative | Repeat | NegatedSet):
        return PathAtom(subject, predicate, object_)
    known = term(predicate.predicate if isinstance(predicate, Step) else predicate)
    if isinstance(known, Literal):
        raise fail("UQ175", f"{known} cannot be a predicate")
    if known == IRI(RDF_TYPE) and not isinstance(object_, Literal):
        return TypeAtom(subject, object_)
    return Triple(subject, known, object_)


def filter_row(row_id: str, condition: ExpressionLike, *, note: RowNote = PLAIN) -> Row:
    """A condition as a row of its own."""
    return Row(row_id, Filter(expression(condition)), None, note)


def block(kind: type[OptionalBlock | NotBlock | MinusBlock], row_id: str, rows: Iterable[Row]) -> Row:
    """A block as a row. Raises DiagnosticError UQ176 where it is empty."""
    inside = tuple(rows)
    if not inside:
        raise fail("UQ176", f"the block {row_id} has no rows")
    return Row(row_id, kind(inside))


def step(predicate: Term | IRI | Path) -> Path:
    """One predicate as a path; a path stands for itself."""
    if not isinstance(predicate, Term | IRI):
        return predicate
    known = term(predicate)
    if not isinstance(known, IRI):
        raise fail("UQ175", f"a path is made of IRIs, not of {known}")
    return Step(known)


def path(*steps: Term | IRI | Path) -> Path:
    """The steps one after the other: `p / q`."""
    if not steps:
        raise fail("UQ175", "a path needs at least one step")
    return step(steps[0]) if len(steps) == 1 else Sequence(tuple(map(step, steps)))


def inverse(one: Term | IRI | Path) -> Path:
    """The path walked backwards: `^p`."""
    return Inverse(step(one))


def either_path(*paths: Term | IRI | Path) -> Path:
    """Any one of the paths: `p | q`."""
    return step(paths[0]) if len(paths) == 1 else Alternative(tuple(map(step, paths)))


def repeat(one: Term | IRI | Path, minimum: int, maximum: int | None) -> Path:
    """`p{minimum,maximum}`; None is without a bound. Raises DiagnosticError UQ175 for bounds that make no sense."""
    if minimum < 0 or (maximum is not None and maximum < minimum):
        raise fail("UQ175", f"a path cannot be walked {minimum} to {maximum} times")
    return Repeat(step(one), minimum, maximum)


def ground(value: TermLike | BlankNode | None) -> GroundTerm | None:
    """A value of an inline table. Raises DiagnosticError UQ175 for a variable."""
    if value is None or isinstance(value, BlankNode):
        return value
    known = term(value)
    if isinstance(known, Variable | Parameter):
        raise fail("UQ175", f"{known} cannot stand in an inline table")
    return known
