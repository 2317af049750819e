"""What could stand at a place, in words: groups rather than forty terminals."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from uniqgen_ir.grammar.ctable.keywords import WORDS

_GROUPS: Final[tuple[tuple[frozenset[str], str, frozenset[str]], ...]] = (
    # what must all be possible, how it is called, and what it then stands for
    (
        frozenset({"_SELECT", "VAR", "_OPTIONAL"}),
        "a row",
        frozenset(
            {
                *("VAR", "PARAM", "IRI", "PNAME", "STRING", "LANGSTRING", "TEMPORAL", "NUMBER", "BARE_DATE", "BOOLEAN"),
                *("LABEL", "FUNC", "AGGREGATE", "BLANK", "NOT", "MINUS", "BANG", "_EXISTS", "_LPAR", "_LBRACE"),
                *("_SELECT", "_ASK", "_OPTIONAL", "_EITHER", "_MINUS", "_LET", "_VALUES", "_TABLE", "_FILTER", "_BIND"),
                *("_ORDER", "_LIMIT", "_OFFSET", "_GROUP", "_HAVING", "_MATCH", "ARGMAX", "ARGMIN", "_NL", "_DOT"),
            }
        ),
    ),
    (
        frozenset({"VAR", "FUNC", "PNAME"}),
        "an expression",
        frozenset(
            {
                *("VAR", "PARAM", "IRI", "PNAME", "STRING", "LANGSTRING", "TEMPORAL", "NUMBER", "BARE_DATE", "BOOLEAN"),
                *("FUNC", "AGGREGATE", "NOT", "MINUS", "BANG", "_EXISTS", "_LPAR"),
            }
        ),
    ),
    (
        frozenset({"_CARET", "PNAME", "A"}),
        "a predicate",
        frozenset({"VAR", "PARAM", "IRI", "PNAME", "A", "_CARET", "_LPAR", "BANG"}),
    ),
    (
        frozenset({"VAR", "PNAME", "STRING"}),
        "a variable, a name or a value",
        frozenset(
            {
                *("VAR", "PARAM", "IRI", "PNAME", "STRING", "LANGSTRING", "TEMPORAL", "NUMBER", "BARE_DATE", "BOOLEAN"),
                *("BLANK", "MINUS"),
            }
        ),
    ),
    (
        frozenset({"EQ", "NE", "AND"}),
        "an operator",
        frozenset(
            {
                *("EQ", "NE", "LT", "LE", "GT", "GE", "PLUS", "MINUS", "STAR", "SLASH", "STARTS_WITH", "ENDS_WITH"),
                *("CONTAINS", "MATCHES", "LIKE", "BETWEEN", "IN", "NOT_IN", "AND", "OR"),
            }
        ),
    ),
    (frozenset({"QUANT", "STAR", "QMARK"}), "", frozenset({"QUANT", "STAR", "PLUS", "QMARK", "SLASH", "_PIPE"})),
    (frozenset({"IRI", "PNAME"}), "a name", frozenset({"IRI", "PNAME"})),
    (frozenset({"_NL", "_DOT"}), "the end of the row", frozenset({"_NL", "_DOT", "_SEMI", "_COMMA", "AT", "_HATHAT"})),
)
_SINGLE: Final = {
    "VAR": "a variable",
    "NUMBER": "a number",
    "STRING": "a string",
    "NAME": "a name",
    "LABEL": "a name and `:`",
    "AT": "an annotation",
    "$END": "the end of the text",
    "IRI": "an IRI in angle brackets",
    "_NL": "a line end",
}
_MOST: Final = 4


def expected_phrase(kinds: Sequence[str]) -> str:
    """The kinds as a phrase: `an expression or `)``; empty where nothing helpful can be said."""
    left = dict.fromkeys(kinds)
    phrases: list[str] = []
    for needed, name, covered in _GROUPS:
        if needed <= left.keys():
            if name:
                phrases.append(name)
            for kind in covered:
                left.pop(kind, None)
    for kind in left:
        phrase = _SINGLE.get(kind) or (f"`{WORDS[kind]}`" if kind in WORDS else "")
        if phrase and phrase not in phrases:
            phrases.append(phrase)
    if len(phrases) > _MOST:
        phrases = phrases[:_MOST]
    if len(phrases) <= 1:
        return "".join(phrases)
    return f"{', '.join(phrases[:-1])} or {phrases[-1]}"
