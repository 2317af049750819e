"""What the shell of a table does to the solutions of its rows: grouping, superlatives, order, projection, slice."""

from __future__ import annotations

from collections.abc import Sequence

from uniqgen_ir.ir.analysis import has_aggregate, visible_variables
from uniqgen_ir.ir.evaluation.expressions import FALSE, TRUE, Scope, Solution, evaluate_expression, holds
from uniqgen_ir.ir.expressions import Expression
from uniqgen_ir.ir.protocols import AnswerRow, Answers
from uniqgen_ir.ir.table import Column, Extreme, Form, OrderKey, Shell, Table
from uniqgen_ir.ir.terms import GroundTerm, Variable
from uniqgen_ir.ir.values import order_key

_Member = tuple[Solution, Sequence[Solution]]
"""A solution of the grouped table, and the solutions that its aggregates range over."""


def finish(table: Table, solutions: Sequence[Solution], scope: Scope) -> Answers:
    """The answers that the shell makes of the solutions of the rows."""
    shell = table.shell
    members = _grouped(table, solutions, scope)
    members = [_with_head(table, member, scope) for member in members]
    members = [one for one in members if all(holds(condition, *_around(one, scope)) for condition in shell.having)]
    if shell.extreme is not None:
        members = _extremes(shell.extreme, members, scope)
    if shell.form is Form.ASK:
        return Answers(("ask",), ((TRUE if members else FALSE,),))
    for key in reversed(shell.order):  # a stable sort by the last key first
        members = _sorted(key, members, scope)
    variables = table.columns or visible_variables(table.rows)
    rows: list[AnswerRow] = [tuple(solution.get(one) for one in variables) for solution, _ in members]
    if shell.distinct:
        rows = list(dict.fromkeys(rows))
    start = shell.offset or 0
    rows = rows[start : None if shell.limit is None else start + shell.limit]
    return Answers(tuple(one.name for one in variables), tuple(rows))


def _around(member: _Member, scope: Scope) -> tuple[Solution, Scope, Sequence[Solution]]:
    return member[0], scope, member[1]


def group_columns(table: Table) -> tuple[Column, ...] | None:
    """What the table groups by; () for one group of everything, None where it does not group.

    A superlative over an aggregate (`argmax ?city by count(?g)`) without `group by` groups by its own variables.
    """
    shell = table.shell
    if shell.group:
        return shell.group
    extreme = shell.extreme
    if extreme is not None and has_aggregate(extreme.by):
        return tuple(Column(variable) for variable in extreme.variables)
    return () if any(has_aggregate(one) for one in _shell_expressions(table.head, shell)) else None


def _shell_expressions(head: Sequence[Column], shell: Shell) -> list[Expression]:
    return [column.expression for column in head] + list(shell.having) + [key.expression for key in shell.order]


def _grouped(table: Table, solutions: Sequence[Solution], scope: Scope) -> list[_Member]:
    columns = group_columns(table)
    if columns is None:
        return [(solution, ()) for solution in solutions]
    if not columns:
        return [({}, solutions)]
    groups: dict[tuple[GroundTerm | None, ...], list[Solution]] = {}
    for solution in solutions:
        key = tuple(evaluate_expression(column.expression, solution, scope) for column in columns)
        groups.setdefault(key, []).append(solution)
    return [(_bound(columns, key), members) for key, members in groups.items()]


def _bound(columns: Sequence[Column], key: Sequence[GroundTerm | None]) -> Solution:
    named: list[tuple[Variable, GroundTerm | None]] = [
        (column.variable, value) for column, value in zip(columns, key, strict=True)
    ]
    return {variable: value for variable, value in named if value is not None}


def _with_head(table: Table, member: _Member, scope: Scope) -> _Member:
    """The member with the computed columns of the head bound, each of them visible to the next."""
    solution, group = member
    for column in table.head:
        if column.alias is not None:
            value = evaluate_expression(column.expression, solution, scope, group)
            if value is not None:
                solution = {**solution, column.alias: value}
    return solution, group


def _extremes(extreme: Extreme, members: Sequence[_Member], scope: Scope) -> list[_Member]:
    """The members whose value is largest (smallest), all ties; those without a value never win."""
    values = [(evaluate_expression(extreme.by, *_around(member, scope)), member) for member in members]
    keyed = [(order_key(value), member) for value, member in values if value is not None]
    if not keyed:
        return []
    best = (max if extreme.largest else min)(key for key, _ in keyed)
    return [member for key, member in keyed if key == best]


def _sorted(key: OrderKey, members: Sequence[_Member], scope: Scope) -> list[_Member]:
    return sorted(
        members,
        key=lambda member: order_key(evaluate_expression(key.expression, *_around(member, scope))),
        reverse=key.descending,
    )
