"""Evidence from conditions. An operand of something that must hold must itself have a value: that is what narrows it.

SPARQL's logic: `not`, arithmetic, comparisons and most functions pass an error on; `or`, `and` under `not`, `if`,
`coalesce` and `bound` may not, so nothing is concluded from inside them but what holds for every way they can be true.
"""

from __future__ import annotations

from typing import TypeAlias

from attrs import frozen

from uniqgen_ir.ir.expressions import (
    And,
    Arithmetic,
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
from uniqgen_ir.ir.inference.evidence import BlockKind
from uniqgen_ir.ir.inference.expressions import CONDITION, LAZY, wanted_by_function, wanted_by_operator
from uniqgen_ir.ir.inference.scope import Scope
from uniqgen_ir.ir.rows import Row
from uniqgen_ir.ir.terms import IRI, Literal, Parameter, Variable
from uniqgen_ir.ir.types import NUMBER


@frozen
class Demand:
    """What is asked of an expression: to be true, to be false, or (None) to have a value."""

    expression: Expression
    truth: bool | None
    row: Row


@frozen
class Part:
    """What one branch of a block holds: rows, or demands."""

    rows: tuple[Row, ...] = ()
    demands: tuple[Demand, ...] = ()


@frozen
class Block:
    """A scope inside a scope, found but not yet typed."""

    kind: BlockKind
    row: Row
    parts: tuple[Part, ...]
    decisive: bool


Blocks: TypeAlias = list[Block]


def add_demand(scope: Scope, demand: Demand, blocks: Blocks) -> None:
    """Read the evidence off an expression of which something is asked; what cannot be read flat goes to `blocks`."""
    expression, truth, row = demand.expression, demand.truth, demand.row
    match expression:
        case And(operands):
            _junction(scope, operands, demand, blocks, all_of=truth is True)
        case Or(operands):
            _junction(scope, operands, demand, blocks, all_of=truth is False)
        case Not(operand):
            add_demand(scope, Demand(operand, None if truth is None else not truth, row), blocks)
        case Exists(rows, negated):
            wanted = None if truth is None else truth != negated
            kind = BlockKind.EXISTS if wanted is not False else BlockKind.NOT_EXISTS
            blocks.append(Block(kind, row, (Part(rows),), decisive=wanted is True))
        case Comparison():
            _comparison(scope, expression, demand, blocks)
        case Membership():
            add_demand(scope, Demand(expression.operand, None, row), blocks)
            for option in expression.options:
                _guard(option, row, blocks)
            if truth is not None and truth != expression.negated:
                scope.link(expression, row)
        case Call():
            _call(scope, expression, row, blocks)
        case Arithmetic(operator, left, right):
            for operand in (left, right):
                add_demand(scope, Demand(operand, None, row), blocks)
                scope.expect(operand, wanted_by_operator(operator), "arithmetic", row, operator.value)
        case Negative(operand):
            add_demand(scope, Demand(operand, None, row), blocks)
            scope.expect(operand, NUMBER, "arithmetic", row, "-")
        case _:
            pass
    if truth is not None and not isinstance(expression, And | Or | Not | Exists | Comparison | Membership):
        scope.expect(expression, CONDITION, "condition", row, None)


def _junction(scope: Scope, operands: tuple[Expression, ...], demand: Demand, blocks: Blocks, *, all_of: bool) -> None:
    if all_of:
        for operand in operands:
            add_demand(scope, Demand(operand, demand.truth, demand.row), blocks)
    elif demand.truth is None:
        for operand in operands:
            _guard(operand, demand.row, blocks)
    else:
        parts = tuple(Part(demands=(Demand(one, demand.truth, demand.row),)) for one in operands)
        blocks.append(Block(BlockKind.OR, demand.row, parts, decisive=True))


def _guard(expression: Expression, row: Row, blocks: Blocks) -> None:
    """An expression that may fail without harm: it is typed on its own, and tells nothing to the outside."""
    if isinstance(expression, Variable | Parameter | IRI | Literal):
        return
    blocks.append(Block(BlockKind.GUARDED, row, (Part(demands=(Demand(expression, None, row),)),), decisive=False))


def _comparison(scope: Scope, comparison: Comparison, demand: Demand, blocks: Blocks) -> None:
    row = demand.row
    for operand in (comparison.left, comparison.right):
        add_demand(scope, Demand(operand, None, row), blocks)
    operator, truth = comparison.operator, demand.truth
    same = Comparison(ComparisonOperator.EQUAL, comparison.left, comparison.right)
    if operator in (ComparisonOperator.EQUAL, ComparisonOperator.NOT_EQUAL):
        if truth is not None and truth == (operator is ComparisonOperator.EQUAL):
            scope.link(same, row)
    elif truth is not None and truth == (operator in (ComparisonOperator.LESS, ComparisonOperator.GREATER)):
        # one is before the other: both are values that have an order
        scope.link(comparison, row)
    else:
        # a term is never before itself, whatever it is: here both may also be the same node
        scope.link(same, row)


def _call(scope: Scope, call: Call, row: Row, blocks: Blocks) -> None:
    for place, argument in enumerate(call.arguments):
        if call.function == "if" and place == 0:
            add_demand(scope, Demand(argument, None, row), blocks)
            scope.expect(argument, CONDITION, "condition", row, None)
        elif call.function in LAZY:
            _guard(argument, row, blocks)
        else:
            add_demand(scope, Demand(argument, None, row), blocks)
            scope.expect(argument, wanted_by_function(call.function, place), "function-argument", row, call.function)
