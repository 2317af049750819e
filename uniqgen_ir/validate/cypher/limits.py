"""Paths without a bound, old forms, and parameters that have no value or no use."""

from __future__ import annotations

import re
from typing import Final

from uniqgen_ir.grammar.cypher import ast
from uniqgen_ir.grammar.cypher import ast_expressions as expressions
from uniqgen_ir.grammar.cypher.context import Context, replace
from uniqgen_ir.grammar.cypher.walk import find, walk
from uniqgen_ir.ir.diagnostics import Severity
from uniqgen_ir.ir.suggestions import nearest

USUAL_BOUND: Final = 5
_REPEATS: Final = re.compile(r"[*+]|,\s*\}")
_COLON: Final = re.compile(r"\|\s*:")


def unbounded_paths(context: Context, statement: ast.Statement) -> None:
    """Warn of paths that may be as long as the graph allows, other than shortest ones."""
    if not _REPEATS.search(context.text, statement.start, statement.end):
        return
    shortest = {
        id(inner)
        for node in walk(statement)
        if isinstance(node, ast.ShortestPath) or (isinstance(node, ast.Pattern) and node.selector is not None)
        for inner in walk(node)
    }
    for node in walk(statement):
        if not isinstance(node, ast.Length | ast.Repetition) or node.maximum is not None or id(node) in shortest:
            continue
        least = node.minimum if node.minimum is not None else 1
        bound = max(USUAL_BOUND, least)
        written = f"*{least}..{bound}" if isinstance(node, ast.Length) else f"{{{least},{bound}}}"
        message = "this path has no upper bound: the number of paths can explode"
        fix = replace(node.start, node.end, written, f"write {written}", safe=False)
        hint = f"give it one, as in {written}"
        context.report("UQ193", message, node.start, node.end, hint=hint, fix=fix, severity=Severity.WARNING)


def old_forms(context: Context, statement: ast.Statement) -> None:
    """Warn of colons between alternative types, as in `[:A|:B]`."""
    if not _COLON.search(context.text, statement.start, statement.end):
        return
    for node in find(statement, ast.RelationshipPattern):
        types = node.types
        if not isinstance(types, expressions.LabelOr):
            continue
        text = context.text[types.start : types.end]
        if _COLON.search(text):
            plain = _COLON.sub("|", text)
            fix = replace(types.start, types.end, plain, f"write {plain}")
            message = "a colon behind `|` is deprecated"
            context.report("UQ192", message, types.start, types.end, fix=fix, severity=Severity.WARNING)


def parameters(context: Context, statement: ast.Statement, given: frozenset[str]) -> None:
    """Report parameters without a value, and values that no parameter takes."""
    used: dict[str, expressions.Parameter] = {}
    for one in find(statement, expressions.Parameter):
        used.setdefault(one.name, one)
    for name, one in used.items():
        if name in given:
            continue
        near = nearest(name, ((other, other) for other in given - set(used)))
        fix = replace(one.start, one.end, f"${near}", f"write ${near}", safe=False) if near else None
        hint = None if near else "there are " + (", ".join(f"${other}" for other in sorted(given)) or "no parameters")
        context.report("UQ611", f"the parameter ${name} has no value", one.start, one.end, hint=hint, fix=fix)
    for name in sorted(given - set(used)):
        message = f"the query does not use the parameter ${name}"
        context.report("UQ451", message, statement.start, statement.end, severity=Severity.WARNING)
