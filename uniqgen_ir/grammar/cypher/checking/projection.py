"""Checks of WITH and RETURN: columns and their names, aggregation, ORDER BY, SKIP and LIMIT."""

from __future__ import annotations

from typing import Protocol

from attrs import frozen

from uniqgen_ir.grammar.cypher import ast
from uniqgen_ir.grammar.cypher import ast_expressions as expressions
from uniqgen_ir.grammar.cypher.checking.expressions import ExpressionChecker
from uniqgen_ir.grammar.cypher.context import Context
from uniqgen_ir.grammar.cypher.scope import Scope, aggregates, is_aggregate, kind_of
from uniqgen_ir.grammar.cypher.walk import children, find


class Checker(Protocol):
    """What the checks of a projection need of the checks of a query."""

    context: Context
    expressions: ExpressionChecker


@frozen
class Projected:
    """The variables after the clause, its columns, and what its WHERE and ORDER BY see."""

    scope: Scope
    columns: tuple[str, ...]
    seen: Scope


def column_name(context: Context, item: ast.ProjectionItem) -> str:
    """The name of a column: its alias, or the expression as written."""
    if item.alias is not None:
        return item.alias.text
    if isinstance(item.expression, expressions.Variable):
        return item.expression.name
    return context.text[item.start : item.end]


def project(checker: Checker, projection: ast.Projection, scope: Scope, kept: Scope, *, named: bool) -> Projected:
    """Check a projection over `scope`. `kept` are outer variables that stay visible; `named`: columns need names."""
    context = checker.context
    new: Scope = {name: kind for name, kind in scope.items() if name not in kept} if projection.star else {}
    if projection.star and not scope:
        context.report("UQ187", "`*` stands for no variable: none is in scope", projection.start, projection.end)
    for item in projection.items:
        checker.expressions.projected(item.expression, scope)
        name = column_name(context, item)
        if named and item.alias is None and not isinstance(item.expression, expressions.Variable):
            hint = "give it a name with AS"
            context.report("UQ197", "an expression needs a name here", item.start, item.end, hint=hint)
        elif name in new and not (projection.star and isinstance(item.expression, expressions.Variable)):
            context.report("UQ188", f"two columns are called `{name}`", item.start, item.end)
        new[name] = kind_of(item.expression, scope)
    aggregated = any(aggregates(item.expression) for item in projection.items)
    if aggregated:
        _check_grouping(context, projection)
    narrow = aggregated or projection.distinct
    seen = {**kept, **new} if narrow else {**scope, **new}
    for one in projection.order:
        _check_sort(checker, projection, one.expression, seen, scope, aggregated)
    check_page(checker, projection.skip, projection.limit)
    return Projected(new, tuple(new), seen)


def _check_grouping(context: Context, projection: ast.Projection) -> None:
    """In a column with an aggregate, what stands outside the aggregate must be constant or a column of its own."""
    keys = [item.expression for item in projection.items if not aggregates(item.expression)]
    for item in projection.items:
        if aggregates(item.expression):
            loose = _ungrouped(item.expression, keys)
            if loose is not None:
                text = context.text[loose.start : loose.end]
                message = f"`{text}` stands beside an aggregate but is not grouped"
                hint = f"return `{text}` as a column of its own, or aggregate in a WITH before"
                context.report("UQ189", message, loose.start, loose.end, hint=hint)


def _ungrouped(node: expressions.Node, keys: list[expressions.Expression]) -> expressions.Node | None:
    """The first variable or property outside aggregates that is no grouping key."""
    if is_aggregate(node):
        return None
    if isinstance(node, expressions.Variable | expressions.Property):
        if node in keys:
            return None
        base = node.operand if isinstance(node, expressions.Property) else node
        return None if base in keys else node
    if isinstance(node, expressions.ListComprehension | expressions.Quantifier | expressions.Reduce):
        # their own variables make this undecidable by form; only the source is looked at
        return _ungrouped(node.source, keys)
    if isinstance(node, expressions.Subquery | expressions.PatternSubquery | expressions.PatternComprehension):
        return None
    for child in children(node):
        loose = _ungrouped(child, keys)
        if loose is not None:
            return loose
    return None


def _check_sort(
    checker: Checker,
    projection: ast.Projection,
    expression: expressions.Expression,
    seen: Scope,
    before: Scope,
    aggregated: bool,
) -> None:
    """A sort key sees the columns; where rows were not merged, also what was in scope before."""
    if any(item.expression == expression for item in projection.items):
        return
    context = checker.context
    inside = aggregates(expression)
    if inside and not aggregated:
        context.report("UQ189", "an aggregate cannot be sorted by here", inside[0].start, inside[0].end)
        return
    scope = visible(expression, projection, seen, before)
    for variable in find(expression, expressions.Variable):
        if variable.name not in scope and variable.name in before:
            clause = "DISTINCT" if not aggregated else "aggregation"
            message = f"`{variable.name}` is not visible after {clause}; only columns can be sorted by"
            hint = "sort by a column, or add what is sorted by to the columns"
            context.report("UQ189", message, variable.start, variable.end, hint=hint)
            return
    if inside:
        checker.expressions.projected(expression, scope)
        _check_sort_grouping(context, expression, projection)
    else:
        checker.expressions.plain(expression, scope, "ORDER BY")


def _check_sort_grouping(context: Context, expression: expressions.Expression, projection: ast.Projection) -> None:
    keys = [item.expression for item in projection.items if not aggregates(item.expression)]
    names = {item.alias.text for item in projection.items if item.alias is not None}
    keys += [expressions.Variable(0, 0, name) for name in names]
    loose = _ungrouped(expression, keys)
    if loose is not None:
        text = context.text[loose.start : loose.end]
        message = f"`{text}` stands beside an aggregate but is not grouped"
        context.report("UQ189", message, loose.start, loose.end)


def visible(expression: expressions.Expression, projection: ast.Projection, seen: Scope, before: Scope) -> Scope:
    """What a WHERE or ORDER BY sees: `seen`, and earlier variables inside what is a column as a whole."""
    projected = [item.expression for item in projection.items]
    hidden = [one for one in find(expression, expressions.Variable) if one.name not in seen and one.name in before]
    inside = [one for one in hidden if _inside_projected(expression, one, projected)]
    return {**seen, **{one.name: before[one.name] for one in inside}} if inside else seen


def _inside_projected(
    expression: expressions.Node, variable: expressions.Variable, projected: list[expressions.Expression]
) -> bool:
    """Whether the variable only stands inside parts of the expression that are columns."""
    if expression in projected:
        return True
    if expression is variable:
        return False
    inner = [one for one in children(expression) if any(found is variable for found in find(one, expressions.Variable))]
    return bool(inner) and all(_inside_projected(one, variable, projected) for one in inner)


def check_page(checker: Checker, skip: expressions.Expression | None, limit: expressions.Expression | None) -> None:
    """SKIP and LIMIT take a whole number, not below zero, that does not depend on a row."""
    for name, expression in (("SKIP", skip), ("LIMIT", limit)):
        if expression is None:
            continue
        message = None
        if any(True for _ in find(expression, expressions.Variable)):
            message = f"{name} cannot depend on a variable"
        elif isinstance(expression, expressions.FloatLiteral | expressions.StringLiteral | expressions.BooleanLiteral):
            message = f"{name} takes a whole number"
        elif isinstance(expression, expressions.Unary) and expression.operator == "-":
            message = f"{name} cannot be negative"
        if message is not None:
            checker.context.report("UQ194", message, expression.start, expression.end)
        else:
            checker.expressions.plain(expression, {}, name)
