"""Contradictions under a schema: which rows make one, as few as possible, and how it follows from them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final

from attrs import evolve

from uniqgen_ir.ir.diagnostics import Diagnostic, DiagnosticError, Related
from uniqgen_ir.ir.table import Table
from uniqgen_ir.passes.saturate.dependencies import Dependencies
from uniqgen_ir.passes.saturate.engine import Saturation
from uniqgen_ir.passes.saturate.history import Conflict, rows_named
from uniqgen_ir.passes.saturate.patterns import Pattern
from uniqgen_ir.passes.saturate.rows import patterns_of

Chase = Callable[[Iterable[Pattern], Dependencies], Saturation]

_FEW: Final = 12
"""Up to so many rows, all that the schema says is tried without each of them."""
_TRIES: Final = 40
"""Rows that are left out one by one, each for a chase of what is left."""


def unsatisfiable(
    table: Table, conflict: Conflict, chase: Chase, dependencies: Dependencies, *, asked: bool
) -> DiagnosticError:
    """UQ403 with the rows that contradict each other and the derivation. `asked`: a graph has no answer either."""
    written = patterns_of(table.rows)
    smallest = shrunk(conflict, tuple(written), chase, dependencies)
    behind = {written[one] for one in smallest.given}
    rows = [row for row in table.rows if row.id in behind]
    names = rows_named([row.id for row in rows])
    verb = "has" if len(rows) == 1 else "have"
    message = f"{names} {verb} no answer on a graph that obeys the schema: {smallest.story(written.__getitem__)}"
    related = tuple(Related(f"row {row.id}", row.span) for row in rows[1:] if row.span is not None)
    span = rows[0].span if rows else None
    hint = "this graph has no answer either" if asked else None
    return DiagnosticError((Diagnostic("UQ403", message, span or table.span, hint=hint, related=related),))


def shrunk(conflict: Conflict, all_given: tuple[Pattern, ...], chase: Chase, dependencies: Dependencies) -> Conflict:
    """A contradiction that needs every one of its given patterns.

    What is needed among more patterns is needed among fewer, so that one pass settles each. For time, of more than
    twelve patterns the first forty are tried, by the rules of the derivation alone.
    """
    best = chase(conflict.given, dependencies).conflict
    if best is None:  # the steps do not lead there by themselves within the budget
        return evolve(conflict, given=all_given)
    if len(best.given) > _FEW:
        dependencies = dependencies.only((*best.rules, best.violated))
    for pattern in best.given[:_TRIES]:
        if pattern in best.given:
            best = chase([one for one in best.given if one != pattern], dependencies).conflict or best
    return best
