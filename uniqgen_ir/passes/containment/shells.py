"""Shells that say the same in fewer words, and shells that let more answers through."""

from __future__ import annotations

from attrs import evolve

from uniqgen_ir.ir.analysis import has_aggregate, positive_variables
from uniqgen_ir.ir.expressions import Aggregate
from uniqgen_ir.ir.table import Form, Table
from uniqgen_ir.ir.terms import Variable
from uniqgen_ir.ir.visitor import Node, rewrite


def simplified(table: Table) -> Table:
    """The table with groups that are only shown as `distinct`, and `count(?x)` of what is bound as `count(*)`."""
    if _groups_as_distinct(table):
        return evolve(table, shell=evolve(table.shell, group=(), distinct=True))
    bound = positive_variables(table.rows)

    def counted(node: Node) -> Node:
        if isinstance(node, Aggregate) and node.function == "count" and node.operand in bound and not node.distinct:
            return evolve(node, operand=None)
        return node

    if not any(has_aggregate(one.expression) for one in table.head) and not table.shell.having:
        return table
    return evolve(table, head=tuple(rewrite(one, counted) for one in table.head), shell=rewrite(table.shell, counted))


def _groups_as_distinct(table: Table) -> bool:
    shell = table.shell
    if not shell.group or shell.having or shell.extreme or shell.form is not Form.SELECT:
        return False
    group = [column.expression for column in shell.group]
    head = [column.expression for column in table.head]
    plain = all(isinstance(one, Variable) for one in (*group, *head)) and not any(one.alias for one in shell.group)
    sorted_by = [key.expression for key in shell.order]
    return plain and {*head} <= {*group} and {*sorted_by} <= {*head} and (shell.distinct or {*head} == {*group})


def loosened(table: Table) -> Table | None:
    """The table with its outermost restriction taken away, so that it has all its answers and maybe more.

    None: what stands around its rows restricts nothing.
    """
    shell = table.shell
    if shell.limit is not None or shell.offset is not None:
        return evolve(table, shell=evolve(shell, order=(), limit=None, offset=None))
    if shell.having:
        return evolve(table, shell=evolve(shell, having=()))
    if shell.extreme is not None and not shell.group and not any(has_aggregate(one.expression) for one in table.head):
        return evolve(table, shell=evolve(shell, extreme=None))
    return None
