"""Slips in the prologue, and variables without their question mark."""

from __future__ import annotations

import re
from typing import Final

from uniqgen_ir.grammar.sparql.context import SparqlContext
from uniqgen_ir.grammar.sparql.lexer import END
from uniqgen_ir.grammar.sparql.parser import SparqlParser

_BARE_IRI: Final = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:[^\s<>\"{}|^`\\]*")


def ended_declaration(context: SparqlContext, parser: SparqlParser, place: int) -> int | bool | None:
    """`PREFIX ex: <http://example.org/> .`: Turtle ends a declaration with a dot, SPARQL with nothing."""
    tokens = parser.tokens
    token, kinds = tokens[place], [one[0] for one in tokens[max(0, place - 3) : place]]
    if token[0] not in ("DOT", "SEMICOLON") or kinds != ["PREFIX", "PNAME_NS", "IRIREF"]:
        return False
    start = len(context.text[: token[2]].rstrip())
    fix = context.fix("remove it", (start, token[3], ""))
    context.report("UQ145", f"`{token[1]}` does not end a PREFIX line in SPARQL", token[2], token[3], fix=fix)
    return place + 1


def prefix_without_colon(context: SparqlContext, parser: SparqlParser, place: int) -> int | bool | None:
    """`PREFIX ex <http://example.org/>`."""
    tokens = parser.tokens
    token = tokens[place]
    if token[0] != "WORD" or tokens[place - 1][0] != "PREFIX" or not parser.accepts("PNAME_NS"):
        return False
    fix = context.fix("write the colon", (token[3], token[3], ":"))
    context.report("UQ145", f"a prefix ends in a colon: `{token[1]}:`", token[2], token[3], fix=fix)
    tokens[place] = ("PNAME_NS", f"{token[1]}:", token[2], token[3])
    return place


def bare_namespace(context: SparqlContext, parser: SparqlParser, place: int) -> int | bool | None:
    """`PREFIX ex: http://example.org/`."""
    tokens = parser.tokens
    token = tokens[place]
    found = _BARE_IRI.match(context.text, token[2])
    if [one[0] for one in tokens[max(0, place - 2) : place]] != ["PREFIX", "PNAME_NS"] or found is None:
        return False
    fix = context.fix("put it in angle brackets", (found.start(), found.start(), "<"), (found.end(), found.end(), ">"))
    context.report("UQ145", "an IRI stands in angle brackets", found.start(), found.end(), fix=fix)
    # a `#` in it began a comment for the lexer: what stood behind it on the line is lost for this reading only
    after = next(n for n, one in enumerate(tokens) if one[0] == END or one[2] >= found.end())
    tokens[place:after] = [("IRIREF", f"<{found[0]}>", found.start(), found.end())]
    return place


def bare_variable(context: SparqlContext, parser: SparqlParser, place: int) -> int | bool | None:
    """`SELECT name WHERE { ?p ex:name ?name }`."""
    token = parser.tokens[place]
    if token[0] != "WORD" or not parser.accepts("VARIABLE"):
        return False
    if re.search(rf"[?$]{re.escape(token[1])}\b", context.text) is None:
        return False
    fix = context.fix(f"write ?{token[1]}", (token[2], token[2], "?"))
    context.report("UQ145", f"a variable begins with a question mark: ?{token[1]}", token[2], token[3], fix=fix)
    parser.tokens[place] = ("VARIABLE", f"?{token[1]}", token[2], token[3])
    return place


PROLOGUE_SLIPS: Final = (ended_declaration, prefix_without_colon, bare_namespace, bare_variable)
