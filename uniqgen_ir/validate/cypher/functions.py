"""What functions give and take, as far as a check needs it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from uniqgen_ir.grammar.cypher import ast_expressions as expressions
from uniqgen_ir.grammar.cypher.context import Context, replace
from uniqgen_ir.validate.cypher.types import (
    BOOLEAN,
    FLOAT,
    INTEGER,
    STRING,
    UNKNOWN,
    EdgeType,
    ListType,
    NodeType,
    PathType,
    Scalar,
    Type,
    family,
    joined,
)

_STRINGS: Final = frozenset(
    {
        *("tolower", "toupper", "lower", "upper", "trim", "ltrim", "rtrim", "btrim", "left", "right", "substring"),
        *("replace", "tostring", "type", "normalize", "elementid", "randomuuid"),
    }
)
_NUMBERS: Final = frozenset(
    {
        *("abs", "ceil", "floor", "round", "sqrt", "exp", "log", "log10", "sign", "sin", "cos", "tan", "rand"),
        *("tofloat", "avg", "stdev", "stdevp", "percentilecont"),
    }
)
_INTEGERS: Final = frozenset({"count", "size", "length", "tointeger", "timestamp", "char_length"})
_BOOLEANS: Final = frozenset({"toboolean", "exists", "isempty", "isnan", "any", "all", "none", "single"})
_TEMPORAL: Final = {
    "date": "DATE",
    "datetime": "DATETIME",
    "localdatetime": "LOCALDATETIME",
    "time": "TIME",
    "localtime": "LOCALTIME",
    "duration": "DURATION",
    "point": "POINT",
    "point.distance": "FLOAT",
}

_TAKES: Final = {
    **dict.fromkeys(("tolower", "toupper", "lower", "upper", "trim", "ltrim", "rtrim", "left", "right"), ("string",)),
    **dict.fromkeys(("substring", "replace", "split"), ("string",)),
    **dict.fromkeys(("abs", "ceil", "floor", "sqrt", "exp", "log", "log10", "sign"), ("number",)),
    **dict.fromkeys(("sum", "avg"), ("number", "duration")),
    **dict.fromkeys(("stdev", "stdevp", "percentilecont", "percentiledisc"), ("number",)),
    "size": ("list", "string"),
    "length": ("path",),
    "nodes": ("path",),
    "relationships": ("path",),
    "labels": ("node",),
    "startnode": ("relationship",),
    "endnode": ("relationship",),
}
"""What the first argument must be, by the name of the function."""


def result_of(name: str, arguments: Sequence[Type]) -> Type:
    """The type of what a function gives for arguments of these types."""
    if name in _STRINGS:
        return STRING
    if name in _INTEGERS:
        return INTEGER
    if name in _NUMBERS:
        return FLOAT
    if name in _BOOLEANS:
        return BOOLEAN
    if name in _TEMPORAL:
        return Scalar(_TEMPORAL[name])
    first = arguments[0] if arguments else UNKNOWN
    item = first.item if isinstance(first, ListType) else UNKNOWN
    match name:
        case "collect" | "tail" | "reverse" if name == "collect" or isinstance(first, ListType):
            return ListType(first) if name == "collect" else first
        case "head" | "last":
            return item
        case "min" | "max" | "sum" | "percentiledisc":
            return first if name != "sum" or family(first) == "number" else FLOAT
        case "coalesce":
            found = first
            for one in arguments[1:]:
                found = joined(found, one)
            return found
        case "labels" | "keys" | "split":
            return ListType(STRING)
        case "range":
            return ListType(INTEGER)
        case _:
            return UNKNOWN


def argument_faults(context: Context, node: expressions.FunctionCall, types: Sequence[Type]) -> None:
    """Report a first argument that the function cannot take."""
    wanted = _TAKES.get(node.lower_name)
    if wanted is None or not types:
        return
    first, argument = family(types[0]), node.arguments[0]
    if first is None or first in wanted:
        return
    # the reader says so itself of nodes, relationships and paths
    if node.lower_name == "size" and isinstance(types[0], NodeType | EdgeType | PathType):
        return
    if isinstance(argument, expressions.PatternExpression):
        return
    if node.lower_name == "length" and isinstance(types[0], NodeType | EdgeType):
        return
    text = context.text[argument.start : argument.end]
    fix = None
    if node.lower_name == "length" and first in ("string", "list"):
        fix = replace(node.start, node.start + len(node.name), "size", "write size()")
    if wanted == ("string",) and first in ("number", "boolean", "date", "date and time", "time"):
        fix = replace(argument.start, argument.end, f"toString({text})", "turn it into a string", safe=False)
    elif "number" in wanted and first == "string":
        fix = replace(argument.start, argument.end, f"toFloat({text})", "turn it into a number", safe=False)
    message = f"{node.name}() takes a {' or a '.join(wanted)}, and `{text}` is a {first}"
    context.report("UQ194", message, argument.start, argument.end, fix=fix)
