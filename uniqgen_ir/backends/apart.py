"""The mode `different relationships` said with conditions, for stores in which an edge is a fact.

Where no two edges have the same type and the same ends, two patterns bind the same edge exactly when their subjects,
predicates and objects are the same terms: so a condition for every pair that could meet means the same as the mode.
What counts as an edge, and which patterns are kept apart, is as in `uniqgen_ir.ir.evaluation.evaluate`.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations, product
from typing import Any, Final, TypeAlias

from attrs import evolve

from uniqgen_ir.backends.marks import NESTED
from uniqgen_ir.ir.diagnostics import fail
from uniqgen_ir.ir.expressions import Call, Exists, Expression, Not, Or, conjunction
from uniqgen_ir.ir.rows import (
    Either,
    Filter,
    MinusBlock,
    NotBlock,
    OptionalBlock,
    PathAtom,
    Row,
    SubTable,
    Triple,
    TypeAtom,
    Values,
)
from uniqgen_ir.ir.table import MatchMode, Table
from uniqgen_ir.ir.terms import IRI, BlankNode, Literal, Parameter, Term, Variable
from uniqgen_ir.ir.visitor import map_children

MOST_CHOICES: Final = 64

Edges: TypeAlias = "list[tuple[str, Triple]]"


def without_match_mode(table: Table) -> Table:
    """A table in the mode `homomorphism` with the same answers on every graph, tables inside included.

    Raises DiagnosticError UQ505 where the alternatives are too many to write out.
    """
    return _Spelling(table.match_mode).table(table)


class _Spelling:
    """Rewrites the rows of tables in one mode."""

    def __init__(self, mode: MatchMode) -> None:
        self._apart = mode is MatchMode.DIFFERENT_RELATIONSHIPS

    def table(self, table: Table) -> Table:
        head = tuple(self._expressions(column) for column in table.head)
        shell, rows = self._expressions(table.shell), self.group(table.rows)
        if rows == table.rows and head == table.head and shell == table.shell and not self._apart:
            return table
        return evolve(table, head=head, shell=shell, rows=rows, match_mode=MatchMode.HOMOMORPHISM)

    def group(self, rows: tuple[Row, ...]) -> tuple[Row, ...]:
        """The rows of one group, with the conditions that keep its edges apart."""
        rows = tuple(self._row(row) for row in rows)
        if not self._apart:
            return rows
        colliding = [row for row in rows if isinstance(row.atom, Either) and _meets_others(row, rows)]
        if not colliding:
            alone = tuple(_each_branch(row) for row in rows)
            return (*alone, *_conditions(_edges(alone)))
        return _distributed(rows, colliding)

    def _row(self, row: Row) -> Row:
        where = None if row.where is None else self._expressions(row.where)
        match row.atom:
            case SubTable(table):
                return evolve(row, atom=SubTable(without_match_mode(table)))
            case OptionalBlock(inner):
                return evolve(row, atom=OptionalBlock(self.group(inner)))
            case NotBlock(inner):
                return evolve(row, atom=NotBlock(self.group(inner)))
            case MinusBlock(inner):
                return evolve(row, atom=MinusBlock(self.group(inner)))
            case Either(branches):
                # conditions come later, when it is known what a branch stands beside
                parts = tuple(tuple(self._row(one) for one in branch) for branch in branches)
                return evolve(row, atom=Either(parts), where=where)
            case Triple() | TypeAtom() | PathAtom() | Values():
                return row if where == row.where else evolve(row, where=where)
            case _:
                return evolve(row, atom=self._expressions(row.atom), where=where)

    def _expressions(self, part: Any) -> Any:
        """The part with EXISTS blocks rewritten."""
        if isinstance(part, Exists):
            return evolve(part, rows=self.group(part.rows))
        if isinstance(part, Variable | IRI | Literal | BlankNode | Parameter):
            return part
        return map_children(part, self._expressions)


def _edges(rows: Sequence[Row]) -> Edges:
    return [(row.id, row.atom) for row in rows if isinstance(row.atom, Triple)]


def _all_edges(row: Row) -> Edges:
    """The edges of a row, those of all branches of an `either` included."""
    if isinstance(row.atom, Either):
        return [edge for branch in row.atom.branches for one in branch for edge in _all_edges(one)]
    return _edges([row])


def _meets_others(row: Row, rows: Sequence[Row]) -> bool:
    own = _all_edges(row)
    others = [edge for other in rows if other is not row for edge in _all_edges(other)]
    return any(_difference(one, other) is not None for _, one in own for _, other in others)


def _each_branch(row: Row) -> Row:
    """An `either` that meets no other edge: each of its branches is apart in itself."""
    if not isinstance(row.atom, Either):
        return row
    choices = tuple(choice for branch in row.atom.branches for choice in _choices(branch))
    if not any(_conditions(_edges(choice)) for choice in choices):
        return row
    return evolve(row, atom=Either(tuple((*choice, *_conditions(_edges(choice))) for choice in choices)))


def _distributed(rows: tuple[Row, ...], colliding: Sequence[Row]) -> tuple[Row, ...]:
    """The alternatives that meet other edges, and those edges, as one `either` of whole choices."""
    meeting = [edge for row in colliding for edge in _all_edges(row)]
    drawn = [
        row
        for row in rows
        if row in colliding
        or (isinstance(row.atom, Triple) and any(_difference(row.atom, one) is not None for _, one in meeting))
    ]
    others = [_each_branch(row) for row in rows if row not in drawn]
    choices = _choices(drawn)
    written = tuple((*choice, *_conditions(_edges(choice))) for choice in choices)
    together = evolve(colliding[0], atom=Either(written)) if len(written) > 1 else None
    left = _conditions(_edges(others), _edges([row for row in drawn if isinstance(row.atom, Triple)]))
    placed = next(iter(written)) if together is None else (together,)
    return (*placed, *others, *_conditions(_edges(others)), *left)


def _choices(rows: Sequence[Row]) -> list[tuple[Row, ...]]:
    """One choice of branch for every `either`, those inside branches included."""
    parts: list[list[tuple[Row, ...]]] = []
    size = 1
    for row in rows:
        if isinstance(row.atom, Either):
            parts.append([choice for branch in row.atom.branches for choice in _choices(branch)])
        else:
            parts.append([(row,)])
        size *= len(parts[-1])
        if size > MOST_CHOICES:
            raise fail("UQ505", f"different relationships over more than {MOST_CHOICES} alternatives", row.span)
    return [tuple(row for part in picked for row in part) for picked in product(*parts)]


def _conditions(edges: Edges, others: Edges | None = None) -> tuple[Row, ...]:
    """A condition for every pair that could be one edge: of `edges`, or of `edges` and `others`."""
    pairs = combinations(edges, 2) if others is None else product(edges, others)
    found: list[Row] = []
    for (one_id, one), (other_id, other) in pairs:
        condition = _difference(one, other)
        if condition is not None:
            found.append(Row(f"{one_id}{NESTED}{other_id}", Filter(condition)))
    return tuple(found)


def _difference(one: Triple, other: Triple) -> Expression | None:
    """That two patterns bind different edges; None where they always do."""
    if isinstance(one.object, Literal) or isinstance(other.object, Literal):
        return None
    same: list[Expression] = []
    pairs: tuple[tuple[Term, Term], ...] = (
        (one.subject, other.subject),
        (one.predicate, other.predicate),
        (one.object, other.object),
    )
    for left, right in pairs:
        if left == right:
            continue
        if isinstance(left, IRI | BlankNode) and isinstance(right, IRI | BlankNode):
            return None
        assert not isinstance(left, BlankNode)
        assert not isinstance(right, BlankNode)
        same.append(Call("same_term", (left, right)))
    apart: Expression = Not(conjunction(tuple(same))) if same else Literal.of(False)
    # a literal is a property, not an edge
    ends = [end for end in (one.object, other.object) if isinstance(end, Variable)]
    return Or((apart, Call("is_literal", (ends[0],)))) if len(ends) == 2 else apart
