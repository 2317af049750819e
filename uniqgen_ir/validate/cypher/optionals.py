"""OPTIONAL MATCH whose variables a later part needs: rows without them are dropped, as if it were not optional."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from uniqgen_ir.grammar.cypher import ast
from uniqgen_ir.grammar.cypher import ast_expressions as expressions
from uniqgen_ir.grammar.cypher.context import Context
from uniqgen_ir.grammar.cypher.walk import find
from uniqgen_ir.ir.diagnostics import Related, Severity
from uniqgen_ir.validate.cypher.state import State

_KEEPS_NULL: Final = frozenset(
    {
        *("tolower", "toupper", "lower", "upper", "trim", "ltrim", "rtrim", "left", "right", "substring", "replace"),
        *("size", "length", "tostring", "tointeger", "tofloat", "abs", "round", "floor", "ceil", "sqrt", "id", "type"),
        *("elementid", "labels", "keys", "date", "datetime", "split", "head", "last", "startnode", "endnode"),
    }
)
"""Functions that give null for null."""


def nullable(expression: expressions.Expression, state: State) -> ast.Match | None:
    """The OPTIONAL MATCH without which the value is null; None where it has a value in any case."""
    return next((state.optional[name] for name in strict(expression) if name in state.optional), None)


def strict(node: expressions.Expression) -> Iterable[str]:
    """The variables without which an expression is null."""
    match node:
        case expressions.Variable(name=name):
            return (name,)
        case expressions.Property(operand=operand) | expressions.LabelTest(operand=operand):
            return strict(operand)
        case expressions.Unary(operand=operand):
            return strict(operand)
        case expressions.Index(operand=operand):
            return strict(operand)
        case expressions.Comparison(operands=operands):
            return [name for one in operands for name in strict(one)]
        case expressions.Binary(left=left, right=right):
            # null IN [] is false, and not null: no row either way
            return [*strict(left), *strict(right)]
        case expressions.FunctionCall(arguments=arguments) if node.lower_name in _KEEPS_NULL:
            return [name for one in arguments[:1] for name in strict(one)]
        case _:
            return ()


def _needed(condition: expressions.Expression) -> Iterable[str]:
    """The variables without which a condition is not true."""
    match condition:
        case expressions.PostfixTest(test="IS NOT NULL", operand=operand):
            return strict(operand)
        case expressions.Unary(operator="NOT", operand=expressions.PostfixTest(test="IS NULL", operand=operand)):
            return strict(operand)
        case expressions.Junction(operator="AND", operands=operands):
            return [name for one in operands for name in _needed(one)]
        case expressions.Junction(operator="OR", operands=operands):
            each = [set(_needed(one)) for one in operands]
            return each[0].intersection(*each[1:])
        case expressions.PostfixTest() | expressions.Junction():
            return ()
        case _:
            return strict(condition)


def lost_optionals(context: Context, part: expressions.Expression | ast.Match, state: State) -> None:
    """Warn where a condition, or a MATCH, drops the rows in which an optional part is missing."""
    if not state.optional:
        return
    names = _pattern_names(part) if isinstance(part, ast.Match) else _needed(part)
    for name in dict.fromkeys(names):
        clause = state.optional.get(name)
        if clause is None:
            continue
        related = Related("this OPTIONAL MATCH", context.span(clause.start, clause.end))
        message = f"rows without `{name}` are dropped here, so that OPTIONAL MATCH is not optional"
        hint = "move the condition into the WHERE of the OPTIONAL MATCH, or write MATCH"
        context.report("UQ447", message, part.start, part.end, hint=hint, severity=Severity.WARNING, related=(related,))
        state.optional = {other: one for other, one in state.optional.items() if one is not clause}


def _pattern_names(clause: ast.Match) -> Iterable[str]:
    for pattern in clause.patterns:
        for element in find(pattern, ast.NodePattern):
            if element.variable is not None:
                yield element.variable.text
    if clause.where is not None:
        yield from _needed(clause.where)
