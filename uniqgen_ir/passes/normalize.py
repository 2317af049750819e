"""The pass `normalize`: one spelling for tables that mean the same. Its rules, one by one: `spec/semantics.md`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from attrs import evolve, frozen

from uniqgen_ir.ir.rows import Either, Row
from uniqgen_ir.ir.table import Table
from uniqgen_ir.ir.visitor import rewrite_rows
from uniqgen_ir.passes.base import Outcome, PassContext, Rewritten, Unchanged
from uniqgen_ir.passes.normal.conditions import normal_conditions
from uniqgen_ir.passes.normal.duplicates import refuse_contradictions, remove_duplicates
from uniqgen_ir.passes.normal.equalities import merge_equalities
from uniqgen_ir.passes.normal.inverses import forward_predicates
from uniqgen_ir.passes.normal.naming import canonical_names
from uniqgen_ir.passes.normal.paths import open_paths
from uniqgen_ir.passes.normal.rule import Rule, RuleResult, Settings
from uniqgen_ir.passes.trace import Step


def flatten_either(table: Table, _: Settings) -> RuleResult:
    """A branch that is nothing but an `either` gives its branches to the outer one."""
    steps: list[Step] = []

    def flat(row: Row) -> Iterable[Row]:
        if not isinstance(row.atom, Either):
            return (row,)
        branches = tuple(inner for branch in row.atom.branches for inner in _inner_branches(branch))
        if branches == row.atom.branches:
            return (row,)
        steps.append(Step("normalize.either", (row.id,), (row.id,), "an `either` inside an `either`"))
        return (evolve(row, atom=Either(branches)),)

    return table.with_rows(rewrite_rows(table.rows, flat)), tuple(steps)


def _inner_branches(branch: tuple[Row, ...]) -> tuple[tuple[Row, ...], ...]:
    """The branches of an `either` that is all the branch holds; otherwise the branch itself."""
    first = branch[0]
    return first.atom.branches if len(branch) == 1 and isinstance(first.atom, Either) else (branch,)


RULES: Final[tuple[Rule, ...]] = (
    flatten_either,
    open_paths,  # before inverses: `^p` becomes a triple that can be turned
    forward_predicates,
    normal_conditions,  # before equalities and duplicates, which compare conditions by their spelling
    refuse_contradictions,  # before a row that is part of the contradiction is merged into another
    merge_equalities,
    remove_duplicates,  # last: merging variables makes rows equal
)

_ROUNDS: Final = 20
"""Each round merges or shortens something, so few are needed; the bound only guards against a rule that never ends."""


@frozen(kw_only=True)
class Normalize:
    """Write the table in normal form: same answers on every graph, one spelling.

    Options: `rename` names inner variables v1, v2, …; `keep_units` keeps rows apart that the search may drop one by
    one.
    """

    rename: bool = True
    keep_units: bool = False

    name = "normalize"

    def run(self, table: Table, context: PassContext) -> Outcome:
        """Raises DiagnosticError UQ401 for a table that can have no answer, naming a minimal set of rows."""
        normal, steps = normalize(
            table, Settings(schema=context.schema, keep_units=self.keep_units), rename=self.rename
        )
        return Rewritten(normal, steps) if normal != table else Unchanged(steps)


def normalize(table: Table, settings: Settings | None = None, *, rename: bool = True) -> RuleResult:
    """The normal form of a valid table, and the steps to it. Raises DiagnosticError UQ401."""
    settings = settings or Settings()
    steps: list[Step] = []
    for _ in range(_ROUNDS):
        before = table
        for rule in RULES:
            table, made = rule(table, settings)
            steps.extend(made)
        if table == before:
            break
    if rename:
        table, made = canonical_names(table)
        steps.extend(made)
    return table, tuple(steps)
