"""Repairs of functions that do not exist, and of properties of lists."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from uniqgen_ir.grammar.cypher import ast_expressions as expressions
from uniqgen_ir.grammar.cypher.context import replace
from uniqgen_ir.grammar.cypher.functions import FUNCTIONS
from uniqgen_ir.ir.diagnostics import Fix
from uniqgen_ir.ir.suggestions import is_typo, nearest
from uniqgen_ir.validate.cypher.mending.place import Place
from uniqgen_ir.validate.cypher.names import written
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


def function(place: Place) -> Fix | None:
    name = place.text[place.span.start : place.span.end]
    meant = _FUNCTIONS.get(name.lower())
    if meant == "^":
        return None
    if meant is not None:
        return replace(place.span.start, place.span.end, meant, f"write {meant}()")
    near = _nearest_function(name.lower())
    if near is None:
        return None
    shown = _SPELLING.get(near, near)
    return replace(place.span.start, place.span.end, shown, f"write {shown}()", safe=is_typo(name, near))


@lru_cache(maxsize=1024)
def _nearest_function(name: str) -> str | None:
    return nearest(name, ((one, one) for one in sorted(FUNCTIONS)))


def list_property(place: Place) -> Fix | None:
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
