"""What is ruled out by a `not`: every match of the rows under one that gives a match of what another one excludes.

Where every match of `{ a }` gives a match of `{ b }`, `not { b }` leaves no `{ a }`: the rows of `a` are made a small
graph along with what holds outside, and those of `b` are looked up there. The `not { b }` stands outside, or in `a`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final, TypeAlias

from uniqgen_ir.ir.analysis import positive_variables, row_variables
from uniqgen_ir.ir.rows import Either, Filter, NotBlock, PathAtom, Row, Triple, TypeAtom
from uniqgen_ir.ir.terms import IRI, Literal, Term, Variable
from uniqgen_ir.passes.certificates.blocks import MOST_BLOCKS, moved
from uniqgen_ir.passes.certificates.frozen import frozen_fact, is_said, node_of, said_by, thawed
from uniqgen_ir.passes.certificates.schema_facts import SchemaFacts
from uniqgen_ir.passes.certificates.world import World, world_of

Place: TypeAlias = Callable[[Variable], Term | None]
"""Where a variable leads that stands outside, too; None: it is one of the rows' own."""

_DEPTH: Final = 2
"""how deep a `not` may stand inside another one that is looked up"""


def is_ruled_out(absent: NotBlock, outside: Sequence[Row], place: Place, schema: SchemaFacts, depth: int = 0) -> bool:
    """Whether one `not`, among the rows outside or those of `absent`, leaves no match of the latter."""

    def led(term: Term) -> Term:
        if not isinstance(term, Variable):
            return term
        found = place(term)
        return Variable(f"under not {depth} {term.name}") if found is None else found

    return all(
        _contradict([*outside, *(moved(row, led) for row in choice)], schema, depth) for choice in _choices(absent.rows)
    )


def _contradict(rows: Sequence[Row], schema: SchemaFacts, depth: int) -> bool:
    """Whether the patterns among the rows have a match of what a `not` among them excludes."""
    world = world_of({fact for row in rows if (fact := frozen_fact(row, {})) is not None}, schema)
    blocks = (choice for row in rows if isinstance(row.atom, NotBlock) for choice in _choices(row.atom.rows))
    return any(_has_match(block, rows, world, schema, depth) for block in blocks)


def _choices(rows: Sequence[Row]) -> Sequence[Sequence[Row]]:
    """The rows with one branch of each `either`, for every choice; the rows as they are where these are too many."""
    found: list[tuple[Row, ...]] = [()]
    for row in rows:
        ends: list[Sequence[Row]] = [(row,)]
        if isinstance(row.atom, Either):
            ends = [end for branch in _branches(row) for end in _choices(branch)]
        found = [(*one, *end) for one in found for end in ends]
        if len(found) > MOST_BLOCKS:
            return [rows]
    return found


def _branches(row: Row) -> Sequence[Sequence[Row]]:
    """The branches of an `either`, each with the row's own condition."""
    assert isinstance(row.atom, Either)
    own = [] if row.where is None else [Row("", Filter(row.where))]
    return [[*branch, *own] for branch in row.atom.branches]


def _has_match(block: Sequence[Row], rows: Sequence[Row], world: World, schema: SchemaFacts, depth: int) -> bool:
    """Whether what the block excludes is there wherever the rows hold: its patterns, conditions and blocks of `not`."""
    inner = [row for row in block if not isinstance(row.atom, NotBlock)]
    nested = [row.atom for row in block if isinstance(row.atom, NotBlock)]
    patterns = [Row("", row.atom) for row in inner if isinstance(row.atom, Triple | TypeAtom | PathAtom)]
    outer, said = positive_variables(rows), [part for row in rows for part in said_by(row)]
    own = tuple(sorted(positive_variables(patterns) - outer, key=str))
    mentioned = frozenset[Variable]().union(*map(row_variables, inner))
    others = any(not isinstance(row.atom, Triple | TypeAtom | PathAtom | Filter) for row in inner)
    if others or not patterns or mentioned - outer > {*own} or (nested and depth >= _DEPTH):
        return False  # more than the checker looks up, or a condition on what nothing binds
    conditions = [part for row in block for part in said_by(row)]
    pins = {variable: world.of(node_of(variable)) for row in patterns for variable in row_variables(row) & outer}
    for line in world.matches(patterns, pins, own):
        mapping: dict[Variable, object] = dict(zip(own, map(thawed, line), strict=True))

        def place(variable: Variable, mapping: Mapping[Variable, object] = mapping) -> Term | None:
            found = mapping.get(variable, variable if variable in outer else None)
            return found if isinstance(found, Variable | IRI | Literal) else None

        if all(is_said(part, mapping, said) for part in conditions) and all(
            is_ruled_out(one, rows, place, schema, depth + 1) for one in nested
        ):
            return True
    return False
