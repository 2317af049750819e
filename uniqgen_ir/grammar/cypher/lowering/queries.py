"""Clauses and queries as tables.

MATCH adds rows; WITH that only renames goes on in the same table, WITH that groups, sorts or cuts makes a table
inside the table. Tables are bags unless DISTINCT stands there.
"""

from __future__ import annotations

from collections.abc import Sequence

from attrs import define, evolve, field

from uniqgen_ir.grammar.cypher import ast
from uniqgen_ir.grammar.cypher import ast_expressions as syntax
from uniqgen_ir.grammar.cypher.checking.projection import column_name
from uniqgen_ir.grammar.cypher.clauses import clause_name
from uniqgen_ir.grammar.cypher.lowering.expressions import ExpressionLowering
from uniqgen_ir.grammar.cypher.lowering.group import (
    Builder,
    Group,
    NodeBinding,
    OptionalRows,
    PathBinding,
    RelationshipBinding,
    Scope,
    UnsupportedError,
    ValueBinding,
)
from uniqgen_ir.grammar.cypher.lowering.patterns import PatternLowering
from uniqgen_ir.grammar.cypher.lowering.projection import ProjectionLowering
from uniqgen_ir.grammar.cypher.lowering.subqueries import SubqueryLowering
from uniqgen_ir.grammar.cypher.lowering.tables import insensitive, is_plain
from uniqgen_ir.grammar.cypher.lowering.values import unwound
from uniqgen_ir.ir.rows import Bind, Either, Row, SubTable
from uniqgen_ir.ir.table import Column, Shell, Table
from uniqgen_ir.ir.terms import Variable


@define
class QueryLowering:
    """Lowers queries, and the queries inside syntax."""

    builder: Builder
    expressions: ExpressionLowering = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.expressions = ExpressionLowering(self.builder, SubqueryLowering(self))

    def query(self, query: ast.Query, name: str = "query") -> tuple[Table, Scope]:
        """The table of a query that sees no outer variable, and what its columns stand for."""
        match query:
            case ast.SingleQuery():
                return self.single(query, name)
            case ast.UnionQuery():
                return self.union(query, name)
            case ast.NextQuery():
                raise UnsupportedError("NEXT", query, "write WITH")

    def union(self, query: ast.UnionQuery, name: str) -> tuple[Table, Scope]:
        """Alternatives that are tables of their own."""
        tables: list[Table] = []
        scope: Scope = {}
        for place, one in enumerate(query.queries, 1):
            table, columns = self.single(one, f"part{place}", reserve=False)
            tables.append(table)
            scope = scope or {key: _loosened(value) for key, value in columns.items()}
        names = [column.variable for column in tables[0].head]
        ordered = [_reordered(table, names) for table in tables]
        branches = tuple((Row("c1", SubTable(table)),) for table in ordered)
        shell = Shell(distinct=query.distinct[0])
        return Table(name, tuple(map(Column, names)), (Row("c1", Either(branches)),), shell), scope

    def single(self, query: ast.SingleQuery, name: str, *, reserve: bool = True) -> tuple[Table, Scope]:
        last = query.clauses[-1] if query.clauses else None
        if not isinstance(last, ast.Return):
            raise UnsupportedError(f"a query that ends with {clause_name(last)}", last or query)
        for item in last.projection.items if reserve else ():
            column = column_name(self.builder.context, item)
            if not (isinstance(item.expression, syntax.Variable) and item.expression.name == column):
                self.builder.taken.add(column)
        group = Group()
        scope: Scope = {}
        for clause, free in zip(query.clauses[:-1], insensitive(query.clauses), strict=True):
            group, scope = self.clause(clause, group, scope, free)
        table, columns = ProjectionLowering(self.builder, self.expressions, group, scope).table(last.projection, name)
        return table, columns

    def clause(self, clause: ast.Clause, group: Group, scope: Scope, free: bool) -> tuple[Group, Scope]:
        """Add a clause; the group and scope to go on with. `free`: how often a solution occurs does not matter."""
        match clause:
            case ast.Match():
                self.match(clause, group, scope, free)
            case ast.With():
                return self.with_(clause, group, scope)
            case ast.Unwind(expression=expression, variable=variable):
                scope[variable.text] = ValueBinding(self.builder.fresh(variable.text), nullable=False)
                group.add(unwound(self.builder, expression, scope[variable.text].variable), clause)  # type: ignore[union-attr]
            case ast.Filter(condition=condition):
                self.expressions.condition(condition, group, scope)
            case ast.Let(items=items):
                for item in items:
                    self.bind(item.variable.text, item.expression, item, group, scope)
            case ast.OrderAndPage():
                return self.page(clause, group, scope)
            case ast.CallSubquery():
                self.call(clause, group, scope)
            case _:
                raise UnsupportedError(_clause_text(clause), clause)
        return group, scope

    # MATCH

    def match(self, clause: ast.Match, group: Group, scope: Scope, free: bool) -> None:
        if clause.mode is not None and clause.mode.startswith("REPEATABLE"):
            raise UnsupportedError("REPEATABLE ELEMENTS", clause)
        if not clause.optional:
            self.patterns(clause.patterns, clause.where, group, scope, free)
            return
        inner, local = Group(parent=group), dict(scope)
        self.patterns(clause.patterns, clause.where, inner, local, free)
        new = {name: binding for name, binding in local.items() if name not in scope}
        nodes = frozenset(one.variable for one in new.values() if isinstance(one, NodeBinding))
        group.add(OptionalRows(inner, nodes), clause)
        scope.update((name, _loosened(binding)) for name, binding in new.items())

    def patterns(
        self,
        patterns: Sequence[ast.Pattern],
        where: syntax.Expression | None,
        group: Group,
        scope: Scope,
        free: bool,
    ) -> None:
        """The rows of patterns and their condition."""
        PatternLowering(self.builder, group, scope, self.expressions, free).patterns(patterns)
        if where is not None:
            self.expressions.condition(where, group, scope)

    # WITH

    def with_(self, clause: ast.With, group: Group, scope: Scope) -> tuple[Group, Scope]:
        projection = clause.projection
        if is_plain(projection):
            new: Scope = dict(scope) if projection.star else {}
            for item in projection.items:
                name = column_name(self.builder.context, item)
                self.bind(name, item.expression, item, group, scope, new)
            if clause.where is not None:
                self.expressions.condition(clause.where, group, {**scope, **new})
            return group, new
        lowering = ProjectionLowering(self.builder, self.expressions, group, scope, inner=True)
        table, new = lowering.table(projection, "part")
        after = Group(matches=1)
        after.add(SubTable(table), clause)
        if clause.where is not None:
            self.expressions.columns = [
                (item.expression, _variable_of(new[column_name(self.builder.context, item)]))
                for item in projection.items
                if not isinstance(item.expression, syntax.Variable)
            ]
            self.expressions.condition(clause.where, after, new)
            self.expressions.columns = []
        return after, new

    def page(self, clause: ast.OrderAndPage, group: Group, scope: Scope) -> tuple[Group, Scope]:
        """ORDER BY, SKIP, LIMIT of their own: as in WITH *."""
        projection = ast.Projection(clause.start, clause.end, False, True, (), clause.order, clause.skip, clause.limit)
        return self.with_(ast.With(clause.start, clause.end, projection), group, scope)

    def bind(
        self,
        name: str,
        expression: syntax.Expression,
        node: syntax.Node,
        group: Group,
        scope: Scope,
        new: Scope | None = None,
    ) -> None:
        """Give the value of an expression a name in `new` (or `scope` itself)."""
        target = scope if new is None else new
        if isinstance(expression, syntax.Variable) and expression.name in scope:
            target[name] = scope[expression.name]
            return
        lowered = self.expressions.lower(expression, group, scope)
        if isinstance(lowered, Variable):
            target[name] = ValueBinding(lowered)
            return
        variable = self.builder.fresh(name)
        group.add(Bind(lowered, variable), node)
        target[name] = ValueBinding(variable)

    # CALL

    def call(self, clause: ast.CallSubquery, group: Group, scope: Scope) -> None:
        if clause.optional or clause.transactions:
            raise UnsupportedError("OPTIONAL CALL" if clause.optional else "IN TRANSACTIONS", clause)
        imports = _imported(clause, scope)
        if not imports:
            table, columns = self.query(_without_import(clause.query), "part")
            self._rename(columns)
            group.add(SubTable(table), clause)
            group.matches += 1
            scope.update(columns)
            return
        self._inline(clause, imports, group, scope)

    def _rename(self, columns: Scope) -> None:
        self.builder.taken.update(_variable_of(one).name for one in columns.values())

    def _inline(self, clause: ast.CallSubquery, imports: dict[str, str], group: Group, scope: Scope) -> None:
        """A subquery about outer variables that neither groups nor cuts is a part of the query around it."""
        query = _without_import(clause.query)
        last = query.clauses[-1] if isinstance(query, ast.SingleQuery) else None
        if not isinstance(last, ast.Return) or not is_plain(last.projection):
            raise UnsupportedError("a subquery about outer variables that groups, sorts or cuts", clause)
        assert isinstance(query, ast.SingleQuery)
        local: Scope = {name: scope[outer] for name, outer in imports.items()}
        for one in query.clauses[:-1]:
            if not isinstance(one, ast.Match | ast.Unwind | ast.Filter | ast.Let):
                raise UnsupportedError("a subquery about outer variables with more than MATCH and RETURN", one)
            self.clause(one, group, local, False)
        for item in last.projection.items:
            name = column_name(self.builder.context, item)
            self.bind(name, item.expression, item, group, local, scope)


def _loosened(binding: object) -> NodeBinding | ValueBinding | RelationshipBinding | PathBinding:
    """The binding where it may be null."""
    assert isinstance(binding, NodeBinding | ValueBinding | RelationshipBinding | PathBinding)
    return binding if isinstance(binding, PathBinding) else evolve(binding, nullable=True)


def _variable_of(binding: object) -> Variable:
    assert isinstance(binding, NodeBinding | ValueBinding | RelationshipBinding)
    return binding.witness if isinstance(binding, RelationshipBinding) else binding.variable


def _reordered(table: Table, names: Sequence[Variable]) -> Table:
    columns = {column.variable: column for column in table.head}
    return evolve(table, head=tuple(columns[name] for name in names))


def _clause_text(clause: ast.Clause) -> str:
    return f"CALL {clause.name}" if isinstance(clause, ast.CallProcedure) else clause_name(clause)


def _imported(clause: ast.CallSubquery, scope: Scope) -> dict[str, str]:
    """The outer variables that a subquery uses: inner name → outer name."""
    if clause.star:
        return {name: name for name in scope}
    if clause.imports is not None:
        return {name.text: name.text for name in clause.imports}
    first = clause.query.clauses[0] if isinstance(clause.query, ast.SingleQuery) and clause.query.clauses else None
    if not isinstance(first, ast.With):
        return {}
    items = first.projection.items
    if not is_plain(first.projection) or not all(isinstance(one.expression, syntax.Variable) for one in items):
        raise UnsupportedError("a subquery that calculates in its first WITH", first)
    if first.projection.star:
        return {name: name for name in scope}
    return {
        (one.alias.text if one.alias else one.expression.name): one.expression.name
        for one in items
        if isinstance(one.expression, syntax.Variable)
    }


def _without_import(query: ast.Query) -> ast.Query:
    if isinstance(query, ast.SingleQuery) and query.clauses and isinstance(query.clauses[0], ast.With):
        return evolve(query, clauses=query.clauses[1:])
    return query
