"""What reading shares: the text, the diagnostics found so far, spans on demand."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable

from uniqgen_ir.ir.diagnostics import Diagnostic, Edit, Fix, Related, Severity
from uniqgen_ir.ir.spans import Span


class Context:
    """One text being read. Lines are counted only when a span is asked for."""

    def __init__(self, text: str, source: str) -> None:
        self.text = text
        self.source = source
        self.diagnostics: list[Diagnostic] = []
        self._lines: list[int] | None = None

    def span(self, start: int, end: int) -> Span:
        """The span of `text[start:end]`."""
        lines = self._lines
        if lines is None:
            lines = self._lines = [0, *(place + 1 for place, letter in enumerate(self.text) if letter == "\n")]
        line, last = bisect_right(lines, start), bisect_right(lines, end)
        return Span(start, end, line, start - lines[line - 1] + 1, last, end - lines[last - 1] + 1, self.source)

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
        """Keep a diagnostic about `text[start:end]`."""
        span = self.span(start, end)
        self.diagnostics.append(Diagnostic(code, message, span, severity, hint, fix, tuple(related)))

    def has_errors(self) -> bool:
        return any(one.severity is Severity.ERROR for one in self.diagnostics)


def replace(start: int, end: int, text: str, title: str, *, safe: bool = True) -> Fix:
    """A fix of one edit."""
    return Fix(title, (Edit(start, end, text),), safe)
