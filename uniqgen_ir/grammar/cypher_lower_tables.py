"""Putting tables together: the match mode, and which projections need a table of their own."""

from __future__ import annotations

from collections.abc import Sequence

from uniqgen_ir.grammar import cypher_ast as ast
from uniqgen_ir.grammar import cypher_ast_expressions as expressions
from uniqgen_ir.grammar.cypher_lower_group import Builder, Group, needs_different
from uniqgen_ir.grammar.cypher_scope import aggregates
from uniqgen_ir.ir.rows import Row
from uniqgen_ir.ir.table import Column, MatchMode, Shell, Table


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
