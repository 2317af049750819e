"""Conditions that hold always, and those that never do, by themselves."""

from __future__ import annotations

from uniqgen_ir.grammar.cypher import ast_expressions as expressions
from uniqgen_ir.grammar.cypher.walk import find
from uniqgen_ir.validate.cypher.facts import constant, facts_of, holds
from uniqgen_ir.validate.cypher.known import KnownFacts


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
        return "both sides are constants, and it holds always" if holds(one, operator, other) else None
    if left == right and operator in ("=", "<=", ">=") and not _random(left):
        return "both sides are the same"
    return None


def _always_or(operands: tuple[expressions.Expression, ...]) -> str | None:
    """`x <> 1 OR x <> 2`, `x OR NOT x`, `x > 1 OR x < 5`: what is denied by one is granted by the other."""
    for one in operands:
        if always(one) is not None:
            return "one of the alternatives holds always"
    denied = KnownFacts()
    for one in operands:
        facts = list(facts_of(one, denied=True))
        if len(facts) != 1:
            continue
        if denied.clash(facts[0], whole=False) is not None:
            return "whatever the value, one of the two holds"
        denied.add(facts[0])
    return None


def never(condition: expressions.Expression) -> str | None:
    """Why a condition holds for no row; None where it may hold."""
    match condition:
        case expressions.BooleanLiteral(value=False):
            return "`false` never holds"
        case expressions.Comparison(operators=(operator,), operands=(left, right)):
            one, other = constant(left), constant(right)
            if one is not None and other is not None:
                return None if one[0] != other[0] or holds(one, operator, other) else "it compares two constants"
            if left == right and operator in ("<>", "<", ">") and not _random(left):
                return "both sides are the same"
            return None
        case expressions.Binary(operator="IN", right=expressions.ListLiteral(items=())):
            return "the list is empty"
        case _:
            return None


def _random(node: expressions.Node) -> bool:
    return any(one.lower_name in ("rand", "randomuuid") for one in find(node, expressions.FunctionCall))
