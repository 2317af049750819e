"""Labels and relationship types that stand in strings: `type(r) = 'WROTE'`, `'Author' IN labels(n)`.

Also where a list of labels is gone through: `any(l IN labels(n) WHERE l = 'Author')`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from uniqgen_ir.backends.cypher.quoting import quote_string
from uniqgen_ir.grammar.cypher import ast_expressions as expressions
from uniqgen_ir.grammar.cypher.context import replace
from uniqgen_ir.grammar.cypher.walk import walk
from uniqgen_ir.ir.diagnostics import Severity
from uniqgen_ir.validate.cypher.names import NameChecker, listed, near

_TYPE: Final = "type"
_LABELS: Final = "labels"


def check_quoted_names(names: NameChecker, node: expressions.Comparison | expressions.Binary) -> None:
    """Report the names in a comparison that no label or type has."""
    if isinstance(node, expressions.Binary):
        found = _in_list(node) if node.operator == "IN" else iter(())
        for function, literal in found:
            _check(names, function, literal, denied=False)
        return
    for operator, left, right in zip(node.operators, node.operands, node.operands[1:], strict=False):
        if operator in ("=", "<>"):
            for function, literal in (*_pair(left, right), *_pair(right, left)):
                _check(names, function, literal, denied=operator == "<>")


def check_listed_names(names: NameChecker, node: expressions.Quantifier | expressions.ListComprehension) -> None:
    """Report the names that no label has in the condition on each label of a node."""
    if node.where is None or not _function(node.source, _LABELS):
        return
    denied = isinstance(node, expressions.Quantifier) and node.kind == "none"
    for one in walk(node.where):
        for literal, unequal in _compared(one, node.variable):
            _check(names, _LABELS, literal, denied=denied or unequal)


def _compared(node: expressions.Node, name: expressions.Name) -> Iterator[tuple[expressions.StringLiteral, bool]]:
    """The texts that a variable is compared with, and whether it has to be another."""
    if isinstance(node, expressions.Binary) and node.operator == "IN" and _is_name(node.left, name):
        options = _strings(node.right) if isinstance(node.right, expressions.ListLiteral) else ()
        yield from ((one, False) for one in options)
    if not isinstance(node, expressions.Comparison):
        return
    for operator, left, right in zip(node.operators, node.operands, node.operands[1:], strict=False):
        for one, other in ((left, right), (right, left)):
            if operator in ("=", "<>") and _is_name(one, name) and isinstance(other, expressions.StringLiteral):
                yield other, operator == "<>"


def _is_name(node: expressions.Expression, name: expressions.Name) -> bool:
    return isinstance(node, expressions.Variable) and node.name == name.text


def _pair(
    left: expressions.Expression, right: expressions.Expression
) -> Iterator[tuple[str, expressions.StringLiteral]]:
    """`type(r) = 'X'`, `labels(n)[0] = 'X'`, `labels(n) = ['X', 'Y']`."""
    one = _function(left, _TYPE) or (_function(left.operand, _LABELS) if isinstance(left, expressions.Index) else None)
    if one is not None and isinstance(right, expressions.StringLiteral):
        yield one, right
    if _function(left, _LABELS) and isinstance(right, expressions.ListLiteral):
        yield from ((_LABELS, item) for item in _strings(right))


def _in_list(node: expressions.Binary) -> Iterator[tuple[str, expressions.StringLiteral]]:
    """`'X' IN labels(n)`, `type(r) IN ['X', 'Y']`."""
    if _function(node.right, _LABELS) and isinstance(node.left, expressions.StringLiteral):
        yield _LABELS, node.left
    if isinstance(node.right, expressions.ListLiteral) and (one := _function(node.left, _TYPE)) is not None:
        yield from ((one, item) for item in _strings(node.right))


def _function(node: expressions.Expression, name: str) -> str | None:
    return name if isinstance(node, expressions.FunctionCall) and node.lower_name == name else None


def _strings(node: expressions.ListLiteral) -> Iterator[expressions.StringLiteral]:
    return (one for one in node.items if isinstance(one, expressions.StringLiteral))


def _check(names: NameChecker, function: str, literal: expressions.StringLiteral, *, denied: bool) -> None:
    graph, text = names.index.graph, literal.value
    of_types = function == _TYPE
    known = graph.types if of_types else graph.labels
    if text in known or not known:
        return
    code, word = ("UQ441", "relationship type") if of_types else ("UQ440", "label")
    found = near(text, known)
    fix, hint = None, listed(known, "the schema has none")
    if found is not None:
        hint = f"did you mean `{found[0]}`?"
        quoted = quote_string(found[0])
        fix = replace(literal.start, literal.end, quoted, f"write {quoted}", safe=found[1])
    # what nothing is, everything is not: harmless, but hardly meant
    severity = Severity.WARNING if denied else Severity.ERROR
    message = f"there is no {word} `{text}`"
    names.context.report(code, message, literal.start, literal.end, hint=hint, fix=fix, severity=severity)
