"""Rows that the shell of a table cannot do without: what binds a sort key, the measure of `argmax`, a group."""

from __future__ import annotations

from collections.abc import Callable

from attrs import evolve

from uniqgen_ir.ir.analysis import answer_key, binds, positive_variables
from uniqgen_ir.ir.rows import Row
from uniqgen_ir.ir.table import Table
from uniqgen_ir.passes.search.refusals import shell_variables


def pinned_for_shell(table: Table, uncertainty: Callable[[Row], float]) -> Table:
    """The table with one row pinned for every variable that only its shell speaks of.

    Of several rows that bind a variable the least uncertain one is pinned. A table whose shell mentions a variable that
    no row binds any more would be none.
    """
    wanted = (shell_variables(table) & positive_variables(table.rows)) - set(answer_key(table))
    chosen: set[str] = set()
    for variable in wanted:
        binders = [row for row in table.rows if variable in binds(row)]
        if not any(row.note.required for row in binders):
            chosen.add(min(binders, key=uncertainty).id)
    if not chosen:
        return table
    rows = (evolve(row, note=evolve(row.note, required=True)) if row.id in chosen else row for row in table.rows)
    return table.with_rows(rows)
