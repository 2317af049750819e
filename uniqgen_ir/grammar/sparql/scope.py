"""Which variables the parts of a group bind, may bind, and mention."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeAlias

from uniqgen_ir.ir.analysis import expression_variables, row_variables, visible_variables
from uniqgen_ir.ir.rows import (
    Atom,
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
from uniqgen_ir.ir.table import Table
from uniqgen_ir.ir.terms import Variable

Variables: TypeAlias = frozenset[Variable]
NONE: Variables = frozenset()


def atom_variables(atom: Atom) -> Variables:
    """Every variable that the atom mentions; of a nested table, those that it gives."""
    return row_variables(Row("", atom))


def atom_visible(atom: Atom) -> Variables:
    """The variables that the atom may bind."""
    return frozenset(visible_variables((Row("", atom),)))


def certain(atoms: Iterable[Atom]) -> Variables:
    """The variables that have a value in every solution of the atoms."""
    found: set[Variable] = set()
    for atom in atoms:
        match atom:
            case Triple() | TypeAtom() | PathAtom():
                found |= atom_variables(atom)
            case Values(variables, lines):
                found.update(
                    one for place, one in enumerate(variables) if all(line[place] is not None for line in lines)
                )
            case Either(branches):
                per_branch = [certain(row.atom for row in branch) for branch in branches]
                found |= per_branch[0].intersection(*per_branch[1:])
            case SubTable(table):
                found |= _certain_columns(table)
            case Bind() | Filter() | OptionalBlock() | NotBlock() | MinusBlock():
                pass
    return frozenset(found)


def _certain_columns(table: Table) -> Variables:
    inner = certain(row.atom for row in table.rows)
    if not table.head:
        return inner
    plain = frozenset(column.variable for column in table.head if column.alias is None)
    computed = frozenset(column.variable for column in table.shell.group if column.alias is not None)
    return plain & (inner - computed)


def leaks(atoms: list[Atom], outer: Variables, *, conditions: bool = True) -> bool:
    """Whether the atoms look at a variable of `outer` that they do not bind themselves.

    Such atoms mean one thing alone, as SPARQL solves a group, and another among the bindings of `outer`.
    """
    bound = certain(atoms)
    for atom in atoms:
        match atom:
            case Filter(condition):
                looked_at = expression_variables(condition) if conditions else NONE
            case NotBlock():
                looked_at = atom_variables(atom) if conditions else NONE
            case Bind(expression, _):
                looked_at = expression_variables(expression)
            case OptionalBlock() | MinusBlock():
                looked_at = atom_variables(atom)
            case _:
                continue
        if (looked_at - bound) & outer:
            return True
    return False
