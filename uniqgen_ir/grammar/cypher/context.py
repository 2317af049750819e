"""What reading shares: the text, the diagnostics found so far, spans on demand."""

from __future__ import annotations

from uniqgen_ir.grammar.reports import Reports
from uniqgen_ir.ir.diagnostics import Edit, Fix, Severity


class Context(Reports):
    """One text being read."""

    def has_errors(self) -> bool:
        return any(one.severity is Severity.ERROR for one in self.diagnostics)


def replace(start: int, end: int, text: str, title: str, *, safe: bool = True) -> Fix:
    """A fix of one edit."""
    return Fix(title, (Edit(start, end, text),), safe)
