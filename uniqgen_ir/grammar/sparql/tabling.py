"""The table of one SELECT or ASK: rows, head and shell, and the checks on names and groups."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from attrs import frozen

from uniqgen_ir.grammar.sparql.groups import Group, Placed
from uniqgen_ir.grammar.sparql.modifiers import Clauses, Item
from uniqgen_ir.grammar.sparql.scope import NONE, certain
from uniqgen_ir.ir.analysis import expression_variables, has_aggregate, subexpressions, visible_variables
from uniqgen_ir.ir.expressions import Aggregate, Expression
from uniqgen_ir.ir.rows import Bind, Filter, MinusBlock, NotBlock, OptionalBlock, SubTable, Values
from uniqgen_ir.ir.table import Column, Form, OrderKey, Shell, Table
from uniqgen_ir.ir.terms import Variable
from uniqgen_ir.ir.visitor import map_children

if TYPE_CHECKING:
    from uniqgen_ir.grammar.sparql.queries import QueryActions


@frozen
class Head:
    """The head of a query; `items` None stands for `*`."""

    distinct: bool
    items: list[Item] | None
    start: int
    end: int

    def has_aggregates(self) -> bool:
        """Whether a column aggregates."""
        return any(has_aggregate(item.column.expression) for item in self.items or ())


def make_table(
    builder: QueryActions,
    form: Form,
    head: Head,
    where: Group,
    clauses: Clauses,
    values: Values | None,
    start: int,
    end: int,
) -> Table:
    """The table of a query. Rows have no names yet."""
    elements = builder.converter.convert(where, NONE)
    if values is not None:
        elements = _with_values(builder, elements, values, start, end)
    columns = _columns(builder, head, elements, where)
    grouped = _is_grouped(head, clauses)
    order, having = clauses.order, clauses.having
    if grouped:
        _check_groups(builder, head, where, clauses)
        known = {key.variable for key in clauses.group} | {one.variable for one in columns if one.alias is not None}
        order = tuple(OrderKey(_sampled(key.expression, known), key.descending) for key in order)
        having = tuple(_sampled(condition, known) for condition in having)
    if form is Form.ASK and (clauses.offset or clauses.limit is not None):
        elements, clauses, grouped = _sliced(builder, elements, clauses, order, having), Clauses(), False
        order, having = (), ()
    if head.distinct and not grouped and form is Form.SELECT:
        grouping, order = _grouped_for_order(builder, columns, order, clauses)
        if grouping:
            clauses.group, columns = grouping, tuple(Column(one.variable) for one in columns)
    shell = Shell(form, head.distinct, clauses.group, having, None, order, clauses.limit, clauses.offset)
    rows = builder.converter.rows(elements)
    prefixes = tuple(builder.prefixes.items())
    span = builder.context.span(start, end)
    return Table("query", columns, rows, shell, prefixes=prefixes, span=span, permissive=True)


def _with_values(builder: QueryActions, elements: list[Placed], values: Values, start: int, end: int) -> list[Placed]:
    """VALUES at the end of a query joins with all that the pattern gives."""
    named = frozenset(values.variables)
    blocks = (Bind, OptionalBlock, MinusBlock, NotBlock)
    conditions = [one[0] for one in elements if isinstance(one[0], Filter)]
    touched = NONE.union(*(expression_variables(one.condition) for one in conditions))
    alone = any(isinstance(one[0], blocks) for one in elements) or (touched & named) - certain(
        one[0] for one in elements
    )
    if alone:
        builder.has_inner_rows = True
        elements = [(builder.converter.alone(elements), start, end)]
    return [*elements, (values, start, end)]


def _sliced(
    builder: QueryActions,
    elements: list[Placed],
    clauses: Clauses,
    order: tuple[OrderKey, ...],
    having: tuple[Expression, ...],
) -> list[Placed]:
    """The pattern of an ASK with LIMIT or OFFSET: whether any solution is left after them."""
    builder.has_inner_rows = True
    rows = builder.converter.rows(elements)
    shell = Shell(Form.SELECT, False, clauses.group, having, None, order, clauses.limit, clauses.offset)
    head = tuple(Column(key.variable) for key in clauses.group) or tuple(map(Column, visible_variables(rows)))
    start, end = (elements[0][1], elements[-1][2]) if elements else (0, 0)
    return [(SubTable(Table("nested", head, rows, shell)), start, end)]


def _columns(builder: QueryActions, head: Head, elements: list[Placed], where: Group) -> tuple[Column, ...]:
    if head.items is None:
        rows = builder.converter.rows(elements)
        return tuple(Column(one) for one in visible_variables(rows) if one not in builder.blank_variables)
    columns: dict[Variable, Column] = {}
    computed = any(item.column.alias is not None for item in head.items)
    taken: set[Variable] = set(where.visible()) if computed else set()
    for item in head.items:
        column = item.column
        if column.alias is not None and (column.alias in taken or column.alias in columns):
            message = f"?{column.alias.name} has a value already, so `AS` cannot give it one"
            builder.context.report("UQ161", message, item.start, item.end)
        columns.setdefault(column.variable, column)
    return tuple(columns.values())


def _is_grouped(head: Head, clauses: Clauses) -> bool:
    if clauses.group or head.has_aggregates():
        return True
    return any(map(has_aggregate, clauses.having)) or any(has_aggregate(key.expression) for key in clauses.order)


def _grouped_for_order(
    builder: QueryActions, columns: tuple[Column, ...], order: tuple[OrderKey, ...], clauses: Clauses
) -> tuple[tuple[Column, ...], tuple[OrderKey, ...]]:
    """Distinct answers sorted by a value that the head does not show: grouped by the head, sorted by its first value.

    Of equal answers SPARQL keeps the one that the order puts first (15.4); with one hidden key that is the answer with
    the smallest value of it, or the largest where the order descends.
    """
    shown = {column.variable for column in columns}
    hidden = [key for key in order if not expression_variables(key.expression) <= shown]
    if len(hidden) != 1 or not columns:
        return (), order
    (key,) = hidden
    aggregate = Aggregate("max" if key.descending else "min", key.expression)
    if not isinstance(key.expression, Variable):
        start, end = clauses.places["order"]
        what = "largest" if key.descending else "smallest"
        builder.context.note("UQ138", f"each answer is sorted by the {what} value that it has for this key", start, end)
    return columns, tuple(OrderKey(aggregate, key.descending) if one is key else one for one in order)


def _check_groups(builder: QueryActions, head: Head, where: Group, clauses: Clauses) -> None:
    if head.items is None:
        hint = "name the variables of GROUP BY, and aggregate the others"
        builder.context.report("UQ162", "`*` cannot stand in a query that groups", head.start, head.end, hint=hint)
        return
    known = {key.variable for key in clauses.group}
    for item in head.items:
        column = item.column
        loose = [one for one in _outside_aggregates(column.expression) if one not in known]
        if loose:
            _report_loose(builder, loose[0], item, where, clauses)
        if column.alias is not None:
            known.add(column.alias)


def _report_loose(builder: QueryActions, variable: Variable, item: Item, where: Group, clauses: Clauses) -> None:
    context = builder.context
    place = clauses.places.get("group")
    name = f"?{variable.name}"
    edit = (place[1], place[1], f" {name}") if place else (where.end, where.end, f" GROUP BY {name}")
    fix = context.fix(f"group by {name}", edit, safe=False)
    message = f"{name} is neither grouped by nor inside an aggregate"
    context.report("UQ162", message, item.start, item.end, fix=fix)


def _outside_aggregates(expression: Expression) -> list[Variable]:
    found: list[Variable] = []
    stack = [expression]
    while stack:
        one = stack.pop()
        if isinstance(one, Variable):
            found.append(one)
        elif not isinstance(one, Aggregate):
            stack.extend(reversed(subexpressions(one)))
    return found


def _sampled(expression: Expression, known: set[Variable]) -> Expression:
    """A variable that the groups do not fix stands for any of its values (SPARQL 1.1, 18.2.4.1)."""

    def sampled(part: Any) -> Any:
        if isinstance(part, Aggregate):
            return part
        if isinstance(part, Variable):
            return part if part in known else Aggregate("sample", part)
        return map_children(part, sampled)

    return sampled(expression)  # type: ignore[no-any-return]
