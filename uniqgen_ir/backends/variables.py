"""Which variables a table mentions anywhere."""

from __future__ import annotations

from uniqgen_ir.ir.analysis import expression_variables, row_variables
from uniqgen_ir.ir.expressions import Expression
from uniqgen_ir.ir.rows import Either, MinusBlock, NotBlock, OptionalBlock, Row, SubTable
from uniqgen_ir.ir.table import Table
from uniqgen_ir.ir.terms import Variable


def all_variables(table: Table) -> frozenset[Variable]:
    """Every variable of the head, the rows (those inside tables too) and the shell."""
    shell = table.shell
    expressions: list[Expression] = [column.expression for column in (*table.head, *shell.group)]
    expressions += [*shell.having, *(key.expression for key in shell.order)]
    if shell.extreme is not None:
        expressions += [shell.extreme.by, *shell.extreme.variables]
    named = {column.alias for column in (*table.head, *shell.group) if column.alias is not None}
    named.update(*(expression_variables(one) for one in expressions))
    return frozenset(named).union(*(_in_row(row) for row in table.rows))


def _in_row(row: Row) -> frozenset[Variable]:
    found = row_variables(row)
    match row.atom:
        case OptionalBlock(rows) | NotBlock(rows) | MinusBlock(rows):
            return found.union(*(_in_row(inner) for inner in rows))
        case Either(branches):
            return found.union(*(_in_row(inner) for branch in branches for inner in branch))
        case SubTable(table):
            return found | all_variables(table)
        case _:
            return found
