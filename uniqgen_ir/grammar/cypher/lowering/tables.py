"""Putting tables together: the match mode, and which projections need a table of their own."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count
from typing import Any, Final

from attrs import evolve

from uniqgen_ir.grammar.cypher import ast
from uniqgen_ir.grammar.cypher import ast_expressions as expressions
from uniqgen_ir.grammar.cypher.lowering.group import Builder, Group, needs_different
from uniqgen_ir.grammar.cypher.scope import aggregates
from uniqgen_ir.ir.analysis import walk_expression
from uniqgen_ir.ir.expressions import Exists
from uniqgen_ir.ir.rows import (
    Bind,
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
from uniqgen_ir.ir.table import Column, MatchMode, OrderKey, Shell, Table
from uniqgen_ir.ir.terms import IRI, Literal, Variable
from uniqgen_ir.ir.visitor import map_children


def assemble(builder: Builder, group: Group, head: tuple[Column, ...], shell: Shell, name: str) -> Table:
    """The table. Where one MATCH stands alone in it, the table's own mode keeps its relationships apart."""
    different = needs_different(group.drafts)
    unwrap = different and group.matches <= 1
    rows: tuple[Row, ...] = builder.rows(group, unwrap=unwrap)
    mode = MatchMode.DIFFERENT_RELATIONSHIPS if unwrap else MatchMode.HOMOMORPHISM
    return Table(name, head, rows, shell, match_mode=mode)


def is_plain(projection: ast.Projection) -> bool:
    """Whether a projection only chooses and names: no aggregate, no DISTINCT, no cut. (Order without a cut is lost.)"""
    return not (
        projection.distinct
        or projection.skip is not None
        or projection.limit is not None
        or projection.group
        or any(aggregates(item.expression) for item in projection.items)
    )


_INSENSITIVE = frozenset({"min", "max"})


def insensitive(clauses: Sequence[ast.Clause]) -> list[bool]:
    """For each clause but the last, whether it does not matter how often a solution occurs.

    True where the next table drops duplicates. It holds for what stands before, so the clauses are read backwards.
    """
    free = False
    found: list[bool] = []
    for clause in reversed(clauses):
        found.append(free)
        if isinstance(clause, ast.With | ast.Return):
            inside = [one for item in clause.projection.items for one in aggregates(item.expression)]
            if inside or not is_plain(clause.projection):
                free = all(map(_ignores_copies, inside)) if inside else clause.projection.distinct
        elif isinstance(clause, ast.OrderAndPage):
            free = False
    return found[:0:-1]


def _ignores_copies(aggregate: expressions.Node) -> bool:
    return isinstance(aggregate, expressions.FunctionCall) and (
        aggregate.distinct or aggregate.lower_name in _INSENSITIVE
    )


def number_rows(table: Table, *, exists: bool = True) -> Table:
    """The table with names for all its rows: `c1`, `c2`, …, and `c2.1`, `c2.2`, … for those inside one of them.

    `exists`: whether there may be rows inside expressions, too; without them no expression is looked into.
    """
    rows = tuple(_numbered(row, f"c{place}", exists) for place, row in enumerate(table.rows, 1))
    if not exists:
        return evolve(table, rows=rows)
    head = _Inner("head", exists)
    return evolve(table, rows=rows, head=tuple(map(head, table.head)), shell=head(table.shell))


_WITHOUT_ROWS: Final = (Triple, TypeAtom, PathAtom, Values)
_EXPRESSIONS: Final = {Filter: "condition", Bind: "expression", Column: "expression", OrderKey: "expression"}
_HOLDERS: Final = (Table, OptionalBlock, NotBlock, MinusBlock, Either, SubTable)


def _numbered(row: Row, name: str, exists: bool) -> Row:
    named = row if row.id == name else _named(row, name)
    if isinstance(row.atom, _WITHOUT_ROWS) or not (exists or isinstance(row.atom, _HOLDERS)):
        return named
    if isinstance(row.atom, Filter | Bind) and not _holds_rows(row.atom):
        return named
    return map_children(_with_table_name(named), _Inner(name, exists))


def _holds_rows(part: Any) -> bool:
    """Whether there are rows in the expression of a condition, a column or a sort key."""
    return any(isinstance(one, Exists) for one in walk_expression(getattr(part, _EXPRESSIONS[type(part)])))


def _named(row: Row, name: str) -> Row:
    return Row(name, row.atom, row.where, row.note, row.span)


def _with_table_name(row: Row) -> Row:
    if not isinstance(row.atom, SubTable) or row.atom.table.name == row.id:
        return row
    return evolve(row, atom=SubTable(evolve(row.atom.table, name=row.id)))


class _Inner:
    """Gives the rows inside one row their names, in the order of the text."""

    def __init__(self, parent: str, exists: bool) -> None:
        self.parent = parent
        self.exists = exists
        self.counter = count(1)

    def __call__(self, part: Any) -> Any:
        if isinstance(part, Variable | IRI | Literal | Triple | TypeAtom):
            return part
        if isinstance(part, Row):
            part = _with_table_name(_named(part, f"{self.parent}.{next(self.counter)}"))
            if isinstance(part.atom, _WITHOUT_ROWS) and part.where is None:
                return part
        elif not (self.exists or isinstance(part, _HOLDERS)) or (type(part) in _EXPRESSIONS and not _holds_rows(part)):
            return part
        return map_children(part, self)
