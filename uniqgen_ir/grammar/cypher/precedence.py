"""Operator precedence: from a flat chain of operands and operators to a tree.

From loosest to tightest: OR, XOR, AND, NOT, comparisons, tests (`IN`, `STARTS WITH`, `=~`, `IS NULL` …), `+ - ||`,
`* / %`, `^`, signs. Binary operators group to the left; comparisons of one chain stay together.
"""

from __future__ import annotations

from typing import Any, Final

from uniqgen_ir.grammar.cypher import ast_expressions as ast
from uniqgen_ir.grammar.cypher.context import Context
from uniqgen_ir.grammar.cypher.tokens import Token

_NOT: Final = 4
_COMPARISON: Final = 5
_TEST: Final = 6
_LEVELS: Final[dict[str, int]] = {
    "OR": 1,
    "XOR": 2,
    "AND": 3,
    **dict.fromkeys(("=", "<>", "<", "<=", ">", ">="), _COMPARISON),
    **dict.fromkeys(("=~", "IN", "CONTAINS", "STARTS WITH", "ENDS WITH"), _TEST),
    **dict.fromkeys(("+", "-", "||"), 7),
    **dict.fromkeys(("*", "/", "%"), 8),
    "^": 9,
}


def climb(context: Context, chain: list[Any]) -> ast.Expression:
    """The tree of a chain: operands (nodes) and operators (tokens) in the order of the text."""
    return _Climber(context, chain).expression(1)


class _Climber:
    def __init__(self, context: Context, chain: list[Any]) -> None:
        self.context = context
        self.chain = chain
        self.place = 0

    def expression(self, least: int) -> ast.Expression:
        """The longest expression from here whose operators bind at least as tightly as `least`."""
        left = self.operand(least)
        while self.place < len(self.chain):
            token: Token = self.chain[self.place]
            level = _LEVELS.get(token.upper or token.text, _TEST)
            if level < least:
                break
            left = self.binary(left, token, level)
        return left

    def binary(self, left: ast.Expression, token: Token, level: int) -> ast.Expression:
        operator = token.upper or token.text
        self.place += 1
        if "POSTFIX" in token.kinds:
            return ast.PostfixTest(left.start, token.end, left, operator)
        if level == _COMPARISON:
            return self.comparison(left, operator)
        right = self.expression(level + 1)
        if level > _NOT:
            return ast.Binary(left.start, right.end, operator, left, right)
        operands = [left, right]
        while self.place < len(self.chain) and self.chain[self.place].upper == operator:
            self.place += 1
            operands.append(self.expression(level + 1))
        return ast.Junction(left.start, operands[-1].end, operator, tuple(operands))

    def comparison(self, left: ast.Expression, operator: str) -> ast.Expression:
        operators, operands = [operator], [left, self.expression(_COMPARISON + 1)]
        while self.place < len(self.chain) and _LEVELS.get(self.chain[self.place].text) == _COMPARISON:
            operators.append(self.chain[self.place].text)
            self.place += 1
            operands.append(self.expression(_COMPARISON + 1))
        return ast.Comparison(left.start, operands[-1].end, tuple(operators), tuple(operands))

    def operand(self, least: int) -> ast.Expression:
        item = self.chain[self.place]
        self.place += 1
        if not isinstance(item, Token):
            operand: ast.Expression = item
            return operand
        if item.upper != "NOT":
            inner = self.operand(least)
            return ast.Unary(item.start, inner.end, item.text, inner)
        if least > _NOT:
            message, hint = "NOT here needs round brackets", "put `(` and `)` around NOT and what it negates"
            self.context.report("UQ180", message, item.start, item.end, hint=hint)
        inner = self.expression(_NOT)
        return ast.Unary(item.start, inner.end, "NOT", inner)
