"""Names: variables that the head does not show are called v1, v2, … in order of first occurrence.

Tables that differ only in such names then print alike.
"""

from __future__ import annotations

from uniqgen_ir.ir.table import Table
from uniqgen_ir.ir.terms import Variable
from uniqgen_ir.ir.visitor import rename_variables, variables_in_order
from uniqgen_ir.passes.normal.rule import RuleResult
from uniqgen_ir.passes.trace import Step


def canonical_names(table: Table) -> RuleResult:
    """The table with its inner variables renamed; a table that shows every variable stays as it is."""
    if not table.head:
        return table, ()
    occurring = variables_in_order(table)
    shown = shown_variables(table)
    taken = {variable.name for variable in shown}
    free = (f"v{number}" for number in range(1, len(occurring) + len(taken) + 1))
    names = (name for name in free if name not in taken)
    renaming = {variable: Variable(next(names)) for variable in occurring if variable not in shown}
    if all(old == new for old, new in renaming.items()):
        return table, ()
    changed: dict[str, str] = {old.name: new.name for old, new in renaming.items() if old != new}
    step = Step("normalize.rename", (), (), "inner variables named by first occurrence", {"names": dict(changed)})
    return rename_variables(table, renaming), (step,)


def shown_variables(table: Table) -> frozenset[Variable]:
    """The variables under which the head returns its columns."""
    return frozenset(table.columns)
