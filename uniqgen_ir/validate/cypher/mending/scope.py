"""Repairs of variables that are not in scope."""

from __future__ import annotations

from uniqgen_ir.grammar.cypher import ast
from uniqgen_ir.grammar.cypher import ast_expressions as expressions
from uniqgen_ir.grammar.cypher.context import Context, replace
from uniqgen_ir.ir.diagnostics import Edit, Fix
from uniqgen_ir.validate.cypher.mending.place import Place
from uniqgen_ir.validate.cypher.names import NameChecker, written


def undefined(place: Place) -> Fix | None:
    variable = place.at(expressions.Variable)
    if not isinstance(variable, expressions.Variable):
        return None
    return _projected_before(place, variable) or _unnamed_node(place, variable)


def _projected_before(place: Place, variable: expressions.Variable) -> Fix | None:
    """`WITH p.name AS name RETURN p.name`: what is asked for has a name of its own by now."""
    wanted = next((one for one in place.tree.accesses(variable.name) if one.operand is variable), None)
    if wanted is None:
        return None
    for one in place.tree.of(ast.With):
        if one.end <= variable.start:
            for item in one.projection.items:
                if item.alias is not None and item.expression == wanted:
                    alias = written(item.alias.text)
                    return replace(wanted.start, wanted.end, alias, f"write `{alias}`", safe=False)
    return None


def _unnamed_node(place: Place, variable: expressions.Variable) -> Fix | None:
    """One node or relationship of a pattern has no name, and has the properties that are asked for."""
    keys = {one.key.text for one in place.tree.accesses(variable.name)}
    if not keys or place.index is None:
        return None
    elements: list[ast.NodePattern | ast.RelationshipPattern] = [
        *place.tree.of(ast.NodePattern),
        *place.tree.of(ast.RelationshipPattern),
    ]
    fitting = [
        (opening, one.start)
        for one in elements
        if one.variable is None
        and one.end <= variable.start
        and _has(place, one, keys)
        and (opening := _opening(place.text, one)) is not None
    ]
    if len(fitting) != 1:
        return None
    opening = fitting[0][0]
    edit = Edit(opening, opening, written(variable.name))
    return Fix(f"give the name `{variable.name}` to what it can only stand for", (edit,), safe=False)


def _opening(text: str, element: ast.NodePattern | ast.RelationshipPattern) -> int | None:
    """Where a variable goes."""
    mark = "(" if isinstance(element, ast.NodePattern) else "["
    found = text.find(mark, element.start, element.end)
    return None if found < 0 else found + 1


def _has(place: Place, element: ast.NodePattern | ast.RelationshipPattern, keys: set[str]) -> bool:
    index = place.index
    if index is None or not keys:
        return False
    names = NameChecker(Context(place.text, place.parse.source), index)
    if isinstance(element, ast.RelationshipPattern):
        types = names.edge_types(element.types)
        properties = index.edge_properties(types) if types and element.types is not None else None
        return properties is not None and keys <= set(properties)
    mask = names.node_mask(element.labels) if element.labels is not None else None
    return mask is not None and all(mask & index.with_property(key) & ~index.open for key in keys)
