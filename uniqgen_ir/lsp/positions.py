"""Between characters of a text and the positions of the Language Server Protocol (3.17, "Position").

A position is a line and a number of code units; a line ends with `\\n`, `\\r\\n` or `\\r`. Code units are those of
UTF-16 unless the client asked for others.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import Final

_LINE_END: Final = re.compile(r"\r\n|\n|\r")


def _units(encoding: str) -> tuple[str, int]:
    """The codec for an encoding of positions, and the bytes of one of its units."""
    return {"utf-8": ("utf-8", 1), "utf-32": ("utf-32-le", 4)}.get(encoding, ("utf-16-le", 2))


class Lines:
    """The lines of one text."""

    def __init__(self, text: str, encoding: str = "utf-16") -> None:
        self.text = text
        self._codec, self._size = _units(encoding)
        self._starts = [0]
        self._ends: list[int] = []
        for found in _LINE_END.finditer(text):
            self._ends.append(found.start())
            self._starts.append(found.end())
        self._ends.append(len(text))

    def position(self, offset: int) -> tuple[int, int]:
        """Line and code units of a character; places outside the text are pulled back into it."""
        offset = min(max(offset, 0), len(self.text))
        line = bisect_right(self._starts, offset) - 1
        start = self._starts[line]
        # between `\r` and `\n` there is no position: the end of the line stands for it
        return line, self._length(self.text[start : min(offset, self._ends[line])])

    def offset(self, line: int, units: int) -> int:
        """The character at a position; positions outside the text, or inside a character, are pulled back."""
        if line < 0:
            return 0
        if line >= len(self._starts):
            return len(self.text)
        start, end = self._starts[line], self._ends[line]
        content = self.text[start:end]
        if content.isascii():
            return start + min(max(units, 0), len(content))
        for place, character in enumerate(content):
            units -= self._length(character)
            if units < 0:
                return start + place
        return end

    def line_end(self, offset: int) -> int:
        """Where the line of a character ends, its line break left out."""
        return self._ends[bisect_right(self._starts, min(max(offset, 0), len(self.text))) - 1]

    def _length(self, text: str) -> int:
        # lone surrogates cannot be encoded strictly, and an editor may hold them
        return len(text) if text.isascii() else len(text.encode(self._codec, "surrogatepass")) // self._size
