"""What reading one query gives."""

from __future__ import annotations

from attrs import frozen

from uniqgen_ir.ir.diagnostics import Diagnostic
from uniqgen_ir.ir.table import Table


@frozen
class ReadResult:
    """What a query gave: its table, or None where there are errors, and all diagnostics in the order of the text."""

    table: Table | None
    diagnostics: tuple[Diagnostic, ...]
