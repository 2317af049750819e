"""What the search cannot work on, refused by name before any statement is sent."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from uniqgen_ir.ir.analysis import answer_key, binds, positive_variables, row_variables, walk_expression
from uniqgen_ir.ir.diagnostics import Diagnostic, DiagnosticError
from uniqgen_ir.ir.expressions import Expression
from uniqgen_ir.ir.protocols import ReferenceAnswer
from uniqgen_ir.ir.rows import (
    Bind,
    Either,
    Filter,
    MinusBlock,
    NotBlock,
    OptionalBlock,
    PathAtom,
    Row,
    Triple,
    TypeAtom,
)
from uniqgen_ir.ir.spans import Span
from uniqgen_ir.ir.table import MatchMode, Table
from uniqgen_ir.ir.terms import Parameter, Variable
from uniqgen_ir.passes.search.misfits import apart_hint, reference_refusals, without_key


def check_searchable(table: Table, references: Iterable[ReferenceAnswer]) -> None:
    """Raises DiagnosticError (UQ410 to UQ412) where chase and backchase would have to guess."""
    found = [*_table_refusals(table), *reference_refusals(table, references)]
    if found:
        raise DiagnosticError(found)


def _table_refusals(table: Table) -> Iterator[Diagnostic]:
    if not answer_key(table):
        yield without_key(table)
    if table.match_mode is not MatchMode.HOMOMORPHISM:
        message = "the table asks for different relationships in one match; rows then depend on one another"
        yield Diagnostic("UQ410", message, _place(table), hint=apart_hint(table))
    for row in table.rows:
        if isinstance(row.atom, Bind | MinusBlock):
            what = "`let`" if isinstance(row.atom, Bind) else "`minus`"
            yield Diagnostic(
                "UQ410", f"row {row.id} is a {what}, which the search cannot drop or keep soundly", row.span
            )
        if any(isinstance(term, Parameter) for term in _terms(row)):
            yield Diagnostic("UQ410", f"row {row.id} has a parameter without a value", row.span, hint="give it a value")
        if isinstance(row.atom, Either):
            yield from _either_refusals(table, row)


def _place(table: Table) -> Span | None:
    """Where the table stands; what was read from a query has places for its rows only."""
    return table.span or next((row.span for row in table.rows if row.span is not None), None)


def _either_refusals(table: Table, row: Row) -> Iterator[Diagnostic]:
    elsewhere = positive_variables(one for one in table.rows if one is not row) | set(answer_key(table))
    assert isinstance(row.atom, Either)
    everywhere = binds(row)
    for variable in sorted((row_variables(row) & elsewhere) - everywhere, key=str):
        message = f"row {row.id} binds {variable} in some branches only, and another row uses it"
        yield Diagnostic("UQ410", message, row.span)


def _terms(row: Row) -> Iterator[object]:
    match row.atom:
        case Triple(subject, predicate, object_):
            yield from (subject, predicate, object_)
        case TypeAtom(subject, type_):
            yield from (subject, type_)
        case PathAtom(subject, _, object_):
            yield from (subject, object_)
        case Filter(condition):
            yield from walk_expression(condition)
        case OptionalBlock(rows) | NotBlock(rows) | MinusBlock(rows):
            for one in rows:
                yield from _terms(one)
        case Either(branches):
            for branch in branches:
                for one in branch:
                    yield from _terms(one)
        case _:
            pass
    yield from _where_terms(row.where)


def _where_terms(condition: Expression | None) -> Iterator[object]:
    if condition is not None:
        yield from walk_expression(condition)


def shell_variables(table: Table) -> frozenset[Variable]:
    """What order keys, groups, `having`, `argmax` and computed columns mention."""
    shell = table.shell
    expressions: list[Expression] = [column.expression for column in (*table.head, *shell.group)]
    expressions += [*shell.having, *(key.expression for key in shell.order)]
    if shell.extreme is not None:
        expressions += [shell.extreme.by, *shell.extreme.variables]
    return frozenset(
        one for expression in expressions for one in walk_expression(expression) if isinstance(one, Variable)
    )
