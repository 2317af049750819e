"""What every rule shares: settings, result, and ways to visit rows and conditions."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cached_property
from typing import TypeAlias

from attrs import evolve, frozen

from uniqgen_ir.ir.analysis import has_aggregate, walk_expression
from uniqgen_ir.ir.expressions import Aggregate, And, Expression
from uniqgen_ir.ir.rows import Row
from uniqgen_ir.ir.schema import Schema
from uniqgen_ir.ir.schema_index import SchemaIndex, index_of
from uniqgen_ir.ir.table import Form, MatchMode, Table
from uniqgen_ir.passes.trace import Step


@frozen(kw_only=True)
class Settings:
    """`keep_units`: rows that the search may drop one by one stay apart; `schema`: where inverses and disjoint classes
    are declared; `max_blocks`: disjunctions become a union of at most so many blocks.
    """

    schema: Schema | None = None
    keep_units: bool = False
    max_blocks: int = 64

    @cached_property
    def index(self) -> SchemaIndex | None:
        """The schema's classes, looked up many times and so read once; None where it declares none disjoint."""
        declares = self.schema is not None and any(one.disjoint for one in self.schema.classes)
        return index_of(self.schema) if declares else None


RuleResult: TypeAlias = tuple[Table, tuple[Step, ...]]
Rule: TypeAlias = Callable[[Table, Settings], RuleResult]


def counts_solutions(table: Table) -> bool:
    """Whether how many solutions an answer has shows in the result (bag semantics)."""
    if table.shell.form is Form.ASK:
        return False
    expressions = [column.expression for column in table.head]
    expressions += [*table.shell.having, *(key.expression for key in table.shell.order)]
    if not any(has_aggregate(one) for one in expressions):
        return not table.shell.distinct
    aggregates = [part for one in expressions for part in walk_expression(one) if isinstance(part, Aggregate)]
    return any(not one.distinct and one.function not in ("min", "max", "sample") for one in aggregates)


def joins_freely(table: Table) -> bool:
    """Whether rows may be split and merged: set semantics, and no rule that two patterns must differ."""
    return table.match_mode is MatchMode.HOMOMORPHISM and not counts_solutions(table)


def from_sources(row: Row, sources: Iterable[str]) -> Row:
    """The row with these ids added to the rows that it was made from."""
    names = dict.fromkeys((*row.note.sources, *sources))
    names.pop(row.id, None)
    return evolve(row, note=evolve(row.note, sources=tuple(names)))


def conjuncts(condition: Expression | None) -> tuple[Expression, ...]:
    """The operands of a conjunction; one condition stands for itself."""
    if condition is None:
        return ()
    return condition.operands if isinstance(condition, And) else (condition,)
