"""Slips that people and models make in SPARQL, each with its own message and fix."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final, TypeAlias

from uniqgen_ir.grammar.sparql.clause_habits import CLAUSE_HABITS
from uniqgen_ir.grammar.sparql.context import SparqlContext
from uniqgen_ir.grammar.sparql.expected import token_name
from uniqgen_ir.grammar.sparql.habits import HABITS
from uniqgen_ir.grammar.sparql.lexer import END, Token
from uniqgen_ir.grammar.sparql.parser import SparqlParser
from uniqgen_ir.grammar.sparql.prologue_slips import PROLOGUE_SLIPS

Mistake: TypeAlias = "Callable[[SparqlContext, SparqlParser, int], int | bool | None]"
"""Looks at the token at a place. False: something else is wrong. Otherwise it was reported, and reading goes on at the
place returned (None: not at all)."""

_QUERY_WORDS: Final = frozenset({"PREFIX", "BASE", "SELECT", "ASK", "CONSTRUCT", "DESCRIBE"})
_UPDATES: Final = frozenset({"INSERT", "DELETE", "LOAD", "CLEAR", "DROP", "CREATE", "ADD", "MOVE", "COPY", "WITH"})
_AFTER_UPDATE: Final = frozenset({"DATA", "WHERE", "GRAPH", "ALL", "DEFAULT", "NAMED", "SILENT", "{"})
_OPERANDS: Final = frozenset({"VARIABLE", "STRING", "INTEGER", "NUMBER", "BANG", "TRUE", "FALSE"})
_GROUP_WORDS: Final = frozenset({"FILTER", "OPTIONAL", "BIND", "MINUS", "VALUES", "UNION", "GRAPH", "SERVICE", END})
_QUOTED: Final = re.compile(r"(\"|')(?:(?!\1)[^\\\n\r]|\\.)*\1")


def update(context: SparqlContext, parser: SparqlParser, place: int) -> int | bool | None:
    """`DELETE`, `INSERT`, … where a query, a pattern or the end of the query is expected."""
    token = parser.tokens[place]
    if token[1].upper() not in _UPDATES or token[0] not in ("WORD", "MINUS"):
        return False
    following = parser.tokens[place + 1][1].upper()
    if not (parser.accepts("SELECT") or parser.accepts(END) or following in _AFTER_UPDATE):
        return False
    message = f"{token[1].upper()} would change the graph; only queries that read are taken"
    context.report("UQ146", message, token[2], token[3])
    return None


def no_query(context: SparqlContext, parser: SparqlParser, place: int) -> int | bool | None:
    """Nothing but blanks and comments."""
    token = parser.tokens[place]
    if token[0] != END or not parser.accepts("PREFIX"):
        return False
    context.report("UQ140", "there is no query", token[2], token[3])
    return None


def text_before(context: SparqlContext, parser: SparqlParser, place: int) -> int | bool | None:
    """A fence or prose before the query."""
    if not parser.accepts("SELECT") or len(parser.states) > 2:
        return False
    begin = next((n for n, one in enumerate(parser.tokens[place:], place) if one[0] in _QUERY_WORDS), None)
    if begin is None:
        return False
    token, first = parser.tokens[place], parser.tokens[begin]
    edits = [(token[2], first[2], "")]
    fence = context.text.rfind("```")
    if fence >= first[2]:
        edits.append((len(context.text[:fence].rstrip()), len(context.text), ""))
        end = next(n for n, one in enumerate(parser.tokens) if one[2] >= fence)
        parser.tokens[end:] = [(END, "", fence, fence)]
    fix = context.fix("keep the query alone", *edits)
    what = "a Markdown fence" if context.text.startswith("```", token[2]) else "text"
    context.report("UQ144", f"{what} stands before the query", token[2], first[2], fix=fix)
    return begin


def text_after(context: SparqlContext, parser: SparqlParser, place: int) -> int | bool | None:
    """Anything after a whole query."""
    if not parser.accepts(END):
        return False
    tokens = parser.tokens
    token = tokens[place]
    place_after = place + 1 if token[0] == "SEMICOLON" else place
    if tokens[place_after][1].upper() in _UPDATES:
        return update(context, parser, place_after)
    rest = context.fix("remove it", (len(context.text[: token[2]].rstrip()), len(context.text), ""), safe=False)
    if token[0] == "RBRACE":
        fix = context.fix("remove it", (token[2], token[3], ""), safe=False)
        context.report("UQ143", "this `}` closes nothing", token[2], token[3], fix=fix)
        return place + 1
    if tokens[place_after][0] in _QUERY_WORDS:
        one = tokens[place_after]
        context.report("UQ139", "a second query begins here; one is read at a time", one[2], one[3], fix=rest)
    elif token[0] in ("SEMICOLON", "BAD", "WORD", "DOT"):
        context.report("UQ144", f"{token_name(token)} stands after the query", token[2], token[3], fix=rest)
    else:
        return False
    return None


def like(context: SparqlContext, parser: SparqlParser, place: int) -> int | bool | None:
    """`?n LIKE "%Ann%"`."""
    word, operand = parser.tokens[place], parser.tokens[place - 1]
    pattern = parser.tokens[min(place + 1, len(parser.tokens) - 1)]
    if word[1].upper() not in ("LIKE", "ILIKE", "CONTAINS", "MATCHES") or not parser.accepts("EQUAL", "STRING"):
        return False
    fix = None
    if pattern[0] == "STRING" and operand[0] == "VARIABLE":
        fix = context.fix(
            "write it as a call", (operand[2], pattern[3], _like_call(word[1].upper(), operand[1], pattern[1]))
        )
    hint = "CONTAINS, STRSTARTS, STRENDS and REGEX look into strings"
    context.report("UQ145", f"{word[1].upper()} is not an operator of SPARQL", word[2], word[3], hint=hint, fix=fix)
    parser.tokens[place] = ("EQUAL", "=", word[2], word[3])
    return place


def _like_call(word: str, operand: str, quoted: str) -> str:
    body = quoted[1:-1]
    inner = body.strip("%")
    plain = "%" not in inner and "_" not in inner
    if word == "MATCHES":
        return f"REGEX({operand}, {quoted})"
    text, value = (f"LCASE({operand})", inner.lower()) if word == "ILIKE" else (operand, inner)
    if word == "CONTAINS" or (plain and body == f"%{inner}%"):
        return f"CONTAINS({text}, {quoted[0]}{value}{quoted[-1]})"
    if plain and body == f"{inner}%":
        return f"STRSTARTS({text}, {quoted[0]}{value}{quoted[-1]})"
    if plain and body == f"%{inner}":
        return f"STRENDS({text}, {quoted[0]}{value}{quoted[-1]})"
    if plain:
        return f"{text} = {quoted[0]}{value}{quoted[-1]}"
    regex = re.escape(body).replace("%", ".*").replace("_", ".").replace("\\", "\\\\")
    return (
        f"REGEX({operand}, {quoted[0]}^{regex}${quoted[-1]}{', ' + chr(34) + 'i' + chr(34) if word == 'ILIKE' else ''})"
    )


def foreign_sign(context: SparqlContext, parser: SparqlParser, place: int) -> int | bool | None:
    """`==`, `<>` and a single `&`."""
    token, before = parser.tokens[place], parser.tokens[place - 1]
    if token[0] == "EQUAL" and before[0] == "EQUAL" and before[3] == token[2]:
        start, right, skip = before[2], "=", True
    elif token[1] == "<>" and parser.accepts("NOT_EQUAL"):
        start, right, skip = token[2], "!=", False
        parser.tokens[place] = ("NOT_EQUAL", "!=", token[2], token[3])
    elif token[1] == "&" and parser.accepts("AND_SIGN"):
        start, right, skip = token[2], "&&", False
        parser.tokens[place] = ("AND_SIGN", "&&", token[2], token[3])
    else:
        return False
    fix = context.fix(f"write `{right}`", (start, token[3], right))
    context.report("UQ145", f"`{context.text[start : token[3]]}` is `{right}` in SPARQL", start, token[3], fix=fix)
    return place + 1 if skip else place


def is_null(context: SparqlContext, parser: SparqlParser, place: int) -> int | bool | None:
    """`?x IS NULL`, `?x IS NOT NULL`."""
    tokens = parser.tokens
    words = [one[1].upper() for one in tokens[place : place + 3]]
    if words[:2] == ["IS", "NULL"]:
        length, call = 2, "!BOUND"
    elif words == ["IS", "NOT", "NULL"]:
        length, call = 3, "BOUND"
    else:
        return False
    operand, last = tokens[place - 1], tokens[place + length - 1]
    fix = None
    if operand[0] == "VARIABLE":
        fix = context.fix("ask whether it is bound", (operand[2], last[3], f"{call}({operand[1]})"))
    context.report("UQ145", "SPARQL has no NULL: a variable is bound or not", tokens[place][2], last[3], fix=fix)
    return place + length


def bare_filter(context: SparqlContext, parser: SparqlParser, place: int) -> int | bool | None:
    """`FILTER ?x = 3`, and a bare `NOT EXISTS { … }`."""
    tokens = parser.tokens
    token, before = tokens[place], tokens[place - 1]
    if token[0] in ("NOT", "EXISTS") and parser.accepts("FILTER"):
        fix = context.fix("put FILTER before it", (token[2], token[2], "FILTER "))
        context.report("UQ145", f"{token[1].upper()} stands in a FILTER", token[2], token[3], fix=fix)
        tokens.insert(place, ("FILTER", "FILTER", token[2], token[2]))
        return place
    if before[0] != "FILTER" or token[0] not in _OPERANDS:
        return False
    end = _end_of_condition(tokens, place)
    last = tokens[end - 1][3]
    fix = context.fix("put it in brackets", (token[2], token[2], "("), (last, last, ")"))
    context.report("UQ145", "a condition after FILTER stands in brackets", token[2], last, fix=fix)
    tokens.insert(end, ("RPAR", ")", last, last))
    tokens.insert(place, ("LPAR", "(", token[2], token[2]))
    return place


def _end_of_condition(tokens: list[Token], place: int) -> int:
    depth = 0
    for after in range(place, len(tokens)):
        kind = tokens[after][0]
        if depth == 0 and (kind in _GROUP_WORDS or kind in ("DOT", "RBRACE")):
            return after
        depth += (kind in ("LPAR", "LBRACE")) - (kind in ("RPAR", "RBRACE"))
    return len(tokens) - 1


def character(context: SparqlContext, parser: SparqlParser, place: int) -> int | bool | None:
    """A quote that opens no string, and characters that SPARQL does not use."""
    token = parser.tokens[place]
    if token[0] != "BAD":
        return False
    if token[1] not in "\"'":
        hint = "strings stand in straight quotes" if token[1] in "“”„‘’«»" else None
        context.report("UQ141", f"{token_name(token)} is no character of SPARQL here", token[2], token[3], hint=hint)
        return place + 1
    quoted = _QUOTED.match(context.text, token[2])
    if quoted is not None:
        hint = "write `\\\\` for a backslash itself"
        context.report("UQ141", "a backslash in this string escapes nothing", token[2], quoted.end(), hint=hint)
        stop = quoted.end()
    else:
        line_end = context.text.find("\n", token[2])
        stop = len(context.text) if line_end < 0 else line_end
        context.report("UQ141", "this string is not closed", token[2], stop)
        if line_end < 0:
            return None
    after = next(n for n, one in enumerate(parser.tokens) if one[0] == END or one[2] >= stop)
    parser.tokens[place:after] = [("STRING", '""', token[2], stop)]
    return place


def bracket(context: SparqlContext, parser: SparqlParser, place: int) -> int | bool | None:
    """A bracket that is never closed, where its closing one would go on."""
    tokens = parser.tokens
    token = tokens[place]
    if token[0] not in ("RBRACE", "RBRACKET", "RPAR", END):
        return False
    opened = _opened(tokens, place)
    closing = {"LBRACE": "RBRACE", "LPAR": "RPAR", "LBRACKET": "RBRACKET"}
    signs = {"RBRACE": "}", "RPAR": ")", "RBRACKET": "]"}
    if token[0] == END and not opened:
        return False
    if token[0] not in (END, *(closing[one[0]] for one in opened)):
        fix = context.fix("remove it", (token[2], token[3], ""), safe=False)
        context.report("UQ143", f"this `{token[1]}` closes nothing", token[2], token[3], fix=fix)
        return place + 1
    opening = opened[-1]
    wanted = closing[opening[0]]
    if wanted == token[0] or not parser.accepts(wanted):
        return False
    sign, end = signs[wanted], tokens[place - 1][3]
    fix = context.fix(f"close it with `{sign}`", (end, end, f" {sign}" if sign == "}" else sign), safe=False)
    if opening[2] < opening[3]:  # otherwise it was put there in thought, and reported
        context.report("UQ143", f"this `{opening[1]}` is never closed", opening[2], opening[3], fix=fix)
    while wanted and parser.accepts(wanted):
        tokens.insert(place, (wanted, signs[wanted], end, end))
        parser.feed(tokens[place])
        place += 1
        opened = _opened(tokens, place) if token[0] == END else []
        wanted = closing[opened[-1][0]] if opened else ""
    return place


def _opened(tokens: list[Token], place: int) -> list[Token]:
    """The brackets before `place` that are still open."""
    opened: list[Token] = []
    for token in tokens[:place]:
        if token[0] in ("LBRACE", "LPAR", "LBRACKET"):
            opened.append(token)
        elif token[0] in ("RBRACE", "RPAR", "RBRACKET") and opened:
            opened.pop()
    return opened


MISTAKES: Final[tuple[Mistake, ...]] = (
    # what ends the reading first; then slips of one token; brackets last, because they ask for the least
    no_query,
    update,
    text_before,
    text_after,
    like,
    *HABITS,
    *CLAUSE_HABITS,
    *PROLOGUE_SLIPS,
    foreign_sign,
    is_null,
    bare_filter,
    character,
    bracket,
)
