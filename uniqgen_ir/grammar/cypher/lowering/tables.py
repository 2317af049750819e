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
    Atom,
    Bind,
    Either,
    Filter,
    MinusBlock,
    NotBlock,
    OptionalBlock,
    Row,
    SubTable,
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


_EXPRESSIONS: Final = {Filter: "condition", Bind: "expression", Column: "expression", OrderKey: "expression"}


def _numbered(row: Row, name: str, exists: bool) -> Row:
    return _Inner(name, exists).named(row, name)


def _holds_rows(part: Any) -> bool:
    """Whether there are rows in the expression of a condition, a column or a sort key."""
    return any(isinstance(one, Exists) for one in walk_expression(getattr(part, _EXPRESSIONS[type(part)])))


class _Inner:
    """Gives the rows inside one row their names, in the order of the text."""

    def __init__(self, parent: str, exists: bool) -> None:
        self.parent = parent
        self.exists = exists
        self.counter = count(1)

    def __call__(self, part: Any) -> Any:
        """The part of an expression, or the head or shell, with names for the rows in it."""
        if isinstance(part, Row):
            return self.row(part)
        if isinstance(part, Variable | IRI | Literal) or (type(part) in _EXPRESSIONS and not _holds_rows(part)):
            return part
        return map_children(part, self)

    def row(self, row: Row) -> Row:
        return self.named(row, f"{self.parent}.{next(self.counter)}")

    def named(self, row: Row, name: str) -> Row:
        """The row under a name, with names for all rows inside."""
        where = self(row.where) if row.where is not None and self.exists else row.where
        return Row(name, self.atom(row.atom, name), where, row.note, row.span)

    def atom(self, atom: Atom, name: str) -> Atom:
        match atom:
            case OptionalBlock() | NotBlock() | MinusBlock():
                return type(atom)(tuple(map(self.row, atom.rows)))
            case Either(branches):
                return Either(tuple(tuple(map(self.row, branch)) for branch in branches))
            case SubTable(table):
                return SubTable(self.table(table, name))
            case Filter() | Bind() if self.exists and _holds_rows(atom):
                return map_children(atom, self)
            case _:
                return atom

    def table(self, table: Table, name: str) -> Table:
        if not self.exists:
            return evolve(table, name=name, rows=tuple(map(self.row, table.rows)))
        head = tuple(map(self, table.head))
        return evolve(table, name=name, head=head, rows=tuple(map(self.row, table.rows)), shell=self(table.shell))
