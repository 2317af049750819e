"""Builders for names, literals and terms."""

from __future__ import annotations

import re
from typing import Final

from uniqgen_ir.grammar.ctable.context import Context, replace
from uniqgen_ir.grammar.ctable.tree import Item, Node, Token
from uniqgen_ir.ir.temporal import parse_duration, parse_temporal
from uniqgen_ir.ir.terms import IRI, Literal, Parameter, Term, Variable
from uniqgen_ir.ir.vocabulary import (
    RDF_LANG_STRING,
    RDF_TYPE,
    XSD,
    XSD_BOOLEAN,
    XSD_DATE,
    XSD_DATE_TIME,
    XSD_DECIMAL,
    XSD_DOUBLE,
    XSD_DURATION,
    XSD_INTEGER,
    XSD_TIME,
)

ANNOTATIONS: Final = ("explicit", "pragmatic", "structural", "schema", "required", "from")
TEMPORAL_NAMES: Final = {"date": XSD_DATE, "datetime": XSD_DATE_TIME, "time": XSD_TIME, "duration": XSD_DURATION}

_ESCAPE: Final = re.compile(r"\\(?:u([0-9A-Fa-f]{4})|U([0-9A-Fa-f]{8})|(.))", re.DOTALL)
_ESCAPES: Final = {
    "n": "\n",
    "r": "\r",
    "t": "\t",
    "b": "\b",
    "f": "\f",
    '"': '"',
    "'": "'",
    "\\": "\\",
    "`": "`",
}


def unescape(context: Context, body: str, start: int) -> str:
    """The characters that the inside of a string, name or IRI stands for; `start` is where it begins in the text."""
    if "\\" not in body:
        return body

    def one(found: re.Match[str]) -> str:
        code = found[1] or found[2]
        if code is not None:
            number = int(code, 16)
            if number <= 0x10FFFF and not 0xD800 <= number <= 0xDFFF:
                return chr(number)
        elif found[3] in _ESCAPES:
            return _ESCAPES[found[3]]
        place = start + found.start()
        message = f"`{found[0]}` is not an escape"
        context.report("UQ121", message, place, place + len(found[0]), hint="write `\\\\` for a backslash")
        return found[0]

    return _ESCAPE.sub(one, body)


def name_text(context: Context, token: Token, skip: int = 0) -> str:
    """The name in a NAME, VAR, PARAM or LABEL token; `skip` drops a sign in front."""
    body = token.text[skip:]
    if token.kind == "LABEL":
        body = body[:-1]
    if body.startswith("`"):
        return unescape(context, body[1:-1], token.start + skip + 1)
    return body


def string_text(context: Context, token: Token) -> str:
    """The value of a STRING token."""
    edge = 3 if token.text.startswith('"""') and len(token.text) >= 6 else 1
    return unescape(context, token.text[edge:-edge], token.start + edge)


def iri(context: Context, token: Token) -> IRI:
    """The IRI that an IRI, PNAME or `a` token names."""
    if token.kind == "PNAME":
        return IRI(context.resolve(token.text, token.start, token.end))
    if token.kind == "A":
        return IRI(RDF_TYPE)
    body = token.text[1:-1]
    scheme, _, rest = body.partition(":")
    if rest and scheme in context.prefixes and not rest.startswith(("//", "\\")):
        fix = replace(token.start, token.end, body, f"write `{body}`")
        context.report(
            "UQ126",
            f"`{token.text}` is an IRI of its own, not the prefixed name `{body}`",
            token.start,
            token.end,
            fix=fix,
        )
    return IRI(unescape(context, body, token.start + 1))


def number(text: str) -> Literal:
    """A number as written: integer, decimal with a point, double with an exponent."""
    if "e" in text or "E" in text:
        return Literal(text, XSD_DOUBLE)
    return Literal(text, XSD_DECIMAL if "." in text else XSD_INTEGER)


def literal(context: Context, item: Item) -> Literal:
    """The literal of a token, or of a `typed` or `signed` node."""
    if isinstance(item, Node):
        return _signed(item) if item.kind == "signed" else _typed(context, item)
    match item.kind:
        case "STRING":
            return Literal(string_text(context, item))
        case "NUMBER":
            return number(item.text)
        case "BOOLEAN":
            return Literal(item.text.lower(), XSD_BOOLEAN)
        case "LANGSTRING":
            return _tagged(context, item)
        case "BARE_DATE":
            return Literal(item.text, XSD_DATE_TIME if "T" in item.text else XSD_DATE)
        case _:
            return _temporal(context, item)


def _signed(node: Node) -> Literal:
    digits = node.items[-1]
    assert isinstance(digits, Token)
    return number("-" + digits.text)


def _typed(context: Context, node: Node) -> Literal:
    text, datatype = node.items
    assert isinstance(text, Token)
    assert isinstance(datatype, Token)
    between = context.text[text.end : datatype.start]
    if between != "^^":
        fix = replace(text.end, datatype.start, "^^", "remove the space")
        context.report("UQ113", "`^^` must touch the string and the datatype", text.end, datatype.start, fix=fix)
    name = iri(context, datatype).value
    if name == RDF_LANG_STRING:
        message = "a string of type rdf:langString is written with its language tag"
        context.report("UQ122", message, node.start, node.end, hint='write `"…"@en`')
        return Literal(string_text(context, text))
    return Literal(string_text(context, text), name)


def _tagged(context: Context, token: Token) -> Literal:
    place = token.text.rindex("@")
    tag = token.text[place + 1 :]
    body = unescape(context, token.text[1 : place - 1], token.start + 1)
    if tag in ANNOTATIONS:
        at = token.start + place
        fix = replace(at, at, " ", "put a space before the annotation")
        context.report("UQ114", f"`@{tag}` touches the string, so it reads as a language tag", at, token.end, fix=fix)
    return Literal.tagged(body, tag)


def _temporal(context: Context, token: Token) -> Literal:
    name, _, rest = token.text.partition("(")
    inside = rest[:-1].strip(" \t")
    datatype = TEMPORAL_NAMES[name.lower()]
    value = unescape(context, inside[1:-1], token.start + len(name) + 2)
    known = parse_duration(value) if datatype == XSD_DURATION else parse_temporal(value, datatype)
    if known is None:
        kind = datatype.removeprefix(XSD)
        context.report("UQ122", f'"{value}" is not a value of type {kind}', token.start, token.end)
    return Literal(value, datatype)


def term(context: Context, item: Item) -> Term:
    """The term that stands in a place of a row."""
    if isinstance(item, Token):
        match item.kind:
            case "VAR":
                return Variable(name_text(context, item, 1))
            case "IRI" | "PNAME":
                return iri(context, item)
            case "PARAM":
                return Parameter(name_text(context, item, 1))
            case "BLANK":
                return _blank(context, item)
            case _:
                pass
    return literal(context, item)


def _blank(context: Context, token: Token) -> Variable:
    name = token.text[2:]
    fix = replace(token.start, token.end, f"?{name}", f"write `?{name}`")
    context.report("UQ127", "blank nodes do not stand in rows", token.start, token.end, hint="use a variable", fix=fix)
    return Variable(name)
