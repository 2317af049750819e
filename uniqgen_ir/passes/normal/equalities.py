"""Equalities merged into one variable, where the two can only be equal by being the same term.

`?a = ?b` over literals also holds for 1 and 1.0, so it is merged only where one side is a node: it stands as a subject.
`same_term` is merged always.
"""

from __future__ import annotations

from attrs import evolve

from uniqgen_ir.ir.analysis import positive_variables
from uniqgen_ir.ir.expressions import Call, Comparison, ComparisonOperator, Expression
from uniqgen_ir.ir.rows import Filter, PathAtom, Row, Triple, TypeAtom
from uniqgen_ir.ir.table import Table
from uniqgen_ir.ir.terms import IRI, Variable
from uniqgen_ir.ir.visitor import rewrite, variables_in_order
from uniqgen_ir.passes.normal.naming import shown_variables
from uniqgen_ir.passes.normal.rule import RuleResult, Settings, from_sources
from uniqgen_ir.passes.trace import Step


def merge_equalities(table: Table, settings: Settings) -> RuleResult:
    """One variable in the place of two, or an IRI in the place of a variable; the equality's row goes."""
    if settings.keep_units:
        return table, ()
    steps: list[Step] = []
    while (found := _mergeable(table)) is not None:
        row, gone, stays = found
        table = _substituted(table, row, gone, stays)
        steps.append(Step("normalize.equality", (row.id,), (), f"{gone} is {stays}"))
    return table, tuple(steps)


def _mergeable(table: Table) -> tuple[Row, Variable, Variable | IRI] | None:
    bound, nodes = _bound_patterns(table), _nodes(table)
    free = bound - _fixed(table)
    for row in table.rows:
        if not isinstance(row.atom, Filter) or len(table.rows) == 1 or row.note.required:
            continue
        pair = _equal_pair(row.atom.condition, nodes)
        if pair is None:
            continue
        for gone, stays in (pair[::-1], pair):
            in_reach = isinstance(stays, IRI) or stays in bound
            if (
                isinstance(gone, Variable)
                and gone in free
                and in_reach
                and gone != stays
                and isinstance(stays, Variable | IRI)
            ):
                return row, gone, stays
    return None


def _equal_pair(condition: Expression, nodes: frozenset[Variable]) -> tuple[Expression, Expression] | None:
    match condition:
        case Comparison(ComparisonOperator.EQUAL, left, right):
            one_is_node = any(isinstance(side, IRI) or side in nodes for side in (left, right))
            return (left, right) if one_is_node else None
        case Call("same_term", (left, right)):
            return left, right
        case _:
            return None


def _bound_patterns(table: Table) -> frozenset[Variable]:
    """What triples, types and paths bind: a variable that goes must be bound by more than the equality."""
    return positive_variables(row for row in table.rows if isinstance(row.atom, Triple | TypeAtom | PathAtom))


def _nodes(table: Table) -> frozenset[Variable]:
    """Variables that stand as a subject: they are never literals."""
    subjects = (row.atom.subject for row in table.rows if isinstance(row.atom, Triple | TypeAtom))
    return frozenset(one for one in subjects if isinstance(one, Variable))


def _fixed(table: Table) -> frozenset[Variable]:
    """Variables that may not go: those that the head or the shell mentions, or a table inside binds."""
    outside = set(shown_variables(table))
    for column in (*table.head, *table.shell.group):
        outside.update(variables_in_order(column))
    outside.update(variables_in_order(table.shell))
    for row in table.rows:
        if not isinstance(row.atom, Triple | TypeAtom | PathAtom | Filter):
            outside.update(variables_in_order(row))
    if not table.head:
        outside.update(variables_in_order(table))
    return frozenset(outside)


def _substituted(table: Table, equality: Row, gone: Variable, stays: Variable | IRI) -> Table:
    rows: list[Row] = []
    for row in (one for one in table.rows if one is not equality):
        changed = rewrite(row, lambda one: stays if one == gone else one)
        if changed != row:
            changed = from_sources(changed, [equality.id, *equality.note.sources])
        rows.append(changed)
    return evolve(table, rows=tuple(rows))
