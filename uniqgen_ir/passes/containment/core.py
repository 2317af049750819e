"""The core of a conjunction of triples: fold the query into ever smaller parts of itself."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from attrs import evolve, frozen

from uniqgen_ir.ir.rows import Triple, TypeAtom
from uniqgen_ir.ir.table import Table
from uniqgen_ir.ir.terms import Variable
from uniqgen_ir.ir.visitor import variables_in_order
from uniqgen_ir.passes.containment.blocks import Block, Edge
from uniqgen_ir.passes.containment.homomorphism import BudgetExceeded, Effort
from uniqgen_ir.passes.containment.matching import Match, fixed_variables, homomorphisms
from uniqgen_ir.passes.containment.target import Target
from uniqgen_ir.passes.containment.verdict import show_term
from uniqgen_ir.passes.saturate.patterns import pattern_of, replaced

if TYPE_CHECKING:
    from uniqgen_ir.ir.rows import Row


@frozen
class Fold:
    """The rows (ids, in order) that a homomorphism maps the query into. `undecided`: a row that took too long."""

    kept: tuple[str, ...]
    homomorphism: tuple[tuple[str, str], ...] = ()
    undecided: str = ""


def folds(table: Table, budget: int) -> Iterator[Fold]:
    """The steps from a plain table to its core. Rows that are pinned are kept in every one."""
    rows = list(table.rows)
    shown = frozenset(variables_in_order(table.with_rows(())))
    whole = _block(rows, shown)
    fixed = fixed_variables(whole, Effort(budget))
    place = len(rows) - 1
    while place >= 0:
        row = rows[place]
        place -= 1
        twin = any(one.atom == row.atom for one in rows if one is not row)
        if row.note.required or (_variables(row) <= fixed and not twin):
            continue
        block = _block(rows, shown)
        rest = evolve(block, edges=tuple(edge for edge in block.edges if edge.row != row.id))
        try:
            match = next(homomorphisms(block, Target.of(rest, {}), Effort(budget)), None)
        except BudgetExceeded:
            yield Fold(tuple(one.id for one in rows), undecided=row.id)
            continue
        if match is not None:
            before = rows
            rows = _image(rows, match)
            # rows before this one that the fold left out are no longer looked at
            place = sum(1 for one in before[: place + 1] if one in rows) - 1
            terms = tuple((show_term(one), show_term(term)) for one, term in match.terms.items() if one != term)
            yield Fold(tuple(one.id for one in rows), terms)


def _block(rows: list[Row], shown: frozenset[Variable]) -> Block:
    edges = tuple(Edge(pattern_of(row.atom), row.id) for row in rows if isinstance(row.atom, Triple | TypeAtom))
    return Block((), edges, rigid=shown)


def _variables(row: Row) -> frozenset[Variable]:
    assert isinstance(row.atom, Triple | TypeAtom)
    return frozenset(term for term in pattern_of(row.atom) if isinstance(term, Variable))


def _image(rows: list[Row], match: Match) -> list[Row]:
    """The rows that the homomorphism maps some row onto, each pattern once, and those that are pinned."""
    stated = [(row, pattern_of(row.atom)) for row in rows if isinstance(row.atom, Triple | TypeAtom)]
    images = {replaced(pattern, match.terms) for _, pattern in stated}
    images -= {pattern for row, pattern in stated if row.note.required}
    kept: list[Row] = []
    for row, pattern in stated:
        if row.note.required or pattern in images:
            kept.append(row)
        images.discard(pattern)
    return kept
