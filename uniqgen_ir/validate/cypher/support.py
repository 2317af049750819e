"""Whether an engine can run a query: every feature that it uses, against the table in `dialects.py`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from attrs import frozen

from uniqgen_ir.grammar.cypher import ast
from uniqgen_ir.grammar.cypher import ast_expressions as expressions
from uniqgen_ir.grammar.cypher.context import Context, replace
from uniqgen_ir.grammar.cypher.walk import find, walk
from uniqgen_ir.ir.diagnostics import Fix
from uniqgen_ir.validate.cypher.dialects import Dialect
from uniqgen_ir.validate.cypher.rewrites import rewrite

_CYPHER_25: Final = frozenset({"FILTER", "LET", "NEXT", "GROUP BY", "match mode"})


@frozen
class Use:
    """A feature, where it is used, and what the message calls it."""

    feature: str
    node: expressions.Node
    named: str


def unsupported(context: Context, statement: ast.Statement, dialect: Dialect) -> None:
    """Report everything that the dialect's engine lacks."""
    wanted = int(statement.version) if statement.version in ("5", "25") else dialect.version
    reported: set[tuple[str, int]] = set()
    for use in uses(statement):
        if dialect.version is not None:
            if wanted == 5 and use.feature in _CYPHER_25:
                _newer(context, use)
            continue
        if use.feature in dialect.lacks and (use.feature, use.node.start) not in reported:
            reported.add((use.feature, use.node.start))
            message = f"{dialect.title} does not support {use.named}"
            fix = rewrite(context.text, statement, use.feature, use.node)
            hint = dialect.lacks[use.feature]
            context.report("UQ450", message, use.node.start, use.node.end, hint=hint, fix=fix)
    for call in find(statement, expressions.FunctionCall):
        _function(context, call, dialect)


def _newer(context: Context, use: Use) -> None:
    """In Cypher 5 these words are faults of syntax."""
    message = f"{use.named} belongs to Cypher 25, and Neo4j reads Cypher 5 unless told otherwise"
    hint = "Cypher groups by the columns that do not aggregate" if use.feature == "GROUP BY" else None
    context.report("UQ180", message, use.node.start, use.node.end, hint=hint, fix=_without_group(context.text, use))


def _without_group(text: str, use: Use) -> Fix | None:
    if not isinstance(use.node, ast.Projection):
        return None
    keys = use.node.group
    columns = [item.expression for item in use.node.items]
    columns += [expressions.Variable(0, 0, item.alias.text) for item in use.node.items if item.alias is not None]
    start = text.upper().rfind("GROUP", use.node.start, keys[0].start)
    if start < 0 or any(key not in columns for key in keys):
        return None
    while text[start - 1].isspace():
        start -= 1
    return replace(start, keys[-1].end, "", "leave it out")


def _function(context: Context, call: expressions.FunctionCall, dialect: Dialect) -> None:
    name, end = call.lower_name, call.start + len(call.name)
    if name in dialect.functions:
        instead = dialect.functions[name]
        same = instead is not None and instead not in ("regexp_replace", "datetime", "localdatetime", "timestamp")
        fix = replace(call.start, end, instead, f"write {instead}()", safe=same) if instead is not None else None
        context.report("UQ450", f"{dialect.title} has no function {call.name}()", call.start, end, fix=fix)
    elif not dialect.apoc and name.startswith(("apoc.", "gds.")):
        context.report("UQ450", f"{dialect.title} has no function {call.name}()", call.start, end)


def uses(statement: ast.Statement) -> Iterator[Use]:
    """The features that a statement uses, in the order of the text."""
    for node in walk(statement):
        yield from _uses_of(node)


def _uses_of(node: expressions.Node) -> Iterator[Use]:
    match node:
        case ast.Pattern(selector=selector, elements=elements):
            if selector is not None:
                yield Use("path selector", node, selector)
            for one in elements:
                if isinstance(one, ast.ShortestPath):
                    yield Use("shortestPath in MATCH", one, _shortest(one) + " in MATCH")
        case ast.ShortestPath():
            yield Use("shortestPath", node, _shortest(node))
        case ast.NodePattern(labels=labels, where=where):
            yield from _label_uses(labels)
            if where is not None:
                yield Use("inline WHERE", node, "a WHERE inside a node")
        case ast.RelationshipPattern():
            yield from _relationship_uses(node)
        case ast.GroupPattern():
            yield Use("group", node, "a group of patterns")
        case ast.Filter():
            yield Use("FILTER", node, "FILTER")
        case ast.Let():
            yield Use("LET", node, "LET")
        case ast.NextQuery():
            yield Use("NEXT", node, "NEXT")
        case ast.Projection(group=group, skip=skip, limit=limit):
            if group:
                yield Use("GROUP BY", node, "GROUP BY")
            for page in (skip, limit):
                if isinstance(page, expressions.Parameter):
                    yield Use("parameter in SKIP or LIMIT", page, "a parameter in SKIP or LIMIT")
        case ast.Match(mode=mode) if mode is not None:
            yield Use("match mode", node, mode)
        case ast.OrderAndPage():
            yield Use("paging before RETURN", node, "SKIP and LIMIT as a clause")
        case ast.CallSubquery(imports=imports):
            yield Use("CALL subquery", node, "CALL { … }")
            if imports is not None:
                yield Use("CALL with imports", node, "CALL (…) { … }")
        case _:
            yield from _expression_uses(node)


def _expression_uses(node: expressions.Node) -> Iterator[Use]:
    match node:
        case expressions.PatternSubquery(kind=kind):
            yield Use(f"{kind} subquery", node, f"{kind} {{ … }}")
            yield Use(f"{kind} without MATCH", node, f"{kind} {{ … }} without MATCH")
        case expressions.Subquery(kind=kind):
            yield Use(f"{kind} subquery", node, f"{kind} {{ … }}")
        case expressions.PatternComprehension():
            yield Use("pattern comprehension", node, "a pattern comprehension")
        case expressions.ListComprehension():
            yield Use("list comprehension", node, "a list comprehension")
        case expressions.MapProjection():
            yield Use("map projection", node, "a map projection")
        case expressions.Reduce():
            yield Use("reduce", node, "reduce()")
        case expressions.Quantifier(kind=kind):
            yield Use("quantifier function", node, f"{kind}(x IN list WHERE …)")
        case expressions.Binary(operator="=~"):
            yield Use("regular expression", node, "=~")
        case expressions.Binary(operator="^"):
            yield Use("power", node, "^")
        case expressions.Binary(operator="||"):
            yield Use("concatenation", node, "||")
        case expressions.LabelTest(labels=labels):
            yield Use("label test", node, "a test of labels in a condition")
            yield from _label_uses(labels)
        case expressions.When(tests=tests) if len(tests) > 1:
            yield Use("several WHEN values", node, "several values after WHEN")
        case _:
            return


def _relationship_uses(node: ast.RelationshipPattern) -> Iterator[Use]:
    if node.repetition is not None:
        yield Use("quantifier", node, "a quantifier behind a relationship")
    if node.where is not None:
        yield Use("inline WHERE of a relationship", node, "a WHERE inside a relationship")
    if node.types is not None and any(
        isinstance(one, expressions.LabelNot | expressions.LabelAnd | expressions.LabelAny) for one in walk(node.types)
    ):
        yield Use("type expression", node.types, "`!`, `&` and `%` in relationship types")


def _label_uses(labels: expressions.LabelExpression | None) -> Iterator[Use]:
    if labels is None:
        return
    for one in walk(labels):
        if isinstance(one, expressions.LabelNot):
            yield Use("label negation", one, "`!` before a label")
    plain = isinstance(labels, expressions.LabelName) or (
        isinstance(labels, expressions.LabelAnd)
        and labels.colons
        and all(isinstance(one, expressions.LabelName) for one in labels.operands)
    )
    if not plain:
        yield Use("label expression", labels, "`|`, `&` and `!` between labels")


def _shortest(node: ast.ShortestPath) -> str:
    return "allShortestPaths()" if node.every else "shortestPath()"
