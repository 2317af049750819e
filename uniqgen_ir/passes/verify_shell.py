"""The head and the shell: bound columns, aggregates where they may stand, sort keys that mean something."""

from __future__ import annotations

from collections.abc import Iterator

from uniqgen_ir.ir.analysis import has_aggregate, subexpressions, walk_expression
from uniqgen_ir.ir.diagnostics import Diagnostic
from uniqgen_ir.ir.expressions import AGGREGATE_FUNCTIONS, Aggregate, Call, Expression
from uniqgen_ir.ir.functions import FUNCTIONS
from uniqgen_ir.ir.suggestions import nearest
from uniqgen_ir.ir.table import Table
from uniqgen_ir.ir.terms import Variable
from uniqgen_ir.passes.verify_scope import Variables, bindable, undefined_in, unknown_variable


def unbound_columns(table: Table) -> Iterator[Diagnostic]:
    """UQ202 for each plain head variable that nothing binds, UQ203 inside computed columns."""
    known = bindable(table.rows)
    for column in table.head:
        if isinstance(column.expression, Variable) and column.alias is None:
            variable = column.expression
            if variable not in known | _group_names(table):
                message = f"the head asks for {variable}, which no row binds"
                yield unknown_variable("UQ202", message, variable, known, table.span)
        else:
            yield from undefined_in(column.expression, known, f"the column {column.variable}", table.span)


def undefined_in_shell(table: Table) -> Iterator[Diagnostic]:
    """UQ203 for what grouping, `having`, sorting and argmax use although nothing binds it."""
    shell, known = table.shell, bindable(table.rows)
    for column in shell.group:
        yield from undefined_in(column.expression, known, "`group by`", table.span)
    named = known | set(table.columns) | _group_names(table)
    for condition in shell.having:
        yield from undefined_in(condition, named, "`having`", table.span)
    for key in shell.order:
        yield from undefined_in(key.expression, named, "`order by`", table.span)
    if shell.extreme is not None:
        place = "`argmax`" if shell.extreme.largest else "`argmin`"
        for expression in (*shell.extreme.variables, shell.extreme.by):
            yield from undefined_in(expression, named, place, table.span)


def wrong_aggregates(table: Table) -> Iterator[Diagnostic]:
    """UQ430 for aggregates inside aggregates and for columns that are neither grouped nor aggregated."""
    shell = table.shell
    expressions = [column.expression for column in table.head] + [
        *shell.having,
        *(key.expression for key in shell.order),
    ]
    for expression in expressions:
        for one in walk_expression(expression):
            if isinstance(one, Aggregate) and one.operand is not None and has_aggregate(one.operand):
                yield Diagnostic("UQ430", f"{one.function} has an aggregate inside it", table.span)
    if any(has_aggregate(column.expression) for column in shell.group):
        yield Diagnostic("UQ430", "`group by` has an aggregate", table.span)
    if shell.group or any(has_aggregate(one) for one in expressions):
        grouped = {column.expression for column in shell.group} | set(_group_names(table))
        for column in table.head:
            for variable in sorted(_ungrouped(column.expression, frozenset(grouped)), key=str):
                message = f"the column {column.variable} shows {variable}, which is neither grouped nor aggregated"
                hint = f"add {variable} to `group by`, or aggregate it"
                yield Diagnostic("UQ430", message, table.span, hint=hint)


def _ungrouped(expression: Expression, grouped: frozenset[Expression]) -> Variables:
    if expression in grouped or isinstance(expression, Aggregate):
        return frozenset()
    if isinstance(expression, Variable):
        return frozenset({expression})
    return frozenset[Variable]().union(*(_ungrouped(one, grouped) for one in subexpressions(expression)))


def hidden_sort_keys(table: Table) -> Iterator[Diagnostic]:
    """UQ431 for each sort key of a distinct or grouped table that is neither in the head nor aggregated."""
    shell = table.shell
    if not table.head or not (shell.distinct or shell.group):
        return
    shown = frozenset({*table.columns, *(column.expression for column in table.head), *_group_names(table)})
    if shell.group:
        shown |= frozenset(column.expression for column in shell.group)
    for key in shell.order:
        for variable in sorted(_ungrouped(key.expression, shown), key=str):
            message = f"answers are distinct, but sorted by {variable}, which the head does not show"
            yield Diagnostic("UQ431", message, table.span, hint=f"add {variable} to the head, or aggregate it")


def unknown_functions(expression: Expression, place: str, table: Table) -> Iterator[Diagnostic]:
    """UQ205 and UQ206 for calls of functions that do not exist, or with the wrong number of arguments."""
    for one in walk_expression(expression):
        if isinstance(one, Aggregate) and one.function not in AGGREGATE_FUNCTIONS:
            yield Diagnostic("UQ205", f"{place} uses the aggregate `{one.function}`, which does not exist", table.span)
        if not isinstance(one, Call):
            continue
        function = FUNCTIONS.get(one.function)
        if function is None:
            guess = nearest(one.function, ((name, name) for name in FUNCTIONS))
            hint = f"did you mean `{guess}`?" if guess else None
            yield Diagnostic("UQ205", f"{place} calls `{one.function}`, which does not exist", table.span, hint=hint)
        elif len(one.arguments) < function.least or (function.most is not None and len(one.arguments) > function.most):
            message = f"{place} calls `{one.function}` with {len(one.arguments)} arguments"
            yield Diagnostic("UQ206", message, table.span)


def _group_names(table: Table) -> Variables:
    return frozenset(column.variable for column in table.shell.group)
