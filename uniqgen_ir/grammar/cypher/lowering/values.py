"""UNWIND of constants as an inline table."""

from __future__ import annotations

from typing import Final

from uniqgen_ir.grammar.cypher import ast_expressions as ast
from uniqgen_ir.grammar.cypher.lowering.group import Builder, UnsupportedError
from uniqgen_ir.ir.rows import Values
from uniqgen_ir.ir.terms import Literal, Variable

_MOST: Final = 1000
"""Lines that an inline table may have."""


def unwound(builder: Builder, expression: ast.Expression, variable: Variable) -> Values:
    """The inline table of a list of constants, or of range() over constants."""
    del builder
    if isinstance(expression, ast.ListLiteral):
        return Values((variable,), tuple((_constant(one),) for one in expression.items))
    if isinstance(expression, ast.FunctionCall) and expression.lower_name == "range":
        numbers = [_number(one) for one in expression.arguments]
        if len(numbers) in (2, 3) and (len(numbers) == 2 or numbers[2] != 0):
            first, last, step = numbers[0], numbers[1], numbers[2] if len(numbers) == 3 else 1
            values = range(first, last + (1 if step > 0 else -1), step)
            if len(values) <= _MOST:
                return Values((variable,), tuple((Literal.of(one),) for one in values))
    raise UnsupportedError("UNWIND of anything but a list of constants", expression)


def _constant(node: ast.Expression) -> Literal | None:
    if isinstance(node, ast.NullLiteral):
        return None
    if isinstance(node, ast.IntegerLiteral | ast.FloatLiteral | ast.StringLiteral | ast.BooleanLiteral):
        return Literal.of(node.value)
    if isinstance(node, ast.Unary) and node.operator == "-":
        operand = node.operand
        if isinstance(operand, ast.IntegerLiteral | ast.FloatLiteral):
            return Literal.of(-operand.value)
    raise UnsupportedError("UNWIND of anything but constants", node)


def _number(node: ast.Expression) -> int:
    value = _constant(node)
    if value is None or not value.lexical.lstrip("-").isdigit():
        raise UnsupportedError("range() of anything but constants", node)
    return int(value.lexical)
