"""What a query must obey beyond its grammar: scope, kinds of variables, aggregation, columns.

`check_statement` walks clause by clause with the scope that each of them sees. Expressions are checked in
`cypher_check_expressions.py`, projections in `cypher_check_projection.py`.
"""

from __future__ import annotations

from collections.abc import Sequence

from uniqgen_ir.grammar.cypher import ast
from uniqgen_ir.grammar.cypher.ast_expressions import Name, Parameter
from uniqgen_ir.grammar.cypher.checking.expressions import ExpressionChecker
from uniqgen_ir.grammar.cypher.checking.projection import check_page, project, visible
from uniqgen_ir.grammar.cypher.clauses import clause_name
from uniqgen_ir.grammar.cypher.context import Context
from uniqgen_ir.grammar.cypher.functions import EXTERNAL, WRITING_PROCEDURES, begins_with
from uniqgen_ir.grammar.cypher.scope import Kind, Scope, declare, kind_of

Columns = tuple[str, ...] | None
"""The columns of a query; None where they are not known (`YIELD *`) or there are none."""


def check_statement(context: Context, statement: ast.Statement) -> None:
    """Report every fault of scope, kind, aggregation and columns. The statement must be free of syntax faults."""
    if isinstance(statement.query, ast.Command):
        command = statement.query
        if command.kind is ast.CommandKind.WRITE:
            context.report("UQ184", f"{command.words} changes the database", command.start, command.end)
        else:
            context.report("UQ186", f"{command.words} is no query of the graph", command.start, command.end)
        return
    QueryChecker(context).query(statement.query, {})


class QueryChecker:
    """Checks queries and the queries inside them."""

    def __init__(self, context: Context) -> None:
        self.context = context
        self.expressions = ExpressionChecker(context, self)

    def query(self, query: ast.Query, outer: Scope, *, keep: bool = False, named: bool = False) -> Columns:
        """Check a query that sees the variables of `outer`; its columns.

        `keep`: they stay in scope after WITH. `named`: every column needs a name.
        """
        if isinstance(query, ast.SingleQuery):
            return self.single(query, outer, keep=keep, named=named)
        if isinstance(query, ast.NextQuery):
            columns: Columns = ()
            scope = dict(outer)
            for one in query.queries:
                columns = self.query(one, scope, keep=keep, named=one is not query.queries[-1])
                scope = {**outer, **dict.fromkeys(columns or (), Kind.ANY)}
            return columns
        return self.union(query, outer, keep=keep, named=named)

    def union(self, query: ast.UnionQuery, outer: Scope, *, keep: bool, named: bool) -> Columns:
        first = self.query(query.queries[0], outer, keep=keep, named=named)
        for one in query.queries[1:]:
            columns = self.query(one, outer, keep=keep, named=named)
            if first is not None and columns is not None and set(first) != set(columns):
                last = one.clauses[-1]
                message = f"the parts of the UNION return {_listed(first)} and {_listed(columns)}"
                hint = "give the columns the same names with AS"
                self.context.report("UQ190", message, last.start, last.end, hint=hint)
        if len(set(query.distinct)) > 1:
            self.context.report("UQ183", "UNION and UNION ALL cannot be mixed", query.start, query.end)
        return first

    def single(self, query: ast.SingleQuery, outer: Scope, *, keep: bool = False, named: bool = False) -> Columns:
        scope: Scope = dict(outer)
        columns: Columns = None
        for clause in query.clauses:
            columns = self.clause(clause, scope, outer if keep else {}, named)
        return columns

    def clause(self, clause: ast.Clause, scope: Scope, kept: Scope, named: bool) -> Columns:
        match clause:
            case ast.Match():
                self.match(clause, scope)
            case ast.With(projection=projection, where=where):
                new = project(self, projection, scope, kept, named=True)
                if where is not None:
                    self.expressions.condition(where, visible(where, projection, new.seen, scope), "WHERE")
                _replace(scope, {**kept, **new.scope})
            case ast.Return(projection=projection):
                new = project(self, projection, scope, kept, named=named)
                _replace(scope, new.scope)
                return new.columns
            case ast.Unwind(expression=expression, variable=variable):
                self.expressions.plain(expression, scope, "UNWIND")
                self.introduce(variable, scope)
            case ast.Filter(condition=condition):
                self.expressions.condition(condition, scope, "FILTER")
            case ast.Let(items=items):
                for item in items:
                    self.expressions.plain(item.expression, scope, "LET")
                    self.introduce(item.variable, scope, kind_of(item.expression, scope))
            case ast.OrderAndPage(order=order, skip=skip, limit=limit):
                for one in order:
                    self.expressions.plain(one.expression, scope, "ORDER BY")
                check_page(self, skip, limit)
            case ast.CallSubquery():
                self.call_subquery(clause, scope)
            case ast.CallProcedure():
                return self.call_procedure(clause, scope)
            case ast.LoadCsv(source=source, variable=variable):
                self.context.report("UQ185", "LOAD CSV reads a file or an address", clause.start, clause.end)
                self.expressions.plain(source, scope, "LOAD CSV")
                self.introduce(variable, scope)
            case ast.Use() | ast.Finish():
                pass
            case _:
                self.write(clause, scope)
        return None

    def write(self, clause: ast.WritingClause, scope: Scope) -> None:
        self.context.report("UQ184", f"{clause_name(clause)} changes the graph", clause.start, clause.end)
        if isinstance(clause, ast.Create):
            self.declare_patterns(clause.patterns, scope)
        elif isinstance(clause, ast.Merge):
            self.declare_patterns((clause.pattern,), scope)

    def introduce(self, name: Name, scope: Scope, kind: Kind = Kind.ANY) -> None:
        """A new variable; one that is in scope already is reported."""
        if name.text in scope:
            self.context.report("UQ188", f"`{name.text}` is in scope already", name.start, name.end)
        scope[name.text] = kind

    # MATCH

    def match(self, clause: ast.Match, scope: Scope) -> None:
        self.declare_patterns(clause.patterns, scope, matching=True)
        for pattern in clause.patterns:
            self.pattern_expressions(pattern.elements, scope, matching=True)
        if clause.where is not None:
            self.expressions.condition(clause.where, scope, "WHERE")
        for hint in clause.hints:
            for name in hint.variables:
                if name.text not in scope:
                    self.context.report("UQ187", f"`{name.text}` is not in scope", name.start, name.end)

    def declare_patterns(self, patterns: Sequence[ast.Pattern], scope: Scope, *, matching: bool = False) -> None:
        """Bring the variables of patterns into scope."""
        seen: set[str] = set()
        for pattern in patterns:
            if pattern.variable is not None:
                declare(self.context, scope, pattern.variable, Kind.PATH, fresh=True)
        for pattern in patterns:
            self.declare_elements(pattern.elements, scope, seen if matching else None)

    def declare_elements(self, elements: Sequence[ast.PathElement], scope: Scope, seen: set[str] | None) -> None:
        """`seen` holds the relationships of one MATCH: none of them may stand in it twice."""
        for element in elements:
            match element:
                case ast.NodePattern(variable=Name() as name):
                    declare(self.context, scope, name, Kind.NODE)
                case ast.RelationshipPattern(variable=Name() as name):
                    long = element.length is not None or element.repetition is not None
                    if seen is not None and name.text in seen:
                        message = f"`{name.text}` cannot stand for two relationships of one MATCH"
                        self.context.report("UQ188", message, name.start, name.end)
                        continue
                    declare(self.context, scope, name, Kind.RELATIONSHIPS if long else Kind.RELATIONSHIP)
                    if seen is not None:
                        seen.add(name.text)
                case ast.GroupPattern(path_variable=path_variable, elements=inner):
                    if path_variable is not None:
                        declare(self.context, scope, path_variable, Kind.ANY, fresh=True)
                    self.declare_group(inner, scope, element)
                case ast.ShortestPath(elements=inner):
                    self.declare_elements(inner, scope, seen)
                case _:
                    pass

    def declare_group(self, inner: Sequence[ast.PathElement], scope: Scope, group: ast.GroupPattern) -> None:
        """Inside a quantified group a variable is one thing; outside it is the list of all of them."""
        local: Scope = dict(scope)
        known = set(scope)
        self.declare_elements(inner, local, None)
        self.pattern_expressions(inner, local, matching=True)
        if group.where is not None:
            self.expressions.condition(group.where, local, "WHERE")
        single = group.repetition is None
        for name, kind in local.items():
            if name not in known:
                scope[name] = kind if single else Kind.ANY

    def pattern_expressions(self, elements: Sequence[ast.PathElement], scope: Scope, *, matching: bool) -> None:
        """Check the properties and conditions inside a pattern."""
        for element in elements:
            if isinstance(element, ast.ShortestPath):
                self.pattern_expressions(element.elements, scope, matching=matching)
            elif isinstance(element, ast.NodePattern | ast.RelationshipPattern):
                if isinstance(element.properties, Parameter) and matching:
                    message = "a parameter cannot stand for all properties of a pattern"
                    self.context.report("UQ194", message, element.properties.start, element.properties.end)
                elif element.properties is not None:
                    self.expressions.plain(element.properties, scope, "a pattern")
                if element.where is not None:
                    self.expressions.condition(element.where, scope, "WHERE")

    # CALL

    def call_subquery(self, clause: ast.CallSubquery, scope: Scope) -> None:
        if clause.imports is not None:
            for name in clause.imports:
                if name.text not in scope:
                    self.context.report("UQ187", f"`{name.text}` is not in scope", name.start, name.end)
            outer = {name.text: scope.get(name.text, Kind.ANY) for name in clause.imports}
        else:
            # without brackets only an importing WITH sees the outer variables
            outer = dict(scope) if clause.star or _imports(clause.query) else {}
        keep = clause.star or clause.imports is not None
        columns = self.query(clause.query, outer, keep=keep, named=True)
        for column in columns or ():
            if column in scope:
                message = f"the subquery returns `{column}`, which is in scope already"
                self.context.report("UQ188", message, clause.start, clause.end)
            scope[column] = Kind.ANY

    def call_procedure(self, clause: ast.CallProcedure, scope: Scope) -> Columns:
        if begins_with(clause.name, EXTERNAL):
            self.context.report("UQ185", f"{clause.name} reaches outside the graph", clause.start, clause.end)
        if begins_with(clause.name, WRITING_PROCEDURES):
            self.context.report("UQ184", f"{clause.name} changes the graph", clause.start, clause.end)
        for argument in clause.arguments or ():
            self.expressions.plain(argument, scope, "CALL")
        for item in clause.yields or ():
            self.introduce(item.alias or item.name, scope)
        if clause.where is not None:
            self.expressions.condition(clause.where, scope, "WHERE")
        return None if clause.yields is None else tuple((item.alias or item.name).text for item in clause.yields)


def _imports(query: ast.Query) -> bool:
    if isinstance(query, ast.SingleQuery):
        return bool(query.clauses) and isinstance(query.clauses[0], ast.With)
    return any(_imports(one) for one in query.queries)


def _replace(scope: Scope, new: Scope) -> None:
    scope.clear()
    scope.update(new)


def _listed(columns: tuple[str, ...]) -> str:
    return ", ".join(f"`{column}`" for column in columns)
