"""Tables inside tables, taken into the table around them where that means the same."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from attrs import evolve

from uniqgen_ir.backends.marks import APART, NESTED
from uniqgen_ir.backends.multiplicity import counts_solutions
from uniqgen_ir.backends.variables import all_variables
from uniqgen_ir.ir.analysis import expression_variables, positive_variables, visible_variables
from uniqgen_ir.ir.evaluation.shell import group_columns
from uniqgen_ir.ir.rows import Either, MinusBlock, NotBlock, OptionalBlock, Row, SubTable, Triple, Values
from uniqgen_ir.ir.table import Column, Form, MatchMode, Shell, Table
from uniqgen_ir.ir.terms import Variable
from uniqgen_ir.ir.visitor import fresh_variable, rename_variables, rewrite_rows, walk

_DIFFERENT: Final = MatchMode.DIFFERENT_RELATIONSHIPS


def simplified(table: Table) -> Table:
    """The same answers with fewer tables inside."""
    lifted = _hoisted(table)
    while lifted is not None:
        table = lifted
        lifted = _hoisted(table)
    counts = counts_solutions(table)
    taken = set(_outside(table))
    rows = tuple(_taken_in(table.rows, counts, taken, table.match_mode))
    if not table.head and rows != table.rows:
        # `select *` must not show what was hidden inside
        table = evolve(table, head=tuple(Column(one) for one in visible_variables(table.rows)))
    return table.with_rows(rows)


def _outside(table: Table) -> frozenset[Variable]:
    """The variables that the table can see: of tables inside only the columns."""

    def shown(row: Row) -> tuple[Row, ...]:
        if isinstance(row.atom, SubTable):
            names = tuple(column.variable for column in _columns_of(row.atom.table))
            return (evolve(row, atom=Values(names, ())),)
        return (row,)

    return all_variables(table.with_rows(rewrite_rows(table.rows, shown)))


def _hoisted(table: Table) -> Table | None:
    """A table that only passes on the answers of one inside: the one inside with the columns of the outer."""
    if len(table.rows) != 1 or not isinstance(table.rows[0].atom, SubTable) or table.rows[0].where is not None:
        return None
    inner, shell = table.rows[0].atom.table, table.shell
    plain = shell == Shell(distinct=shell.distinct) and inner.shell.form is Form.SELECT
    if not plain or not all(isinstance(column.expression, Variable) for column in table.head):
        return None
    shown = {column.variable: column for column in _columns_of(inner)}
    head = table.head or tuple(Column(one) for one in shown)
    wanted = [column.expression for column in head]
    if len(set(wanted)) != len(wanted) or not all(one in shown for one in wanted):
        return None
    every = set(wanted) == set(shown)
    if shell.distinct and not inner.shell.distinct and (inner.shell.limit is not None or inner.shell.offset):
        return None
    if inner.shell.distinct and not every and not (shell.distinct and inner.shell.limit is None):
        return None
    columns: list[Column] = []
    for column in head:
        assert isinstance(column.expression, Variable)
        source = shown[column.expression]
        if column.variable != source.variable and not _may_be_called(inner, source, column.variable):
            return None
        same = source.expression == column.variable
        columns.append(Column(source.expression, None if same else column.variable))
    made = evolve(table, head=tuple(columns), rows=_owned(inner.rows, table.rows[0].id), match_mode=inner.match_mode)
    return evolve(made, shell=evolve(inner.shell, distinct=shell.distinct or inner.shell.distinct))


def _may_be_called(inner: Table, column: Column, name: Variable) -> bool:
    """Whether the column of the inner table can take the name: nothing else has it, nothing refers to the old one."""
    if name in all_variables(inner):
        return False
    shell = inner.shell
    later = [*shell.having, *(key.expression for key in shell.order), *((shell.extreme.by,) if shell.extreme else ())]
    later += [one.expression for one in inner.head if one is not column]
    grouped = any(one.alias == column.variable for one in shell.group)
    return column.alias is None or not (grouped or any(column.alias in expression_variables(one) for one in later))


def _owned(rows: tuple[Row, ...], owner: str) -> tuple[Row, ...]:
    return tuple(evolve(row, id=f"{owner}{NESTED}{row.id}") for row in rows)


def _columns_of(table: Table) -> tuple[Column, ...]:
    return table.head or tuple(Column(one) for one in visible_variables(table.rows))


def _taken_in(rows: Sequence[Row], counts: bool, taken: set[Variable], mode: MatchMode) -> Iterator[Row]:
    for row in rows:
        match row.atom:
            case SubTable(table):
                found = _rows_of(row, simplified(table), counts, taken, mode)
                if found is None:
                    yield evolve(row, atom=SubTable(simplified(table)))
                else:
                    own = table.match_mode
                    yield from _taken_in(found, counts, taken, own if own is _DIFFERENT else mode)
            case OptionalBlock(inner):
                yield evolve(row, atom=OptionalBlock(tuple(_taken_in(inner, counts, taken, mode))))
            case NotBlock(inner):
                yield evolve(row, atom=NotBlock(tuple(_taken_in(inner, False, taken, mode))))
            case MinusBlock(inner):
                yield evolve(row, atom=MinusBlock(tuple(_taken_in(inner, False, taken, mode))))
            case Either(branches):
                yield evolve(row, atom=Either(tuple(tuple(_taken_in(one, counts, taken, mode)) for one in branches)))
            case _:
                yield row


def _rows_of(row: Row, table: Table, counts: bool, taken: set[Variable], mode: MatchMode) -> tuple[Row, ...] | None:
    """The rows that say what the table inside says, with its hidden variables renamed; None where its shell matters."""
    shell = table.shell
    sliced = shell.limit is not None or bool(shell.offset) or shell.extreme is not None
    if mode is _DIFFERENT is not table.match_mode or (table.match_mode is _DIFFERENT and _has_inner_edges(table.rows)):
        # here relationships are kept apart that may meet in there, or the other way round
        return None
    if row.where is not None or sliced or group_columns(table) is not None or shell.form is Form.ASK:
        return None
    if shell.distinct and counts:
        return None
    columns = _columns_of(table)
    bound = positive_variables(table.rows)
    names: dict[Variable, Variable] = {}
    for column in columns:
        expression, name = column.expression, column.variable
        if not isinstance(expression, Variable) or expression not in bound or expression in names:
            return None
        names[expression] = name
    inner = evolve(table, head=(), shell=Shell())
    kept, inside = set(names.values()), all_variables(inner)
    for variable in sorted(inside - names.keys(), key=lambda one: one.name):
        if variable in taken or variable in kept:
            names[variable] = fresh_variable(variable.name, taken | kept | inside)
        taken.add(names.get(variable, variable))
    renamed = rename_variables(inner, names)
    apart = table.match_mode is _DIFFERENT
    return _owned(renamed.rows, row.id + APART if apart else row.id)


def _has_inner_edges(rows: Sequence[Row]) -> bool:
    """Whether blocks or conditions, which are matches of their own, hold triples."""
    for row in rows:
        if isinstance(row.atom, Either):
            if any(map(_has_inner_edges, row.atom.branches)):
                return True
        elif not isinstance(row.atom, Triple) and any(isinstance(one, Triple) for one in walk(row)):
            return True
    return False
