"""Marks in rendered text, from which source maps are made.

Templates wrap what a row gave in marks; afterwards the marks are taken out and their places noted. The marks are lone
surrogates: they cannot stand in any text that leaves the process, and the quoting functions refuse them.
"""

from __future__ import annotations

import re
from typing import Final

OPEN: Final = "\ud800"
TURN: Final = "\ud801"
CLOSE: Final = "\ud802"

_MARK: Final = re.compile(f"{OPEN}(?P<row>[^{TURN}]*){TURN}|{CLOSE}")


NESTED: Final = "\x1f"
"""Between the ids of a block and of a row inside it, where one text comes from both."""


APART: Final = "\x1e"
"""Behind the id of a table inside whose relationships are kept apart, where its rows were taken out of it."""


def inner_id(row: str) -> str:
    """The id of the innermost row."""
    return row.rsplit(NESTED, 1)[-1].removesuffix(APART)


def opened(row: str | None) -> str:
    """The mark before the text of a row; nothing for text that no row gave."""
    return "" if row is None else f"{OPEN}{row}{TURN}"


def closed(row: str | None) -> str:
    """The mark after the text of a row."""
    return "" if row is None else CLOSE


def extract(marked: str) -> tuple[str, dict[str, tuple[tuple[int, int], ...]]]:
    """The text without marks, and for every row the half-open ranges that it gave, in order."""
    pieces: list[str] = []
    ranges: dict[str, list[tuple[int, int]]] = {}
    running: list[tuple[str, int]] = []
    length = position = 0
    for mark in _MARK.finditer(marked):
        piece = marked[position : mark.start()]
        pieces.append(piece)
        length += len(piece)
        position = mark.end()
        row = mark["row"]
        if row is not None:
            running.append((row, length))
        else:
            name, start = running.pop()
            for one in name.split(NESTED):
                ranges.setdefault(one.removesuffix(APART), []).append((start, length))
    pieces.append(marked[position:])
    return "".join(pieces), {row: tuple(sorted(found)) for row, found in ranges.items()}
