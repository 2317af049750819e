"""Queries inside expressions: patterns as conditions, EXISTS { … } and COUNT { … }."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from attrs import define

from uniqgen_ir.grammar.cypher import ast
from uniqgen_ir.grammar.cypher import ast_expressions as syntax
from uniqgen_ir.grammar.cypher.lowering.group import Builder, Group, NodeBinding, Scope, UnsupportedError, ValueBinding
from uniqgen_ir.grammar.cypher.lowering.tables import assemble, is_plain
from uniqgen_ir.ir.analysis import positive_variables, row_variables
from uniqgen_ir.ir.expressions import Aggregate, Call, Exists, Expression
from uniqgen_ir.ir.rows import OptionalBlock, Row, SubTable
from uniqgen_ir.ir.table import Column, Shell
from uniqgen_ir.ir.terms import Literal, Variable


class Queries(Protocol):
    """What subqueries need of the lowering of queries."""

    builder: Builder

    def match(self, clause: ast.Match, group: Group, scope: Scope, free: bool) -> None: ...


@define
class SubqueryLowering:
    """Lowers queries inside expressions."""

    queries: Queries

    def exists(self, node: syntax.Expression, group: Group, scope: Scope) -> Expression:
        """Whether the patterns of an EXISTS { … }, of a COUNT { … } or of a pattern predicate match."""
        inner, local = Group(parent=group), dict(scope)
        for clause in _matches(node):
            self.queries.match(clause, inner, local, True)
        self.queries.builder.exists = True
        return Exists(self.queries.builder.rows(inner))

    def count(self, node: syntax.Expression, group: Group, scope: Scope) -> Expression:
        """How often the patterns of COUNT { … } match: a table inside, grouped by the outer nodes; none is 0."""
        inner, local = Group(), dict(scope)
        for clause in _matches(node):
            self.queries.match(clause, inner, local, False)
        builder = self.queries.builder
        outer = _outer_variables(scope)
        count = builder.fresh("count")
        rows = builder.rows(inner)
        mentioned = [one for one in outer if any(one in row_variables(row) for row in rows)]
        if not set(mentioned) <= positive_variables(rows):
            raise UnsupportedError("COUNT { … } with a condition on an outer value", node)
        keys = tuple(Column(one) for one in mentioned)
        head = (*keys, Column(Aggregate("count"), count))
        table = assemble(builder, inner, head, Shell(distinct=False, group=keys), "count")
        group.add(OptionalBlock((Row("o1", SubTable(table)),)), node)
        return Call("coalesce", (count, Literal.of(0)))


def _outer_variables(scope: Scope) -> list[Variable]:
    found = (one.variable for one in scope.values() if isinstance(one, NodeBinding | ValueBinding))
    return list(dict.fromkeys(found))


def _matches(node: syntax.Expression) -> Sequence[ast.Match]:
    """The MATCH clauses that a subquery amounts to."""
    match node:
        case syntax.PatternExpression(elements=elements):
            pattern = ast.Pattern(node.start, node.end, None, None, elements)
            return (ast.Match(node.start, node.end, False, None, (pattern,)),)
        case syntax.PatternSubquery(patterns=patterns, where=where):
            return (ast.Match(node.start, node.end, False, None, patterns, (), where),)
        case syntax.Subquery(query=ast.SingleQuery(clauses=clauses), kind=kind):
            matches = [one for one in clauses if isinstance(one, ast.Match) and not one.optional]
            rest = [one for one in clauses if one not in matches]
            if matches and all(isinstance(one, ast.Return) and is_plain(one.projection) for one in rest):
                return matches
            raise UnsupportedError(f"{kind} {{ … }} of more than MATCH and WHERE", node)
        case _:
            raise UnsupportedError("a subquery with UNION", node)
