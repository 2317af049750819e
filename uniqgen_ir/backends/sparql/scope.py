"""Bringing outer rows into blocks: a branch of a table sees what is around it, a branch of UNION does not."""

from __future__ import annotations

from collections.abc import Sequence

from attrs import evolve

from uniqgen_ir.ir.analysis import expression_variables, row_variables, visible_variables
from uniqgen_ir.ir.rows import Bind, Either, Filter, MinusBlock, NotBlock, OptionalBlock, Row, SubTable, Values
from uniqgen_ir.ir.terms import Variable


def scoped(rows: Sequence[Row]) -> list[Row]:
    """The rows with the same meaning under SPARQL's scopes.

    Where a branch of an `either` looks at variables of other rows, the positive rows move into every branch (a join
    distributes over a union). Where an `optional` does so deeper than in its own conditions, they are repeated in it.
    """
    for row in rows:
        if isinstance(row.atom, Either) and any(_looks_out(branch, rows, row) for branch in row.atom.branches):
            moved = [one for one in rows if one is not row and _joins(one)]
            stay = [one for one in rows if one is not row and not _joins(one)]
            branches = tuple((*moved, *branch) for branch in row.atom.branches)
            return [evolve(row, atom=Either(branches)), *stay]
    return [_scoped_optional(row, rows) if isinstance(row.atom, OptionalBlock) else row for row in rows]


def _joins(row: Row) -> bool:
    return not isinstance(row.atom, Filter | OptionalBlock | NotBlock | MinusBlock)


def _scoped_optional(row: Row, rows: Sequence[Row]) -> Row:
    assert isinstance(row.atom, OptionalBlock)
    inner = row.atom.rows
    deep = [one for one in inner if isinstance(one.atom, Bind | Either | OptionalBlock)]
    if not deep or not _looks_out(deep, rows, row):
        return row
    return evolve(row, atom=OptionalBlock((*(one for one in rows if _joins(one)), *inner)))


def _looks_out(block: Sequence[Row], rows: Sequence[Row], owner: Row) -> bool:
    """Whether the block's conditions mention variables that it does not bind itself, but other rows do."""
    others = frozenset(visible_variables(one for one in rows if one is not owner))
    return bool((_examined(block) - frozenset(visible_variables(block))) & others)


def _examined(block: Sequence[Row]) -> frozenset[Variable]:
    found: set[Variable] = set()
    for row in block:
        if row.where is not None:
            found |= expression_variables(row.where)
        match row.atom:
            case Filter(condition):
                found |= expression_variables(condition)
            case Bind(expression, _):
                found |= expression_variables(expression)
            case NotBlock():
                found |= row_variables(row)
            case OptionalBlock(inner):
                found |= _examined(inner)
            case Either(branches):
                found |= frozenset[Variable]().union(*(_examined(branch) for branch in branches))
            case MinusBlock() | SubTable() | Values():
                pass
            case _:
                pass
    return frozenset(found)
