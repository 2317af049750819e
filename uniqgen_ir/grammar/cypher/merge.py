"""Terminals of several words: `ORDER BY`, `IS NOT NULL`, `OPTIONAL MATCH`, `USING TEXT INDEX`, `IS :: LIST<INTEGER>`.

Merged before parsing, so that one word of look-ahead is enough for the grammar. Each function takes the words and the
place of the first one, and returns the terminal and the place after the last word, or None where they do not merge.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, TypeAlias

from uniqgen_ir.grammar.cypher.tokens import Token

Merged: TypeAlias = "tuple[str, int] | None"
Merge: TypeAlias = "Callable[[Sequence[Token], int], Merged]"


def _followed_by(*endings: tuple[str, str]) -> Merge:
    """Merge with the first of the endings that stands after the word; each is (words, terminal)."""
    split = [(ending.split(), terminal) for ending, terminal in endings]

    def merge(tokens: Sequence[Token], place: int) -> Merged:
        for words, terminal in split:
            after = place + 1 + len(words)
            if [token.upper or token.text for token in tokens[place + 1 : after]] == words:
                return terminal, after
        return None

    return merge


def _union(tokens: Sequence[Token], place: int) -> Merged:
    return "UNION", place + (2 if tokens[place + 1].upper in ("ALL", "DISTINCT") else 1)


_INDEX_KINDS: Final = frozenset({"TEXT", "RANGE", "POINT", "BTREE", "FULLTEXT", "VECTOR"})


def _using(tokens: Sequence[Token], place: int) -> Merged:
    after = place + 1
    if tokens[after].upper == "SCAN":
        return "USING_SCAN", after + 1
    if tokens[after].upper == "JOIN" and tokens[after + 1].upper == "ON":
        return "USING_JOIN", after + 2
    if tokens[after].upper in _INDEX_KINDS:
        after += 1
    if tokens[after].upper != "INDEX":
        return None
    # `SEEK` might also be the variable: `USING INDEX seek:Label(…)`
    seek = tokens[after + 1].upper == "SEEK" and tokens[after + 2].text != ":"
    return "USING_INDEX", after + (2 if seek else 1)


_TRANSACTION_WORDS: Final = frozenset(
    {
        *("OF", "ROW", "ROWS", "ON", "ERROR", "CONTINUE", "BREAK", "FAIL", "RETRY", "FOR", "SECOND", "SECONDS"),
        *("REPORT", "STATUS", "SEC", "THEN"),
    }
)


def _in_transactions(tokens: Sequence[Token], place: int) -> Merged:
    if place == 0 or tokens[place - 1].text != "}":
        return None
    after = place + 1
    while tokens[after].kinds[0] in ("INT", "PARAM") or tokens[after].upper == "CONCURRENT":
        after += 1
    if tokens[after].upper not in ("TRANSACTION", "TRANSACTIONS"):
        return None
    after += 1
    while tokens[after].upper in _TRANSACTION_WORDS or tokens[after].kinds[0] in ("INT", "FLOAT", "PARAM"):
        after += 1
        if tokens[after - 1].upper == "STATUS" and tokens[after].upper == "AS":
            after += 2
    return "IN_TRANSACTIONS", min(after, len(tokens) - 1)


_TYPE_WORDS: Final = frozenset(
    {
        *(
            "ANY",
            "NOTHING",
            "NULL",
            "BOOL",
            "BOOLEAN",
            "VARCHAR",
            "STRING",
            "INT",
            "INTEGER",
            "SIGNED",
            "INT8",
            "INT16",
        ),
        *("INT32", "INT64", "INTEGER8", "INTEGER16", "INTEGER32", "INTEGER64", "FLOAT", "FLOAT32", "FLOAT64", "DATE"),
        *("TIME", "LOCAL", "ZONED", "DATETIME", "TIMESTAMP", "DURATION", "POINT", "NODE", "VERTEX", "RELATIONSHIP"),
        *(
            "EDGE",
            "MAP",
            "LIST",
            "ARRAY",
            "PATH",
            "PATHS",
            "PROPERTY",
            "VALUE",
            "VECTOR",
            "WITHOUT",
            "TIMEZONE",
            "ZONE",
        ),
    }
)


def type_end(tokens: Sequence[Token], place: int) -> int:
    """The place after a type (`LIST<INTEGER NOT NULL>`) that begins at `place`; `place` itself if none does."""
    after, depth = place, 0
    while True:
        token = tokens[after]
        if token.upper in _TYPE_WORDS:
            after += 1
        elif (token.upper == "NOT" and tokens[after + 1].upper == "NULL") or (
            token.upper == "WITH" and tokens[after + 1].upper in ("TIMEZONE", "TIME")
        ):
            after += 2
        elif after > place and token.text in ("<", "|", "!") and (token.text == "!" or _type_goes_on(tokens, after)):
            depth += token.text == "<"
            after += 1
        elif depth and token.text == ">":
            depth -= 1
            after += 1
        else:
            return after


def _type_goes_on(tokens: Sequence[Token], place: int) -> bool:
    return tokens[place + 1].upper in _TYPE_WORDS


_NORMAL_FORMS: Final = frozenset({"NFC", "NFD", "NFKC", "NFKD"})


def _is(tokens: Sequence[Token], place: int) -> Merged:
    after = place + 1
    if tokens[after].upper == "NOT":
        after += 1
    word = tokens[after]
    if word.upper == "NULL":
        return "POSTFIX", after + 1
    if word.upper == "TYPED" or word.text == "::":
        end = type_end(tokens, after + 1)
        return ("POSTFIX", end) if end > after + 1 else None
    if word.upper in _NORMAL_FORMS and tokens[after + 1].upper == "NORMALIZED":
        return "POSTFIX", after + 2
    return ("POSTFIX", after + 1) if word.upper == "NORMALIZED" else None


def _typed(tokens: Sequence[Token], place: int) -> Merged:
    end = type_end(tokens, place + 1)
    return ("POSTFIX", end) if end > place + 1 else None


_SELECTOR_WORDS: Final = frozenset({"ANY", "ALL", "SHORTEST", "PATH", "PATHS", "GROUP", "GROUPS"})
_BEFORE_SELECTOR: Final = frozenset({"MATCH", "OPTIONAL_MATCH", "MATCH_MODE", "COMMA", "EQ", "LBRACE"})


def selector_end(tokens: Sequence[Token], place: int, before: Token) -> int:
    """The place of the `(` that a path selector (`SHORTEST 2 GROUPS`) stands before; -1 where it is none.

    `before` is the token in front of it, merged already.
    """
    if before.kinds[0] not in _BEFORE_SELECTOR:
        return -1
    after = place + 1
    while tokens[after].upper in _SELECTOR_WORDS or tokens[after].kinds[0] in ("INT", "PARAM"):
        after += 1
    return after if tokens[after].text == "(" else -1


MERGES: Final[dict[str, Merge]] = {
    "ORDER": _followed_by(("BY", "ORDER_BY")),
    "GROUP": _followed_by(("BY", "GROUP_BY")),
    "STARTS": _followed_by(("WITH", "OPERATOR")),
    "ENDS": _followed_by(("WITH", "OPERATOR")),
    "OPTIONAL": _followed_by(("MATCH", "OPTIONAL_MATCH"), ("CALL", "OPTIONAL_CALL")),
    "DETACH": _followed_by(("DELETE", "DETACH_DELETE")),
    "NODETACH": _followed_by(("DELETE", "DELETE")),
    "ON": _followed_by(("CREATE SET", "ON_CREATE"), ("MATCH SET", "ON_MATCH")),
    "LOAD": _followed_by(("CSV WITH HEADERS FROM", "LOAD_CSV"), ("CSV FROM", "LOAD_CSV")),
    "REPEATABLE": _followed_by(
        ("ELEMENTS", "MATCH_MODE"), ("ELEMENT BINDINGS", "MATCH_MODE"), ("ELEMENT", "MATCH_MODE")
    ),
    "DIFFERENT": _followed_by(
        ("RELATIONSHIPS", "MATCH_MODE"), ("RELATIONSHIP BINDINGS", "MATCH_MODE"), ("RELATIONSHIP", "MATCH_MODE")
    ),
    "UNION": _union,
    "USING": _using,
    "IN": _in_transactions,
    "IS": _is,
    "::": _typed,
}
"""What may begin a terminal of several words, in capitals."""
