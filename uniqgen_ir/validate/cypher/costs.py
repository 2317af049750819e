"""Hints about cost, where it is known how much the graph has: they refuse nothing.

The estimates are rough on purpose: the nodes of the rarest label of a pattern that nothing names, and along a
relationship as many ways on as its type has on average.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Final

from uniqgen_ir.grammar.cypher import ast
from uniqgen_ir.grammar.cypher import ast_expressions as expressions
from uniqgen_ir.grammar.cypher.context import Context
from uniqgen_ir.grammar.cypher.walk import find
from uniqgen_ir.ir.diagnostics import Severity
from uniqgen_ir.validate.cypher.facts import conjuncts, facts_of
from uniqgen_ir.validate.cypher.products import components, variables
from uniqgen_ir.validate.statistics import MANY, SCAN, Statistics

_USUAL_LENGTH: Final = 10
_MOST: Final = 10**15


def cost_hints(context: Context, statement: ast.Statement, statistics: Statistics) -> None:
    """Hints about scans, products and long paths of every MATCH."""
    for query in find(statement, ast.SingleQuery):
        bound: set[str] = set()
        for clause in query.clauses:
            if isinstance(clause, ast.Match):
                _Costs(context, statistics, clause, bound).hint()
                bound |= {name for pattern in clause.patterns for name in variables(pattern)}


class _Costs:
    def __init__(self, context: Context, statistics: Statistics, clause: ast.Match, bound: set[str]) -> None:
        self.context = context
        self.statistics = statistics
        self.clause = clause
        self.bound = bound
        self.compared = {
            name
            for condition in conjuncts(clause.where)
            for fact in facts_of(condition)
            if fact.operator in ("=", "IN") or "STARTS WITH" in getattr(fact.value, "operator", "")
            for name in fact.variables
        }

    def hint(self) -> None:
        patterns = self.clause.patterns
        groups = components([set(variables(one)) for one in patterns], [])
        starts = [self.start([patterns[place] for place in group]) for group in groups]
        if len(starts) > 1 and prod(starts) >= MANY:
            self.say(f"nothing connects these patterns: about {prod(starts):,} pairs are made", self.clause)
        for group, start in zip(groups, starts, strict=True):
            if start >= SCAN:
                message = f"no node here is named or compared with a value, so at least {start:,} nodes are looked at"
                self.say(message, patterns[group[0]])
            for place in group:
                self.paths(patterns[place], start)

    def start(self, patterns: Sequence[ast.Pattern]) -> int:
        """How many nodes a search begins with: those of the rarest kind."""
        return min((self.size(node) for one in patterns for node in find(one, ast.NodePattern)), default=1)

    def size(self, node: ast.NodePattern) -> int:
        name = node.variable.text if node.variable is not None else None
        if node.properties is not None or node.where is not None or name in self.bound or name in self.compared:
            return 1
        if node.labels is None:
            return self.statistics.nodes
        known = [self.statistics.labels.get(one.text, 0) for one in find(node.labels, expressions.LabelName)]
        joint = isinstance(node.labels, expressions.LabelName | expressions.LabelAnd)
        return (min(known) if joint else sum(known)) if known else self.statistics.nodes

    def paths(self, pattern: ast.Pattern, start: int) -> None:
        """Paths of several relationships: how many there may be."""
        for one in find(pattern, ast.RelationshipPattern):
            length = one.length or one.repetition
            if length is None or pattern.selector is not None or self._is_shortest(pattern):
                continue
            most = length.maximum if length.maximum is not None else _USUAL_LENGTH
            ways = self.ways(one)
            count = min(_MOST, start * ways ** min(most, 50)) if ways > 1 else 0
            if count >= MANY:
                bound = "" if length.maximum is not None else f" of up to {_USUAL_LENGTH} relationships"
                message = f"from each node {ways:.1f} relationships lead on: about {count:,.0f} paths{bound}"
                self.say(message, one, "bound the length, or begin at a node that is named")

    def _is_shortest(self, pattern: ast.Pattern) -> bool:
        return isinstance(pattern.elements[0], ast.ShortestPath)

    def ways(self, edge: ast.RelationshipPattern) -> float:
        """How many relationships lead on from a node, on average over all nodes."""
        names = [] if edge.types is None else [one.text for one in find(edge.types, expressions.LabelName)]
        types = self.statistics.types
        edges = sum(types.get(name, 0) for name in names) if names else sum(types.values())
        both = 2 if edge.left == edge.right else 1
        return both * edges / max(1, self.statistics.nodes)

    def say(self, message: str, node: expressions.Node, hint: str | None = None) -> None:
        self.context.report("UQ453", message, node.start, node.end, hint=hint, severity=Severity.INFORMATION)
