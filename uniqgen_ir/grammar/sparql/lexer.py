"""Tokens of SPARQL.

Words are keywords wherever they stand, so that the lexer needs no context, but for one case: in `?a<?b && ?c>?d` the
middle looks like an IRI. Such a token is marked, and the parser asks for the other reading where no IRI can stand.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, TypeAlias

from attrs import frozen

from uniqgen_ir.grammar.sparql.tables import ParseTable

Token: TypeAlias = tuple[str, str, int, int]
"""Kind, characters, start and end in the text."""

END: Final = "$END"
_ESCAPE: Final = re.compile(r"\\u([0-9A-Fa-f]{4})|\\U([0-9A-Fa-f]{8})")
_OPENING: Final = frozenset({"LPAR", "LBRACE", "LBRACKET"})
_CLOSING: Final = frozenset({"RPAR", "RBRACE", "RBRACKET"})
_LAST: Final = 0x10FFFF
_SURROGATES: Final = range(0xD800, 0xE000)


def tokenize(text: str, table: ParseTable) -> list[Token]:
    """The tokens of the text. Unknown words get the kind `WORD`, stray characters `BAD`."""
    return list(iter_tokens(text, table, 0))


def iter_tokens(text: str, table: ParseTable, position: int) -> Iterator[Token]:
    """The tokens from a position to the end."""
    words = table.keywords
    for match in table.scanner.finditer(text, position):
        kind = match.lastgroup or END
        start, end = match.span(kind)
        word = match[kind]
        if kind == "WORD":
            kind = words.get(word) or ("WORD" if word == "A" else words.get(word.upper(), "WORD"))
        elif kind == "END":
            yield END, "", start, end
            return
        yield kind, word, start, end


def depth(tokens: list[Token], limit: int) -> Token | None:
    """The first bracket that stands deeper than the limit."""
    open_brackets = 0
    for token in tokens:
        if token[0] in _OPENING:
            open_brackets += 1
            if open_brackets > limit:
                return token
        elif token[0] in _CLOSING:
            open_brackets -= 1
    return None


def as_comparison(text: str, tokens: list[Token], place: int, table: ParseTable) -> None:
    """Read the IRI at `place` as a comparison sign and what comes after it, in place.

    Reading stops where it meets the start of a token that was there before: from there on nothing changes.
    """
    start = tokens[place][2]
    length = 2 if text.startswith("<=", start) else 1
    new: list[Token] = [("LESS_EQUAL" if length == 2 else "LESS", text[start : start + length], start, start + length)]
    later, position = place + 1, start + length
    while True:
        token = next(iter_tokens(text, table, position))
        while later < len(tokens) - 1 and tokens[later][2] < token[2]:
            later += 1
        if tokens[later][2] <= token[2] or token[0] == END:
            tokens[place:later] = new
            return
        new.append(token)
        position = token[3]


@frozen
class Decoded:
    """A text without `\\u` escapes, and for each of its places the place in the text as written."""

    text: str
    places: tuple[int, ...] | None
    bad: tuple[tuple[int, int], ...] = ()


def decode(text: str) -> Decoded:
    """The text with its escapes of characters replaced, as SPARQL 1.1, 19.2, does before anything else."""
    if "\\u" not in text and "\\U" not in text:
        return Decoded(text, None)
    parts: list[str] = []
    places: list[int] = []
    bad: list[tuple[int, int]] = []
    last = 0
    for match in _ESCAPE.finditer(text):
        number = int(match[1] or match[2], 16)
        if number > _LAST or number in _SURROGATES:
            bad.append(match.span())
            continue
        parts += [text[last : match.start()], chr(number)]
        places += [*range(last, match.start()), match.start()]
        last = match.end()
    parts.append(text[last:])
    places += range(last, len(text) + 1)
    return Decoded("".join(parts), tuple(places), tuple(bad))
