"""From the syntax tree of Cypher to a table."""

from __future__ import annotations

from collections.abc import Iterator

from uniqgen_ir.grammar import cypher_ast as ast
from uniqgen_ir.grammar import cypher_ast_expressions as expressions
from uniqgen_ir.grammar.cypher_context import Context
from uniqgen_ir.grammar.cypher_lower_group import Builder, UnsupportedError
from uniqgen_ir.grammar.cypher_lower_queries import QueryLowering
from uniqgen_ir.grammar.cypher_names import Names
from uniqgen_ir.grammar.cypher_walk import children, find
from uniqgen_ir.grammar.sparql_numbering import number_rows
from uniqgen_ir.ir.diagnostics import Severity
from uniqgen_ir.ir.mapping import Mapping
from uniqgen_ir.ir.table import Table


def lower_statement(
    context: Context, statement: ast.Statement, mapping: Mapping | None, unbounded: str
) -> Table | None:
    """The table of a checked statement; None, with a report, where a table cannot mean it."""
    if isinstance(statement.query, ast.Command):
        return None
    builder = Builder(context, Names(mapping), unbounded, frozenset(_things(statement.query)))
    try:
        table, _ = QueryLowering(builder).query(statement.query)
    except UnsupportedError as error:
        node = error.node
        context.report("UQ186", f"a table cannot mean {error.message}", node.start, node.end, hint=error.hint)
        return None
    for what, iri in builder.names.assumed.items():
        message = f"the mapping does not list the {what}; it was read as <{iri.value}>"
        context.report("UQ198", message, 0, 0, severity=Severity.INFORMATION)
    return number_rows(table)


def _things(query: ast.Query) -> Iterator[str]:
    """Names that are used as values, other than in `type(r)` and `count(r)`."""
    stack: list[expressions.Node] = [query]
    while stack:
        node = stack.pop()
        if isinstance(node, expressions.Variable):
            yield node.name
        elif not (
            isinstance(node, expressions.FunctionCall)
            and node.lower_name in ("type", "count")
            and not node.distinct
            and len(node.arguments) == 1
            and isinstance(node.arguments[0], expressions.Variable)
        ):
            stack.extend(children(node))
    seen: set[str] = set()
    for pattern in find(query, ast.RelationshipPattern):
        if pattern.variable is not None and pattern.variable.text in seen:
            # a relationship that two clauses speak of
            yield pattern.variable.text
        seen.update((pattern.variable.text,) if pattern.variable is not None else ())
    if any(one.star for one in find(query, ast.Projection)):
        for pattern in find(query, ast.RelationshipPattern):
            if pattern.variable is not None:
                yield pattern.variable.text
