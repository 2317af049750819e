"""Habits of SQL and of older drafts in the clauses around a pattern, and clauses of one store."""

from __future__ import annotations

from typing import Final

from uniqgen_ir.grammar.sparql.context import SparqlContext
from uniqgen_ir.grammar.sparql.lexer import END, Token
from uniqgen_ir.grammar.sparql.parser import SparqlParser
from uniqgen_ir.grammar.sparql.token_runs import at, end_of_call


def sort_direction(context: SparqlContext, parser: SparqlParser, place: int) -> int | bool | None:
    """`ORDER BY ?x DESC`."""
    tokens = parser.tokens
    token, before = tokens[place], tokens[place - 1]
    following = at(tokens, place + 1)[0]
    if token[0] not in ("ASC", "DESC") or following in ("LPAR", "VARIABLE"):
        # `ASC(` after a key is SPARQL, `DESC ?x` is told elsewhere
        return False
    start = _start_of_key(tokens, place)
    if start is None:
        return False
    key = context.text[start : before[3]]
    fix = context.fix("put it before its key", (start, token[3], f"{token[1].upper()}({key})"))
    context.report("UQ145", f"{token[1].upper()} stands before its key, not after it", token[2], token[3], fix=fix)
    return place + 1


def descending_key(context: SparqlContext, parser: SparqlParser, place: int) -> int | bool | None:
    """`ORDER BY ?x DESC ?y`, `… DESC LIMIT 3`: where the word was taken as the beginning of another key."""
    tokens = parser.tokens
    if tokens[place - 1][0] not in ("ASC", "DESC") or place < 2:
        return False
    after = sort_direction(context, parser, place - 1)
    if after is False or after is None:
        return False
    parser.cut(len(parser.states) - 1)
    return place


def _start_of_key(tokens: list[Token], place: int) -> int | None:
    """Where the sort key begins that ends before a place."""
    kind = tokens[place - 1][0]
    if kind == "VARIABLE":
        return tokens[place - 1][2]
    if kind != "RPAR":
        return None
    depth = 0
    for index in range(place - 1, -1, -1):
        depth += (tokens[index][0] == "RPAR") - (tokens[index][0] == "LPAR")
        if depth == 0:
            called = tokens[index - 1][0] in ("BUILTIN", "AGGREGATE", "PNAME_LN", "IRIREF", "IF")
            return tokens[index - 1 if called else index][2]
    return None


def limit_pair(context: SparqlContext, parser: SparqlParser, place: int) -> int | bool | None:
    """`LIMIT 5, 10`: MySQL's offset and limit."""
    tokens = parser.tokens
    shape = [one[0] for one in tokens[max(0, place - 2) : place + 2]]
    if shape != ["LIMIT", "INTEGER", "COMMA", "INTEGER"]:
        return False
    word, first, _, second = tokens[place - 2 : place + 2]
    text = f"LIMIT {second[1]} OFFSET {first[1]}"
    fix = context.fix(f"write {text}", (word[2], second[3], text))
    context.report("UQ145", "LIMIT takes one number; OFFSET says where to begin", word[2], second[3], fix=fix)
    return place + 2


def top(context: SparqlContext, parser: SparqlParser, place: int) -> int | bool | None:
    """`SELECT TOP 5 ?x`."""
    tokens = parser.tokens
    token = tokens[place]
    if token[1].upper() != "TOP" or at(tokens, place + 1)[0] != "INTEGER" or not parser.accepts("VARIABLE"):
        return False
    number, after = at(tokens, place + 1), at(tokens, place + 2)
    end = len(context.text.rstrip())
    fix = context.fix("write LIMIT", (token[2], after[2], ""), (end, end, f" LIMIT {number[1]}"))
    context.report("UQ145", "SPARQL has no TOP; LIMIT stands at the end of the query", token[2], number[3], fix=fix)
    return place + 2


def bare_aggregate(context: SparqlContext, parser: SparqlParser, place: int) -> int | bool | None:
    """`COUNT DISTINCT ?x`, `COUNT ?x`, `COUNT DISTINCT(?x)`."""
    tokens = parser.tokens
    if tokens[place - 1][0] != "AGGREGATE" or tokens[place][0] not in ("DISTINCT", "VARIABLE", "STAR"):
        return False
    distinct = tokens[place][0] == "DISTINCT"
    first = place + distinct
    wrapped = [one[0] for one in tokens[first : first + 3]] == ["LPAR", "VARIABLE", "RPAR"]
    operand, last = (tokens[first + 1], tokens[first + 2]) if wrapped else (tokens[first], tokens[first])
    if operand[0] not in ("VARIABLE", "STAR"):
        return False
    word = tokens[place - 1]
    text = f"{word[1].upper()}({'DISTINCT ' if distinct else ''}{operand[1]})"
    start = tokens[place][2]
    fix = context.fix(f"write {text}", (word[2], last[3], text))
    context.report("UQ145", f"{word[1].upper()} takes what it works on in brackets", word[2], last[3], fix=fix)
    mended: list[Token] = [("LPAR", "(", start, start)]
    mended += [("DISTINCT", "DISTINCT", start, start)] if distinct else []
    tokens[place : tokens.index(last) + 1] = [*mended, operand, ("RPAR", ")", last[3], last[3])]
    return place


def assignment(context: SparqlContext, parser: SparqlParser, place: int) -> int | bool | None:
    """`LET (?y := ?x + 1)`, and `BINDINGS` of a draft."""
    tokens = parser.tokens
    token = tokens[place]
    shape = [one[0] for one in tokens[place + 1 : place + 3]]
    if token[1].upper() == "BINDINGS" and parser.accepts("VALUES"):
        fix = context.fix("write VALUES", (token[2], token[3], "VALUES"))
        context.report("UQ145", "BINDINGS is called VALUES", token[2], token[3], fix=fix)
        tokens[place] = ("VALUES", "VALUES", token[2], token[3])
        return place
    if token[1].upper() != "LET" or shape != ["LPAR", "VARIABLE"] or not parser.accepts("BIND"):
        return False
    variable = tokens[place + 2]
    sign = context.text.find("=", variable[3])
    end = end_of_call(tokens, place + 1)
    if sign < 0 or context.text[variable[3] : sign].strip() != ":":
        return False
    text = f"BIND({context.text[sign + 1 : end - 1].strip()} AS {variable[1]})"
    fix = context.fix("write BIND", (token[2], end, text))
    context.report("UQ145", "LET is BIND in SPARQL", token[2], token[3], fix=fix)
    return next(n for n, one in enumerate(tokens) if one[0] == END or one[2] >= end)


def extension(context: SparqlContext, parser: SparqlParser, place: int) -> int | bool | None:
    """`OPTION (TRANSITIVE, …)`, `DEFINE input:inference "…"`: clauses of one store."""
    tokens = parser.tokens
    token = tokens[place]
    if token[1].upper() == "OPTION" and at(tokens, place + 1)[0] == "LPAR":
        end = end_of_call(tokens, place + 1)
    elif token[1].upper() == "DEFINE" and place < 1 and at(tokens, place + 2)[0] in ("STRING", "INTEGER"):
        end = at(tokens, place + 2)[3]
    else:
        return False
    start = len(context.text[: token[2]].rstrip())
    fix = context.fix("leave it out", (start, end, ""), safe=False)
    context.report("UQ758", f"{token[1].upper()} is a clause that one store has", token[2], end, fix=fix)
    return next(n for n, one in enumerate(tokens) if one[0] == END or one[2] >= end)


CLAUSE_HABITS: Final = (descending_key, sort_direction, limit_pair, top, bare_aggregate, assignment, extension)
