"""What could stand at a place of a SPARQL query, in words."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from uniqgen_ir.grammar.sparql.lexer import END, Token

_NAMES: Final = frozenset({"IRIREF", "PNAME_LN", "PNAME_NS"})
_VALUES: Final = frozenset({"STRING", "INTEGER", "NUMBER", "SIGNED", "TRUE", "FALSE"})
_TERMS: Final = _NAMES | _VALUES | {"VARIABLE", "BLANK", "LBRACKET", "LPAR"}
_CALLS: Final = frozenset({"BUILTIN", "AGGREGATE", "EXISTS", "NOT", "IF"})
_SIGNS: Final = frozenset(
    {"EQUAL", "NOT_EQUAL", "LESS", "LESS_EQUAL", "GREATER", "GREATER_EQUAL", "PLUS", "DASH", "STAR"}
)
_OPERATORS: Final = _SIGNS | {"SLASH", "OR_SIGN", "AND_SIGN", "OR", "AND", "IN", "NOT", "SIGNED"}
_BLOCKS: Final = frozenset({"FILTER", "OPTIONAL", "BIND", "MINUS", "GRAPH", "SERVICE", "VALUES", "SELECT", "LBRACE"})
_CLAUSES: Final = frozenset({"GROUP", "HAVING", "ORDER", "LIMIT", "OFFSET", "VALUES"})
_WALKS: Final = frozenset({"PIPE", "SLASH", "STAR", "PLUS", "QUESTION"})

_GROUPS: Final[tuple[tuple[frozenset[str], str, frozenset[str]], ...]] = (
    # what must all be possible, how it is called, and what it then stands for
    (
        frozenset({"SELECT", "ASK", "PREFIX"}),
        "a query",
        frozenset({"SELECT", "ASK", "CONSTRUCT", "DESCRIBE", "BASE", "PREFIX"}),
    ),
    (frozenset({"STAR", "AGGREGATE", "VARIABLE"}), "columns or `*`", _CALLS | _NAMES | {"VARIABLE", "STAR", "LPAR"}),
    (frozenset({"PIPE", "SLASH"}), "", _WALKS),
    (frozenset({"FILTER", "VARIABLE"}), "a pattern", _BLOCKS | _TERMS),
    (frozenset({"FILTER"}), "", _BLOCKS),
    (frozenset({"EQUAL", "OR_SIGN"}), "an operator", _OPERATORS),
    (frozenset({"A", "CARET", "VARIABLE"}), "a predicate", _NAMES | {"A", "CARET", "VARIABLE", "LPAR", "BANG"}),
    (frozenset({"A", "CARET"}), "a predicate", _NAMES | {"A", "CARET", "LPAR", "BANG"}),
    (frozenset({"BUILTIN", "VARIABLE", "STRING"}), "an expression", _TERMS | _CALLS | {"BANG", "DASH", "PLUS"}),
    (frozenset({"BUILTIN", "IRIREF"}), "a call or brackets", _NAMES | _CALLS | {"LPAR"}),
    (frozenset({"VARIABLE", "IRIREF", "STRING"}), "a variable, a name or a value", _TERMS),
    (frozenset({"IRIREF", "STRING"}), "a name or a value", _NAMES | _VALUES),
    (frozenset({"IRIREF", "PNAME_LN"}), "a name", _NAMES),
    (frozenset({"ORDER", "LIMIT"}), "a clause such as ORDER BY", _CLAUSES),
)
_WORDS: Final = {
    "VARIABLE": "a variable",
    "STRING": "a string",
    "INTEGER": "a whole number",
    "IRIREF": "an IRI in angle brackets",
    "PNAME_NS": "a prefix and `:`",
    END: "the end of the query",
    "LPAR": "`(`",
    "RPAR": "`)`",
    "LBRACE": "`{`",
    "RBRACE": "`}`",
    "LBRACKET": "`[`",
    "RBRACKET": "`]`",
    "DOT": "`.`",
    "COMMA": "`,`",
    "SEMICOLON": "`;`",
    "EQUAL": "`=`",
    "STAR": "`*`",
    "PIPE": "`|`",
    "LANGTAG": "a language tag",
    "CARETS": "`^^`",
    "BLANK": "a blank node",
    "BUILTIN": "a function",
    "AGGREGATE": "an aggregate",
}
_MOST: Final = 4


def expected_phrase(kinds: Iterable[str]) -> str:
    """The kinds as a phrase: `an operator or `)``."""
    left = dict.fromkeys(kinds)
    phrases: dict[str, None] = {}
    for needed, name, covered in _GROUPS:
        if needed <= left.keys():
            if name:
                phrases[name] = None
            for kind in covered:
                left.pop(kind, None)
    for kind in left:
        phrases[kind_name(kind)] = None
    listed = list(phrases)[:_MOST]
    return listed[0] if len(listed) == 1 else f"{', '.join(listed[:-1])} or {listed[-1]}" if listed else "nothing"


def kind_name(kind: str) -> str:
    """A kind of token in words."""
    return _WORDS.get(kind) or f"`{kind}`"


def token_name(token: Token) -> str:
    """A token in words: its text, or the end of the query."""
    if token[0] == END:
        return "the end of the query"
    text = token[1] if len(token[1]) <= 40 else token[1][:37] + "…"
    return f"`{text}`"
