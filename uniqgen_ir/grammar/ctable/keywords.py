"""The words and signs of the CTable language, and what they do to line ends."""

from __future__ import annotations

from typing import Final

KEYWORDS: Final[dict[str, str]] = {
    **{
        word: word.upper()
        for word in (
            *("distinct", "all", "desc", "asc", "argmax", "argmin", "undef", "functional", "key", "inverse", "ctable"),
            *("contains", "matches", "like", "between", "in", "and", "or", "not"),
        )
    },
    **{
        word: "_" + word.upper()
        for word in (
            *("prefix", "use", "schema", "unbounded", "paths", "select", "ask", "where", "as", "by", "order", "limit"),
            *("offset", "group", "having", "match", "optional", "exists", "either", "minus", "union", "let", "values"),
            *("table", "filter", "bind", "separator", "class", "relation", "property", "synonym", "rule", "lexicon"),
            *("for", "implied", "mapping", "preset", "label_property", "edge", "disjoint"),
        )
    },
    "true": "BOOLEAN",
    "false": "BOOLEAN",
}
"""Words by their kind. Where the grammar has room for a name, they are names too."""

CALLABLE_KEYWORDS: Final = {
    "contains": "FUNC",
    "matches": "FUNC",
    "desc": "_DESC_CALL",
    "asc": "_ASC_CALL",
}
"""Keywords that mean something else when a `(` touches them."""

AGGREGATES: Final = frozenset({"count", "sum", "avg", "min", "max", "sample", "group_concat"})

PUNCTUATION: Final[dict[str, str]] = {
    "=": "EQ",
    "==": "EQ",
    "!=": "NE",
    "<>": "NE",
    "<": "LT",
    "<=": "LE",
    ">": "GT",
    ">=": "GE",
    "+": "PLUS",
    "-": "MINUS",
    "*": "STAR",
    "/": "SLASH",
    "!": "BANG",
    "?": "QMARK",
    "^": "_CARET",
    "|": "_PIPE",
    ".": "_DOT",
    ";": "_SEMI",
    ",": "_COMMA",
    "(": "_LPAR",
    ")": "_RPAR",
    "{": "_LBRACE",
    "}": "_RBRACE",
    "&&": "AND",
    "||": "OR",
    "^^": "_HATHAT",
    "=>": "_IMPLIES",
    ":": "COLON",
    "->": "TO",
    "<-": "BACK",
    "-[": "_OPEN_EDGE",
    "<-[": "_OPEN_BACK",
    "]->": "_CLOSE_EDGE",
    "]-": "_CLOSE_BACK",
    "[]": "MANY",
}

HABITS: Final = {"==": "=", "<>": "!=", "&&": "and", "||": "or"}
"""Signs of other languages and ours."""

OPERANDS: Final = frozenset(
    {"VAR", "PARAM", "IRI", "PNAME", "STRING", "LANGSTRING", "TEMPORAL", "NUMBER", "BOOLEAN", "_RPAR"}
)
"""What an operand of an expression may end with."""

CONTINUES: Final = frozenset(
    {
        *("EQ", "NE", "LT", "LE", "GT", "GE", "PLUS", "MINUS", "STAR", "SLASH", "BANG", "_CARET", "_PIPE", "_HATHAT"),
        *("AND", "OR", "NOT", "IN", "NOT_IN", "BETWEEN", "LIKE", "CONTAINS", "MATCHES", "STARTS_WITH", "ENDS_WITH"),
        *("_SEMI", "_COMMA", "_WHERE", "_AS", "_BY", "_EXISTS", "_OPTIONAL", "_EITHER", "_IMPLIES", "LABEL", "_FILTER"),
    }
)
"""After these a line goes on."""

LEADS_ON: Final = frozenset(
    {
        *("EQ", "NE", "LE", "GE", "SLASH", "AND", "OR", "BETWEEN", "NOT_IN", "IN", "LIKE", "STARTS_WITH", "ENDS_WITH"),
        *("_SEMI", "_COMMA", "_PIPE", "_WHERE", "_AS", "_UNION", "_IMPLIES", "AT"),
    }
)
"""Nothing begins with these, so a line that does goes on with the one before."""

SCHEMA_LEADS_ON: Final = frozenset({"INVERSE", "FUNCTIONAL", "KEY", "COLON", "TO", "LT", "_DISJOINT"})
"""The same inside a schema."""

STARTS_ROW: Final = frozenset(
    {
        *("LABEL", "_SELECT", "_ASK", "_ORDER", "_LIMIT", "_OFFSET", "_GROUP", "_HAVING", "ARGMAX", "ARGMIN"),
        *("_OPTIONAL", "_EITHER", "_MINUS", "_LET", "_VALUES", "_TABLE", "_RBRACE", "_MATCH"),
        *("CTABLE", "_SCHEMA", "_LEXICON", "_MAPPING", "_CLASS", "_RELATION", "_PROPERTY", "_SYNONYM", "_RULE"),
    }
)
"""At the beginning of a line these can only be the beginning of a row: they close a bracket that was left open."""

WORDS: Final[dict[str, str]] = {
    **{kind: spelling for spelling, kind in PUNCTUATION.items() if spelling not in HABITS},
    **{kind: word for word, kind in KEYWORDS.items() if kind != "BOOLEAN"},
    "A": "a",
    "NOT_IN": "not in",
    "STARTS_WITH": "starts with",
    "ENDS_WITH": "ends with",
}
"""How a fixed token is written."""
