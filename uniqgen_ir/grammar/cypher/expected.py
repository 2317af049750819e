"""What could have stood here, in a reader's words: groups of terminals, not forty of them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from uniqgen_ir.grammar.cypher.tokens import Token

_GROUPS: Final[tuple[tuple[str, frozenset[str]], ...]] = (
    ("an expression", frozenset({"NOT", "INT", "STRING", "CASE", "LCOMP", "NAME"})),
    ("a clause such as MATCH or RETURN", frozenset({"MATCH", "RETURN", "WITH", "UNWIND"})),
    ("a path", frozenset({"NODE_LP", "SHORTEST_PATH"})),
    ("a relationship", frozenset({"RDASH", "LARROW"})),
    ("an operator", frozenset({"OPERATOR", "EQ", "LT", "GT", "PLUS"})),
    ("a label", frozenset({"EXCL", "PERCENT", "NAME"})),
)
"""A phrase, and the terminals that must all be expected for it."""

_COVERED: Final[dict[str, frozenset[str]]] = {
    "an expression": frozenset(
        {
            *(
                "NOT",
                "INT",
                "FLOAT",
                "STRING",
                "CASE",
                "LCOMP",
                "PCOMP",
                "NAME",
                "PARAM",
                "CONSTANT",
                "LPAR",
                "NODE_LP",
            ),
            *("LBRACK", "LBRACE", "PLUS", "MINUS", "QUANTIFIER", "REDUCE", "SUBQUERY", "SHORTEST_PATH"),
        }
    ),
    "a clause such as MATCH or RETURN": frozenset(
        {
            *("MATCH", "OPTIONAL_MATCH", "WITH", "RETURN", "FINISH", "WHERE", "ORDER_BY", "SKIP", "LIMIT", "GROUP_BY"),
            *("UNWIND", "FILTER", "LET", "USE", "CALL", "OPTIONAL_CALL", "YIELD", "USING_INDEX", "USING_SCAN"),
            *("USING_JOIN", "CREATE", "MERGE", "ON_CREATE", "ON_MATCH", "SET", "REMOVE", "DELETE", "DETACH_DELETE"),
            *("FOREACH", "LOAD_CSV", "UNION", "NEXT"),
        }
    ),
    "a path": frozenset({"NODE_LP", "SHORTEST_PATH", "SELECTOR", "MATCH_MODE", "NAME"}),
    "a relationship": frozenset({"RDASH", "LARROW"}),
    "an operator": frozenset(
        {
            *("OPERATOR", "EQ", "LT", "GT", "PLUS", "MINUS", "STAR", "PERCENT", "IN", "POSTFIX", "IS", "DOT", "LBRACK"),
            *("LPAR", "LBRACE", "COLON", "AMP", "BAR"),
        }
    ),
    "a label": frozenset({"EXCL", "PERCENT", "NAME", "DOLLAR", "LPAR"}),
}

_SPELLING: Final[dict[str, str]] = {
    "NAME": "a name",
    "INT": "a number",
    "STRING": "a string",
    "PARAM": "a parameter",
    "LPAR": "`(`",
    "NODE_LP": "`(`",
    "RPAR": "`)`",
    "LBRACK": "`[`",
    "LCOMP": "`[`",
    "PCOMP": "`[`",
    "RBRACK": "`]`",
    "LBRACE": "`{`",
    "RBRACE": "`}`",
    "COMMA": "`,`",
    "DOT": "`.`",
    "DOTDOT": "`..`",
    "COLON": "`:`",
    "BAR": "`|`",
    "COMP_BAR": "`|`",
    "AMP": "`&`",
    "EXCL": "`!`",
    "PERCENT": "`%`",
    "STAR": "`*`",
    "PLUS": "`+`",
    "MINUS": "`-`",
    "RDASH": "`-`",
    "EQ": "`=`",
    "LT": "`<`",
    "GT": "`>`",
    "LARROW": "`<`",
    "RARROW": "`>`",
    "PLUS_EQ": "`+=`",
    "DOLLAR": "`$`",
    "$END": "the end of the query",
    "ORDER_BY": "ORDER BY",
    "DETACH_DELETE": "DETACH DELETE",
}
_MOST: Final = 4


def expected_phrase(terminals: Iterable[str]) -> str:
    """`a clause such as MATCH or RETURN, an operator, or `)``: at most four things, the groups first."""
    left = set(terminals)
    phrases: list[str] = []
    for phrase, members in _GROUPS:
        if members <= left:
            phrases.append(phrase)
            left -= _COVERED[phrase]
    for terminal in sorted(left, key=_rank):
        spelling = _SPELLING.get(terminal, terminal.replace("_", " "))
        if spelling not in phrases:
            phrases.append(spelling)
    phrases = phrases[:_MOST]
    if len(phrases) < 2:
        return phrases[0] if phrases else "nothing more"
    return f"{', '.join(phrases[:-1])}{',' if len(phrases) > 2 else ''} or {phrases[-1]}"


def _rank(terminal: str) -> tuple[int, str]:
    """Closers and commas before words: they are what is forgotten."""
    return (0 if terminal in ("RPAR", "RBRACK", "RBRACE", "COMMA") else 2 if terminal == "$END" else 1, terminal)


def found_phrase(token: Token) -> str:
    """The token as a message names it."""
    if token.kinds == ("$END",):
        return "the end of the query"
    return f"`{token.text if len(token.text) <= 40 else token.text[:37] + '…'}`"


def spelled(terminal: str) -> str:
    """A terminal as one would write it: `)` or `THEN`."""
    return _SPELLING.get(terminal, terminal.replace("_", " "))
