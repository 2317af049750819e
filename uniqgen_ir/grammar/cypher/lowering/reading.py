"""From the syntax tree of Cypher to a table."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from uniqgen_ir.grammar.cypher import ast
from uniqgen_ir.grammar.cypher import ast_expressions as expressions
from uniqgen_ir.grammar.cypher.context import Context
from uniqgen_ir.grammar.cypher.lowering.group import Builder, UnsupportedError
from uniqgen_ir.grammar.cypher.lowering.queries import QueryLowering
from uniqgen_ir.grammar.cypher.lowering.tables import number_rows
from uniqgen_ir.grammar.cypher.names import Names
from uniqgen_ir.grammar.cypher.walk import children
from uniqgen_ir.ir.diagnostics import Severity
from uniqgen_ir.ir.mapping import Mapping
from uniqgen_ir.ir.table import Table


def lower_statement(
    context: Context,
    statement: ast.Statement,
    mapping: Mapping | None,
    unbounded: str,
    parallel: Callable[[str], bool] | None,
) -> Table | None:
    """The table of a checked statement; None, with a report, where a table cannot mean it."""
    if isinstance(statement.query, ast.Command):
        return None
    builder = Builder(context, Names(mapping), unbounded, _spoken_of(context.text, statement.query), parallel=parallel)
    try:
        table, _ = QueryLowering(builder).query(statement.query)
    except UnsupportedError as error:
        node = error.node
        context.report("UQ186", f"a table cannot mean {error.message}", node.start, node.end, hint=error.hint)
        return None
    for what, iri in builder.names.assumed.items():
        message = f"the mapping does not list the {what}; it was read as <{iri.value}>"
        context.report("UQ198", message, 0, 0, severity=Severity.INFORMATION)
    return number_rows(table, exists=builder.exists)


_NAMED: Final = re.compile(r"\[\s*[\w`/]")
"""What every relationship with a name has in it: `[r`; a comment may stand before the name."""


def _spoken_of(text: str, query: ast.Query) -> frozenset[str]:
    return frozenset(_things(query)) if _NAMED.search(text) else frozenset()


def _things(query: ast.Query) -> set[str]:
    """Names of which more is asked than `type(r)` and `count(r)`, or that two clauses speak of."""
    used: set[str] = set()
    relationships: set[str] = set()
    everything = False
    stack: list[expressions.Node] = [query]
    while stack:
        node = stack.pop()
        if isinstance(node, expressions.Variable):
            used.add(node.name)
            continue
        if isinstance(node, expressions.FunctionCall) and _only_counts(node):
            continue
        if isinstance(node, ast.RelationshipPattern) and node.variable is not None:
            if node.variable.text in relationships:
                used.add(node.variable.text)
            relationships.add(node.variable.text)
        everything = everything or (isinstance(node, ast.Projection) and node.star)
        stack += children(node)
    return used | relationships if everything else used


def _only_counts(node: expressions.FunctionCall) -> bool:
    return (
        node.lower_name in ("type", "count")
        and not node.distinct
        and len(node.arguments) == 1
        and isinstance(node.arguments[0], expressions.Variable)
    )
