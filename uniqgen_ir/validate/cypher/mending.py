"""Repairs of what the reader finds, which need the whole query or the schema."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Final

from attrs import evolve, frozen

from uniqgen_ir.grammar.cypher import CypherParse, ast
from uniqgen_ir.grammar.cypher import ast_expressions as expressions
from uniqgen_ir.grammar.cypher.context import Context, replace
from uniqgen_ir.grammar.cypher.functions import FUNCTIONS
from uniqgen_ir.grammar.cypher.scope import aggregates
from uniqgen_ir.grammar.cypher.walk import find, walk
from uniqgen_ir.ir.diagnostics import Diagnostic, Edit, Fix
from uniqgen_ir.ir.spans import Span
from uniqgen_ir.ir.suggestions import is_typo, nearest
from uniqgen_ir.validate.cypher.kinds import KindIndex
from uniqgen_ir.validate.cypher.names import NameChecker, written
from uniqgen_ir.validate.cypher.properties import fresh_name

_FUNCTIONS: Final = {
    **dict.fromkeys(("uppercase", "ucase", "to_upper", "touppercase"), "toUpper"),
    **dict.fromkeys(("lowercase", "lcase", "to_lower", "tolowercase"), "toLower"),
    **dict.fromkeys(("len", "strlen", "array_length", "cardinality"), "size"),
    **dict.fromkeys(("substr", "mid"), "substring"),
    **dict.fromkeys(("ifnull", "isnull", "nvl"), "coalesce"),
    **dict.fromkeys(("now", "getdate", "current_timestamp", "currentdatetime"), "datetime"),
    **dict.fromkeys(("today", "current_date", "curdate"), "date"),
    **dict.fromkeys(("toint", "int", "to_integer", "parseint"), "toInteger"),
    **dict.fromkeys(("float", "to_float", "todouble", "parsefloat"), "toFloat"),
    **dict.fromkeys(("str", "to_string", "string"), "toString"),
    **dict.fromkeys(("average", "mean"), "avg"),
    **dict.fromkeys(("array_agg", "group_concat", "list", "collect_set"), "collect"),
    **dict.fromkeys(("maximum",), "max"),
    **dict.fromkeys(("minimum",), "min"),
    **dict.fromkeys(("rels",), "relationships"),
    **dict.fromkeys(("power", "pow"), "^"),
}
"""Functions of other languages, by name in lower case → those of Cypher."""
_SPELLING: Final = {
    "toupper": "toUpper",
    "tolower": "toLower",
    "tointeger": "toInteger",
    "tofloat": "toFloat",
    "tostring": "toString",
    "toboolean": "toBoolean",
    "elementid": "elementId",
    "startnode": "startNode",
    "endnode": "endNode",
    "localdatetime": "localdatetime",
}


@frozen
class Place:
    """The query, the schema, and the diagnostic that wants a repair."""

    parse: CypherParse
    index: KindIndex | None
    span: Span
    message: str

    @property
    def text(self) -> str:
        return self.parse.text

    def nodes(self) -> Iterator[expressions.Node]:
        """Every node of every statement."""
        for statement in (self.parse.statement, *self.parse.following):
            if statement is not None:
                yield from walk(statement)

    def at(self, kind: type[expressions.Node]) -> expressions.Node | None:
        """The node of a class that is exactly what the diagnostic points at."""
        return next(
            (
                one
                for one in self.nodes()
                if isinstance(one, kind) and one.start == self.span.start and one.end == self.span.end
            ),
            None,
        )

    def clause_of(self, node: expressions.Node) -> tuple[ast.SingleQuery, ast.Clause] | None:
        """The innermost clause that holds a node, and its query."""
        found: tuple[ast.SingleQuery, ast.Clause] | None = None
        for one in self.nodes():
            if isinstance(one, ast.SingleQuery):
                for clause in one.clauses:
                    if clause.start <= node.start and node.end <= clause.end:
                        found = (one, clause)
        return found


def mended(parse: CypherParse, index: KindIndex | None, one: Diagnostic) -> Diagnostic:
    """The diagnostic with a fix, if there is one."""
    repair = _REPAIRS.get(one.code)
    if repair is None or one.span is None or one.fix is not None:
        return one
    fix = repair(Place(parse, index, one.span, one.message))
    return one if fix is None else evolve(one, fix=fix, hint=fix.title)


# ---- variables that are not in scope ---------------------------------------------------------------------------------


def _undefined(place: Place) -> Fix | None:
    variable = place.at(expressions.Variable)
    if not isinstance(variable, expressions.Variable):
        return None
    return _projected_before(place, variable) or _unnamed_node(place, variable)


def _projected_before(place: Place, variable: expressions.Variable) -> Fix | None:
    """`WITH p.name AS name RETURN p.name`: what is asked for has a name of its own by now."""
    wanted = next(
        (one for one in place.nodes() if isinstance(one, expressions.Property) and one.operand is variable), None
    )
    if wanted is None:
        return None
    for one in place.nodes():
        if isinstance(one, ast.With) and one.end <= variable.start:
            for item in one.projection.items:
                if item.alias is not None and item.expression == wanted:
                    alias = written(item.alias.text)
                    return replace(wanted.start, wanted.end, alias, f"write `{alias}`", safe=False)
    return None


def _unnamed_node(place: Place, variable: expressions.Variable) -> Fix | None:
    """One node or relationship of a pattern has no name, and has the properties that are asked for."""
    keys = {
        one.key.text
        for one in place.nodes()
        if isinstance(one, expressions.Property)
        and isinstance(one.operand, expressions.Variable)
        and one.operand.name == variable.name
    }
    fitting = [
        (opening, one.start)
        for one in place.nodes()
        if isinstance(one, ast.NodePattern | ast.RelationshipPattern)
        and one.variable is None
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


# ---- aggregation -----------------------------------------------------------------------------------------------------


def _aggregation(place: Place) -> Fix | None:
    node = next((one for one in place.nodes() if one.start == place.span.start and one.end == place.span.end), None)
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


# ---- columns ---------------------------------------------------------------------------------------------------------


def _union(place: Place) -> Fix | None:
    """Give the columns of a later part the names of the first, where there are as many."""
    for union in place.nodes():
        if not isinstance(union, ast.UnionQuery):
            continue
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
        wanted, given = _column(place, one), _column(place, two)
        if wanted == given:
            continue
        if two.alias is not None:
            edits.append(Edit(two.alias.start, two.alias.end, written(wanted)))
        else:
            edits.append(Edit(two.end, two.end, f" AS {written(wanted)}"))
    return Fix("give the columns the names of the first part", tuple(edits), safe=False) if edits else None


def _column(place: Place, item: ast.ProjectionItem) -> str:
    if item.alias is not None:
        return item.alias.text
    if isinstance(item.expression, expressions.Variable):
        return item.expression.name
    return place.text[item.start : item.end]


def _unnamed_column(place: Place) -> Fix | None:
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
    return any(
        isinstance(one, ast.Projection)
        and any(other is item for other in one.items)
        and any(_column(place, other) == name for other in one.items if other is not item)
        for one in place.nodes()
    )


# ---- functions and lists ---------------------------------------------------------------------------------------------


def _function(place: Place) -> Fix | None:
    name = place.text[place.span.start : place.span.end]
    meant = _FUNCTIONS.get(name.lower())
    if meant == "^":
        return None
    if meant is not None:
        return replace(place.span.start, place.span.end, meant, f"write {meant}()")
    near = nearest(name, ((one, one) for one in sorted(FUNCTIONS)))
    if near is None:
        return None
    shown = _SPELLING.get(near, near)
    return replace(place.span.start, place.span.end, shown, f"write {shown}()", safe=is_typo(name, near))


def _list_property(place: Place) -> Fix | None:
    """`r.since > 2000` with a list of relationships: it must hold for all of them."""
    wanted = place.at(expressions.Property)
    if not isinstance(wanted, expressions.Property) or not isinstance(wanted.operand, expressions.Variable):
        return None
    if "list of relationships" not in place.message:
        return None
    condition = _condition_around(place, wanted)
    if condition is None:
        return None
    name = fresh_name("x", place.text)
    inside = place.text[condition.start : wanted.operand.start] + name + place.text[wanted.operand.end : condition.end]
    text = f"all({name} IN {written(wanted.operand.name)} WHERE {inside})"
    return replace(condition.start, condition.end, text, "it holds for all of them", safe=False)


def _condition_around(place: Place, node: expressions.Node) -> expressions.Node | None:
    """The comparison that a value stands in."""
    around = [
        one
        for one in place.nodes()
        if isinstance(one, expressions.Comparison | expressions.Binary | expressions.PostfixTest)
        and one.start <= node.start
        and node.end <= one.end
        and not (isinstance(one, expressions.Binary) and one.operator in "+-*/%^")
    ]
    return around[-1] if around else None


_REPAIRS: Final[dict[str, Callable[[Place], Fix | None]]] = {
    "UQ187": _undefined,
    "UQ189": _aggregation,
    "UQ190": _union,
    "UQ194": _list_property,
    "UQ197": _unnamed_column,
    "UQ199": _function,
}
