"""Replacing aggregates inside expressions."""

from __future__ import annotations

from collections.abc import Callable

from attrs import evolve

from uniqgen_ir.ir.expressions import (
    Aggregate,
    And,
    Arithmetic,
    Call,
    Comparison,
    Expression,
    Membership,
    Negative,
    Not,
    Or,
)
from uniqgen_ir.ir.terms import Variable


def replace_aggregates(expression: Expression, stand_in: Callable[[Aggregate], Variable]) -> Expression:
    """The expression with a variable in the place of every aggregate."""

    def inner(one: Expression) -> Expression:
        return replace_aggregates(one, stand_in)

    match expression:
        case Aggregate():
            return stand_in(expression)
        case Comparison(_, left, right) | Arithmetic(_, left, right):
            return evolve(expression, left=inner(left), right=inner(right))
        case And(operands) | Or(operands):
            return evolve(expression, operands=tuple(inner(one) for one in operands))
        case Not(operand) | Negative(operand):
            return evolve(expression, operand=inner(operand))
        case Membership(operand, options, _):
            return evolve(expression, operand=inner(operand), options=tuple(inner(one) for one in options))
        case Call(_, arguments):
            return evolve(expression, arguments=tuple(inner(one) for one in arguments))
        case _:
            return expression
