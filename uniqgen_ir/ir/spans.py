"""Places in a source text."""

from __future__ import annotations

from attrs import frozen


@frozen
class Span:
    """Half-open range of characters, with 1-based line and column of both ends; `source` names the text."""

    start: int
    end: int
    line: int
    column: int
    end_line: int
    end_column: int
    source: str = "<input>"

    @classmethod
    def at(cls, text: str, start: int, end: int, source: str = "<input>") -> Span:
        """The span of `text[start:end]`; positions past the end are pulled back to it."""
        start, end = min(start, len(text)), min(max(start, end), len(text))
        line, end_line = text.count("\n", 0, start) + 1, text.count("\n", 0, end) + 1
        column = start - (text.rfind("\n", 0, start) + 1) + 1
        end_column = end - (text.rfind("\n", 0, end) + 1) + 1
        return cls(start, end, line, column, end_line, end_column, source)

    def part(self, text: str, start: int, end: int) -> Span:
        """The span of `text[start:end]` inside this one. Lines are counted from here, not from the text's beginning."""
        line = self.line + text.count("\n", self.start, start)
        end_line = line + text.count("\n", start, end)
        column = start - text.rfind("\n", 0, start)
        return Span(start, end, line, column, end_line, end - text.rfind("\n", 0, end), self.source)
