"""What is ruled out by a `not`: every match of the rows under one that gives a match of what another one excludes.

Where every match of `{ a }` gives a match of `{ b }`, `not { b }` leaves no `{ a }`: the rows of `a` are made a small
graph along with what holds outside, and those of `b` are looked up there. The `not { b }` stands outside, or in `a`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from uniqgen_ir.ir.analysis import positive_variables, row_variables
from uniqgen_ir.ir.expressions import Expression
from uniqgen_ir.ir.rows import Filter, NotBlock, PathAtom, Row, Triple, TypeAtom
from uniqgen_ir.ir.terms import Term, Variable
from uniqgen_ir.passes.certificates.blocks import moved
from uniqgen_ir.passes.certificates.claims import SchemaFacts
from uniqgen_ir.passes.certificates.frozen import frozen_fact, is_said, node_of, said_by, thawed
from uniqgen_ir.passes.certificates.world import world_of


def is_ruled_out(
    absent: NotBlock, outside: Sequence[Row], place: Callable[[Variable], Term | None], schema: SchemaFacts
) -> bool:
    """Whether one `not`, among the rows outside or those of `absent`, leaves no match of the latter.

    `place`: where a variable of theirs leads that stands outside, too; None: it is one of their own.
    """

    def led(term: Term) -> Term:
        if not isinstance(term, Variable):
            return term
        found = place(term)
        return Variable(f"under not {term.name}") if found is None else found

    rows = [*outside, *(moved(row, led) for row in absent.rows)]
    facts = {fact for row in rows if (fact := frozen_fact(row, {})) is not None}
    said = [part for row in rows for part in said_by(row)]
    world, outer = world_of(facts, schema), positive_variables(rows)
    for one in (row.atom for row in rows if isinstance(row.atom, NotBlock)):
        conditions = [part for row in one.rows for part in said_by(row)]
        patterns = [row for row in one.rows if isinstance(row.atom, Triple | TypeAtom | PathAtom)]
        own = tuple(sorted(positive_variables(patterns) - outer, key=str))
        mentioned = frozenset[Variable]().union(*map(row_variables, one.rows))
        if any(not isinstance(row.atom, Filter) and row not in patterns for row in one.rows) or mentioned - outer > {
            *own
        }:
            continue  # more than patterns and conditions, or a condition on what nothing binds
        pins = {variable: world.of(node_of(variable)) for row in patterns for variable in row_variables(row) & outer}
        bare = [Row("", row.atom) for row in patterns]
        lines = world.matches(bare, pins, own) if bare else []
        if any(_all_said(conditions, dict(zip(own, map(thawed, line), strict=True)), said) for line in lines):
            return True
    return False


def _all_said(conditions: Sequence[Expression], mapping: dict[Variable, object], said: Sequence[Expression]) -> bool:
    return all(is_said(part, mapping, said) for part in conditions)
