"""The statements that the search sends: tables made from a table. One table, one statement, one call."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from attrs import evolve

from uniqgen_ir.ir.analysis import positive_variables
from uniqgen_ir.ir.rows import Row, SubTable, Values
from uniqgen_ir.ir.table import Form, Table
from uniqgen_ir.ir.terms import GroundTerm, Variable
from uniqgen_ir.passes.nesting import core_table


def inline(name: str, variables: Sequence[Variable], lines: Iterable[Sequence[GroundTerm | None]]) -> Row:
    """Given values as a row."""
    return Row(name, Values(tuple(variables), tuple(tuple(line) for line in lines)))


def fetch(table: Table, row: Row, columns: Sequence[Variable], given: Sequence[Row]) -> Table:
    """What one row allows for the given values."""
    return core_table(table, columns, (*given, row))


def covered(
    table: Table, key: Sequence[Variable], answers: Iterable[Sequence[GroundTerm]], rows: Iterable[Row]
) -> Table:
    """Which of the answers the rows keep."""
    return core_table(table, key, (inline("reference_answers", key, answers), *rows))


def answers_of(
    table: Table, key: Sequence[Variable], blocks: Sequence[tuple[Row, ...]], wide: Iterable[int] = ()
) -> Table:
    """The answers of the blocks together.

    Wide blocks (many solutions for one answer) become distinct sub-tables: side by side in one conjunction their
    solutions would multiply before the answers are made distinct.
    """
    separate = frozenset(wide) if len(blocks) > 1 else frozenset[int]()
    rows: list[Row] = []
    for place, block in enumerate(blocks):
        if place in separate:
            rows.append(_sub_table(table, key, place, block))
        else:
            rows.extend(block)
    return core_table(table, key, rows)


def _sub_table(table: Table, key: Sequence[Variable], place: int, block: tuple[Row, ...]) -> Row:
    bound = positive_variables(block)
    inner = core_table(table, [variable for variable in key if variable in bound], block)
    return Row(f"block_{place + 1}", SubTable(evolve(inner, name=f"block_{place + 1}", prefixes=(), schemas=())))


def is_plain(table: Table) -> bool:
    """Whether the table selects distinct answers without slicing or grouping them."""
    shell = table.shell
    sliced = shell.limit is not None or shell.offset is not None
    return shell.form is Form.SELECT and shell.distinct and not (sliced or shell.group or shell.having or shell.extreme)
