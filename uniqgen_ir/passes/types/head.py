"""Types in the head and the shell: aggregates, `having`, `argmax`, computed columns."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from uniqgen_ir.ir.analysis import expression_variables, walk_expression
from uniqgen_ir.ir.diagnostics import Diagnostic, Severity
from uniqgen_ir.ir.expressions import Aggregate, Expression
from uniqgen_ir.ir.inference import BlockKind, Key, ScopeTyping, expression_type
from uniqgen_ir.ir.inference.build import type_scope
from uniqgen_ir.ir.inference.conditions import Demand, Part
from uniqgen_ir.ir.rows import Filter, Row
from uniqgen_ir.ir.schema_index import SchemaIndex
from uniqgen_ir.ir.table import Table
from uniqgen_ir.ir.types import NUMBER, Type, can_be_literal, describe, overlap
from uniqgen_ir.passes.types.conflicts import Checker
from uniqgen_ir.passes.types.places import Places


def check_head(table: Table, scope: ScopeTyping, index: SchemaIndex | None, places: Places) -> Iterator[Diagnostic]:
    """Rules aggregate-type and order-type, and those of conditions for `having` and computed columns."""
    known = ScopeTyping(types=dict(scope.types), evidence=dict(scope.evidence))
    for column in (*table.shell.group, *table.head):
        if column.alias is not None:
            known.types[column.alias] = expression_type(column.expression, known.types)
    for expression in _expressions(table):
        for one in walk_expression(expression):
            if isinstance(one, Aggregate):
                yield from _aggregate(one, known.types, table, places)
    yield from _extreme(table, known.types, places)
    yield from _demands(table, known, index, places)


def _expressions(table: Table) -> Iterator[Expression]:
    yield from (column.expression for column in (*table.shell.group, *table.head))
    yield from table.shell.having
    yield from (key.expression for key in table.shell.order)
    if table.shell.extreme is not None:
        yield table.shell.extreme.by


def _aggregate(aggregate: Aggregate, types: Mapping[Key, Type], table: Table, places: Places) -> Iterator[Diagnostic]:
    if aggregate.operand is None or aggregate.function not in ("sum", "avg", "min", "max"):
        return
    found = expression_type(aggregate.operand, types)
    numeric = aggregate.function in ("sum", "avg")
    fits = overlap(found, NUMBER, lambda _left, _right: False) if numeric else can_be_literal(found)
    if not fits:
        wanted = "numbers" if numeric else "values that have an order"
        message = (
            f"{aggregate.function} works on {wanted}, and {places.text(aggregate.operand)} is "
            f"{describe(found, places.short)}"
        )
        hint = f"to count them, write count({places.text(aggregate.operand)})"
        yield Diagnostic("UQ228", message, table.span, Severity.WARNING, hint)


def _extreme(table: Table, types: Mapping[Key, Type], places: Places) -> Iterator[Diagnostic]:
    extreme = table.shell.extreme
    if extreme is not None and not can_be_literal(found := expression_type(extreme.by, types)):
        name, word = ("argmax", "largest") if extreme.largest else ("argmin", "smallest")
        by = places.text(extreme.by)
        message = f"{name} goes by {by}, which is {describe(found, places.short)}: there is no {word} one"
        yield Diagnostic("UQ229", message, table.span, Severity.WARNING)


def _demands(table: Table, known: ScopeTyping, index: SchemaIndex | None, places: Places) -> Iterator[Diagnostic]:
    """`having` must be true; what columns and sort keys compute should have a value."""
    checker = Checker(places, index)
    for truth, expressions in ((True, table.shell.having), (None, _computed(table))):
        for expression in expressions:
            row = Row("having" if truth else "head", Filter(expression), span=table.span)
            used = sorted(expression_variables(expression), key=str)
            typed = type_scope(Part(demands=(Demand(expression, truth, row),)), index, known, used)
            yield from checker.diagnostics(typed, None if truth else BlockKind.GUARDED)


def _computed(table: Table) -> tuple[Expression, ...]:
    columns = tuple(column.expression for column in table.head if column.alias is not None)
    return (*columns, *(key.expression for key in table.shell.order))
