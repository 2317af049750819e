"""Scope: which variables may get a value where, and what uses one that never does."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from uniqgen_ir.ir.analysis import positive_variables, row_variables, walk_expression
from uniqgen_ir.ir.diagnostics import Diagnostic
from uniqgen_ir.ir.expressions import Exists, Expression
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
    Values,
)
from uniqgen_ir.ir.spans import Span
from uniqgen_ir.ir.suggestions import nearest
from uniqgen_ir.ir.table import Table
from uniqgen_ir.ir.terms import Variable

Variables = frozenset[Variable]
NONE: Variables = frozenset()


def may_bind(row: Row) -> Variables:
    """The variables that the row gives a value in some solution, if not in every one."""
    match row.atom:
        case Triple() | TypeAtom() | PathAtom():
            return row_variables(Row(row.id, row.atom))
        case Bind(_, variable):
            return frozenset({variable})
        case Values(variables, _):
            return frozenset(variables)
        case OptionalBlock(rows):
            return NONE.union(*(may_bind(one) for one in rows))
        case Either(branches):
            return NONE.union(*(may_bind(one) for branch in branches for one in branch))
        case SubTable(table):
            return frozenset(table.columns) if table.head else NONE.union(*(may_bind(one) for one in table.rows))
        case Filter() | NotBlock() | MinusBlock():
            return NONE


def bindable(rows: Iterable[Row]) -> Variables:
    return NONE.union(*(may_bind(row) for row in rows))


def undefined_in_rows(rows: Iterable[Row], outside: Variables = NONE) -> Iterator[Diagnostic]:
    """UQ203 for each variable that a condition of these rows uses and nothing binds, blocks included."""
    rows = tuple(rows)
    known = outside | bindable(rows)
    for row in rows:
        for expression in _expressions(row):
            yield from undefined_in(expression, known, f"row {row.id}", row.span)
        match row.atom:
            case OptionalBlock(inner) | NotBlock(inner) | MinusBlock(inner):
                yield from undefined_in_rows(inner, known)
            case Either(branches):
                for branch in branches:
                    yield from undefined_in_rows(branch, known)
            case _:
                pass


def undefined_in(expression: Expression, known: Variables, place: str, span: Span | None) -> Iterator[Diagnostic]:
    """UQ203 for each variable of the expression that is not known, once."""
    mentioned = dict.fromkeys(one for one in walk_expression(expression) if isinstance(one, Variable))
    for variable in mentioned:
        if variable not in known:
            yield unknown_variable("UQ203", f"{place} uses {variable}, which no row binds", variable, known, span)
    for one in walk_expression(expression):
        if isinstance(one, Exists):
            yield from undefined_in_rows(one.rows, known)


def unknown_variable(code: str, message: str, variable: Variable, known: Variables, span: Span | None) -> Diagnostic:
    """The diagnostic, with the known variable that looks most like this one."""
    guess = nearest(variable.name, ((one.name, one.name) for one in known))
    return Diagnostic(code, message, span, hint=f"did you mean ?{guess}?" if guess else None)


def badly_designed(table: Table) -> Iterator[Diagnostic]:
    """UQ432 for each `optional` whose own variables another row uses."""
    positive = positive_variables(table.rows)
    for row in table.rows:
        if not isinstance(row.atom, OptionalBlock):
            continue
        own = row_variables(row) - positive
        for other in table.rows:
            shared = own & row_variables(other)
            # a condition on what is optional is ordinary (`bound(?x)`); a second pattern on it is not
            if other is row or isinstance(other.atom, Filter) or not shared:
                continue
            variable = min(shared, key=str)
            message = f"row {row.id} is optional and binds {variable}, which row {other.id} uses, too"
            yield Diagnostic("UQ432", message, row.span, hint=f"bind {variable} in a row that is not optional")
            break


def bound_twice(table: Table) -> Iterator[Diagnostic]:
    """UQ434 for each `bind` or named column whose variable another row binds."""
    for row in table.rows:
        if isinstance(row.atom, Bind):
            others = bindable(one for one in table.rows if one is not row)
            if row.atom.variable in others:
                yield Diagnostic(
                    "UQ434", f"row {row.id} computes {row.atom.variable}, which has a value already", row.span
                )
    for column in table.head:
        if column.alias is not None and column.alias in bindable(table.rows):
            yield Diagnostic("UQ434", f"the head computes {column.alias}, which a row binds already", table.span)


def _expressions(row: Row) -> Iterator[Expression]:
    if row.where is not None:
        yield row.where
    match row.atom:
        case Filter(expression) | Bind(expression, _):
            yield expression
        case _:
            pass
