"""Contradictions under a schema: which rows make one, as few as possible, and how it follows from them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final

from attrs import evolve

from uniqgen_ir.ir.diagnostics import Diagnostic, DiagnosticError, Related
from uniqgen_ir.ir.table import Table
from uniqgen_ir.passes.saturate.engine import Saturation
from uniqgen_ir.passes.saturate.history import Conflict, rows_named
from uniqgen_ir.passes.saturate.patterns import Pattern
from uniqgen_ir.passes.saturate.rows import patterns_of

Chase = Callable[[Iterable[Pattern]], Saturation]

_TRIES: Final = 40
"""Rows that are left out one by one, each for a chase of what is left."""


def unsatisfiable(table: Table, conflict: Conflict, chase: Chase, *, asked: bool) -> DiagnosticError:
    """UQ403 with the rows that contradict each other and the derivation. `asked`: a graph has no answer either."""
    written = patterns_of(table.rows)
    smallest = shrunk(conflict, tuple(written), chase)
    behind = {written[one] for one in smallest.given}
    rows = [row for row in table.rows if row.id in behind]
    names = rows_named([row.id for row in rows])
    verb = "has" if len(rows) == 1 else "have"
    message = f"{names} {verb} no answer on a graph that obeys the schema: {smallest.story(written.__getitem__)}"
    related = tuple(Related(f"row {row.id}", row.span) for row in rows[1:] if row.span is not None)
    span = rows[0].span if rows else None
    hint = "this graph has no answer either" if asked else None
    return DiagnosticError((Diagnostic("UQ403", message, span or table.span, hint=hint, related=related),))


def shrunk(conflict: Conflict, all_given: tuple[Pattern, ...], chase: Chase) -> Conflict:
    """A contradiction that needs every one of its given patterns (of the first forty, for time).

    What is needed among more patterns is needed among fewer, so that one pass settles each.
    """
    best = chase(conflict.given).conflict
    if best is None:  # the steps do not lead there by themselves within the budget
        return evolve(conflict, given=all_given)
    for pattern in best.given[:_TRIES]:
        if pattern in best.given:
            best = chase([one for one in best.given if one != pattern]).conflict or best
    return best
