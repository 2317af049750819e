"""The words of Cypher: one regular expression cuts the text, each word gets an ordered tuple of terminals.

The first terminal that the parser's state accepts is taken, so that `match` is a keyword where a clause may begin and
a name after `AS`. What depends on the words around is decided in `cypher_marks.py`.
"""

from __future__ import annotations

import re
from typing import Final, TypeAlias

Kinds: TypeAlias = tuple[str, ...]


class Token:
    """A word of the text: the terminals that it may be, best first; its spelling; and where it stands.

    `text` of several words that were merged is in capitals with single spaces (`ORDER BY`).
    """

    __slots__ = ("end", "kinds", "partner", "start", "text", "upper")

    def __init__(self, kinds: Kinds, text: str, start: int, end: int, upper: str = "") -> None:
        self.kinds = kinds
        self.text = text
        self.start = start
        self.end = end
        self.upper = upper
        self.partner = -1
        """the place of the matching bracket in the list of tokens, or -1"""

    def __repr__(self) -> str:
        return f"Token({self.kinds}, {self.text!r}, {self.start})"


END_KINDS: Final[Kinds] = ("$END",)
NAME_KINDS: Final[Kinds] = ("NAME",)
BAD_KINDS: Final[Kinds] = ("BAD",)

_ITSELF: Final = (
    *("NEXT", "MATCH", "WITH", "RETURN", "FINISH", "WHERE", "LIMIT", "UNWIND", "AS", "FILTER", "LET", "USE", "CALL"),
    *(
        "YIELD",
        "CREATE",
        "MERGE",
        "SET",
        "REMOVE",
        "DELETE",
        "FOREACH",
        "IN",
        "FIELDTERMINATOR",
        "DISTINCT",
        "IS",
        "NOT",
    ),
    *("CASE", "WHEN", "THEN", "ELSE", "END", "UNION", "SKIP", "ASC", "DESC"),
)
_OTHERS: Final = {
    "OFFSET": "SKIP",
    "ASCENDING": "ASC",
    "DESCENDING": "DESC",
    "INSERT": "CREATE",
    "AND": "OPERATOR",
    "OR": "OPERATOR",
    "XOR": "OPERATOR",
    "CONTAINS": "OPERATOR",
    "NULL": "CONSTANT",
    "TRUE": "CONSTANT",
    "FALSE": "CONSTANT",
}
KEYWORDS: Final[dict[str, Kinds]] = {
    **{word: (word, "NAME") for word in _ITSELF},
    **{word: (kind, "NAME") for word, kind in _OTHERS.items()},
}
"""Words that are keywords by themselves, in capitals."""

PUNCTUATION: Final[dict[str, Kinds]] = {
    "(": ("LPAR", "NODE_LP"),
    ")": ("RPAR",),
    "[": ("LBRACK",),
    "]": ("RBRACK",),
    "{": ("LBRACE",),
    "}": ("RBRACE",),
    ",": ("COMMA",),
    ".": ("DOT",),
    "..": ("DOTDOT",),
    ":": ("COLON",),
    "|": ("BAR", "COMP_BAR"),
    "&": ("AMP",),
    "!": ("EXCL",),
    "%": ("PERCENT",),
    "*": ("STAR",),
    "+": ("PLUS",),
    "-": ("MINUS", "RDASH"),
    "=": ("EQ",),
    "<": ("LT", "LARROW"),
    ">": ("GT", "RARROW"),
    "+=": ("PLUS_EQ",),
    "$": ("DOLLAR",),
    ";": ("SEMI",),
    "::": ("TYPED",),
    **dict.fromkeys(("<>", "<=", ">=", "=~", "||", "/", "^"), ("OPERATOR",)),
}
NODE_PAREN: Final[Kinds] = ("NODE_LP", "LPAR")
COMPREHENSION_BAR: Final[Kinds] = ("COMP_BAR", "BAR")
DASH: Final[Kinds] = ("RDASH", "MINUS")
LEFT_ARROW: Final[Kinds] = ("LARROW", "LT")
RIGHT_ARROW: Final[Kinds] = ("RARROW", "GT")

# Neo4j takes these for a dash and for arrow heads, because text processors write them
_DASHES: Final = "\u00ad\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe58\ufe63\uff0d"
_LEFTS: Final = "\u27e8\u3008\ufe64\uff1c"
_RIGHTS: Final = "\u27e9\u3009\ufe65\uff1e"
_ALIASES: Final = {**dict.fromkeys(_DASHES, "-"), **dict.fromkeys(_LEFTS, "<"), **dict.fromkeys(_RIGHTS, ">")}

# possessive: a text that is no word after many blanks must not be tried in every split of the blanks
_BLANK: Final = r"(?:[\s\ufeff\u180e]|//[^\r\n]*|/\*(?:[^*]|\*(?!/))*\*/)*+"
_PATTERN: Final = re.compile(
    rf"""{_BLANK}
    (?:(?P<word>[^\W\d]\w*)
      |(?P<mark><=|>=|<>|=~|\+=|\.\.|::|\|\||/(?!\*)|[()\[\]{{}},:=<>|&!%*+^;]|[-{_DASHES}{_LEFTS}{_RIGHTS}]|\.(?!\d))
      |(?P<string>'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")
      |(?P<number>(?:\d[\d_]*)?\.\d[\d_]*(?:[eE][+-]?\d+)?\w*|\d[\d_]*[eE][+-]?\d+\w*|\d\w*)
      |(?P<ticked>(?:`(?:[^`]|``)*`))
      |(?P<parameter>\$(?:\w+|`(?:[^`]|``)*`))
      |(?P<dollar>\$)
      |(?P<end>\Z))""",
    re.VERBOSE | re.DOTALL,
)
_INTEGER: Final = re.compile(r"\d+(?:_\d+)*|0x_?[0-9a-fA-F]+(?:_[0-9a-fA-F]+)*|0o_?[0-7]+(?:_[0-7]+)*", re.IGNORECASE)
_FLOAT: Final = re.compile(r"(?:\d+(?:_\d+)*)?(?:\.\d+(?:_\d+)*)?(?:[eE][+-]?\d+)?")
_SKIP: Final = re.compile(_BLANK)


def scan(text: str) -> list[Token]:
    """The words of the text, ended by one of kind `$END`. What is no word becomes a token of kind `BAD`."""
    tokens: list[Token] = []
    add, match = tokens.append, _PATTERN.match
    keywords, marks = KEYWORDS, PUNCTUATION
    position = 0
    while True:
        found = match(text, position)
        if found is None:
            position = _bad(text, position, tokens)
            continue
        kind = found.lastgroup
        assert kind is not None
        start, position = found.span(kind)
        spelling = found.group(kind)
        if kind == "word":
            upper = spelling.upper()
            add(Token(keywords.get(upper, NAME_KINDS), spelling, start, position, upper))
        elif kind == "mark":
            spelling = _ALIASES.get(spelling, spelling)
            add(Token(marks[spelling], spelling, start, position))
        elif kind == "end":
            add(Token(END_KINDS, "", start, start))
            return tokens
        else:
            add(Token(_other(kind, spelling), spelling, start, position))


def _other(kind: str, spelling: str) -> Kinds:
    if kind == "string":
        return ("STRING",)
    if kind == "number":
        return ("INT",) if _INTEGER.fullmatch(spelling) else ("FLOAT",) if _FLOAT.fullmatch(spelling) else BAD_KINDS
    if kind == "ticked":
        return NAME_KINDS if len(spelling) > 2 else BAD_KINDS
    return ("PARAM",) if kind == "parameter" else ("DOLLAR",)


def _bad(text: str, position: int, tokens: list[Token]) -> int:
    """Add what stands at `position` as a BAD token; an unclosed string, name or comment takes the rest of its line."""
    blanks = _SKIP.match(text, position)
    start = blanks.end() if blanks else position
    end = start + 1
    if text[start] in "'\"`" or text.startswith("/*", start):
        line_end = text.find("\n", start)
        end = len(text) if line_end < 0 else line_end
    tokens.append(Token(BAD_KINDS, text[start:end], start, end))
    return end
