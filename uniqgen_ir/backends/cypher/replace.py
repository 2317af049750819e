"""The figures in an expression: aggregates, and the mean that a table spells out; replacing them by variables."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TypeAlias, cast

from uniqgen_ir.ir.expressions import (
    Aggregate,
    Arithmetic,
    ArithmeticOperator,
    Call,
    Comparison,
    ComparisonOperator,
    Exists,
    Expression,
)
from uniqgen_ir.ir.terms import Literal, Variable
from uniqgen_ir.ir.visitor import Node, children, map_children

Figure: TypeAlias = "Aggregate | Call"
"""An aggregate, or a call that spells out a mean."""

_ZERO = Literal.of(0)


def averaged(expression: Expression) -> Expression | None:
    """What a mean ranges over, where nothing but values that are there counts, as in Cypher:
    `if(count(?x) = 0, …, double(sum(coalesce(?x, 0))) / count(?x))`."""
    match expression:
        case Call(
            "if",
            (
                Comparison(ComparisonOperator.EQUAL, Aggregate("count", operand, False) as count, zero),
                _,
                Arithmetic(ArithmeticOperator.DIVIDE, Call("double", (Aggregate("sum", summed, False),)), divisor),
            ),
        ) if operand is not None and zero == _ZERO and divisor == count:
            return operand if summed == Call("coalesce", (operand, _ZERO)) else None
        case _:
            return None


def figure_of(expression: Expression) -> Figure | None:
    """The expression itself if it is an aggregate, or a mean that is spelt out."""
    if isinstance(expression, Aggregate):
        return expression
    return expression if isinstance(expression, Call) and averaged(expression) is not None else None


def figures(expression: Expression) -> Iterator[Figure]:
    """The figures in an expression, outside of blocks."""
    figure = figure_of(expression)
    if figure is not None:
        yield figure
    elif not isinstance(expression, Exists):
        for one in children(expression):
            yield from figures(cast("Expression", one))


def replace_figures(expression: Expression, stand_in: Callable[[Figure], Variable]) -> Expression:
    """The expression with a variable in the place of every figure."""

    def inner(one: Node) -> Node:
        return replace_figures(cast("Expression", one), stand_in)

    figure = figure_of(expression)
    if figure is not None:
        return stand_in(figure)
    return expression if isinstance(expression, Exists) else map_children(expression, inner)
