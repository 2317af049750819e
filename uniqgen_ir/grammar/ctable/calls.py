"""Builders for function calls and aggregates."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from uniqgen_ir.grammar.ctable.context import Context, replace
from uniqgen_ir.grammar.ctable.terms import string_text
from uniqgen_ir.grammar.ctable.tree import Item, Node, Token
from uniqgen_ir.ir.expressions import Aggregate, Call, Expression
from uniqgen_ir.ir.functions import FUNCTIONS, Function

FOREIGN_FUNCTIONS: Final[dict[str, str]] = {
    # SPARQL
    "strlen": "length",
    "substr": "substring",
    "ucase": "upper",
    "lcase": "lower",
    "regex": "matches",
    "strstarts": "starts_with",
    "strends": "ends_with",
    "strbefore": "before",
    "strafter": "after",
    "langmatches": "lang_matches",
    "sameterm": "same_term",
    "isiri": "is_iri",
    "isuri": "is_iri",
    "uri": "iri",
    "isblank": "is_blank",
    "isliteral": "is_literal",
    "isnumeric": "is_numeric",
    "encode_uri": "encode_for_uri",
    # Cypher
    "tolower": "lower",
    "toupper": "upper",
    "size": "length",
    "char_length": "length",
    "tointeger": "integer",
    "tofloat": "float",
    "toboolean": "boolean",
    "tostring": "str",
    "localdatetime": "datetime",
    "string": "str",
    "startswith": "starts_with",
    "endswith": "ends_with",
}
"""Functions of other languages and what they are called here."""

_CASTS: Final = {"datetime": "datetime", "string": "str", "int": "integer"}

Build = Callable[[Item], Expression]


def call(context: Context, node: Node, build: Build) -> Call:
    """A call. An unknown function is reported and keeps its name."""
    name = node.items[0]
    assert isinstance(name, Token)
    function = _function_name(context, name)
    arguments = tuple(map(build, node.items[1:]))
    known = FUNCTIONS.get(function)
    if known is not None and not known.least <= len(arguments) <= (known.most or len(arguments)):
        message = f"`{function}` takes {_arguments(known)}, not {len(arguments)}"
        context.report("UQ206", message, node.start, node.end, hint=known.meaning)
    return Call(function, arguments)


def _function_name(context: Context, token: Token) -> str:
    written = token.text
    if written.startswith("xsd:"):
        local = written[4:].lower()
        name = _CASTS.get(local, local)
    else:
        name = written.lower()
    if name in FUNCTIONS:
        return name
    instead = FOREIGN_FUNCTIONS.get(name) or context.suggest(name, FUNCTIONS)
    if name in FOREIGN_FUNCTIONS:
        fix = replace(token.start, token.end, FOREIGN_FUNCTIONS[name], f"write `{instead}`")
        context.report("UQ205", f"`{written}` is called `{instead}` here", token.start, token.end, fix=fix)
        return FOREIGN_FUNCTIONS[name]
    maybe = replace(token.start, token.end, instead, f"write `{instead}`", safe=False) if instead else None
    hint = f"did you mean `{instead}`?" if instead else None
    context.report("UQ205", f"there is no function `{written}`", token.start, token.end, hint=hint, fix=maybe)
    return name


def _arguments(function: Function) -> str:
    if function.most is None:
        return f"at least {function.least} argument{'s' if function.least != 1 else ''}"
    if function.least == function.most:
        return f"{function.least} argument{'s' if function.least != 1 else ''}"
    return f"{function.least} to {function.most} arguments"


def aggregate(context: Context, node: Node, build: Build) -> Aggregate:
    """`count(distinct ?x)` and its kin; `count(*)` has no operand."""
    name = node.items[0]
    assert isinstance(name, Token)
    operand: Expression | None = None
    separator: str | None = None
    distinct = False
    for item in node.items[1:]:
        if item.kind == "DISTINCT":
            distinct = True
        elif item.kind == "separator" and isinstance(item, Node):
            text = item.items[-1]
            assert isinstance(text, Token)
            separator = string_text(context, text)
        elif item.kind != "STAR":
            operand = build(item)
    function = name.text.lower()
    if operand is None and function != "count":
        message = f"only `count` may take `*`, not `{function}`"
        context.report("UQ206", message, node.start, node.end, hint=f"name what to take the {function} of")
    return Aggregate(function, operand, distinct, separator)
