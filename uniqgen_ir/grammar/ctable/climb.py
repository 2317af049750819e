"""Builders for expressions: precedence climbing over the flat lists that the grammar gives.

From loose to tight: `or`, `and`, `not`, comparisons (which do not chain), `+ -`, `* /`, unary minus.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from uniqgen_ir.grammar.ctable import mistakes
from uniqgen_ir.grammar.ctable.calls import aggregate, call
from uniqgen_ir.grammar.ctable.context import Context
from uniqgen_ir.grammar.ctable.terms import number, term
from uniqgen_ir.grammar.ctable.tree import Item, Node, Token
from uniqgen_ir.ir.expressions import (
    And,
    Arithmetic,
    ArithmeticOperator,
    Call,
    Comparison,
    ComparisonOperator,
    Exists,
    Expression,
    Membership,
    Negative,
    Not,
    Or,
)
from uniqgen_ir.ir.rows import Row

MAX_CHAIN: Final = 100
"""How many operators of one kind may follow each other where each nests the next."""

_COMPARISONS: Final = {
    "EQ": ComparisonOperator.EQUAL,
    "NE": ComparisonOperator.NOT_EQUAL,
    "LT": ComparisonOperator.LESS,
    "LE": ComparisonOperator.LESS_EQUAL,
    "GT": ComparisonOperator.GREATER,
    "GE": ComparisonOperator.GREATER_EQUAL,
}
_ADDITIVE: Final = {"PLUS": ArithmeticOperator.ADD, "MINUS": ArithmeticOperator.SUBTRACT}
_MULTIPLICATIVE: Final = {"STAR": ArithmeticOperator.MULTIPLY, "SLASH": ArithmeticOperator.DIVIDE}
_WORD_CALLS: Final = {
    "STARTS_WITH": "starts_with",
    "ENDS_WITH": "ends_with",
    "CONTAINS": "contains",
    "MATCHES": "matches",
}
_RELATIONS: Final = frozenset({*_COMPARISONS, *_WORD_CALLS, "IN", "NOT_IN", "BETWEEN", "LIKE"})

BlockBuilder = Callable[[Context, Node], tuple[Row, ...]]
"""Builds the rows of a block; given from above, because rows hold expressions and expressions rows."""


class Expressions:
    """Builds the expressions of one text."""

    def __init__(self, context: Context, block: BlockBuilder) -> None:
        self.context = context
        self.block = block

    def build(self, item: Item) -> Expression:
        """The expression of a tree."""
        if item.kind in ("expression", "column_expression") and isinstance(item, Node):
            return _Climber(self, item.items).all()
        return self.primary(item)

    def primary(self, item: Item) -> Expression:
        """The expression of an operand without operators around it."""
        if isinstance(item, Node):
            match item.kind:
                case "group_expression":
                    return self.build(item.items[0])
                case "call":
                    return call(self.context, item, self.build)
                case "aggregate":
                    return aggregate(self.context, item, self.build)
                case "exists":
                    return self.exists(item)
                case _:
                    pass
        return term(self.context, item)

    def exists(self, item: Node, *, negated: bool = False) -> Exists:
        """`exists { … }`."""
        block = item.items[0]
        assert isinstance(block, Node)
        return Exists(self.block(self.context, block), negated)


class _Climber:
    def __init__(self, owner: Expressions, items: list[Item]) -> None:
        self.owner = owner
        self.context = owner.context
        self.items = items
        self.place = 0

    def all(self) -> Expression:
        return self.disjunction()

    def kind(self) -> str:
        return self.items[self.place].kind if self.place < len(self.items) else ""

    def take(self) -> Item:
        item = self.items[self.place]
        self.place += 1
        return item

    def disjunction(self) -> Expression:
        operands = [self.conjunction()]
        while self.kind() == "OR":
            self.take()
            operands.append(self.conjunction())
        return operands[0] if len(operands) == 1 else Or(tuple(operands))

    def conjunction(self) -> Expression:
        operands = [self.negation()]
        while self.kind() == "AND":
            self.take()
            operands.append(self.negation())
        return operands[0] if len(operands) == 1 else And(tuple(operands))

    def negation(self) -> Expression:
        count = 0
        while self.kind() in ("NOT", "BANG"):
            sign = self.take()
            count += 1
            if sign.kind == "BANG":
                mistakes.foreign_not(self.context, sign)
        inner = self.items[self.place]
        if count and inner.kind == "exists" and isinstance(inner, Node):
            self.take()
            expression: Expression = self.owner.exists(inner, negated=True)
            count -= 1
        else:
            expression = self.relation()
        if count > MAX_CHAIN:
            mistakes.too_deep(self.context, inner)
            return expression
        for _ in range(count):
            expression = Not(expression)
        return expression

    def relation(self) -> Expression:
        left = self.sum()
        if self.kind() not in _RELATIONS:
            return left
        left = self.one_relation(left)
        while self.kind() in _RELATIONS:
            mistakes.chained(self.context, self.items[self.place])
            left = self.one_relation(left)
        return left

    def one_relation(self, left: Expression) -> Expression:
        sign = self.take()
        if sign.kind in ("IN", "NOT_IN"):
            options = self.take()
            assert isinstance(options, Node)
            return Membership(left, tuple(map(self.owner.build, options.items)), sign.kind == "NOT_IN")
        if sign.kind == "BETWEEN":
            return self.between(left, sign)
        right = self.sum()
        if sign.kind in _WORD_CALLS:
            return Call(_WORD_CALLS[sign.kind], (left, right))
        if sign.kind == "LIKE":
            return mistakes.like(self.context, sign, self.items[self.place - 1], left, right)
        return Comparison(_COMPARISONS[sign.kind], left, right)

    def between(self, operand: Expression, sign: Item) -> Expression:
        low = self.sum()
        if self.kind() != "AND":
            mistakes.between_without_and(self.context, sign)
            return operand
        self.take()
        high = self.sum()
        return And(
            (
                Comparison(ComparisonOperator.GREATER_EQUAL, operand, low),
                Comparison(ComparisonOperator.LESS_EQUAL, operand, high),
            )
        )

    def sum(self) -> Expression:
        return self.chain(_ADDITIVE, self.product)

    def product(self) -> Expression:
        return self.chain(_MULTIPLICATIVE, self.unary)

    def chain(self, signs: dict[str, ArithmeticOperator], operand: Callable[[], Expression]) -> Expression:
        left, count = operand(), 0
        while self.kind() in signs:
            sign = self.take()
            right = operand()
            count += 1
            if count == MAX_CHAIN:
                mistakes.too_deep(self.context, sign)
            elif count < MAX_CHAIN:
                left = Arithmetic(signs[sign.kind], left, right)
        return left

    def unary(self) -> Expression:
        count = 0
        while self.kind() == "MINUS":
            self.take()
            count += 1
        if self.kind() in ("NOT", "BANG"):
            # `-not ?x`, `1 + not ?x`: odd, but the grammar lets it through
            return mistakes.misplaced_not(self.context, self.take(), self.unary)
        item = self.take()
        if count > MAX_CHAIN:
            mistakes.too_deep(self.context, item)
            count = 0
        if count and item.kind == "NUMBER" and isinstance(item, Token):
            expression: Expression = number("-" + item.text)
            count -= 1
        else:
            expression = self.owner.primary(item)
        for _ in range(count):
            expression = Negative(expression)
        return expression
