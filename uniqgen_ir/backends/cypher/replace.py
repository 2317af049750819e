"""Replacing aggregates inside expressions."""

from __future__ import annotations

from collections.abc import Callable
from typing import cast

from uniqgen_ir.ir.expressions import Aggregate, Exists, Expression
from uniqgen_ir.ir.terms import Variable
from uniqgen_ir.ir.visitor import Node, map_children


def replace_aggregates(expression: Expression, stand_in: Callable[[Aggregate], Variable]) -> Expression:
    """The expression with a variable in the place of every aggregate."""

    def inner(one: Node) -> Node:
        return replace_aggregates(cast("Expression", one), stand_in)

    if isinstance(expression, Aggregate):
        return stand_in(expression)
    return expression if isinstance(expression, Exists) else map_children(expression, inner)
