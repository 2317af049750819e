"""Checks of expressions: scope, kinds, aggregates in their place, functions that exist."""

from __future__ import annotations

from typing import Protocol

from uniqgen_ir.grammar.cypher import ast
from uniqgen_ir.grammar.cypher import ast_expressions as expressions
from uniqgen_ir.grammar.cypher.context import Context, replace
from uniqgen_ir.grammar.cypher.functions import EXTERNAL, FUNCTIONS, WRITING_PROCEDURES, begins_with
from uniqgen_ir.grammar.cypher.scope import Kind, Scope, aggregates, is_aggregate, kind_of
from uniqgen_ir.grammar.cypher.walk import children, find
from uniqgen_ir.ir.diagnostics import Severity
from uniqgen_ir.ir.suggestions import nearest


class Queries(Protocol):
    """What the checks of expressions need of the checks of queries."""

    def query(self, query: ast.Query, outer: Scope, *, keep: bool = ..., named: bool = ...) -> object: ...

    def declare_patterns(self, patterns: tuple[ast.Pattern, ...], scope: Scope, *, matching: bool = ...) -> None: ...

    def declare_elements(self, elements: tuple[ast.PathElement, ...], scope: Scope, seen: set[str] | None) -> None: ...

    def pattern_expressions(self, elements: tuple[ast.PathElement, ...], scope: Scope, *, matching: bool) -> None: ...


class ExpressionChecker:
    """Checks expressions against a scope; faults go to the context."""

    def __init__(self, context: Context, queries: Queries) -> None:
        self.context = context
        self.queries = queries

    def projected(self, expression: expressions.Expression, scope: Scope) -> None:
        """An expression of WITH or RETURN: aggregates are allowed, but not inside each other."""
        for one in aggregates(expression):
            for child in children(one):
                for inner in aggregates(child):
                    self.context.report("UQ189", "an aggregate inside an aggregate", inner.start, inner.end)
            for call in find(one, expressions.FunctionCall):
                if call.lower_name == "rand":
                    message = "rand() inside an aggregate has no defined value"
                    self.context.report("UQ189", message, call.start, call.end)
        self.check(expression, scope)

    def plain(self, expression: expressions.Expression, scope: Scope, place: str) -> None:
        """An expression that may not aggregate."""
        inside = aggregates(expression)
        if inside:
            hint = "aggregate in a WITH before"
            self.context.report("UQ189", f"{place} cannot aggregate", inside[0].start, inside[0].end, hint=hint)
        self.check(expression, scope)

    def condition(self, expression: expressions.Expression, scope: Scope, place: str) -> None:
        """A condition: a truth value."""
        self.plain(expression, scope, place)
        kind = kind_of(expression, scope)
        number = isinstance(
            expression, expressions.IntegerLiteral | expressions.FloatLiteral | expressions.StringLiteral
        ) or kind in (Kind.NODE, Kind.RELATIONSHIP, Kind.PATH)
        if number:
            self.context.report("UQ194", f"{place} takes a truth value", expression.start, expression.end)

    def check(self, node: expressions.Node, scope: Scope) -> None:
        """Everything inside an expression."""
        match node:
            case expressions.Variable(name=name):
                if name not in scope:
                    self.undefined(node, name, scope)
            case expressions.FunctionCall():
                self.call(node, scope)
            case expressions.Property(operand=operand, key=key):
                if kind_of(operand, scope) is Kind.PATH:
                    message = f"a path has no properties, so no `{key.text}`"
                    self.context.report("UQ194", message, key.start, key.end)
                elif kind_of(operand, scope) is Kind.RELATIONSHIPS:
                    message = f"a list of relationships has no properties, so no `{key.text}`"
                    hint = "write all(x IN r WHERE x.key …) or any(x IN r WHERE x.key …)"
                    self.context.report("UQ194", message, node.start, node.end, hint=hint)
                self.check(operand, scope)
            case expressions.ListComprehension(variable=variable, source=source, where=where, result=result):
                self.check(source, scope)
                self.inner((where, result), {**scope, variable.text: Kind.ANY})
            case expressions.Quantifier(variable=variable, source=source, where=where):
                self.check(source, scope)
                self.inner((where,), {**scope, variable.text: Kind.ANY})
            case expressions.Reduce(accumulator=total, initial=initial, variable=variable, source=source, step=step):
                self.inner((initial, source), scope)
                self.inner((step,), {**scope, total.text: Kind.ANY, variable.text: Kind.ANY})
            case expressions.PatternComprehension():
                self.pattern_comprehension(node, scope)
            case expressions.PatternExpression(elements=elements) | ast.ShortestPath(elements=elements):
                self.bound_pattern(elements, scope)
            case expressions.Subquery(query=query):
                self.queries.query(query, scope, keep=True)
            case expressions.PatternSubquery(patterns=patterns, where=where):
                local = dict(scope)
                self.queries.declare_patterns(patterns, local, matching=True)
                for pattern in patterns:
                    self.queries.pattern_expressions(pattern.elements, local, matching=True)
                if where is not None:
                    self.condition(where, local, "WHERE")
            case _:
                for child in children(node):
                    if not isinstance(child, expressions.Name):
                        self.check(child, scope)

    def inner(self, parts: tuple[expressions.Expression | None, ...], scope: Scope) -> None:
        for part in parts:
            if part is not None:
                self.check(part, scope)

    def undefined(self, node: expressions.Node, name: str, scope: Scope) -> None:
        close = nearest(name, ((one, one) for one in scope)) if len(name) > 2 else None
        hint = f"did you mean `{close}`?" if close else "bind it in MATCH, or carry it on in WITH"
        fix = replace(node.start, node.end, close, f"write {close}", safe=False) if close else None
        self.context.report("UQ187", f"`{name}` is not in scope", node.start, node.end, hint=hint, fix=fix)

    def pattern_comprehension(self, node: expressions.PatternComprehension, scope: Scope) -> None:
        local = dict(scope)
        if node.path_variable is not None:
            local[node.path_variable.text] = Kind.PATH
        self.queries.declare_elements(node.elements, local, set())
        self.queries.pattern_expressions(node.elements, local, matching=True)
        for part in (node.where, node.result):
            if part is not None:
                inside = aggregates(part)
                if inside:
                    message = "a pattern comprehension cannot aggregate"
                    self.context.report("UQ189", message, inside[0].start, inside[0].end)
                self.check(part, local)

    def bound_pattern(self, elements: tuple[ast.PathElement, ...], scope: Scope) -> None:
        """A pattern as a condition brings no variables of its own."""
        for element in elements:
            name = getattr(element, "variable", None)
            if isinstance(name, expressions.Name) and name.text not in scope:
                hint = "write EXISTS { … } to bring in variables"
                self.context.report("UQ187", f"`{name.text}` is not in scope", name.start, name.end, hint=hint)
        local = dict(scope)
        self.queries.declare_elements(elements, local, None)
        self.queries.pattern_expressions(elements, local, matching=False)

    # functions

    def call(self, node: expressions.FunctionCall, scope: Scope) -> None:
        name = node.lower_name
        if name in ("filter", "extract") and len(node.arguments) == 1:
            hint = "write a list comprehension: [x IN list WHERE condition | value]"
            self.context.report("UQ191", f"{node.name}() was removed", node.start, node.end, hint=hint)
            return
        if name == "exists" and len(node.arguments) == 1:
            self.exists(node, node.arguments[0])
        elif name in ("size", "length") and len(node.arguments) == 1:
            self.size(node, node.arguments[0], scope)
        elif name == "id":
            message, hint = "id() is deprecated", "use elementId() or a property of your own"
            self.context.report("UQ192", message, node.start, node.end, hint=hint, severity=Severity.WARNING)
        elif "." not in name and name not in FUNCTIONS:
            self.unknown(node)
        elif begins_with(name, EXTERNAL):
            self.context.report("UQ185", f"{node.name} reaches outside the graph", node.start, node.end)
        elif begins_with(name, WRITING_PROCEDURES):
            self.context.report("UQ184", f"{node.name} may change the graph", node.start, node.end)
        if node.distinct and not is_aggregate(node):
            self.context.report("UQ180", "DISTINCT only stands in aggregates", node.start, node.end)
        for argument in node.arguments:
            self.check(argument, scope)

    def exists(self, node: expressions.FunctionCall, argument: expressions.Expression) -> None:
        if isinstance(argument, expressions.Property | expressions.Index):
            text = self.context.text[argument.start : argument.end]
            fix = replace(node.start, node.end, f"{text} IS NOT NULL", "write IS NOT NULL")
            hint = f"write {text} IS NOT NULL"
            self.context.report("UQ191", "exists() of a property was removed", node.start, node.end, hint=hint, fix=fix)

    def size(self, node: expressions.FunctionCall, argument: expressions.Expression, scope: Scope) -> None:
        if isinstance(argument, expressions.PatternExpression) and node.lower_name == "size":
            text = self.context.text[argument.start : argument.end]
            fix = replace(node.start, node.end, f"COUNT {{ {text} }}", "write COUNT { … }")
            message = "size() of a pattern was removed"
            self.context.report("UQ191", message, node.start, node.end, hint="write COUNT { … }", fix=fix)
        kind = kind_of(argument, scope)
        wrong = (
            (Kind.NODE, Kind.RELATIONSHIP) if node.lower_name == "length" else (Kind.NODE, Kind.RELATIONSHIP, Kind.PATH)
        )
        if kind in wrong:
            takes = "a path" if node.lower_name == "length" else "a list or a string"
            self.context.report("UQ194", f"{node.name}() takes {takes}, not a {kind}", argument.start, argument.end)

    def unknown(self, node: expressions.FunctionCall) -> None:
        if node.name == "?":
            return
        close = nearest(node.name, ((one, one) for one in sorted(FUNCTIONS)))
        hint = f"did you mean {close}()?" if close else None
        end = node.start + len(node.name)
        self.context.report("UQ199", f"there is no function {node.name}()", node.start, end, hint=hint)
