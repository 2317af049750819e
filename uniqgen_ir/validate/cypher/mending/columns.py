"""Repairs of columns without a name, or with another than the first part of a UNION has."""

from __future__ import annotations

import re

from uniqgen_ir.grammar.cypher import ast
from uniqgen_ir.grammar.cypher import ast_expressions as expressions
from uniqgen_ir.grammar.cypher.context import replace
from uniqgen_ir.ir.diagnostics import Edit, Fix
from uniqgen_ir.validate.cypher.mending.place import Place, column_name
from uniqgen_ir.validate.cypher.names import written
from uniqgen_ir.validate.cypher.properties import fresh_name


def union_columns(place: Place) -> Fix | None:
    """Give the columns of a later part the names of the first, where there are as many."""
    for union in place.tree.of(ast.UnionQuery):
        first = _returned(union.queries[0])
        for one in union.queries[1:]:
            last = one.clauses[-1]
            if (last.start, last.end) == (place.span.start, place.span.end):
                return _renamed(place, first, _returned(one))
    return None


def _returned(query: ast.SingleQuery) -> ast.Projection | None:
    last = query.clauses[-1]
    return last.projection if isinstance(last, ast.Return) else None


def _renamed(place: Place, first: ast.Projection | None, other: ast.Projection | None) -> Fix | None:
    if first is None or other is None or first.star or other.star or len(first.items) != len(other.items):
        return None
    edits: list[Edit] = []
    for one, two in zip(first.items, other.items, strict=True):
        wanted, given = column_name(place.text, one), column_name(place.text, two)
        if wanted == given:
            continue
        if two.alias is not None:
            edits.append(Edit(two.alias.start, two.alias.end, written(wanted)))
        else:
            edits.append(Edit(two.end, two.end, f" AS {written(wanted)}"))
    return Fix("give the columns the names of the first part", tuple(edits), safe=False) if edits else None


def unnamed_column(place: Place) -> Fix | None:
    """`WITH p.name`: the column gets the name of the property, or of the function."""
    item = place.at(ast.ProjectionItem)
    if not isinstance(item, ast.ProjectionItem):
        return None
    match item.expression:
        case expressions.Property(key=key):
            wish = key.text
        case expressions.FunctionCall(name=name):
            wish = name.rpartition(".")[2].lower()
        case _:
            wish = "value"
    name = wish if re.fullmatch(r"\w+", wish) and not _taken(place, item, wish) else fresh_name(wish, place.text)
    return replace(item.end, item.end, f" AS {written(name)}", f"write AS {name}")


def _taken(place: Place, item: ast.ProjectionItem, name: str) -> bool:
    """Whether another column of the same clause is called so."""
    holder = place.tree.projections.get(id(item))
    return holder is not None and name in place.tree.column_names(holder)
