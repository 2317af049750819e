"""What passes found and the table does not show, as warnings: a chase that was ended, rules and rows left aside."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from uniqgen_ir.ir.diagnostics import Diagnostic, Related, Severity
from uniqgen_ir.ir.table import Table
from uniqgen_ir.passes.saturate.history import rows_named
from uniqgen_ir.passes.trace import Step

_CODES: Final = {
    "saturate.cycle": "UQ404",
    "saturate.stopped": "UQ404",
    "saturate.refused": "UQ405",
    "saturate.skipped": "UQ405",
    "minimize.undecided": "UQ406",
}
_HINTS: Final = {
    "saturate.stopped": "`saturate{steps=N}` allows more",
    "minimize.undecided": "`minimize{budget=N}` allows more",
}


def findings(steps: Iterable[Step], table: Table) -> tuple[Diagnostic, ...]:
    """The warnings among the steps, in order, each once with all rows that it is about.

    `table`: where the passes began; its rows say where they were read.
    """
    rows: dict[tuple[str, str], dict[str, None]] = {}
    for step in steps:
        if step.rule in _CODES:
            found = rows.setdefault((step.rule, step.reason), {})
            found.update(dict.fromkeys(step.rows_before))
    return tuple(_warning(rule, reason, names, table) for (rule, reason), names in rows.items())


def _warning(rule: str, reason: str, names: Iterable[str], table: Table) -> Diagnostic:
    message = f"{rows_named(tuple(names))} may have no use: {reason}" if rule == "minimize.undecided" else reason
    spans = {row.id: row.span for row in table.rows}
    placed = [Related(f"row {name}", span) for name in names if (span := spans.get(name)) is not None]
    return Diagnostic(
        _CODES[rule],
        message,
        placed[0].span if placed else None,
        severity=Severity.WARNING,
        hint=_HINTS.get(rule),
        related=tuple(placed[1:]),
    )
