"""What the readers of all languages share: the text, spans in it, and the diagnostics found so far."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable

from uniqgen_ir.ir.diagnostics import Diagnostic, Fix, Related, Severity
from uniqgen_ir.ir.spans import Span


class Reports:
    """One text being read. `written` is the text as its writer sees it, where escapes were decoded for reading."""

    def __init__(self, text: str, source: str, written: str | None = None) -> None:
        self.text = text
        self.source = source
        self.diagnostics: list[Diagnostic] = []
        self._written = text if written is None else written
        self._lines: list[int] = []

    def span(self, start: int, end: int) -> Span:
        """The span of a range of the text as written. Lines are counted when the first span is asked for."""
        lines = self._lines or self._count_lines()
        line = bisect_right(lines, start)
        # nearly every span ends on the line where it starts: the second search is seldom needed
        last = line if end < (lines[line] if line < len(lines) else end + 1) else bisect_right(lines, end)
        return Span(start, end, line, start - lines[line - 1] + 1, last, end - lines[last - 1] + 1, self.source)

    def _count_lines(self) -> list[int]:
        lines, find = [0], self._written.find
        at = find("\n")
        while at >= 0:
            lines.append(at + 1)
            at = find("\n", at + 1)
        self._lines = lines
        return lines

    def report(
        self,
        code: str,
        message: str,
        start: int,
        end: int,
        *,
        hint: str | None = None,
        fix: Fix | None = None,
        severity: Severity = Severity.ERROR,
        related: Iterable[Related] = (),
    ) -> None:
        """Keep a diagnostic about a range of the text."""
        span = self.span(start, end)
        self.diagnostics.append(Diagnostic(code, message, span, severity, hint, fix, tuple(related)))
