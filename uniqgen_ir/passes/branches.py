"""Tables with fewer branches of an `either`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from attrs import evolve

from uniqgen_ir.ir.rows import Either, Row
from uniqgen_ir.ir.table import Table
from uniqgen_ir.passes.normal.rule import from_sources


def with_branches(table: Table, row: Row, branches: Sequence[tuple[Row, ...]]) -> Table:
    """The table in which the `either` has these of its branches only; a single one becomes rows of the table."""
    made = (evolve(row, atom=Either(tuple(branches))),) if len(branches) > 1 else own_rows(table, row, branches[0])
    return table.with_rows(new for one in table.rows for new in (made if one.id == row.id else (one,)))


def own_rows(table: Table, row: Row, branch: Iterable[Row]) -> tuple[Row, ...]:
    """The rows of the branch that is left, with ids that no other row has; a pin of the `either` is theirs."""
    taken = {one.id for one in table.rows if one.id != row.id}
    pinned = row.note.required
    return tuple(
        evolve(
            one,
            id=one.id if one.id not in taken else f"{row.id}.{one.id}",
            note=evolve(from_sources(one, [row.id]).note, required=one.note.required or pinned),
        )
        for one in branch
    )
