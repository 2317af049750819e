"""Whether it matters how often a solution comes."""

from __future__ import annotations

from uniqgen_ir.ir.analysis import walk_expression
from uniqgen_ir.ir.evaluation.shell import group_columns
from uniqgen_ir.ir.expressions import Aggregate
from uniqgen_ir.ir.table import Form, Table


def counts_solutions(table: Table) -> bool:
    """True for a bag, and for aggregates that see repetitions."""
    shell = table.shell
    if shell.form is Form.ASK and group_columns(table) is None:
        return False
    expressions = [column.expression for column in table.head] + [key.expression for key in shell.order]
    expressions += [*shell.having, *((shell.extreme.by,) if shell.extreme else ())]
    return (not shell.distinct and group_columns(table) is None) or any(
        isinstance(one, Aggregate) and not one.distinct and one.function not in ("min", "max", "sample")
        for expression in expressions
        for one in walk_expression(expression)
    )
