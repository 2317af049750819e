"""Which variables are in scope, and what kind of thing each of them is."""

from __future__ import annotations

from enum import StrEnum
from typing import Final, TypeAlias

from uniqgen_ir.grammar.cypher import ast
from uniqgen_ir.grammar.cypher import ast_expressions as expressions
from uniqgen_ir.grammar.cypher.context import Context
from uniqgen_ir.grammar.cypher.functions import AGGREGATES
from uniqgen_ir.grammar.cypher.walk import children


class Kind(StrEnum):
    NODE = "node"
    RELATIONSHIP = "relationship"
    RELATIONSHIPS = "list of relationships"
    PATH = "path"
    LIST = "list"
    VALUE = "value"
    ANY = "any"
    """not known before the query runs"""


Scope: TypeAlias = dict[str, Kind]

_VALUES: Final = (
    *(expressions.IntegerLiteral, expressions.FloatLiteral, expressions.StringLiteral, expressions.BooleanLiteral),
    *(expressions.MapLiteral, expressions.Comparison, expressions.Junction, expressions.CountStar),
    *(expressions.MapProjection, expressions.Quantifier),
)


def kind_of(expression: expressions.Expression, scope: Scope) -> Kind:
    """What an expression gives, as far as its form tells."""
    if isinstance(expression, expressions.Variable):
        return scope.get(expression.name, Kind.ANY)
    if isinstance(expression, _VALUES):
        return Kind.VALUE
    if isinstance(expression, expressions.ListLiteral | expressions.ListComprehension):
        return Kind.LIST
    if isinstance(expression, ast.ShortestPath):
        return Kind.PATH
    if isinstance(expression, expressions.FunctionCall) and expression.lower_name in ("count", "sum", "avg", "size"):
        return Kind.VALUE
    return Kind.ANY


def compatible(known: Kind, wanted: Kind) -> bool:
    """Whether a variable of one kind may be used as the other."""
    return known is wanted or Kind.ANY in (known, wanted) or {known, wanted} == {Kind.LIST, Kind.RELATIONSHIPS}


def declare(context: Context, scope: Scope, name: expressions.Name, kind: Kind, *, fresh: bool = False) -> None:
    """Bring a variable of a pattern into scope; report one that is there as another kind, or at all where `fresh`."""
    known = scope.get(name.text)
    if known is None:
        scope[name.text] = kind
        return
    if not compatible(known, kind):
        context.report("UQ194", f"`{name.text}` is a {known} and cannot be a {kind} here", name.start, name.end)
    elif fresh:
        context.report("UQ188", f"`{name.text}` is in scope already", name.start, name.end)
    if known is Kind.ANY:
        scope[name.text] = kind


def is_aggregate(node: object) -> bool:
    """Whether the node itself is an aggregate."""
    return isinstance(node, expressions.CountStar) or (
        isinstance(node, expressions.FunctionCall)
        and (node.lower_name in AGGREGATES or node.lower_name.startswith("apoc.agg."))
    )


_SUBQUERIES: Final = (expressions.Subquery, expressions.PatternSubquery)


def aggregates(node: expressions.Node) -> list[expressions.Node]:
    """The outermost aggregates in an expression, subqueries left out: those range over rows of their own."""
    if isinstance(node, expressions.Variable) or (
        isinstance(node, expressions.Property) and isinstance(node.operand, expressions.Variable)
    ):
        # most columns are no more than this
        return []
    found: list[expressions.Node] = []
    stack = [node]
    while stack:
        one = stack.pop()
        if is_aggregate(one):
            found.append(one)
        elif not isinstance(one, _SUBQUERIES):
            stack.extend(children(one))
    return found
