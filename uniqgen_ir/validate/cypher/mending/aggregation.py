"""Repairs of aggregates out of place."""

from __future__ import annotations

from uniqgen_ir.grammar.cypher import ast
from uniqgen_ir.grammar.cypher import ast_expressions as expressions
from uniqgen_ir.grammar.cypher.scope import aggregates
from uniqgen_ir.grammar.cypher.walk import find, walk
from uniqgen_ir.ir.diagnostics import Edit, Fix
from uniqgen_ir.validate.cypher.mending.place import Place
from uniqgen_ir.validate.cypher.names import written
from uniqgen_ir.validate.cypher.properties import fresh_name


def aggregation(place: Place) -> Fix | None:
    node = place.at(expressions.Node)
    holder = place.clause_of(node) if node is not None else None
    if node is None or holder is None:
        return None
    query, clause = holder
    if isinstance(clause, ast.Match) and clause.where is not None and clause.where.start <= node.start:
        return _aggregate_after(place, query, clause)
    if isinstance(clause, ast.Return | ast.With):
        return _sorted_column(place, clause.projection, node)
    return None


def _sorted_column(place: Place, projection: ast.Projection, node: expressions.Node) -> Fix | None:
    """ORDER BY something that is no column: make it one, beside those that group."""
    sort = next((one for one in projection.order if one.start <= node.start and node.end <= one.end), None)
    if sort is None or aggregates(sort.expression) or not projection.items:
        return None
    text = place.text[sort.expression.start : sort.expression.end]
    groups = [item for item in projection.items if not aggregates(item.expression)]
    if groups:
        edit = Edit(groups[-1].end, groups[-1].end, f", {text}")
    else:
        edit = Edit(projection.items[0].start, projection.items[0].start, f"{text}, ")
    return Fix(f"return `{text}` as a column, too", (edit,), safe=False)


def _aggregate_after(place: Place, query: ast.SingleQuery, clause: ast.Match) -> Fix | None:
    """`MATCH … WHERE count(x) > 3` as `MATCH … WITH a, count(x) AS c WHERE c > 3`."""
    where = clause.where
    after = query.clauses[query.clauses.index(clause) + 1 :]
    if where is None or clause.optional or isinstance(where, expressions.Junction):
        return None
    inside = aggregates(where)
    if len(inside) != 1:
        return None
    bound = [
        one.variable.text
        for one in walk(clause)
        if isinstance(one, ast.NodePattern | ast.RelationshipPattern) and one.variable is not None
    ]
    used = {one.name for later in after for one in find(later, expressions.Variable)}
    kept = [name for name in dict.fromkeys(bound) if name in used]
    start = place.text.upper().rfind("WHERE", clause.start, where.start)
    if start < 0:
        return None
    name = fresh_name("c", place.text)
    columns = ", ".join((*map(written, kept), f"{place.text[inside[0].start : inside[0].end]} AS {name}"))
    edits = (Edit(start, start, f"WITH {columns} "), Edit(inside[0].start, inside[0].end, name))
    return Fix("aggregate in a WITH before", edits, safe=False)
