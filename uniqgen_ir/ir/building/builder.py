"""A fluent builder that reads like the language.

    ol = Namespace("http://example.org/olympics#")
    hosts = (
        table("winter_hosts", "Which cities hosted the Winter Olympics in February?")
        .select(v.city)
        .row("games", v.g, ol.hostCity, v.city)
        .row("month", v.g, ol.opening, v.d, where=month(v.d) == 2)
        .optional("label", row("label.1", v.city, ol.name, v.name))
        .order_by(v.name)
        .build()
    )

Builders never change: every call gives a new one, so that a common beginning can be shared. Mistakes are diagnostics
(UQ175, UQ176); `build` does not replace the checks of `verify`.
"""

from __future__ import annotations

from collections.abc import Iterable

from attrs import evolve, frozen

from uniqgen_ir.ir.building.expressions import (
    ExpressionLike,
    Namespace,
    Term,
    call,
    expression,
    literal,
    p,
    v,
    variable,
)
from uniqgen_ir.ir.building.functions import (
    aggregate,
    count,
    date,
    date_time,
    day,
    duration,
    exists,
    lang,
    lower,
    month,
    tagged,
    text_of,
    time,
    year,
)
from uniqgen_ir.ir.building.rows import (
    PLAIN,
    PredicateLike,
    TermLike,
    a,
    block,
    either_path,
    filter_row,
    ground,
    inverse,
    note,
    path,
    repeat,
    row,
    step,
)
from uniqgen_ir.ir.diagnostics import fail
from uniqgen_ir.ir.rows import (
    Atom,
    Bind,
    Either,
    MinusBlock,
    NotBlock,
    OptionalBlock,
    Row,
    RowNote,
    SubTable,
    Values,
)
from uniqgen_ir.ir.table import Column, Extreme, Form, MatchMode, OrderKey, Shell, Table
from uniqgen_ir.ir.terms import BlankNode, Variable


@frozen
class TableBuilder:
    """A table in the making; start one with `table`."""

    made: Table

    def build(self) -> Table:
        """The table. Raises DiagnosticError UQ176 where two rows have one id."""
        seen: set[str] = set()
        for one in self.made.rows:
            if one.id in seen:
                raise fail("UQ176", f"two rows are called {one.id}")
            seen.add(one.id)
        return self.made

    def select(self, *columns: Term | Variable | Column | str, distinct: bool = True) -> TableBuilder:
        """The head: variables, or named expressions (`count(v.g).as_("n")`)."""
        head = (one if isinstance(one, Column) else Column(variable(one)) for one in columns)
        return self._with(evolve(self.made.shell, distinct=distinct)).head(*head)

    def head(self, *columns: Column) -> TableBuilder:
        return TableBuilder(evolve(self.made, head=columns))

    def ask(self) -> TableBuilder:
        """Only whether there is an answer."""
        return self._with(evolve(self.made.shell, form=Form.ASK))

    def row(
        self,
        row_id: str,
        subject: TermLike,
        predicate: PredicateLike,
        object_: TermLike,
        *,
        where: ExpressionLike | None = None,
        note: RowNote = PLAIN,
    ) -> TableBuilder:
        """Add a triple, type or path row."""
        return self.add(row(row_id, subject, predicate, object_, where=where, note=note))

    def add(self, *rows: Row) -> TableBuilder:
        """Add rows made elsewhere."""
        return TableBuilder(self.made.with_rows((*self.made.rows, *rows)))

    def filter(self, row_id: str, condition: ExpressionLike, *, note: RowNote = PLAIN) -> TableBuilder:
        """Add a condition as a row of its own."""
        return self.add(filter_row(row_id, condition, note=note))

    def let(self, row_id: str, name: Term | Variable | str, value: ExpressionLike) -> TableBuilder:
        """Give the value of an expression a name."""
        return self._atom(row_id, Bind(expression(value), variable(name)))

    def values(
        self,
        row_id: str,
        names: Iterable[Term | Variable | str],
        lines: Iterable[Iterable[TermLike | BlankNode | None]],
    ) -> TableBuilder:
        """Add an inline table. Raises DiagnosticError UQ176 where a line has the wrong length."""
        variables = tuple(variable(name) for name in names)
        made = tuple(tuple(ground(one) for one in line) for line in lines)
        if any(len(line) != len(variables) for line in made):
            raise fail("UQ176", f"each line of {row_id} needs {len(variables)} values")
        return self._atom(row_id, Values(variables, made))

    def optional(self, row_id: str, *rows: Row) -> TableBuilder:
        return self.add(block(OptionalBlock, row_id, rows))

    def without(self, row_id: str, *rows: Row) -> TableBuilder:
        """`not { … }`: only where the rows have no match."""
        return self.add(block(NotBlock, row_id, rows))

    def minus(self, row_id: str, *rows: Row) -> TableBuilder:
        """SPARQL's MINUS."""
        return self.add(block(MinusBlock, row_id, rows))

    def either(self, row_id: str, *branches: Iterable[Row]) -> TableBuilder:
        """Solutions of any of the branches, one unit. Raises UQ176 for fewer than two, or an empty one."""
        made = tuple(tuple(branch) for branch in branches)
        if len(made) < 2 or not all(made):
            raise fail("UQ176", f"the either {row_id} needs two branches or more, each with rows")
        return self._atom(row_id, Either(made))

    def table(self, row_id: str, inner: Table | TableBuilder) -> TableBuilder:
        """A table inside the table: its head joins with the rows."""
        return self._atom(row_id, SubTable(inner if isinstance(inner, Table) else inner.build()))

    def group_by(self, *columns: Term | Variable | Column | str) -> TableBuilder:
        group = tuple(one if isinstance(one, Column) else Column(variable(one)) for one in columns)
        return self._with(evolve(self.made.shell, group=group))

    def having(self, *conditions: ExpressionLike) -> TableBuilder:
        return self._with(evolve(self.made.shell, having=tuple(map(expression, conditions))))

    def order_by(self, *keys: ExpressionLike | OrderKey) -> TableBuilder:
        """Sort keys; `descending(v.n)` turns one round."""
        order = tuple(one if isinstance(one, OrderKey) else OrderKey(expression(one)) for one in keys)
        return self._with(evolve(self.made.shell, order=order))

    def argmax(self, *variables: Term | Variable | str, by: ExpressionLike) -> TableBuilder:
        """Only where `by` is largest, all ties kept."""
        return self._with(
            evolve(self.made.shell, extreme=Extreme(True, tuple(map(variable, variables)), expression(by)))
        )

    def argmin(self, *variables: Term | Variable | str, by: ExpressionLike) -> TableBuilder:
        """Only where `by` is smallest, all ties kept."""
        return self._with(
            evolve(self.made.shell, extreme=Extreme(False, tuple(map(variable, variables)), expression(by)))
        )

    def limit(self, limit: int, offset: int | None = None) -> TableBuilder:
        if limit < 0 or (offset or 0) < 0:
            raise fail("UQ176", "a limit or offset is not negative")
        return self._with(evolve(self.made.shell, limit=limit, offset=offset))

    def match(self, mode: MatchMode) -> TableBuilder:
        return TableBuilder(evolve(self.made, match_mode=mode))

    def _atom(self, row_id: str, atom: Atom) -> TableBuilder:
        return self.add(Row(row_id, atom))

    def _with(self, shell: Shell) -> TableBuilder:
        return TableBuilder(evolve(self.made, shell=shell))


def descending(key: ExpressionLike) -> OrderKey:
    """A sort key, largest first."""
    return OrderKey(expression(key), descending=True)


def table(name: str, question: str | None = None) -> TableBuilder:
    """A new table: `select *` over no rows until the builder is told more."""
    return TableBuilder(Table(name, (), (), Shell(), question))


__all__ = [
    "ExpressionLike",
    "Namespace",
    "TableBuilder",
    "Term",
    "PredicateLike",
    "TermLike",
    "a",
    "aggregate",
    "block",
    "call",
    "count",
    "date",
    "date_time",
    "day",
    "descending",
    "duration",
    "either_path",
    "exists",
    "expression",
    "filter_row",
    "inverse",
    "lang",
    "literal",
    "lower",
    "month",
    "note",
    "p",
    "path",
    "repeat",
    "row",
    "step",
    "table",
    "tagged",
    "text_of",
    "time",
    "v",
    "variable",
    "year",
]
