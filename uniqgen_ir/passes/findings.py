"""What passes found and the table does not show, as warnings: a chase that was ended, rules and rows left aside."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from uniqgen_ir.ir.diagnostics import Diagnostic, Related, Severity
from uniqgen_ir.ir.table import Table
from uniqgen_ir.passes.trace import Step

_CODES: Final = {
    "saturate.cycle": "UQ404",
    "saturate.stopped": "UQ404",
    "saturate.refused": "UQ405",
    "saturate.skipped": "UQ405",
    "minimize.undecided": "UQ406",
}


def findings(steps: Iterable[Step], table: Table) -> tuple[Diagnostic, ...]:
    """The warnings among the steps, in order, each once with all rows that it is about.

    `table`: where the passes began; its rows say where they were read.
    """
    rows: dict[tuple[str, str], dict[str, None]] = {}
    for step in steps:
        if step.rule in _CODES:
            found = rows.setdefault((_CODES[step.rule], step.reason), {})
            found.update(dict.fromkeys(step.rows_before))
    return tuple(_warning(code, reason, names, table) for (code, reason), names in rows.items())


def _warning(code: str, reason: str, names: Iterable[str], table: Table) -> Diagnostic:
    message = f"{', '.join(names)}: {reason}" if code == "UQ406" else reason
    spans = {row.id: row.span for row in table.rows}
    placed = [Related(f"row {name}", span) for name in names if (span := spans.get(name)) is not None]
    first = placed[0].span if placed else None
    return Diagnostic(code, message, first, severity=Severity.WARNING, related=tuple(placed[1:]))
