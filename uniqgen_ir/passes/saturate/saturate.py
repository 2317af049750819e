"""The pass `saturate`: add what follows from the rows under the schema (the classical chase).

Declared facts (domain, range, subclass, inverse, functional, key) and rules are applied until nothing new follows or
the budget of steps is used up. Whether they must end is checked first: a cycle that makes new values for ever is shown.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal

from attrs import evolve, frozen

from uniqgen_ir.ir.protocols import Store
from uniqgen_ir.ir.rows import Either, Row, TypeAtom
from uniqgen_ir.ir.schema import Schema
from uniqgen_ir.ir.substitution import substitute
from uniqgen_ir.ir.table import MatchMode, Table
from uniqgen_ir.ir.terms import IRI
from uniqgen_ir.ir.visitor import variables_in_order
from uniqgen_ir.passes.base import Outcome, PassContext, Rewritten, Unchanged
from uniqgen_ir.passes.normal.rule import counts_solutions
from uniqgen_ir.passes.options import at_least_one
from uniqgen_ir.passes.saturate.acyclicity import offending_cycle
from uniqgen_ir.passes.saturate.admission import Admission
from uniqgen_ir.passes.saturate.conflicts import unsatisfiable
from uniqgen_ir.passes.saturate.dependencies import Dependencies, dependencies_of
from uniqgen_ir.passes.saturate.engine import Merge, Saturation, saturate_patterns
from uniqgen_ir.passes.saturate.history import show_term
from uniqgen_ir.passes.saturate.patterns import Pattern
from uniqgen_ir.passes.saturate.rows import Derived, Naming, patterns_of
from uniqgen_ir.passes.trace import Json, Step


@frozen(kw_only=True)
class Saturate:
    """Add the rows that follow under the schema, marked `@schema` with the rule and the rows behind each.

    Options: `steps` bounds how often rules are applied; `admit` says which rows enter: all that follow by the `schema`,
    or, by `data`, only those that cost no answer on the graph, which may violate its schema (one call each).
    """

    steps: int = 400
    admit: Literal["schema", "data"] = "schema"

    name = "saturate"

    def __attrs_post_init__(self) -> None:
        at_least_one(self.name, "steps", self.steps)

    def run(self, table: Table, context: PassContext) -> Outcome:
        """Raises DiagnosticError UQ403 where no graph that obeys the schema has an answer, UQ423 without a graph."""
        store = context.need_store(self.name) if self.admit == "data" else None
        full, steps = saturate(table, context.schema, steps=self.steps, store=store)
        return Rewritten(full, steps) if full != table else Unchanged(steps)


def saturate(
    table: Table, schema: Schema | None, *, steps: int = 400, store: Store | None = None
) -> tuple[Table, tuple[Step, ...]]:
    """The table with all that follows, and a step for each row and each value that was merged.

    With a `store`, what would cost answers there is left out and reported. Raises DiagnosticError UQ403.
    """
    if schema is None:
        return table, ()
    dependencies = dependencies_of(schema)
    notes = [
        Step("saturate.skipped", reason=f"the rule {one.name} was not applied: {why}")
        for one, why in dependencies.skipped
    ]
    cycle = offending_cycle(dependencies.rules)
    if cycle is not None:
        notes.append(Step("saturate.cycle", reason=f"the rules may make new values for ever: {cycle}"))
    full, made = _Run(table, dependencies, steps, store).result()
    return full, (*notes, *made)


class _Run:
    """One table under one schema."""

    def __init__(self, table: Table, dependencies: Dependencies, budget: int, store: Store | None) -> None:
        self.table, self.dependencies, self.budget = table, dependencies, budget
        self.graph = None if store is None else Admission(store)
        self.steps: list[Step] = []

    def result(self) -> tuple[Table, list[Step]]:
        saturation = self._confirmed()
        for merge in saturation.merges:
            self._merge(merge)
        naming = Naming(saturation, patterns_of(self.table.rows), [row.id for row in self.table.rows])
        added = [row for group in naming.groups() for row in self._admitted(group)]
        self._stopped(saturation)
        table = self.table.with_rows((*self.table.rows, *added))
        return table.with_rows(new for row in table.rows for new in self._with_branches(table, row)), self.steps

    def _confirmed(self) -> Saturation:
        """The chase; on a graph, without rules that merge what differs there, or exclude what is there.

        Raises DiagnosticError UQ403.
        """
        while True:
            saturation = self._chase(patterns_of(self.table.rows))
            wrong = None if self.graph is None else self.graph.violated(self.table, saturation)
            if wrong is not None:
                self.dependencies = self.dependencies.without(wrong)
                self._left_out(wrong)
            elif saturation.conflict is not None:
                asked = self.graph is not None
                raise unsatisfiable(self.table, saturation.conflict, self._chase, self.dependencies, asked=asked)
            else:
                return saturation

    def _left_out(self, wrong: str | tuple[IRI, IRI]) -> None:
        evidence: dict[str, Json] = {}
        if isinstance(wrong, str):
            reason = f"the graph violates {wrong}, and answers would be lost: nothing is derived by it"
            evidence["rule"] = wrong
        else:
            names = " and ".join(map(show_term, wrong))
            reason = f"the graph has a node of the disjoint classes {names}: they are not kept apart"
        self.steps.append(Step("saturate.refused", reason=reason, evidence=evidence))

    def _chase(
        self, patterns: Iterable[Pattern], dependencies: Dependencies | None = None, stem: str = "made"
    ) -> Saturation:
        shown = frozenset(variables_in_order(self.table.with_rows(())))
        taken = {variable.name for variable in variables_in_order(self.table)}
        while any(name.startswith(stem) for name in taken):
            stem += "_"
        using = dependencies or self.dependencies
        return saturate_patterns(patterns, using, shown=shown, steps=self.budget, stem=stem)

    def _merge(self, merge: Merge) -> None:
        if merge.old not in variables_in_order(self.table):
            return
        reason = f"{merge.rule} makes {merge.old} and {merge.new} one"
        before = tuple(row.id for row in self.table.rows)
        self.table = substitute(self.table, {merge.old: merge.new})
        self.steps.append(
            Step("saturate.merge", before, before, reason, {"old": str(merge.old), "new": str(merge.new)})
        )

    def _admitted(self, group: Derived) -> tuple[Row, ...]:
        """The group's rows if they may enter, otherwise none, with a step that says why."""
        why = self._reason_against(group)
        names = tuple(row.id for row in group.rows)
        if why is None:
            self.steps.append(Step("saturate.add", group.sources, names, f"by {group.rule}", {"rule": group.rule}))
            return group.rows
        self.steps.append(Step("saturate.refused", group.sources, (), f"{group.rule} is left out: {why}"))
        return ()

    def _reason_against(self, group: Derived) -> str | None:
        if self.table.match_mode is MatchMode.DIFFERENT_RELATIONSHIPS and not all(
            isinstance(row.atom, TypeAtom) for row in group.rows
        ):
            return "here every edge must be another one"
        if group.makes and counts_solutions(self.table):
            return "new values would change how often an answer comes"
        if self.graph is not None and self.graph.lacks(self.table, group.rows):
            return "the graph does not always have what it gives, and answers would be lost"
        return None

    def _stopped(self, saturation: Saturation) -> None:
        if not saturation.complete:
            reason = f"stopped after {self.budget} applications of rules; more may follow"
            self.steps.append(Step("saturate.stopped", reason=reason))

    def _with_branches(self, table: Table, row: Row) -> tuple[Row, ...]:
        """The row, branches of an `either` saturated among the rows around it; rules only, no equalities."""
        if not isinstance(row.atom, Either) or self.graph is not None:
            return (row,)  # on a graph it would need a call for each branch
        rules = tuple(rule for rule in self.dependencies.rules if rule.equal is None)
        dependencies = evolve(self.dependencies, rules=rules)
        branches: list[tuple[Row, ...]] = []
        for place, branch in enumerate(row.atom.branches, start=1):
            around = (*table.rows, *branch)
            written, taken = patterns_of(around), [one.id for one in around]
            saturation = self._chase(written, dependencies, f"made_{row.id}_{place}_")
            groups = Naming(saturation, written, taken).groups() if saturation.conflict is None else ()
            branches.append((*branch, *(one for group in groups for one in self._admitted_inside(group, branch))))
        return (evolve(row, atom=Either(tuple(branches))),)

    def _admitted_inside(self, group: Derived, branch: Sequence[Row]) -> tuple[Row, ...]:
        own = {row.id for row in branch}
        # what follows from the rows around alone stands there already
        return self._admitted(group) if own & set(group.sources) else ()
