"""What the checker asks of a store and of a table's shape. It shares no code with the search."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from attrs import define, evolve, field

from uniqgen_ir.ir.analysis import (
    active_rows,
    answer_key,
    expression_variables,
    has_aggregate,
    needs,
    positive_variables,
    row_variables,
    walk_expression,
)
from uniqgen_ir.ir.diagnostics import DiagnosticError
from uniqgen_ir.ir.expressions import Aggregate, Expression
from uniqgen_ir.ir.protocols import Answers, Store, StoreError, StoreTimeout
from uniqgen_ir.ir.rows import Either, OptionalBlock, Row, Values
from uniqgen_ir.ir.table import Column, Form, Shell, Table
from uniqgen_ir.ir.terms import Variable
from uniqgen_ir.passes.certificates.claims import Answer, Given, plain
from uniqgen_ir.passes.nesting import nested

SLACK = 1e-9
"""what sums of confidences may be off by"""


class NotReplayed(Exception):
    """The store did not answer in time; nothing is known of the claim."""


@define(eq=False)
class Rows:
    """The table's rows that decide about answers, and the graph that answers them.

    `timeout`: seconds that a statement may take; None: as long as it needs.
    """

    store: Store
    given: Given
    left_out: Mapping[str, frozenset[int]] = field(factory=dict[str, "frozenset[int]"])
    """branches of `either` rows that the kept rows are said to do without"""
    timeout: float | None = None
    _too_long: set[Table] = field(init=False, factory=set[Table])
    """statements that did not end in time: none is sent twice"""
    whole: Table = field(init=False)
    table: Table = field(init=False)
    key: tuple[Variable, ...] = field(init=False)
    decoration: Mapping[str, Row] = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.whole = self.given.table
        self.key = answer_key(self.whole)
        self.table = self.whole.with_rows(row for row in self.whole.rows if not isinstance(row.atom, OptionalBlock))
        self.decoration = {row.id: row for row in self.whole.rows if isinstance(row.atom, OptionalBlock)}

    @property
    def references(self) -> Mapping[Answer, float]:
        return self.given.references

    def active(self, names: Iterable[str]) -> frozenset[str]:
        return active_rows(self.table, names)

    def bound(self, names: Iterable[str]) -> frozenset[Variable]:
        """What the active ones of these rows bind."""
        live = self.active(names)
        return positive_variables(row for row in self.table.rows if row.id in live)

    def share(self, given: frozenset[Answer]) -> float:
        """The share of the reference answers that are among these, weighted by confidence."""
        return sum(one for key, one in self.references.items() if key in given) / sum(self.references.values())

    def falls_short(self, given: frozenset[Answer]) -> bool:
        return self.share(given) < self.given.theta - SLACK

    def select(
        self, names: Iterable[str], *, among: Iterable[Answer] = (), limit: int | None = None
    ) -> frozenset[Answer]:
        """The answers of the active rows, only those among the given ones where some are given. One call."""
        live = self.active(names)
        return self.ask([row for row in self.table.rows if row.id in live], tuple(among), limit)

    def select_narrow(self, names: Iterable[str], *, among: Iterable[Answer] = ()) -> frozenset[Answer]:
        """As `select`, without the branches that are left out."""
        live = self.active(names)
        return self.ask([self._narrow(row) for row in self.table.rows if row.id in live], tuple(among))

    def _narrow(self, row: Row) -> Row:
        gone = self.left_out.get(row.id, frozenset[int]())
        if not gone:
            return row
        branches = row.atom.branches if isinstance(row.atom, Either) else ()
        rest = tuple(branch for place, branch in enumerate(branches, 1) if place not in gone)
        if not rest or not gone <= set(range(1, len(branches) + 1)):
            raise ValueError(f"row {row.id} does not have the branches that are left out, or no other")
        return evolve(row, atom=Either(rest))

    def ask(self, rows: Sequence[Row], among: tuple[Answer, ...], limit: int | None = None) -> frozenset[Answer]:
        """The key's values that these rows give; without `among`, of those key variables that they bind.

        One call, and a second one, branch by branch, where the first did not end in time. Raises NotReplayed.
        """
        claimed = [Row("claimed_answers", Values(self.key, among))] if among else []
        bound = set(self.key) if among else positive_variables(rows)
        head = tuple(Column(variable) for variable in self.key if variable in bound)
        statement = evolve(self.table, head=head, rows=(*claimed, *rows), shell=Shell(), question=None)
        shown = [column.variable for column in head]
        found = self._answers(statement, limit, lambda: nested(self.table, shown, (*claimed, *rows)))
        return frozenset(tuple(plain(term) for term in line if term is not None) for line in found.rows)

    def _answers(self, statement: Table, limit: int | None, other_way: Callable[[], Table]) -> Answers:
        if statement not in self._too_long:
            try:
                return self.store.select(statement, limit=limit, timeout=self.timeout)
            except StoreTimeout:
                self._too_long.add(statement)
        again = other_way()
        if again not in self._too_long:
            try:
                return self.store.select(again, limit=limit, timeout=self.timeout)
            except StoreTimeout:
                self._too_long.add(again)
            except StoreError:
                raise
            except DiagnosticError:
                self._too_long.add(again)  # the engine has no nested tables
        raise NotReplayed

    def counted(self) -> bool:
        """Whether the table's answers may depend on how many solutions there are."""
        if self.whole.shell.form is Form.ASK:
            return False
        shown = [*self._computed(), *self.whole.shell.having, *(key.expression for key in self.whole.shell.order)]
        if not any(has_aggregate(one) for one in shown):
            return not self.whole.shell.distinct
        found = [one for part in shown for one in walk_expression(part) if isinstance(one, Aggregate)]
        return any(not one.distinct and one.function not in ("min", "max", "sample") for one in found)

    def shown(self) -> frozenset[Variable]:
        """The variables that the head and the shell mention."""
        shell = self.whole.shell
        parts = [*self._computed(), *(one.expression for one in shell.group), *shell.having]
        parts += [key.expression for key in shell.order]
        if shell.extreme is not None:
            parts += [shell.extreme.by, *shell.extreme.variables]
        return frozenset[Variable]().union(*(expression_variables(one) for one in parts))

    def needed(self, kept: Iterable[str]) -> frozenset[Variable]:
        """What the head, the shell and the kept `optional` rows need bound, beside the key."""
        in_table = positive_variables(self.table.rows)
        optional = (needs(self.decoration[name], in_table) for name in kept if name in self.decoration)
        return (self.shown() & in_table).union(self.key, *optional)

    def _computed(self) -> list[Expression]:
        return [column.expression for column in self.whole.head]

    def is_shown(self, row: Row) -> bool:
        """Whether the result can show an `optional` row: what it binds, or how many solutions it makes."""
        own = row_variables(row) - positive_variables(self.table.rows)
        everything = not self.whole.head and self.whole.shell.form is Form.SELECT
        return row.note.required or everything or bool(own & self.shown()) or self.counted()
