"""Calculations in Cypher. Where a table spells out what Cypher's own operators do, the operator is written again.

Cypher divides two integers to an integer, cut towards zero, and `%` is the remainder of that; `+` adds or
joins, whatever the values are. A table says so with a cast and a test of datatypes:
`if(datatype(?x) = xsd:integer, integer(?x / 2), ?x / 2)`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from attrs import evolve

from uniqgen_ir.backends.cypher.operands import NUMBER, TEXT, Operand
from uniqgen_ir.ir.diagnostics import fail
from uniqgen_ir.ir.expressions import (
    And,
    Arithmetic,
    ArithmeticOperator,
    Call,
    Comparison,
    ComparisonOperator,
    Expression,
)
from uniqgen_ir.ir.terms import IRI
from uniqgen_ir.ir.values import to_double, value_of
from uniqgen_ir.ir.vocabulary import INTEGER_DATATYPES, XSD_DOUBLE, XSD_INTEGER

if TYPE_CHECKING:
    from uniqgen_ir.backends.cypher.expressions import ExpressionWriter

_DIVIDE, _MULTIPLY, _SUBTRACT = ArithmeticOperator.DIVIDE, ArithmeticOperator.MULTIPLY, ArithmeticOperator.SUBTRACT


def write_arithmetic(writer: ExpressionWriter, expression: Arithmetic) -> Operand:
    """A calculation. Raises DiagnosticError UQ500 where the engine would not give the exact result."""
    left, right = (as_number(writer, writer.value(one)) for one in (expression.left, expression.right))
    if expression.operator is _DIVIDE:
        # whole numbers divide to decimals in SPARQL, and a division by zero is an error
        divided = f"(({left.text}) * 1.0 / ({right.text}))"
        return _unless_zero(divided, left, right, XSD_DOUBLE, exact=False)
    nullable = left.nullable or right.nullable
    datatype = XSD_INTEGER if _whole(left, right) else XSD_DOUBLE if left.datatype and right.datatype else None
    text = f"({left.text} {expression.operator.value} {right.text})"
    return Operand("value", text, datatype, nullable, exact=datatype != XSD_DOUBLE)


def write_own_operator(writer: ExpressionWriter, expression: Expression) -> Operand | None:
    """The expression by one of Cypher's own operators, where it spells one out and the values are such as it takes."""
    sides = _cut_division(expression)
    if sides is not None:
        return _integer_division(writer, *sides)
    sides = _cypher_division(expression)
    if sides is not None:
        return _own_division(writer, expression, *sides)
    sides = _remainder(expression)
    if sides is not None:
        return _own_remainder(writer, *sides)
    sides = _sum_or_join(expression)
    return None if sides is None else _own_plus(writer, *sides)


def as_number(writer: ExpressionWriter, operand: Operand) -> Operand:
    """The operand as a number to calculate with. Raises DiagnosticError UQ500."""
    if operand.kind in ("value", "constant") and operand.category in (NUMBER, None):
        text = writer.comparer.plain(operand)
        return evolve(operand, kind="value", text=text)
    if operand.kind == "literal" and operand.exact:
        return Operand("value", f"{operand.text}.number", None, nullable=True)
    raise fail("UQ500", "this engine cannot calculate exactly with these values", hint="run it on another engine")


def write_rounded(name: str, number: Operand) -> Operand:
    """`round`, `ceil` or `floor`."""
    if number.datatype in INTEGER_DATATYPES:
        return number
    # halves go up, also below zero
    text = f"floor({number.text} + 0.5)" if name == "round" else f"{name}({number.text})"
    return Operand("value", text, XSD_DOUBLE if number.datatype else None, nullable=True, exact=False)


# ---- operators that are spelt out ----------------------------------------------------------------------------------


def _cut_division(expression: Expression) -> tuple[Expression, Expression] | None:
    """The sides of `integer(left / right)`."""
    match expression:
        case Call("integer", (Arithmetic(operator, left, right),)) if operator is _DIVIDE:
            return left, right
        case _:
            return None


def _cypher_division(expression: Expression) -> tuple[Expression, Expression] | None:
    """The sides of `if(datatype(left) = xsd:integer and …, integer(left / right), left / right)`."""
    match expression:
        case Call("if", (test, Call("integer", (cut,)), Arithmetic(operator, left, right) as whole)):
            if operator is _DIVIDE and cut == whole and _tested(test) <= {left, right}:
                return left, right
        case _:
            pass
    return None


def _tested(test: Expression) -> set[Expression]:
    """What a condition takes for integers: nothing else is in it, or the set holds the condition."""
    found = set[Expression]()
    for one in test.operands if isinstance(test, And) else (test,):
        match one:
            case Comparison(ComparisonOperator.EQUAL, Call("datatype", (value,)), IRI(name)) if name == XSD_INTEGER:
                found.add(value)
            case _:
                found.add(test)
    return found


def _remainder(expression: Expression) -> tuple[Expression, Expression] | None:
    """The sides of `left - right * integer(left / right)`."""
    match expression:
        case Arithmetic(minus, left, Arithmetic(times, right, quotient)) if minus is _SUBTRACT and times is _MULTIPLY:
            return (left, right) if _cut_division(quotient) == (left, right) else None
        case _:
            return None


def _sum_or_join(expression: Expression) -> tuple[Expression, Expression] | None:
    """The sides of `coalesce(left + right, concat(left, right))`."""
    match expression:
        case Call("coalesce", (Arithmetic(ArithmeticOperator.ADD, left, right), Call("concat", both))):
            return (left, right) if both == (left, right) else None
        case _:
            return None


def _integer_division(writer: ExpressionWriter, left: Expression, right: Expression) -> Operand | None:
    first, second = writer.value(left), writer.value(right)
    return _divided(writer, first, second) if _whole(first, second) else None


def _divided(writer: ExpressionWriter, first: Operand, second: Operand, sign: str = "/") -> Operand:
    left, right = as_number(writer, first), as_number(writer, second)
    datatype = XSD_INTEGER if _whole(first, second) else None
    return _unless_zero(f"({left.text} {sign} {right.text})", left, right, datatype)


def _own_division(writer: ExpressionWriter, expression: Expression, left: Expression, right: Expression) -> Operand:
    first, second = writer.value(left), writer.value(right)
    if _whole(first, second):
        return _divided(writer, first, second)
    assert isinstance(expression, Call)
    tested = _tested(expression.arguments[0])
    sides = ((left, first), (right, second))
    known = [operand.datatype for side, operand in sides if side in tested and operand.datatype is not None]
    if any(one not in INTEGER_DATATYPES for one in known):
        return writer.value(Arithmetic(_DIVIDE, left, right))
    if writer.lossless or not all(side in tested or _whole(operand) for side, operand in sides):
        raise fail(
            "UQ500",
            "whether this division is one of integers cannot be told here",
            hint="say which is meant: floor(x / y), or x / 2.0",
        )
    return _divided(writer, first, second)


def _own_remainder(writer: ExpressionWriter, left: Expression, right: Expression) -> Operand | None:
    first, second = writer.value(left), writer.value(right)
    if _whole(first, second) or not writer.lossless:
        return _divided(writer, first, second, "%")
    return None


def _own_plus(writer: ExpressionWriter, left: Expression, right: Expression) -> Operand | None:
    first, second = writer.value(left), writer.value(right)
    if first.category == NUMBER and second.category == NUMBER:
        return writer.value(Arithmetic(ArithmeticOperator.ADD, left, right))
    if first.category == TEXT and second.category == TEXT:
        return writer.value(Call("concat", (left, right)))
    plain = all(one.kind in ("value", "constant") for one in (first, second))
    if writer.lossless or not plain:
        return None
    texts = [writer.comparer.plain(one) for one in (first, second)]
    return Operand("value", f"({texts[0]} + {texts[1]})", None, first.nullable or second.nullable)


def _whole(*operands: Operand) -> bool:
    return all(one.kind in ("value", "constant") and one.datatype in INTEGER_DATATYPES for one in operands)


def _unless_zero(text: str, left: Operand, right: Operand, datatype: str | None, *, exact: bool = True) -> Operand:
    """The quotient or remainder, NULL where the divisor is zero."""
    divisor = None if right.constant is None else value_of(right.constant)
    if divisor is not None and to_double(divisor) != 0:  # type: ignore[arg-type]
        return Operand("value", text, datatype, left.nullable or right.nullable, exact=exact)
    return Operand("value", f"CASE WHEN {right.text} <> 0 THEN {text} END", datatype, nullable=True, exact=exact)
