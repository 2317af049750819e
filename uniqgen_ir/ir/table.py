"""The constraint table: head, rows, shell."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

from attrs import evolve, field, frozen

from uniqgen_ir.ir.expressions import Expression
from uniqgen_ir.ir.spans import Span
from uniqgen_ir.ir.terms import Variable

if TYPE_CHECKING:
    from collections.abc import Iterable

    from uniqgen_ir.ir.rows import Row


class Form(StrEnum):
    SELECT = "select"
    ASK = "ask"


class MatchMode(StrEnum):
    """What two patterns of one table may bind.

    SPARQL and this language: `homomorphism` (any). One Cypher MATCH: `different_relationships` (no edge twice).
    """

    HOMOMORPHISM = "homomorphism"
    DIFFERENT_RELATIONSHIPS = "different_relationships"


@frozen(cache_hash=True)
class Column:
    """One column of the head: a variable, or an expression with a name."""

    expression: Expression
    alias: Variable | None = None

    def __attrs_post_init__(self) -> None:
        if self.alias is None and not isinstance(self.expression, Variable):
            raise ValueError("a computed column needs a name")

    @property
    def variable(self) -> Variable:
        """The variable under which the column is returned."""
        if self.alias is not None:
            return self.alias
        assert isinstance(self.expression, Variable)
        return self.expression


@frozen(cache_hash=True)
class OrderKey:
    expression: Expression
    descending: bool = False


@frozen(cache_hash=True)
class Extreme:
    """`argmax ?x by e` / `argmin`: only the solutions where `by` is largest (smallest), **all** ties kept."""

    largest: bool
    variables: tuple[Variable, ...]
    by: Expression


@frozen(cache_hash=True)
class Shell:
    """What happens to the solutions of the rows: grouping, order, slice. `distinct` False is bag semantics."""

    form: Form = Form.SELECT
    distinct: bool = True
    group: tuple[Column, ...] = ()
    having: tuple[Expression, ...] = ()
    extreme: Extreme | None = None
    order: tuple[OrderKey, ...] = ()
    limit: int | None = None
    offset: int | None = None


@frozen(cache_hash=True)
class Table:
    """A constraint table.

    `head` empty together with `Form.SELECT` means every variable (`select *`). `prefixes` and `schemas` (file names of
    `use schema`) only matter for printing and resolving; prefixes take no part in equality. `permissive` marks a table
    read from SPARQL, where a variable that nothing binds is legal (an error as an operand, unbound as a column), and so
    is any OPTIONAL: such a table is compiled and run with a warning, while the searching passes still refuse it.
    """

    name: str
    head: tuple[Column, ...]
    rows: tuple[Row, ...]
    shell: Shell = Shell()
    question: str | None = None
    match_mode: MatchMode = MatchMode.HOMOMORPHISM
    schemas: tuple[str, ...] = ()
    prefixes: tuple[tuple[str, str], ...] = field(default=(), eq=False)
    span: Span | None = field(default=None, eq=False, repr=False)
    permissive: bool = field(default=False, eq=False, repr=False)

    @property
    def columns(self) -> tuple[Variable, ...]:
        """The head's variables in order."""
        return tuple(column.variable for column in self.head)

    def row(self, row_id: str) -> Row:
        """The row with this id. Raises KeyError."""
        for row in self.rows:
            if row.id == row_id:
                return row
        raise KeyError(row_id)

    def with_rows(self, rows: Iterable[Row]) -> Table:
        """The same table with other rows."""
        return evolve(self, rows=tuple(rows))

    def only(self, row_ids: Iterable[str]) -> Table:
        """The same table with just these rows, in the table's order."""
        wanted = frozenset(row_ids)
        return self.with_rows(row for row in self.rows if row.id in wanted)

    def _repr_html_(self) -> str:
        """What a notebook shows."""
        from uniqgen_ir.ir.pictures import to_html

        return to_html(self)
