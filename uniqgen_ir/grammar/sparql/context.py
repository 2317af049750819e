"""What all parts of the SPARQL reader share: the text, where its lines begin, and the diagnostics."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from uniqgen_ir.grammar.reports import Reports
from uniqgen_ir.ir.diagnostics import Edit, Fix, Related, Severity
from uniqgen_ir.ir.spans import Span

_OF_THE_WHOLE: Final = frozenset({"UQ161", "UQ162", "UQ163", "UQ164", "UQ165", "UQ166", "UQ167", "UQ168", "UQ169"})


class SparqlContext(Reports):
    """One text being read.

    `offered`: prefixes that are proposed where the query leaves out their declaration.
    `lenient`: what no table can hold (named graphs, functions of one store) is reported and read on past.
    `broken` is set by the first syntax error. `places` maps the characters of the text to those of the text as written,
    where escapes were decoded.
    """

    def __init__(
        self,
        text: str,
        written: str,
        source: str,
        places: tuple[int, ...] | None,
        *,
        strict: bool,
        lenient: bool = False,
        offered: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(text, source, written)
        self.strict = strict
        self.lenient = lenient
        self.offered = offered or {}
        self.broken = False
        self._places = places

    def place(self, offset: int) -> int:
        """The offset in the text as written."""
        return self._places[offset] if self._places is not None else offset

    def span(self, start: int, end: int) -> Span:
        """The span of a range of the text."""
        return super().span(self.place(start), self.place(end))

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
        """Add a diagnostic; after a syntax error only those that do not depend on the whole text."""
        if not (self.broken and code in _OF_THE_WHOLE):
            super().report(code, message, start, end, hint=hint, fix=fix, severity=severity, related=related)

    def idiom(self, code: str, message: str, start: int, end: int, fix: Fix | None, hint: str | None = None) -> None:
        """Report something that is not SPARQL 1.1 but is read all the same: a warning, or an error when strict."""
        severity = Severity.ERROR if self.strict else Severity.WARNING
        self.report(code, message, start, end, severity=severity, fix=fix, hint=hint)

    def warn(self, code: str, message: str, start: int, end: int) -> None:
        """Report something that the writer may not have meant."""
        self.report(code, message, start, end, severity=Severity.WARNING)

    def note(self, code: str, message: str, start: int, end: int) -> None:
        """Report something good to know."""
        self.report(code, message, start, end, severity=Severity.INFORMATION)

    def fix(self, title: str, *edits: tuple[int, int, str], safe: bool = True) -> Fix:
        """A fix from edits in the text being read."""
        return Fix(title, tuple(Edit(self.place(start), self.place(end), text) for start, end, text in edits), safe)
