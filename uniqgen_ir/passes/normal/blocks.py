"""Disjunction lifted: `a, (b or c), d` as the union of the blocks `a, b, d` and `a, c, d`.

The union is one row, an `either` whose branches are the blocks. A row that stands in several blocks keeps its id in
each: the copies are one unit. Lifting is exact for sets and for bags, because joins, conditions, `optional` and `not`
all distribute over a union; where a branch looks at what other rows bind in some solutions only, it stays as it is.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import product
from typing import TypeAlias

from attrs import evolve

from uniqgen_ir.ir.analysis import (
    expression_variables,
    needs,
    positive_variables,
    row_variables,
    visible_variables,
    walk_expression,
)
from uniqgen_ir.ir.expressions import Exists
from uniqgen_ir.ir.rows import Bind, Either, Filter, MinusBlock, PathAtom, Row, Triple, TypeAtom, Values
from uniqgen_ir.ir.table import MatchMode, Table
from uniqgen_ir.ir.terms import Variable
from uniqgen_ir.ir.visitor import variables_in_order
from uniqgen_ir.passes.normal.naming import canonical_names
from uniqgen_ir.passes.normal.rule import RuleResult, Settings, from_sources, joins_freely
from uniqgen_ir.passes.trace import Step

Block: TypeAlias = tuple[Row, ...]


def is_union(table: Table) -> bool:
    """Whether the table is nothing but a union of blocks."""
    return len(table.rows) == 1 and isinstance(table.rows[0].atom, Either)


def lift_disjunctions(table: Table, settings: Settings) -> RuleResult:
    """The union of blocks where there are at most `max_blocks` of them and lifting is exact; otherwise the table."""
    first = next((row for row in table.rows if isinstance(row.atom, Either)), None)
    if first is None or settings.keep_units or table.match_mode is not MatchMode.HOMOMORPHISM:
        return table, ()
    if not _distributes(table.rows, ()) or not _names_settled(table.rows):
        return table, ()
    number = block_count(table.rows)
    flat = is_union(table) and all(block_count(branch) == 1 for branch in _branches(first))
    if number > settings.max_blocks or flat:
        return table, ()
    expanded = _expanded(table.rows)
    if not all(_stands_alone(table, block) for block in expanded):
        return table, ()
    union = Either(tuple(expanded))
    names = [row.id for row in table.rows]
    others = [name for row in table.rows for name in (row.id, *row.note.sources)]
    required = any(row.note.required for row in table.rows)
    row = evolve(
        from_sources(first, others), atom=union, note=evolve(from_sources(first, others).note, required=required)
    )
    step = Step("normalize.lift", tuple(names), (row.id,), f"a union of {number} blocks")
    return table.with_rows((row,)), (step,)


def block_count(rows: Iterable[Row]) -> int:
    """How many blocks the rows become: the product over their disjunctions of the blocks in the branches."""
    count = 1
    for row in rows:
        if isinstance(row.atom, Either):
            count *= sum(block_count(branch) for branch in row.atom.branches)
    return count


def _branches(row: Row) -> tuple[Block, ...]:
    return row.atom.branches if isinstance(row.atom, Either) else ()


def _distributes(rows: Sequence[Row], context: Sequence[Row]) -> bool:
    """Whether every disjunction may be lifted: nothing in a branch depends on when the branch is solved."""
    for row in rows:
        around = [*context, *(one for one in rows if one is not row)]
        for branch in _branches(row):
            if any(isinstance(one.atom, Bind | MinusBlock) for one in branch):
                return False
            if _looked_at(branch) & _sometimes_bound(around) - positive_variables(branch):
                return False
            if not _distributes(branch, around):
                return False
    return True


def _stands_alone(table: Table, block: Block) -> bool:
    """Whether whatever the block's conditions look at may be bound in the block itself, not in another one only."""
    elsewhere = frozenset(visible_variables(table.rows)) - frozenset(visible_variables(block))
    return not _looked_at(block) & elsewhere


def shows_as_much(table: Table, rows: Iterable[Row]) -> bool:
    """Whether these rows may bind what head and shell mention and the table's own rows may bind."""
    return not (_spoken_of(table) & frozenset(visible_variables(table.rows))) - frozenset(visible_variables(rows))


def _names_settled(rows: Sequence[Row]) -> bool:
    """Whether every `let` looks only at what has a value in every solution, before and after lifting."""
    bound = positive_variables(rows)
    return all(needs(row, bound) <= bound for row in rows if isinstance(row.atom, Bind))


def _looked_at(branch: Block) -> frozenset[Variable]:
    """What the branch looks at otherwise than by matching a pattern: conditions, blocks inside."""
    found: set[Variable] = set()
    for row in branch:
        if row.where is not None:
            found |= expression_variables(row.where)
        if not isinstance(row.atom, Triple | TypeAtom | PathAtom | Values):
            found |= row_variables(row)
    return frozenset(found)


def _sometimes_bound(rows: Sequence[Row]) -> frozenset[Variable]:
    """What these rows may bind, but do not bind in every solution before any disjunction is solved."""
    certain = positive_variables(row for row in rows if not isinstance(row.atom, Either | Bind))
    return frozenset(visible_variables(rows)) - certain


def _expanded(rows: Sequence[Row]) -> list[Block]:
    """The blocks of the rows: one branch of every disjunction in its place, in the order of the branches."""
    choices = [_choices(row) if isinstance(row.atom, Either) else [(row,)] for row in rows]
    return [_with_own_ids(tuple(row for part in choice for row in part)) for choice in product(*choices)]


def _choices(row: Row) -> list[Block]:
    """The blocks of a disjunction; their rows name it and take on its pin, uncertainty and reason."""
    return [tuple(_part_of(row, one) for one in block) for branch in _branches(row) for block in _expanded(branch)]


def _part_of(whole: Row, part: Row) -> Row:
    note, outer = part.note, whole.note
    uncertainty = outer.uncertainty if note.uncertainty is None else note.uncertainty
    note = evolve(
        note,
        required=note.required or outer.required,
        uncertainty=uncertainty,
        reason=note.reason or outer.reason,
    )
    return from_sources(evolve(part, note=note), [whole.id, *outer.sources])


def _with_own_ids(block: Block) -> Block:
    """The block with ids that differ; the first row of a name keeps it."""
    taken: set[str] = set()
    rows: list[Row] = []
    every = {row.id for row in block}
    for row in block:
        name, number = row.id, 2
        while name in taken:
            name = f"{row.id}.{number}"
            number += 1
            if name in every:
                name = row.id
        taken.add(name)
        rows.append(row if name == row.id else evolve(row, id=name))
    return tuple(rows)


def distinct_blocks(table: Table, blocks: Sequence[Block]) -> tuple[list[Block], list[Step]]:
    """The blocks without those that give nothing beyond another one (set semantics only)."""
    if not joins_freely(table):
        return list(blocks), []
    kept: list[Block] = []
    steps: list[Step] = []
    spoken = _spoken_of(table)
    for place, block in enumerate(blocks):
        wider = next((one for one in kept if _contains(table, one, block, spoken)), None)
        wider = wider or next((one for one in blocks[place + 1 :] if _strictly(table, one, block, spoken)), None)
        if wider is None:
            kept.append(block)
            continue
        before, after = tuple(row.id for row in block), tuple(row.id for row in wider)
        steps.append(Step("normalize.block", before, after, "another block gives all that this one gives"))
    return kept, steps


def _strictly(table: Table, one: Block, other: Block, spoken: frozenset[Variable]) -> bool:
    return _contains(table, one, other, spoken) and not _contains(table, other, one, spoken)


def _contains(table: Table, wider: Block, narrower: Block, spoken: frozenset[Variable]) -> bool:
    """Whether the answers of `narrower` are among those of `wider`, seen from the form of the rows alone."""
    if _plain(table, wider) == _plain(table, narrower):
        return True
    if not all(_is_simple(row) for row in (*wider, *narrower)):
        return False
    said = {(row.atom, row.where) for row in narrower}
    bound = positive_variables(wider)
    if not all((row.atom, row.where) in said for row in wider) or not _looked_at(wider) <= bound:
        return False
    return not spoken & (positive_variables(narrower) - bound)


def _plain(table: Table, block: Block) -> tuple[object, ...]:
    """What the block says, whatever its inner variables are called."""
    named, _ = canonical_names(table.with_rows(block))
    return tuple((row.atom, row.where) for row in named.rows)


def _is_simple(row: Row) -> bool:
    conditions = [row.where] if row.where is not None else []
    conditions += [row.atom.condition] if isinstance(row.atom, Filter) else []
    if any(isinstance(part, Exists) for one in conditions for part in walk_expression(one)):
        return False
    return isinstance(row.atom, Triple | TypeAtom | PathAtom | Filter)


def _spoken_of(table: Table) -> frozenset[Variable]:
    """The variables that head and shell mention."""
    if not table.head:
        return frozenset(variables_in_order(table))
    return frozenset(variables_in_order(table.with_rows(())))
