"""Conditions that hold together, and those that cannot.

A condition that compares one value with constants becomes a `Fact`; several facts about the same value are intersected:
an equality, a range, a list. Two facts that exclude each other leave the query without an answer.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import Final, TypeAlias

from attrs import field, frozen

from uniqgen_ir.grammar.cypher import ast_expressions as expressions
from uniqgen_ir.grammar.cypher.walk import find

Constant: TypeAlias = tuple[str, "float | str | bool"]
"""A kind of values that compare with each other, and the value."""

_TURNED: Final = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "=": "=", "<>": "<>"}
_DENIED: Final = {"=": "<>", "<>": "=", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}
_TEMPORAL: Final = frozenset({"date", "datetime", "localdatetime", "time", "localtime"})


@frozen
class Fact:
    """`value operator constants`: a comparison, or `IN` with its list.

    Without constants: `NULL`, `NOT NULL`; `HOLDS` and `FAILS` of a condition as a whole.
    """

    value: expressions.Expression
    operator: str
    constants: tuple[Constant, ...]
    node: expressions.Node = field(eq=False)

    @cached_property
    def variables(self) -> frozenset[str]:
        """The variables that it speaks of."""
        return frozenset(one.name for one in find(self.value, expressions.Variable))

    @cached_property
    def constant_set(self) -> frozenset[Constant]:
        """The constants, to look one up."""
        return frozenset(self.constants)

    @cached_property
    def kinds(self) -> frozenset[str]:
        """The kinds of the constants."""
        return frozenset(kind for kind, _ in self.constants)


def conjuncts(condition: expressions.Expression | None) -> Iterator[expressions.Expression]:
    """The conditions that must all hold."""
    if isinstance(condition, expressions.Junction) and condition.operator == "AND":
        for one in condition.operands:
            yield from conjuncts(one)
    elif condition is not None:
        yield condition


def constant(node: expressions.Expression) -> Constant | None:
    """The constant that an expression is; None for anything else."""
    match node:
        case expressions.IntegerLiteral(value=value):
            return "number", float(value) if abs(value) < 2**53 else value
        case expressions.FloatLiteral():
            return "number", node.value
        case expressions.StringLiteral(value=value):
            return "string", value
        case expressions.BooleanLiteral(value=value):
            return "boolean", value
        case expressions.Unary(operator="-", operand=operand):
            inner = constant(operand)
            return ("number", -inner[1]) if inner is not None and isinstance(inner[1], float | int) else None
        case expressions.FunctionCall(arguments=(expressions.StringLiteral(value=value),)):
            plain = node.lower_name in _TEMPORAL and len(value) >= 8 and value[:4].isdigit()
            return (node.lower_name, value) if plain else None
        case _:
            return None


def facts_of(condition: expressions.Expression, *, denied: bool = False) -> Iterator[Fact]:
    """What one condition says, or its opposite where it is denied."""
    match condition:
        case expressions.Unary(operator="NOT", operand=operand):
            yield from facts_of(operand, denied=not denied)
        case expressions.Comparison(operators=operators, operands=operands) if len(operators) == 1 or not denied:
            for place, operator in enumerate(operators):
                yield from _comparison(condition, operator, operands[place], operands[place + 1], denied=denied)
        case expressions.Binary(operator="IN", left=left, right=expressions.ListLiteral(items=items)) if not denied:
            constants = [constant(one) for one in items]
            known = [one for one in constants if one is not None]
            if len(known) == len(constants):
                yield Fact(left, "IN", tuple(known), condition)
        case expressions.PostfixTest(operand=operand, test=test) if test in ("IS NULL", "IS NOT NULL"):
            yield Fact(operand, "NULL" if (test == "IS NULL") is not denied else "NOT NULL", (), condition)
        case expressions.Junction(operator="OR", operands=operands) if denied:
            for one in operands:
                yield from facts_of(one, denied=True)
        case _:
            yield Fact(condition, "FAILS" if denied else "HOLDS", (), condition)


def _comparison(
    node: expressions.Node,
    operator: str,
    left: expressions.Expression,
    right: expressions.Expression,
    *,
    denied: bool,
) -> Iterator[Fact]:
    operator = _DENIED[operator] if denied else operator
    value = constant(right)
    if value is not None and constant(left) is None:
        yield Fact(left, operator, (value,), node)
        return
    value = constant(left)
    if value is not None and constant(right) is None:
        yield Fact(right, _TURNED[operator], (value,), node)
    elif value is None:
        # `a < b` and `b < a`: kept as one form, so that opposites are seen
        if operator in (">", ">="):
            left, right, operator = right, left, _TURNED[operator]
        if operator in ("<>", "<", "<="):
            yield Fact(_equal(left, right) if operator == "<>" else _order(left, operator, right), "HOLDS", (), node)
            if operator == "<>":
                yield Fact(_equal(left, right, "="), "FAILS", (), node)
            else:
                opposite = "<=" if operator == "<" else "<"
                yield Fact(_order(right, opposite, left), "FAILS", (), node)
        else:
            yield Fact(_equal(left, right, "="), "HOLDS", (), node)


def _equal(left: expressions.Expression, right: expressions.Expression, operator: str = "<>") -> expressions.Comparison:
    first, second = sorted((left, right), key=repr)
    return expressions.Comparison(0, 0, (operator,), (first, second))


def _order(left: expressions.Expression, operator: str, right: expressions.Expression) -> expressions.Comparison:
    return expressions.Comparison(0, 0, (operator,), (left, right))


def compatible(left: Fact, right: Fact, *, whole: bool) -> bool:
    """Whether two comparisons of one value with constants can hold together.

    `whole`: the value is a whole number, so that nothing lies between 1 and 2.
    """
    for one, other in ((left, right), (right, left)):
        if one.operator in ("=", "IN") and other.constants:
            return any(_satisfies(value, other) for value in one.constants)
    return _ranges_meet(left, right, whole=whole)


def _satisfies(value: Constant, fact: Fact) -> bool:
    if fact.operator == "IN" and value in fact.constant_set:
        return True
    if fact.operator == "IN" and fact.kinds == frozenset({value[0]}):
        return False
    return any(holds(value, fact.operator, other) for other in fact.constants)


def holds(left: Constant, operator: str, right: Constant) -> bool:
    """Whether a comparison of two constants holds; of two types it is taken to."""
    if left[0] != right[0]:
        # values of two types never compare, which is another fault
        return True
    one, other = left[1], right[1]
    match operator:
        case "=" | "IN":
            return one == other
        case "<>":
            return one != other
        case "<":
            return one < other  # type: ignore[operator]
        case "<=":
            return one <= other  # type: ignore[operator]
        case ">":
            return one > other  # type: ignore[operator]
        case _:
            return one >= other  # type: ignore[operator]


def _ranges_meet(left: Fact, right: Fact, *, whole: bool) -> bool:
    """Whether `x > 3` and `x < 5` leave something between them."""
    if left.operator in ("<", "<="):
        left, right = right, left
    if left.operator not in (">", ">=") or right.operator not in ("<", "<="):
        return True
    (kind, low), (other_kind, high) = left.constants[0], right.constants[0]
    if kind != other_kind:
        return True
    if whole and isinstance(low, float) and isinstance(high, float) and kind == "number":
        low = low + 1 if left.operator == ">" and low.is_integer() else low
        high = high - 1 if right.operator == "<" and high.is_integer() else high
        return low <= high
    closed = left.operator == ">=" and right.operator == "<="
    return low < high or (closed and low == high)  # type: ignore[operator]
