"""Habits of SQL and Cypher in conditions: what was meant, and how SPARQL writes it."""

from __future__ import annotations

from typing import Final

from uniqgen_ir.grammar.sparql.context import SparqlContext
from uniqgen_ir.grammar.sparql.lexer import END, Token
from uniqgen_ir.grammar.sparql.parser import SparqlParser
from uniqgen_ir.grammar.sparql.token_runs import at, end_of_call

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


def foreign_function(context: SparqlContext, parser: SparqlParser, place: int) -> int | bool | None:
    """`LOWER(?n)`, and other functions that SPARQL calls otherwise or does not have."""
    tokens = parser.tokens
    token = tokens[place]
    word = token[1].upper()
    if token[0] != "WORD" or at(tokens, place + 1)[0] != "LPAR" or not parser.accepts("BUILTIN"):
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
    low = context.text[at(tokens, place + 1)[2] : tokens[joint - 1][3]]
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
    if at(tokens, place)[0] == "STRING" and at(tokens, place + 1)[0] == "CARETS":
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
    following = at(tokens, place + 1)[0]
    wanted = ("LPAR", "BUILTIN", "VARIABLE", "IF", "PNAME_LN")
    if token[0] != "NOT" or following not in wanted:
        return False
    bare = tokens[place - 1][0] == "FILTER"
    if bare and following != "LPAR" and following != "BUILTIN":
        return False
    end = end_of_call(tokens, place + 1)
    text = ("(" if bare else "") + "!"
    edits = [(token[2], at(tokens, place + 1)[2], text)] + ([(end, end, ")")] if bare else [])
    fix = context.fix("write `!`", *edits)
    context.report("UQ145", "NOT is `!` in SPARQL, but before EXISTS and IN", token[2], token[3], fix=fix)
    return None


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


HABITS: Final = (foreign_function, between, null, negation, apostrophe)
