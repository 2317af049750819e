"""Split a union: one table for each way through the `either` rows, to be run one by one or side by side.

    python examples/split_union.py TABLE

Put together, the answers of the tables are those of the table. That holds for sets of answers; where solutions are
counted, ordered or cut, splitting would change them, and the program refuses.
"""

from __future__ import annotations

import sys
from itertools import product

from attrs import evolve

import uniqgen_ir as uq
from uniqgen_ir.ir.analysis import has_aggregate


def split(table: uq.Table) -> tuple[uq.Table, ...]:
    """The tables, in the order of the branches. Raises ValueError where the answers would not be the same."""
    reason = _obstacle(table)
    if reason is not None:
        raise ValueError(f"table {table.name} cannot be split: {reason}")
    ways = product(*(_choices(row) for row in table.rows))
    tables = [table.with_rows(row for rows in way for row in rows) for way in ways]
    if len(tables) == 1:
        return (table,)
    return tuple(evolve(one, name=f"{table.name}_{number}") for number, one in enumerate(tables, 1))


def _choices(row: uq.Row) -> tuple[tuple[uq.Row, ...], ...]:
    """The rows that may stand for this one. A row says from which row it was made."""
    if not isinstance(row.atom, uq.Either):
        return ((row,),)
    return tuple(
        tuple(evolve(inner, note=evolve(inner.note, sources=(row.id,))) for inner in branch)
        for branch in row.atom.branches
    )


def _obstacle(table: uq.Table) -> str | None:
    shell = table.shell
    if not shell.distinct:
        return "it counts solutions (write `select distinct`)"
    if any(has_aggregate(column.expression) for column in table.head) or shell.group or shell.having:
        return "it has aggregates"
    if shell.extreme is not None or shell.limit is not None or shell.offset is not None or shell.order:
        return "it orders or cuts its answers"
    return None


def main(arguments: list[str]) -> int:
    """Print the tables, one after the other."""
    if len(arguments) != 1:
        print(__doc__, file=sys.stderr)
        return 2
    try:
        tables = split(uq.load(arguments[0]))
    except ValueError as error:
        print(error, file=sys.stderr)
        return 1
    print("\n".join(uq.to_text(one) for one in tables), end="")
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
