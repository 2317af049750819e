"""Rows and conditions that say nothing new."""

from __future__ import annotations

from attrs import evolve

from uniqgen_ir.ir.expressions import Comparison, ComparisonOperator, conjunction
from uniqgen_ir.ir.rows import Either, Filter, NotBlock, PathAtom, Row, Triple, TypeAtom
from uniqgen_ir.ir.table import Table
from uniqgen_ir.passes.normal.bounds import Bound, bound_of, bounds_of, implies
from uniqgen_ir.passes.normal.conditions import TRUE
from uniqgen_ir.passes.normal.rule import RuleResult, Settings, conjuncts, from_sources, joins_freely
from uniqgen_ir.passes.trace import Step


def remove_duplicates(table: Table, settings: Settings) -> RuleResult:
    """Rows that stand twice, conditions that are always true, and conditions that another one implies."""
    table, steps = _always_true(table)
    table, inner = _inside_rows(table)
    steps = (*steps, *inner)
    if settings.keep_units:
        return table, steps
    for remove in (_equal_rows, _implied_conditions):
        table, more = remove(table)
        steps = (*steps, *more)
    return table, steps


def _always_true(table: Table) -> RuleResult:
    gone = [row for row in table.rows if isinstance(row.atom, Filter) and row.atom.condition == TRUE]
    if not gone or len(gone) == len(table.rows):
        return table, ()
    steps = tuple(Step("normalize.true", (row.id,), (), "the condition is always true") for row in gone)
    return table.with_rows(row for row in table.rows if row not in gone), steps


def _inside_rows(table: Table) -> RuleResult:
    """Implied comparisons inside one row's own condition."""
    steps: list[Step] = []
    rows: list[Row] = []
    for row in table.rows:
        changed = _without_implied_parts(row)
        if changed != row:
            steps.append(Step("normalize.implied", (row.id,), (row.id,), "one part of the condition implies another"))
        rows.append(changed)
    return table.with_rows(rows), tuple(steps)


def _without_implied_parts(row: Row) -> Row:
    condition = row.atom.condition if isinstance(row.atom, Filter) else row.where
    parts = list(conjuncts(condition))
    for part in tuple(parts):
        bound = bound_of(row.id, part)
        others = [bound_of(row.id, one) for one in parts if one is not part]
        if bound is not None and any(other is not None and implies(other, bound) for other in others):
            parts.remove(part)
    if len(parts) == len(conjuncts(condition)):
        return row
    plain = conjunction(tuple(parts))
    return evolve(row, atom=Filter(plain)) if isinstance(row.atom, Filter) else evolve(row, where=plain)


def _equal_rows(table: Table) -> RuleResult:
    free = joins_freely(table)
    kept: dict[object, Row] = {}
    steps: list[Step] = []
    for row in table.rows:
        # a condition twice is a condition once whatever is counted; a pattern twice only where nothing is counted
        mergeable = isinstance(row.atom, Filter | NotBlock) or (
            free and isinstance(row.atom, Triple | TypeAtom | PathAtom)
        )
        mergeable = mergeable or (free and isinstance(row.atom, Either))
        key: object = (_symmetric(row.atom), row.where) if mergeable else row.id
        first = kept.get(key)
        if first is None:
            kept[key] = row
            continue
        kept[key] = _merged(first, row)
        steps.append(
            Step("normalize.duplicate", (first.id, row.id), (first.id,), f"{row.id} says what {first.id} says")
        )
    return table.with_rows(kept.values()), tuple(steps)


def _symmetric(atom: object) -> object:
    """An equal key for `?a = ?b` and `?b = ?a`."""
    if isinstance(atom, Filter) and isinstance(atom.condition, Comparison):
        comparison = atom.condition
        if comparison.operator in (ComparisonOperator.EQUAL, ComparisonOperator.NOT_EQUAL):
            return comparison.operator, frozenset((comparison.left, comparison.right))
    return atom


def _merged(first: Row, second: Row) -> Row:
    """The first row, pinned if either was, as certain as the more certain of the two."""
    values = [one.note.uncertainty for one in (first, second) if one.note.uncertainty is not None]
    note = evolve(
        first.note,
        required=first.note.required or second.note.required,
        uncertainty=min(values) if values else None,
        reason=first.note.reason or (second.note.reason if second.note.origin is first.note.origin else None),
    )
    return from_sources(evolve(first, note=note), [second.id, *second.note.sources])


def _implied_conditions(table: Table) -> RuleResult:
    """Whole condition rows that a condition of another row implies."""
    rows = list(table.rows)
    steps: list[Step] = []
    for row in table.rows:
        bounds = _whole_bounds(row)
        if bounds is None or row.note.required:
            continue
        for other in (one for one in rows if one.id != row.id):
            stated = list(bounds_of([other]))
            if all(any(implies(stronger, bound) for stronger in stated) for bound in bounds):
                rows.remove(row)
                rows[rows.index(other)] = from_sources(other, [row.id, *row.note.sources])
                steps.append(Step("normalize.implied", (row.id, other.id), (other.id,), f"{other.id} implies {row.id}"))
                break
    return table.with_rows(rows), tuple(steps)


def _whole_bounds(row: Row) -> list[Bound] | None:
    """The bounds of a condition row that consists of nothing else."""
    if not isinstance(row.atom, Filter):
        return None
    parts = conjuncts(row.atom.condition)
    bounds = [bound for part in parts if (bound := bound_of(row.id, part)) is not None]
    return bounds if len(bounds) == len(parts) else None
