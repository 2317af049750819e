"""Spelling: names in backticks, escapes in strings, numbers."""

from __future__ import annotations

import re
from typing import Final

_ESCAPE: Final = re.compile(r"\\(?:u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|(.))", re.DOTALL)
_LETTERS: Final = {
    "b": "\b",
    "f": "\f",
    "n": "\n",
    "r": "\r",
    "t": "\t",
    "\\": "\\",
    "'": "'",
    '"': '"',
    "`": "`",
    "/": "/",
    "_": "\\_",
    "%": "\\%",
}


def name_text(spelling: str) -> str:
    """A name as meant: `` `a``b` `` is a`b."""
    return spelling[1:-1].replace("``", "`") if spelling.startswith("`") else spelling


def string_value(spelling: str) -> tuple[str, re.Match[str] | None]:
    """The characters of a quoted string, and the first escape in it that Cypher does not know.

    An unknown escape keeps its backslash.
    """
    inner = spelling[1:-1]
    if "\\" not in inner:
        return inner, None
    unknown: list[re.Match[str]] = []

    def one(found: re.Match[str]) -> str:
        digits = found[1] or found[2]
        if digits:
            number = int(digits, 16)
            if number <= 0x10FFFF and not 0xD800 <= number <= 0xDFFF:
                return chr(number)
        elif found[3] in _LETTERS:
            return _LETTERS[found[3]]
        unknown.append(found)
        return found[0]

    value = _join_surrogates(inner)
    value = _ESCAPE.sub(one, value)
    return value, unknown[0] if unknown else None


_PAIR: Final = re.compile(r"\\u([dD][89abAB][0-9a-fA-F]{2})\\u([dD][c-fC-F][0-9a-fA-F]{2})")


def _join_surrogates(inner: str) -> str:
    """Two escapes that spell one character outside the basic plane become one escape."""
    return _PAIR.sub(
        lambda found: f"\\U{0x10000 + ((int(found[1], 16) - 0xD800) << 10) + int(found[2], 16) - 0xDC00:08x}", inner
    )


_QUOTE_ESCAPE: Final = re.compile(r"\\u+(?:0027|0022|0060|005[cC]|000[aAdD])")


def hidden_quote(spelling: str) -> re.Match[str] | None:
    """An escape that stands for a quote, a backslash or a line end.

    Cypher 5 replaces `\\uXXXX` before it reads the text, so that such an escape ends the string it stands in.
    """
    return _QUOTE_ESCAPE.search(spelling) if "\\u" in spelling else None


_MOST_DIGITS: Final = 40


def integer_value(spelling: str) -> int:
    """The value of `12`, `1_000`, `0x1F`, `0o17`."""
    plain = spelling.replace("_", "").lower()
    if plain.startswith("0x"):
        return int(plain, 16)
    if plain.startswith("0o"):
        return int(plain, 8)
    # far more digits than any integer has would take long to read: that it is too large is all that matters
    return int(plain.lstrip("0")[:_MOST_DIGITS] or "0")
