"""How expressions are written in the CTable language: brackets only where precedence asks for them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from uniqgen_ir.ir.expressions import (
    Aggregate,
    And,
    Arithmetic,
    ArithmeticOperator,
    Call,
    Comparison,
    Exists,
    Expression,
    Membership,
    Negative,
    Not,
    Or,
)
from uniqgen_ir.ir.print_names import Names, quoted
from uniqgen_ir.ir.rows import Row
from uniqgen_ir.ir.terms import Literal
from uniqgen_ir.ir.vocabulary import XSD_STRING

OR, AND, NOT, RELATION, SUM, PRODUCT, NEGATIVE, PRIMARY = range(1, 9)

_CASTS: Final = {"date": "xsd:date", "datetime": "xsd:dateTime", "time": "xsd:time", "duration": "xsd:duration"}


class Expressions:
    """Writes expressions; `block` writes the rows of an `exists`."""

    def __init__(self, names: Names, block: Callable[[tuple[Row, ...]], str]) -> None:
        self.names = names
        self.block = block

    def write(self, expression: Expression, least: int = OR) -> str:
        """The expression, in brackets where it binds less tightly than `least`."""
        level, text = self._write(expression)
        return text if level >= least else f"({text})"

    def _write(self, expression: Expression) -> tuple[int, str]:
        match expression:
            case Comparison(operator, left, right):
                return RELATION, f"{self.write(left, SUM)} {operator.value} {self.write(right, SUM)}"
            case And(operands):
                return AND, " and ".join(self.write(one, NOT) for one in operands)
            case Or(operands):
                return OR, " or ".join(self.write(one, AND) for one in operands)
            case Not(operand):
                return NOT, self._negation(operand)
            case Arithmetic():
                return self._arithmetic(expression)
            case Negative(operand):
                return NEGATIVE, self._negative(operand)
            case Membership(operand, options, negated):
                written = ", ".join(map(self.write, options))
                return RELATION, f"{self.write(operand, SUM)} {'not in' if negated else 'in'} ({written})"
            case Call():
                return PRIMARY, self._call(expression)
            case Exists(rows, negated):
                return (NOT if negated else PRIMARY), f"{'not ' if negated else ''}exists {self.block(rows)}"
            case Aggregate():
                return PRIMARY, self._aggregate(expression)
            case Literal():
                text = self.names.literal(expression)
                return (NEGATIVE if text.startswith("-") else PRIMARY), text
            case _:
                return PRIMARY, self.names.term(expression)

    def _negation(self, operand: Expression) -> str:
        # `not exists` is one word to the reader
        plain_exists = isinstance(operand, Exists) and not operand.negated
        text = self.write(operand, NOT)
        return f"not ({text})" if plain_exists else f"not {text}"

    def _arithmetic(self, expression: Arithmetic) -> tuple[int, str]:
        additive = expression.operator in (ArithmeticOperator.ADD, ArithmeticOperator.SUBTRACT)
        level = SUM if additive else PRODUCT
        left, right = self.write(expression.left, level), self.write(expression.right, level + 1)
        return level, f"{left} {expression.operator.value} {right}"

    def _negative(self, operand: Expression) -> str:
        text = self.write(operand, NEGATIVE)
        # `-5` is a number, `-(5)` takes one and turns its sign
        return f"-({text})" if text[0].isdigit() else f"-{text}"

    def _call(self, call: Call) -> str:
        name, arguments = call.function, call.arguments
        if name in _CASTS and len(arguments) == 1:
            only = arguments[0]
            if isinstance(only, Literal) and only.datatype == XSD_STRING:
                # `date("…")` is read as the literal; the cast itself is written with its datatype
                name = _CASTS[name]
        return f"{name}({', '.join(map(self.write, arguments))})"

    def _aggregate(self, aggregate: Aggregate) -> str:
        inside = "*" if aggregate.operand is None else self.write(aggregate.operand)
        distinct = "distinct " if aggregate.distinct else ""
        separator = "" if aggregate.separator is None else f", separator = {quoted(aggregate.separator)}"
        return f"{aggregate.function}({distinct}{inside}{separator})"
