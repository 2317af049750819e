"""The pass `saturate`: add what follows from the rows under the schema (the classical chase).

Declared facts (domain, range, subclass, inverse, functional, key) and rules are applied until nothing new follows or
the budget of steps is used up. Whether they must end is checked first: a cycle that makes new values for ever is shown.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from attrs import evolve, frozen

from uniqgen_ir.ir.analysis import positive_variables
from uniqgen_ir.ir.diagnostics import Diagnostic, DiagnosticError, Related
from uniqgen_ir.ir.expressions import Call, Not
from uniqgen_ir.ir.protocols import Store
from uniqgen_ir.ir.rows import Either, Filter, NotBlock, Row, TypeAtom
from uniqgen_ir.ir.schema import Schema
from uniqgen_ir.ir.substitution import substitute
from uniqgen_ir.ir.table import Column, MatchMode, Shell, Table
from uniqgen_ir.ir.terms import Variable
from uniqgen_ir.ir.visitor import variables_in_order
from uniqgen_ir.passes.base import Outcome, PassContext, Rewritten, Unchanged
from uniqgen_ir.passes.normal.rule import counts_solutions
from uniqgen_ir.passes.saturate.acyclicity import offending_cycle
from uniqgen_ir.passes.saturate.dependencies import Dependencies, dependencies_of
from uniqgen_ir.passes.saturate.engine import Merge, Saturation, saturate_patterns
from uniqgen_ir.passes.saturate.rows import Derived, Naming, patterns_of
from uniqgen_ir.passes.trace import Step


@frozen(kw_only=True)
class Saturate:
    """Add the rows that follow under the schema, marked `@schema` with the rule and the rows behind each.

    Options: `steps` bounds how often rules are applied; `admit` says which rows enter: all that follow by the `schema`,
    or, by `data`, only those that cost no answer on the graph, which may violate its schema (one call each).
    """

    steps: int = 400
    admit: Literal["schema", "data"] = "schema"

    name = "saturate"

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
        self.table, self.dependencies, self.budget, self.store = table, dependencies, budget, store
        self.steps: list[Step] = []

    def result(self) -> tuple[Table, list[Step]]:
        saturation = self._confirmed_merges()
        for merge in saturation.merges:
            self._merge(merge)
        naming = Naming(saturation, patterns_of(self.table.rows), [row.id for row in self.table.rows])
        if saturation.conflict is not None:
            premises = naming.ids_behind(saturation.conflict.premises)
            raise self._unsatisfiable(saturation.conflict.reason, premises)
        added = [row for group in naming.groups() for row in self._admitted(group)]
        self._stopped(saturation)
        table = self.table.with_rows((*self.table.rows, *added))
        return table.with_rows(new for row in table.rows for new in self._with_branches(table, row)), self.steps

    def _chase(self, dependencies: Dependencies, rows: Sequence[Row], stem: str = "made") -> Saturation:
        shown = frozenset(variables_in_order(self.table.with_rows(())))
        taken = {variable.name for variable in variables_in_order(self.table)}
        while any(name.startswith(stem) for name in taken):
            stem += "_"
        return saturate_patterns(patterns_of(rows), dependencies, shown=shown, steps=self.budget, stem=stem)

    def _confirmed_merges(self) -> Saturation:
        """The chase, without the equalities that would cost answers on the graph."""
        dependencies = self.dependencies
        while True:
            saturation = self._chase(dependencies, self.table.rows)
            wrong = next((one for one in saturation.merges if self._costs_answers(one)), None)
            if wrong is None:
                return saturation
            self.steps.append(
                Step("saturate.refused", reason=f"the graph violates {wrong.rule}: merging would lose answers")
            )
            rules = tuple(rule for rule in dependencies.rules if rule.name != wrong.rule)
            dependencies = evolve(dependencies, rules=rules)

    def _costs_answers(self, merge: Merge) -> bool:
        bound = positive_variables(self.table.rows)
        ends = [merge.old, merge.new]
        if self.store is None or not all(one in bound or not isinstance(one, Variable) for one in ends):
            return False
        differ = Row("differ", Filter(Not(Call("same_term", (merge.old, merge.new)))))
        return self._has_answer((*self.table.rows, differ))

    def _has_answer(self, rows: Sequence[Row]) -> bool:
        assert self.store is not None
        bound = sorted(positive_variables(rows), key=str)
        question = Table("violation", (Column(bound[0]),), tuple(rows), Shell(), match_mode=self.table.match_mode)
        return bool(self.store.select(question, limit=1).rows)

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
        if self.store is not None and self._has_answer((*self.table.rows, Row("violation", NotBlock(group.rows)))):
            return "the graph violates it, and answers would be lost"
        return None

    def _stopped(self, saturation: Saturation) -> None:
        if not saturation.complete:
            reason = f"stopped after {self.budget} applications of rules; more may follow"
            self.steps.append(Step("saturate.stopped", reason=reason))

    def _with_branches(self, table: Table, row: Row) -> tuple[Row, ...]:
        """The row, branches of an `either` saturated among the rows around it; rules only, no equalities."""
        if not isinstance(row.atom, Either):
            return (row,)
        rules = tuple(rule for rule in self.dependencies.rules if rule.equal is None)
        dependencies = evolve(self.dependencies, rules=rules)
        branches: list[tuple[Row, ...]] = []
        for place, branch in enumerate(row.atom.branches, start=1):
            around = (*table.rows, *branch)
            saturation = self._chase(dependencies, around, f"made_{row.id}_{place}_")
            taken = [one.id for one in around]
            groups = Naming(saturation, patterns_of(around), taken).groups() if saturation.conflict is None else ()
            branches.append((*branch, *(one for group in groups for one in self._admitted_inside(group, branch))))
        return (evolve(row, atom=Either(tuple(branches))),)

    def _admitted_inside(self, group: Derived, branch: Sequence[Row]) -> tuple[Row, ...]:
        # what follows from the rows around alone stands there already; on a graph it would need a call for each branch
        own = {row.id for row in branch}
        if self.store is not None or not own & set(group.sources):
            return ()
        return self._admitted(group)

    def _unsatisfiable(self, reason: str, names: tuple[str, ...]) -> DiagnosticError:
        rows = [self.table.row(name) for name in names]
        which = f"row {names[0]} has" if len(names) == 1 else f"rows {' and '.join(names)} have"
        message = f"{which} no answer on a graph that obeys the schema: {reason}"
        related = tuple(Related(f"row {row.id}", row.span) for row in rows[1:] if row.span is not None)
        span = rows[0].span if rows else self.table.span
        return DiagnosticError((Diagnostic("UQ403", message, span or self.table.span, related=related),))
