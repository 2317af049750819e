"""Arithmetic over literals: numbers with SPARQL's promotion, and times with durations."""

from __future__ import annotations

import math
import operator as operators
from decimal import Context, Decimal, localcontext
from typing import Final

from attrs import evolve

from uniqgen_ir.ir.expressions import ArithmeticOperator
from uniqgen_ir.ir.temporal import Duration, Temporal, add_duration, difference
from uniqgen_ir.ir.terms import GroundTerm, Literal
from uniqgen_ir.ir.values import Number, Single, Value, literal_of, to_double, value_of
from uniqgen_ir.ir.vocabulary import XSD_DURATION

_EXACT: Final = Context(prec=10_000)
_PLACES: Final = Decimal(1).scaleb(-18)
"""The exact result of a division may be endless: 18 decimal places are kept and the rest cut off, as Oxigraph does."""

_OPERATIONS: Final = {
    ArithmeticOperator.ADD: operators.add,
    ArithmeticOperator.SUBTRACT: operators.sub,
    ArithmeticOperator.MULTIPLY: operators.mul,
}


def arithmetic(operator: ArithmeticOperator, left: GroundTerm | None, right: GroundTerm | None) -> Literal | None:
    """The literal `left operator right`; None where SPARQL has an error (operands of other types, division by zero)."""
    first = None if left is None else value_of(left)
    second = None if right is None else value_of(right)
    if isinstance(first, bool) or isinstance(second, bool):
        return None
    result: Value | None
    match first, second:
        case (int() | Decimal() | float() | Single(), int() | Decimal() | float() | Single()):
            result = calculate(operator, first, second)
        case (Temporal(), Temporal()) if operator is ArithmeticOperator.SUBTRACT:
            result = difference(first, second)
        case (Temporal() | Duration(), Duration()):
            result = _move(operator, first, second)
        case (Duration(), Temporal()) if operator is ArithmeticOperator.ADD:
            result = _move(operator, second, first)
        case _:
            result = None
    return None if result is None else literal_of(result)


def calculate(operator: ArithmeticOperator, left: Number, right: Number) -> Number | None:
    """The result in the wider type of the two (two integers divided: a decimal); None for a decimal divided by zero."""
    if isinstance(left, float) or isinstance(right, float):
        return _on_floats(operator, to_double(left), to_double(right))
    if isinstance(left, Single) or isinstance(right, Single):
        # both operands are rounded first: 16777217 is not a 32-bit float
        first, second = Single.rounded(to_double(left)), Single.rounded(to_double(right))
        return Single.rounded(_on_floats(operator, first.number, second.number))
    with localcontext(_EXACT):
        if operator is ArithmeticOperator.DIVIDE:
            return _divide(Decimal(left), Decimal(right))
        result: int | Decimal = _OPERATIONS[operator](left, right)
        return result


def _divide(left: Decimal, right: Decimal) -> Decimal | None:
    return None if right == 0 else (left / right).quantize(_PLACES, rounding="ROUND_DOWN").normalize()


def _on_floats(operator: ArithmeticOperator, left: float, right: float) -> float:
    if operator is not ArithmeticOperator.DIVIDE:
        result: float = _OPERATIONS[operator](left, right)
        return result
    if right != 0:
        return left / right
    # IEEE 754: x/0 is an infinity with the sign of both, 0/0 no number
    return math.nan if left == 0 or math.isnan(left) else math.copysign(math.inf, left) * math.copysign(1.0, right)


def _move(operator: ArithmeticOperator, left: Temporal | Duration, right: Duration) -> Value | None:
    if operator not in (ArithmeticOperator.ADD, ArithmeticOperator.SUBTRACT):
        return None
    moved = right if operator is ArithmeticOperator.ADD else opposite(right)
    if isinstance(left, Temporal):
        return add_duration(left, moved)
    months, seconds = left.months + moved.months, left.seconds + moved.seconds
    if months * seconds < 0:
        return None  # a duration has one sign
    return Duration(months, seconds, left.datatype if left.datatype == right.datatype else XSD_DURATION)


def opposite(duration: Duration) -> Duration:
    """The duration with its sign changed."""
    return evolve(duration, months=-duration.months, seconds=-duration.seconds)


def negative(term: GroundTerm | None) -> Literal | None:
    """Unary minus on a number or duration, otherwise None."""
    value = None if term is None else value_of(term)
    match value:
        case bool():
            return None
        case int() | float() | Decimal():
            return literal_of(-value)
        case Single(number):
            return literal_of(Single(-number))
        case Duration():
            return literal_of(opposite(value))
        case _:
            return None
