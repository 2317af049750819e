"""The same thing in words that another engine understands."""

from __future__ import annotations

from uniqgen_ir.grammar.cypher import ast
from uniqgen_ir.grammar.cypher import ast_expressions as expressions
from uniqgen_ir.grammar.cypher.context import replace
from uniqgen_ir.grammar.cypher.walk import find, walk
from uniqgen_ir.ir.diagnostics import Edit, Fix


def rewrite(text: str, statement: ast.Statement, feature: str, node: expressions.Node) -> Fix | None:
    """A fix that does without a feature; None where there is none that keeps the meaning."""
    match feature, node:
        case "inline WHERE" | "inline WHERE of a relationship", ast.NodePattern() | ast.RelationshipPattern():
            return _condition_outside(text, statement, node)
        case "quantifier", ast.RelationshipPattern():
            return _length(text, node)
        case "EXISTS subquery", expressions.PatternSubquery():
            return _bare_pattern(text, statement, node)
        case "EXISTS without MATCH" | "COUNT without MATCH", expressions.PatternSubquery(patterns=patterns):
            first = patterns[0].start
            return replace(first, first, "MATCH ", "write MATCH")
        case "label expression", expressions.LabelAnd(operands=operands) if all(
            isinstance(one, expressions.LabelName) for one in operands
        ):
            names = ":".join(text[one.start : one.end] for one in operands)
            return replace(node.start, node.end, names, "write a colon between labels")
        case "concatenation", expressions.Binary(left=left, right=right):
            start = text.index("||", left.end, right.start)
            return replace(start, start + 2, "+", "write +")
        case _:
            return None


def _condition_outside(
    text: str, statement: ast.Statement, node: ast.NodePattern | ast.RelationshipPattern
) -> Fix | None:
    """Move a condition from a pattern to the WHERE of its clause."""
    clause = next((one for one in find(statement, ast.Match) if any(inner is node for inner in walk(one))), None)
    condition = node.where
    if (
        clause is None
        or condition is None
        or any(inner is node for one in find(clause, expressions.PatternSubquery) for inner in walk(one))
    ):
        return None
    start = text.upper().rfind("WHERE", node.start, condition.start)
    if start < 0:
        return None
    while text[start - 1].isspace():
        start -= 1
    moved = text[condition.start : condition.end]
    if isinstance(condition, expressions.Junction) and condition.operator != "AND":
        moved = f"({moved})"
    remove = Edit(start, condition.end, "")
    if clause.where is not None:
        add = Edit(clause.where.start, clause.where.start, f"{moved} AND ")
        if isinstance(clause.where, expressions.Junction) and clause.where.operator != "AND":
            return None
    else:
        end = max(one.end for one in (*clause.patterns, *clause.hints))
        add = Edit(end, end, f" WHERE {moved}")
    return Fix("move the condition to the WHERE of the clause", (remove, add))


def _length(text: str, node: ast.RelationshipPattern) -> Fix | None:
    """`-[:R]->{1,3}` as `-[:R*1..3]->`."""
    repetition = node.repetition
    closing = text.rfind("]", node.start, repetition.start) if repetition is not None else -1
    if repetition is None or closing < 0 or node.properties is not None or node.where is not None:
        return None
    low, high = repetition.minimum, repetition.maximum
    length = f"*{low}" if low == high else f"*{low}..{'' if high is None else high}"
    start = repetition.start
    return Fix("write the length in the brackets", (Edit(closing, closing, length), Edit(start, node.end, "")))


def _bare_pattern(text: str, statement: ast.Statement, node: expressions.PatternSubquery) -> Fix | None:
    """`EXISTS { (a)-->(b) }` as `(a)-->(b)`, where it brings in no variable."""
    if len(node.patterns) != 1 or node.where is not None or node.patterns[0].variable is not None:
        return None
    inside = {one.variable.text for one in find(node, ast.NodePattern) if one.variable is not None}
    inside |= {one.variable.text for one in find(node, ast.RelationshipPattern) if one.variable is not None}
    outside = {
        one.variable.text
        for one in walk(statement)
        if isinstance(one, ast.NodePattern) and one.variable is not None and not node.start <= one.start < node.end
    }
    if not inside <= outside or len(node.patterns[0].elements) < 3:
        return None
    pattern = node.patterns[0]
    return replace(node.start, node.end, text[pattern.start : pattern.end], "write the pattern itself")
