"""Conditions that hold together, and those that cannot.

A condition that compares one value with constants becomes a `Fact`; several facts about the same value are intersected:
an equality, a range, a list. Two facts that exclude each other leave the query without an answer.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
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


def clash(new: Fact, known: Iterable[Fact], *, whole: bool) -> Fact | None:
    """The fact that excludes the new one, by itself or with the others; None where all can hold.

    `whole`: the value is a whole number, so that nothing lies between 1 and 2.
    """
    about = [one for one in known if one.value == new.value]
    for one in about:
        if not _compatible(new, one, whole=whole):
            return one
    return None


def _compatible(left: Fact, right: Fact, *, whole: bool) -> bool:
    pair = {left.operator, right.operator}
    if pair == {"HOLDS", "FAILS"} or pair == {"NULL", "NOT NULL"}:
        return False
    if "NULL" in pair:
        return pair <= {"NULL", "HOLDS", "FAILS"}
    for one, other in ((left, right), (right, left)):
        if one.operator in ("=", "IN") and other.constants:
            return any(_satisfies(value, other) for value in one.constants)
    return _ranges_meet(left, right, whole=whole)


def _satisfies(value: Constant, fact: Fact) -> bool:
    return any(_holds(value, fact.operator, other) for other in fact.constants)


def _holds(left: Constant, operator: str, right: Constant) -> bool:
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


def always(condition: expressions.Expression) -> str | None:
    """Why a condition says nothing; None where it says something."""
    match condition:
        case expressions.BooleanLiteral(value=True):
            return "`true` holds always"
        case expressions.Comparison(operators=(operator,), operands=(left, right)):
            return _always_comparison(operator, left, right)
        case expressions.Junction(operator="OR", operands=operands):
            return _always_or(operands)
        case expressions.Binary(
            operator="STARTS WITH" | "ENDS WITH" | "CONTAINS", right=expressions.StringLiteral(value="")
        ):
            return "every string contains the empty one"
        case _:
            return None


def _always_comparison(operator: str, left: expressions.Expression, right: expressions.Expression) -> str | None:
    one, other = constant(left), constant(right)
    if one is not None and other is not None:
        return "both sides are constants, and it holds always" if _holds(one, operator, other) else None
    if left == right and operator in ("=", "<=", ">=") and not _random(left):
        return "both sides are the same"
    return None


def _always_or(operands: tuple[expressions.Expression, ...]) -> str | None:
    """`x <> 1 OR x <> 2`, `x OR NOT x`, `x > 1 OR x < 5`: what is denied by one is granted by the other."""
    for one in operands:
        if always(one) is not None:
            return "one of the alternatives holds always"
    denied = [list(facts_of(one, denied=True)) for one in operands]
    for place, facts in enumerate(denied):
        for other in denied[:place]:
            if len(facts) == len(other) == 1 and clash(facts[0], other, whole=False) is not None:
                return "whatever the value, one of the two holds"
    return None


def never(condition: expressions.Expression) -> str | None:
    """Why a condition holds for no row; None where it may hold."""
    match condition:
        case expressions.BooleanLiteral(value=False):
            return "`false` never holds"
        case expressions.Comparison(operators=(operator,), operands=(left, right)):
            one, other = constant(left), constant(right)
            if one is not None and other is not None:
                return None if one[0] != other[0] or _holds(one, operator, other) else "it compares two constants"
            if left == right and operator in ("<>", "<", ">") and not _random(left):
                return "both sides are the same"
            return None
        case expressions.Binary(operator="IN", right=expressions.ListLiteral(items=())):
            return "the list is empty"
        case _:
            return None


def _random(node: expressions.Node) -> bool:
    return any(one.lower_name in ("rand", "randomuuid") for one in find(node, expressions.FunctionCall))
