"""Habits of SQL, Cypher and older drafts in a SPARQL query: what was meant, and how SPARQL writes it."""

from __future__ import annotations

from typing import Final

from uniqgen_ir.grammar.sparql.context import SparqlContext
from uniqgen_ir.grammar.sparql.lexer import END, Token
from uniqgen_ir.grammar.sparql.parser import SparqlParser

FUNCTIONS: Final = {
    **dict.fromkeys(("LOWER", "TOLOWER", "LOWERCASE", "LOWER_CASE", "LCASE_STR"), "LCASE"),
    **dict.fromkeys(("UPPER", "TOUPPER", "UPPERCASE", "UPPER_CASE"), "UCASE"),
    **dict.fromkeys(("LENGTH", "LEN", "CHAR_LENGTH", "STRLENGTH", "SIZE"), "STRLEN"),
    **dict.fromkeys(("SUBSTRING", "SUBSTRINGS", "MID"), "SUBSTR"),
    **dict.fromkeys(("STARTSWITH", "STARTS_WITH", "STRSTART", "BEGINSWITH"), "STRSTARTS"),
    **dict.fromkeys(("ENDSWITH", "ENDS_WITH", "STREND"), "STRENDS"),
    **dict.fromkeys(("STRCONTAINS", "INCLUDES", "INSTR", "STR_CONTAINS"), "CONTAINS"),
    **dict.fromkeys(("IFNULL", "NVL", "ISNULL_OR"), "COALESCE"),
    **dict.fromkeys(("CURRENT_DATE", "CURRENT_TIMESTAMP", "GETDATE", "TODAY", "CURDATE"), "NOW"),
    **dict.fromkeys(("AVERAGE", "MEAN"), "AVG"),
    **dict.fromkeys(("MAXIMUM", "LARGEST"), "MAX"),
    **dict.fromkeys(("MINIMUM", "SMALLEST"), "MIN"),
    **dict.fromkeys(("COLLECT", "STRING_AGG", "LISTAGG", "ARRAY_AGG"), "GROUP_CONCAT"),
    **dict.fromkeys(("TOSTRING", "TO_STRING", "STRING"), "STR"),
    **dict.fromkeys(("RLIKE", "REGEXP", "REGEX_MATCH", "REGEXP_LIKE", "REGEXP_MATCHES"), "REGEX"),
    **dict.fromkeys(("CEILING",), "CEIL"),
    **dict.fromkeys(("ISNUMBER", "IS_NUMERIC"), "ISNUMERIC"),
    **dict.fromkeys(("ISURL", "IS_IRI", "IS_URI"), "ISIRI"),
    **dict.fromkeys(("IS_LITERAL",), "ISLITERAL"),
    **dict.fromkeys(("IS_BOUND", "EXISTS_VAR", "ISBOUND"), "BOUND"),
    **dict.fromkeys(("HOUR",), "HOURS"),
    **dict.fromkeys(("MINUTE",), "MINUTES"),
    **dict.fromkeys(("SECOND",), "SECONDS"),
}
"""Functions of other languages in capitals, with SPARQL's own word. Only those that take the same arguments."""

_AGGREGATES: Final = frozenset({"AVG", "MAX", "MIN", "GROUP_CONCAT"})
_NO_FUNCTION: Final = frozenset({"TRIM", "LTRIM", "RTRIM", "SPLIT", "DATE_FORMAT", "TO_DATE", "TO_NUMBER", "CONVERT"})


def _at(tokens: list[Token], place: int) -> Token:
    """The token at a place; past the end, the end."""
    return tokens[min(place, len(tokens) - 1)]


def foreign_function(context: SparqlContext, parser: SparqlParser, place: int) -> int | bool | None:
    """`LOWER(?n)`, and other functions that SPARQL calls otherwise or does not have."""
    tokens = parser.tokens
    token = tokens[place]
    word = token[1].upper()
    if token[0] != "WORD" or _at(tokens, place + 1)[0] != "LPAR" or not parser.accepts("BUILTIN"):
        return False
    known = FUNCTIONS.get(word)
    if known is None:
        hint = "SPARQL has no TRIM: use REPLACE with a regular expression" if "TRIM" in word else None
        more = "" if word in _NO_FUNCTION else ", and no function of that name is known"
        context.report("UQ145", f"SPARQL has no {word}(){more}", token[2], token[3], hint=hint)
        tokens[place] = ("BUILTIN", "COALESCE", token[2], token[3])
        return place
    fix = context.fix(f"write {known}", (token[2], token[3], known))
    context.report("UQ145", f"{word}() is called {known}() in SPARQL", token[2], token[3], fix=fix)
    tokens[place] = ("AGGREGATE" if known in _AGGREGATES else "BUILTIN", known, token[2], token[3])
    return place


def sort_direction(context: SparqlContext, parser: SparqlParser, place: int) -> int | bool | None:
    """`ORDER BY ?x DESC`."""
    tokens = parser.tokens
    token, before = tokens[place], tokens[place - 1]
    following = _at(tokens, place + 1)[0]
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
    if token[1].upper() != "TOP" or _at(tokens, place + 1)[0] != "INTEGER" or not parser.accepts("VARIABLE"):
        return False
    number, after = _at(tokens, place + 1), _at(tokens, place + 2)
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


def between(context: SparqlContext, parser: SparqlParser, place: int) -> int | bool | None:
    """`?x BETWEEN 1 AND 5`."""
    tokens = parser.tokens
    token, operand = tokens[place], tokens[place - 1]
    if token[1].upper() != "BETWEEN" or not parser.accepts("EQUAL"):
        return False
    joint = next((n for n in range(place + 1, min(place + 12, len(tokens))) if tokens[n][0] == "AND"), None)
    if joint is None or operand[0] != "VARIABLE":
        return False
    end = _end_of_operand(tokens, joint + 1)
    low = context.text[_at(tokens, place + 1)[2] : tokens[joint - 1][3]]
    high = context.text[tokens[joint + 1][2] : tokens[end - 1][3]]
    text = f"{operand[1]} >= {low} && {operand[1]} <= {high}"
    fix = context.fix("write two comparisons", (operand[2], tokens[end - 1][3], text))
    context.report("UQ145", "SPARQL has no BETWEEN", token[2], token[3], fix=fix)
    start = token[2]
    tokens[joint] = ("AND_SIGN", "&&", tokens[joint][2], tokens[joint][3])
    tokens[joint + 1 : joint + 1] = [operand, ("LESS_EQUAL", "<=", tokens[joint][3], tokens[joint][3])]
    tokens[place] = ("GREATER_EQUAL", ">=", start, start)
    return place


def _end_of_operand(tokens: list[Token], place: int) -> int:
    """After a literal or variable, with its datatype."""
    if _at(tokens, place)[0] == "STRING" and _at(tokens, place + 1)[0] == "CARETS":
        return place + 3
    return place + 1


def null(context: SparqlContext, parser: SparqlParser, place: int) -> int | bool | None:
    """`?x = NULL`, `?x != NULL`."""
    tokens = parser.tokens
    token, sign, operand = tokens[place], tokens[place - 1], tokens[place - 2]
    if token[1].upper() not in ("NULL", "UNDEF", "NIL", "NONE") or sign[0] not in ("EQUAL", "NOT_EQUAL"):
        return False
    fix = None
    if operand[0] == "VARIABLE":
        text = f"{'!' if sign[0] == 'EQUAL' else ''}BOUND({operand[1]})"
        fix = context.fix("ask whether it is bound", (operand[2], token[3], text))
    message = "SPARQL has no NULL: a variable is bound or not"
    context.report("UQ145", message, token[2], token[3], fix=fix)
    tokens[place] = ("STRING", '""', token[2], token[3])
    return place


def negation(context: SparqlContext, parser: SparqlParser, place: int) -> int | bool | None:
    """`NOT (…)`, `NOT BOUND(?x)`: SPARQL writes `!`."""
    tokens = parser.tokens
    place = place - 1 if tokens[place - 1][0] == "NOT" and tokens[place][0] != "EXISTS" else place
    token = tokens[place]
    following = _at(tokens, place + 1)[0]
    wanted = ("LPAR", "BUILTIN", "VARIABLE", "IF", "PNAME_LN")
    if token[0] != "NOT" or following not in wanted:
        return False
    bare = tokens[place - 1][0] == "FILTER"
    if bare and following != "LPAR" and following != "BUILTIN":
        return False
    end = _end_of_call(tokens, place + 1)
    text = ("(" if bare else "") + "!"
    edits = [(token[2], _at(tokens, place + 1)[2], text)] + ([(end, end, ")")] if bare else [])
    fix = context.fix("write `!`", *edits)
    context.report("UQ145", "NOT is `!` in SPARQL, but before EXISTS and IN", token[2], token[3], fix=fix)
    return None


def _end_of_call(tokens: list[Token], place: int) -> int:
    depth = 0
    for one in tokens[place:]:
        depth += (one[0] == "LPAR") - (one[0] == "RPAR")
        if depth == 0 and one[0] in ("RPAR", "VARIABLE", END):
            return one[3]
    return tokens[-1][3]


def apostrophe(context: SparqlContext, parser: SparqlParser, place: int) -> int | bool | None:
    """`'O'Neil'`: an apostrophe that ends the string too early."""
    tokens = parser.tokens
    token, before = tokens[place], tokens[place - 1]
    if before[0] != "STRING" or before[1][0] != "'" or before[3] != token[2] or token[0] not in ("WORD", "A"):
        return False
    end = context.text.find("'", token[3])
    line_end = context.text.find("\n", token[3])
    written = context.text[before[2] + 1 : end]
    if end < 0 or (0 <= line_end < end) or '"' in written or "\\" in written:
        return False
    fix = context.fix("write double quotes", (before[2], end + 1, f'"{written}"'))
    context.report("UQ145", "the apostrophe inside this string ends it", before[2], end + 1, fix=fix)
    return next(n for n, one in enumerate(tokens) if one[0] == END or one[2] > end)


def extension(context: SparqlContext, parser: SparqlParser, place: int) -> int | bool | None:
    """`OPTION (TRANSITIVE, …)`, `DEFINE input:inference "…"`: clauses of one store."""
    tokens = parser.tokens
    token = tokens[place]
    if token[1].upper() == "OPTION" and _at(tokens, place + 1)[0] == "LPAR":
        end = _end_of_call(tokens, place + 1)
    elif token[1].upper() == "DEFINE" and place < 1 and _at(tokens, place + 2)[0] in ("STRING", "INTEGER"):
        end = _at(tokens, place + 2)[3]
    else:
        return False
    start = len(context.text[: token[2]].rstrip())
    fix = context.fix("leave it out", (start, end, ""), safe=False)
    context.report("UQ758", f"{token[1].upper()} is a clause that one store has", token[2], end, fix=fix)
    return next(n for n, one in enumerate(tokens) if one[0] == END or one[2] >= end)


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
    end = _end_of_call(tokens, place + 1)
    if sign < 0 or context.text[variable[3] : sign].strip() != ":":
        return False
    text = f"BIND({context.text[sign + 1 : end - 1].strip()} AS {variable[1]})"
    fix = context.fix("write BIND", (token[2], end, text))
    context.report("UQ145", "LET is BIND in SPARQL", token[2], token[3], fix=fix)
    return next(n for n, one in enumerate(tokens) if one[0] == END or one[2] >= end)


HABITS: Final = (
    foreign_function,
    descending_key,
    sort_direction,
    limit_pair,
    top,
    bare_aggregate,
    between,
    null,
    negation,
    assignment,
    apostrophe,
    extension,
)
