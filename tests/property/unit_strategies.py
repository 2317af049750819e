"""Tables whose rows are every kind of unit that the search drops and keeps: patterns, conditions, `either`, `not`,
`optional`."""

from __future__ import annotations

from collections.abc import Sequence

from attrs import evolve
from hypothesis import strategies as st

from tests.property.strategies import EXISTENTIAL, KEY, NODES, RELATIONS, monotone_rows, monotone_tables
from uniqgen_ir.ir.analysis import positive_variables
from uniqgen_ir.ir.rows import Either, NotBlock, OptionalBlock, Row, Triple
from uniqgen_ir.ir.table import Column, Table
from uniqgen_ir.ir.terms import Variable


@st.composite
def not_rows(draw: st.DrawFn, row_id: str, pool: Sequence[Variable]) -> Row:
    """A `not` over variables of the table and, sometimes, one of its own; now and then an `either` or `not` inside."""
    local = (*pool, Variable(f"own_{row_id}".replace(".", "_")))
    inner = list(draw(monotone_rows(f"{row_id}.1", local)))
    if draw(st.integers(0, 3)) == 0:
        edge = Triple(draw(st.sampled_from(local)), draw(st.sampled_from(RELATIONS)), draw(st.sampled_from(NODES)))
        inner.append(Row(f"{row_id}.9", NotBlock((Row(f"{row_id}.9.1", edge),))))
    return Row(row_id, NotBlock(tuple(inner)))


@st.composite
def optional_rows(draw: st.DrawFn, row_id: str, pool: Sequence[Variable]) -> Row:
    """An `optional` that binds variables of its own only."""
    own, more = Variable(f"shown_{row_id}"), Variable(f"more_{row_id}")
    rows = [Row(f"{row_id}.1", Triple(draw(st.sampled_from(pool)), draw(st.sampled_from(RELATIONS)), own))]
    if draw(st.booleans()):
        rows.append(Row(f"{row_id}.2", Triple(own, draw(st.sampled_from(RELATIONS)), more)))
    return Row(row_id, OptionalBlock(tuple(rows)))


@st.composite
def either_rows(draw: st.DrawFn, row_id: str, pool: Sequence[Variable]) -> Row:
    """An `either` with a `not` in one branch: the branch looks at what other rows bind."""
    one = draw(monotone_rows(f"{row_id}.1", pool))
    other = draw(not_rows(f"{row_id}.2", pool))
    anchor = draw(monotone_rows(f"{row_id}.3", pool))
    return Row(row_id, Either((one, (*anchor, other))))


@st.composite
def unit_tables(draw: st.DrawFn, keys: int = 1, pinned: bool = False, most: int = 2) -> Table:
    """A table of `monotone_tables` with one to `most` rows of `not`, `optional` and `either`, in any order."""
    table = draw(monotone_tables(min_rows=2, max_rows=5, keys=keys, pinned=pinned))
    bound = sorted(positive_variables(table.rows) & {KEY, *EXISTENTIAL}, key=str)
    rows, head = list(table.rows), list(table.head)
    for number in range(draw(st.integers(1, most))):
        kind = draw(st.sampled_from([not_rows, not_rows, optional_rows, either_rows]))
        row = draw(kind(f"u{number}", bound))
        if isinstance(row.atom, OptionalBlock) and draw(st.booleans()):
            head.append(Column(Variable(f"shown_u{number}")))
        rows.append(row)
    return evolve(table, head=tuple(head), rows=tuple(draw(st.permutations(rows))))
