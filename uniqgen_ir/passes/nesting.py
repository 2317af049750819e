"""The answers of rows by one statement of nested distinct tables: a semi-join program that the engine runs.

Side by side, rows that hang on one variable multiply their matches before answers are made distinct. Here each branch
is a table of its own that keeps only the variable it hangs on (Yannakakis 1981), so that nothing grows beyond what one
row matches. An engine evaluates the branches over the whole graph: worth it where the plain join does not end.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from attrs import define, evolve, field

from uniqgen_ir.ir.analysis import binds, needs, positive_variables
from uniqgen_ir.ir.rows import Row, SubTable
from uniqgen_ir.ir.table import Column, Shell, Table
from uniqgen_ir.ir.terms import Variable

Variables = frozenset[Variable]

DISTINCT: Final = Shell(distinct=True)


def core_table(table: Table, key: Sequence[Variable], rows: Iterable[Row]) -> Table:
    """The rows under a plain shell: `select distinct key`, no order, limit, grouping or aggregate."""
    head = tuple(Column(variable) for variable in key)
    return evolve(table, head=head, rows=tuple(rows), shell=DISTINCT, question=None)


def nested(table: Table, shown: Sequence[Variable], rows: Sequence[Row]) -> Table:
    """`select distinct` the shown variables of these rows of the table, branch by branch."""
    nesting = _Nesting(table, positive_variables(table.rows))
    return core_table(table, shown, nesting.level(rows, frozenset(shown)))


@define(eq=False)
class _Nesting:
    table: Table
    bound: Variables
    """what the rows of the whole table bind: what a `not` looks at is fixed by it"""
    _tables: int = field(init=False, default=0)

    def level(self, rows: Sequence[Row], shown: Variables) -> list[Row]:
        """Rows over the shown variables as they are, each group of the others as a table of what it shows."""
        found = [row for row in rows if self._meets(row) <= shown]
        groups = self._groups([row for row in rows if row not in found], shown)
        for group in groups:
            alone = len(groups) == 1 or not self._binds(group, shown)
            found += self._branch(group, shown) if alone else [self._table(group, shown)]
        return found

    def _branch(self, group: Sequence[Row], shown: Variables) -> list[Row]:
        """The rows that touch what is shown, and what hangs on them by one variable as tables."""
        near = [row for row in group if self._meets(row) & shown]
        seen = shown.union(*(self._meets(row) for row in near))
        rest = [row for row in group if row not in near]
        found = [*near, *(row for row in rest if self._meets(row) <= seen)]
        for far in self._groups([row for row in rest if row not in found], seen):
            hanging = self._inside(far, seen)
            found += [self._table(far, hanging)] if len(hanging) == 1 and self._binds(far, hanging) else far
        return found

    def _table(self, group: Sequence[Row], shown: Variables) -> Row:
        self._tables += 1
        name = f"branch_{self._tables}"
        inside = self._inside(group, shown)
        inner = core_table(self.table, sorted(inside, key=str), self.level(group, inside))
        return Row(name, SubTable(evolve(inner, name=name, prefixes=(), schemas=())))

    def _inside(self, group: Sequence[Row], shown: Variables) -> Variables:
        """The shown variables that the group speaks of."""
        return frozenset[Variable]().union(*(self._meets(row) for row in group)) & shown

    def _binds(self, group: Sequence[Row], shown: Variables) -> bool:
        """Whether a table of the group gives a value to all it shows; a condition in it sees nothing from outside."""
        return self._inside(group, shown) <= frozenset[Variable]().union(*(binds(row) for row in group))

    def _groups(self, rows: Sequence[Row], shown: Variables) -> list[list[Row]]:
        """The rows in groups that share no variable but those shown."""
        groups: list[tuple[Variables, list[Row]]] = []
        for row in rows:
            inner = self._meets(row) - shown
            joined = [one for one in groups if one[0] & inner]
            merged = inner.union(*(one[0] for one in joined)), [*(r for one in joined for r in one[1]), row]
            groups = [one for one in groups if one not in joined] + [merged]
        return [group for _, group in groups]

    def _meets(self, row: Row) -> Variables:
        """The variables through which the row meets other rows."""
        return binds(row) | needs(row, self.bound)
