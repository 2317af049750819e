"""Format a whole text."""

from __future__ import annotations

from uniqgen_ir.grammar.ctable.formatter import format_text
from uniqgen_ir.ir.diagnostics import DiagnosticError
from uniqgen_ir.lsp.source import Source


def formatted(source: Source) -> str | None:
    """The text in the one layout; None where it cannot be read, so that nothing is lost."""
    try:
        return format_text(source.text, source.name)
    except DiagnosticError:
        return None
