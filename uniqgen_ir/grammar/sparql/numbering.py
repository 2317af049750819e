"""Names of rows: `c1`, `c2`, … for the rows of the table, `c2.1`, `c2.2`, … for all rows inside one of them."""

from __future__ import annotations

from itertools import count
from typing import Any

from attrs import evolve

from uniqgen_ir.ir.rows import Row, SubTable
from uniqgen_ir.ir.table import Table
from uniqgen_ir.ir.visitor import map_children


def number_rows(table: Table) -> Table:
    """The table with names for its rows, and for those inside blocks, `exists` and nested tables."""
    rows = tuple(_numbered(row, f"c{place}") for place, row in enumerate(table.rows, 1))
    head = _Inner("head")
    return evolve(table, rows=rows, head=tuple(map(head, table.head)), shell=head(table.shell))


def _numbered(row: Row, name: str) -> Row:
    named = evolve(row, id=name)
    return map_children(_with_table_name(named), _Inner(name))


def _with_table_name(row: Row) -> Row:
    if isinstance(row.atom, SubTable):
        return evolve(row, atom=SubTable(evolve(row.atom.table, name=row.id)))
    return row


class _Inner:
    """Gives the rows inside one row their names, in the order of the text."""

    def __init__(self, parent: str) -> None:
        self.parent = parent
        self.counter = count(1)

    def __call__(self, part: Any) -> Any:
        if isinstance(part, Row):
            part = _with_table_name(evolve(part, id=f"{self.parent}.{next(self.counter)}"))
        return map_children(part, self)
