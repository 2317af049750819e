"""The order of rows inside a SPARQL group, and a few questions about tables.

A table's rows join in any order; SPARQL's BIND, OPTIONAL and MINUS act on what stands before them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from typing import cast

from uniqgen_ir.ir.analysis import binds, expression_variables, row_variables
from uniqgen_ir.ir.evaluation.shell import group_columns
from uniqgen_ir.ir.expressions import Aggregate, Exists, Expression
from uniqgen_ir.ir.rows import Bind, Filter, MinusBlock, NotBlock, OptionalBlock, Row, Values
from uniqgen_ir.ir.table import Table
from uniqgen_ir.ir.terms import Variable
from uniqgen_ir.ir.visitor import Node, map_children


def ordered_rows(rows: Sequence[Row]) -> list[tuple[Row, bool]]:
    """The rows in an order in which SPARQL gives them the table's meaning.

    VALUES first; then positive rows, each `bind` before the rows that use its variable; then what depends on the order
    (`optional`, `minus`, other `bind`s) and conditions, as written. The flag marks a `bind` whose variable is bound by
    then all the same: it has to be compared instead.
    """
    values = [row for row in rows if isinstance(row.atom, Values)]
    positive = [row for row in rows if _commutes(row) and not isinstance(row.atom, Values)]
    binding = [row for row in rows if isinstance(row.atom, Bind)]
    used = frozenset[Variable]().union(*(row_variables(row) for row in (*values, *positive)))
    early = [row for row in binding if binds(row) & used]
    ordered = _joined([(row, False) for row in values], positive, early)
    known = frozenset[Variable]().union(*(row_variables(row) for row, _ in ordered))
    placed = {id(row) for row in (*values, *positive, *early)}
    late = [row for row in rows if id(row) not in placed]
    for row in _ready_first(late, known):
        ordered.append((row, isinstance(row.atom, Bind) and bool(binds(row) & known)))
        known |= row_variables(row) if not isinstance(row.atom, NotBlock | MinusBlock | Filter) else frozenset()
    return ordered


def _commutes(row: Row) -> bool:
    return not isinstance(row.atom, Bind | Filter | OptionalBlock | NotBlock | MinusBlock)


def _joined(start: list[tuple[Row, bool]], positive: list[Row], early: list[Row]) -> list[tuple[Row, bool]]:
    ordered, waiting, unbound = start, list(positive), list(early)
    known = set[Variable]().union(*(row_variables(row) for row, _ in ordered))
    while unbound:
        ready = next((place for place, row in enumerate(unbound) if _is_ready(row, known)), None)
        made = frozenset[Variable]().union(*(binds(row) for row in unbound))
        # a row that uses what is still to be made waits for it, unless nothing else can move
        free = next((place for place, row in enumerate(waiting) if not row_variables(row) & made), None)
        if ready is not None or not waiting:
            row = unbound.pop(ready or 0)
            ordered.append((row, bool(binds(row) & known)))
        else:
            row = waiting.pop(free or 0)
            ordered.append((row, False))
        known |= row_variables(row)
    return [*ordered, *((row, False) for row in waiting)]


def _is_ready(row: Row, known: Set[Variable]) -> bool:
    return isinstance(row.atom, Bind) and expression_variables(row.atom.expression) <= known


def _ready_first(late: list[Row], known: frozenset[Variable]) -> list[Row]:
    """Binds and blocks in their order, but a `bind` after the block that binds what it needs."""
    ordered: list[Row] = []
    waiting = list(late)
    giving = {id(row): _gives(row) for row in late}
    while waiting:
        first = next((place for place, row in enumerate(waiting) if not _waits(row, waiting, giving, known)), 0)
        chosen = waiting.pop(first)
        ordered.append(chosen)
        known |= giving[id(chosen)]
    return ordered


def _waits(row: Row, others: list[Row], giving: Mapping[int, frozenset[Variable]], known: frozenset[Variable]) -> bool:
    needed = _takes(row) - known
    return bool(needed) and any(needed & giving[id(other)] for other in others if other is not row)


def _gives(row: Row) -> frozenset[Variable]:
    return row_variables(row) if isinstance(row.atom, OptionalBlock) else binds(row)


def _takes(row: Row) -> frozenset[Variable]:
    return expression_variables(row.atom.expression) if isinstance(row.atom, Bind) else frozenset()


def grouped(table: Table) -> bool:
    """Whether the head speaks of groups of solutions."""
    return group_columns(table) is not None or bool(table.shell.having)


def substituted(expression: Expression, values: Mapping[Variable, Expression]) -> Expression:
    """The expression with variables replaced (outside aggregates and `exists`)."""

    def inner(one: Node) -> Node:
        return substituted(cast("Expression", one), values)

    if isinstance(expression, Variable):
        return values.get(expression, expression)
    return expression if isinstance(expression, Aggregate | Exists) else map_children(expression, inner)
