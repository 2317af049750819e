"""Validity: what every table must fulfil before a pass or a backend may see it, and after each pass."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from attrs import frozen

from uniqgen_ir.ir.analysis import has_aggregate
from uniqgen_ir.ir.diagnostics import Diagnostic, DiagnosticError, errors
from uniqgen_ir.ir.expressions import Expression
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
from uniqgen_ir.ir.table import Table
from uniqgen_ir.passes.base import Outcome, PassContext, Unchanged
from uniqgen_ir.passes.verify_scope import badly_designed, bound_twice, undefined_in_rows
from uniqgen_ir.passes.verify_shell import (
    hidden_sort_keys,
    unbound_columns,
    undefined_in_shell,
    unknown_functions,
    wrong_aggregates,
)


@frozen(kw_only=True)
class Verify:
    """Refuse a table that is not valid; change nothing."""

    name = "verify"

    def run(self, table: Table, context: PassContext) -> Outcome:  # noqa: ARG002 - the contract of every pass
        require_valid(table)
        return Unchanged()


def verify(table: Table) -> tuple[Diagnostic, ...]:
    """Every fault of the table, tables inside it included; empty for a valid one."""
    malformed = tuple(_malformed(table))
    if malformed:
        return malformed  # what a row binds is not even defined then
    found = [
        *_duplicate_ids(table.rows, table),
        *unbound_columns(table),
        *undefined_in_rows(table.rows),
        *undefined_in_shell(table),
        *wrong_aggregates(table),
        *hidden_sort_keys(table),
        *badly_designed(table),
        *bound_twice(table),
        *_functions(table),
    ]
    for row in all_rows(table.rows):
        if isinstance(row.atom, SubTable):
            found.extend(verify(row.atom.table))
    return tuple(dict.fromkeys(found))


def require_valid(table: Table) -> None:
    """Raises DiagnosticError with every fault, where there is an error among them."""
    found = verify(table)
    if errors(found):
        raise DiagnosticError(found)


def all_rows(rows: Iterable[Row]) -> Iterator[Row]:
    """The rows and those inside their blocks, but not inside tables."""
    for row in rows:
        yield row
        match row.atom:
            case OptionalBlock(inner) | NotBlock(inner) | MinusBlock(inner):
                yield from all_rows(inner)
            case Either(branches):
                for branch in branches:
                    yield from all_rows(branch)
            case _:
                pass


def _duplicate_ids(rows: Iterable[Row], table: Table) -> Iterator[Diagnostic]:
    rows = tuple(rows)
    seen = Counter(row.id for row in rows)
    for place, row in enumerate(rows):
        if seen[row.id] > 1 and any(earlier.id == row.id for earlier in rows[:place]):
            yield Diagnostic("UQ204", f"two rows are called {row.id}", row.span or table.span)
        match row.atom:
            case OptionalBlock(inner) | NotBlock(inner) | MinusBlock(inner):
                yield from _duplicate_ids(inner, table)
            case Either(branches):
                for branch in branches:
                    yield from _duplicate_ids(branch, table)
            case _:
                pass


def _malformed(table: Table) -> Iterator[Diagnostic]:
    shell = table.shell
    if (shell.limit or 0) < 0 or (shell.offset or 0) < 0:
        yield Diagnostic("UQ433", "a limit or offset is negative", table.span)
    for row in all_rows(table.rows):
        message = _malformation(row)
        if message is not None:
            yield Diagnostic("UQ433", f"row {row.id}: {message}", row.span or table.span)
        for expression in _conditions(row):
            if has_aggregate(expression):
                yield Diagnostic("UQ430", f"row {row.id} has an aggregate", row.span or table.span)


def _malformation(row: Row) -> str | None:
    match row.atom:
        case Values(variables, lines) if any(len(line) != len(variables) for line in lines):
            return "an inline table has lines of another width than its variables"
        case Values(variables, _) if len(set(variables)) != len(variables):
            return "an inline table names a variable twice"
        case Either(branches) if len(branches) < 2 or not all(branches):
            return "`either` needs two or more branches, none of them empty"
        case OptionalBlock(rows) | NotBlock(rows) | MinusBlock(rows) if not rows:
            return "the block is empty"
        case Triple() | TypeAtom() | PathAtom():
            return None
        case _:
            return None if row.where is None else "only a triple, type or path can have a condition of its own"


def _conditions(row: Row) -> Iterator[Expression]:
    if row.where is not None:
        yield row.where
    if isinstance(row.atom, Filter):
        yield row.atom.condition
    if isinstance(row.atom, Bind):
        yield row.atom.expression


def _functions(table: Table) -> Iterator[Diagnostic]:
    for row in all_rows(table.rows):
        for expression in _conditions(row):
            yield from unknown_functions(expression, f"row {row.id}", table)
    for column in (*table.head, *table.shell.group):
        yield from unknown_functions(column.expression, f"the column {column.variable}", table)
    for expression in (*table.shell.having, *(key.expression for key in table.shell.order)):
        yield from unknown_functions(expression, "the shell", table)
