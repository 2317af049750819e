"""Chase and backchase against reference answers: the one entry point for the command line and the agent."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final, Literal, TypeAlias, TypedDict, TypeVar

from attrs import evolve, field, frozen

from uniqgen_ir.ir.analysis import has_aggregate, needs, positive_variables, row_variables, walk_expression
from uniqgen_ir.ir.diagnostics import fail
from uniqgen_ir.ir.expressions import Aggregate
from uniqgen_ir.ir.protocols import Ranker, ReferenceAnswer, Store
from uniqgen_ir.ir.references import ReferenceLike, references_of
from uniqgen_ir.ir.rows import Either, Row
from uniqgen_ir.ir.schema import Schema
from uniqgen_ir.ir.table import Form, Table
from uniqgen_ir.ir.terms import Variable
from uniqgen_ir.passes.branches import with_branches
from uniqgen_ir.passes.certify import certificates, header
from uniqgen_ir.passes.ranking import checked
from uniqgen_ir.passes.search.beam import BeamBackchase, BeamChase
from uniqgen_ir.passes.search.budget import Budget, Cancellation, Meter
from uniqgen_ir.passes.search.deletion import Deletion
from uniqgen_ir.passes.search.exact.backchase import ExactBackchase
from uniqgen_ir.passes.search.exact.chase import ExactChase
from uniqgen_ir.passes.search.greedy import GreedyChase
from uniqgen_ir.passes.search.problem import Problem
from uniqgen_ir.passes.search.refusals import check_searchable, shell_variables
from uniqgen_ir.passes.search.result import (
    AnswerKey,
    ChaseReport,
    Dropped,
    DropReason,
    Kept,
    LeftOut,
    RedundancyKind,
    Redundant,
    Relaxed,
    Status,
    Tightened,
    WitnessKind,
)
from uniqgen_ir.passes.search.tightest import tightest

Strategy: TypeAlias = Literal["greedy", "beam", "exact"]
Objective: TypeAlias = Literal["minimal", "tight"]
Evidence: TypeAlias = Literal["data", "schema"]
AgreementSought: TypeAlias = Literal["never", "uncertain", "always"]

RowFinding = TypeVar("RowFinding", Kept, Dropped, Redundant)

STRATEGIES: Final = ("greedy", "beam", "exact")


@frozen(kw_only=True)
class RelaxationOptions:
    """How to search. `theta` is the share of the reference answers (weighted by confidence) that must stay.

    `beam` is the width of the strategy `beam`; `ranker` orders its candidates (None: by coverage and size).
    """

    strategy: Strategy = "greedy"
    objective: Objective = "minimal"
    evidence: Evidence = "data"
    theta: float = 1.0
    agreement: AgreementSought = "uncertain"
    """when lower thresholds are tried, too, and the one is taken whose answers agree best with the reference answers;
    `uncertain`: where a reference answer has a confidence below 1"""
    beam: int = 4
    budget: Budget = field(factory=Budget)
    schema: Schema | None = None
    ranker: Ranker | None = None
    cancellation: Cancellation = field(factory=Cancellation)
    """set it from outside to end the search early with what it has"""

    def __attrs_post_init__(self) -> None:
        if self.strategy not in STRATEGIES:
            raise fail("UQ413", f"there is no strategy `{self.strategy}`; there are {', '.join(STRATEGIES)}")
        if self.objective not in ("minimal", "tight") or self.evidence not in ("data", "schema"):
            raise fail("UQ413", f"unknown objective `{self.objective}` or evidence `{self.evidence}`")
        if not 0.0 < self.theta <= 1.0:
            raise fail("UQ413", f"theta is {self.theta}; it must be above 0 and at most 1")
        if self.beam < 1:
            raise fail("UQ413", f"the beam's width is {self.beam}; it must be at least 1")


class ThetaOptions(TypedDict, total=False):
    """The fields of `RelaxationOptions` that a threshold sets."""

    theta: float
    agreement: AgreementSought


def theta_options(theta: float | str | None) -> ThetaOptions:
    """A share, `auto`, or None (where the reference answers decide) as fields. Raises DiagnosticError UQ413."""
    if theta is None:
        return {}
    if isinstance(theta, str):
        if theta != "auto":
            raise fail("UQ413", f"theta is {theta!r}; it must be a number above 0 and at most 1, or `auto`")
        return {"agreement": "always"}
    return {"theta": theta, "agreement": "never"}


def chase_and_backchase(
    table: Table, store: Store, references: Iterable[ReferenceLike], options: RelaxationOptions | None = None
) -> ChaseReport:
    """Relax the table until it gives the reference answers, then leave out what is redundant.

    Raises DiagnosticError for a table or references that cannot be searched, StoreError where the store fails. A
    timeout or an exhausted budget gives status `stopped` with the best set so far.
    """
    options = options or RelaxationOptions()
    given = references_of(references)
    check_searchable(table, given)
    meter = Meter(store, options.budget, options.cancellation)
    problem = Problem(table, given, meter, options.theta)
    problem.steps.append(header(problem, options.schema))
    relaxed = relax(problem, options)
    found = relaxed.status is not Status.NONE and bool(relaxed.rows)
    report = report_of(problem, relaxed, tighten(problem, relaxed, options) if found else None)
    doubted = _left_out(report, relaxed, given)
    steps = (*report.steps, *certificates(problem, report))
    return evolve(report, theta=options.theta, doubted=doubted, steps=steps)


def _left_out(report: ChaseReport, relaxed: Relaxed, references: Sequence[ReferenceAnswer]) -> tuple[AnswerKey, ...]:
    """The reference answers that the table found does not give; a search that was stopped knows what U* covers."""
    given = frozenset(report.answers or relaxed.answers)
    return tuple(one.key for one in references if one.key not in given) if report.table is not None else ()


def relax(problem: Problem, options: RelaxationOptions) -> Relaxed:
    """The chase alone: U*, or status `none`."""
    if not problem.references:
        return tightest(problem)
    if options.strategy == "beam":
        return BeamChase(problem, options.beam, checked(options.ranker)).run()
    return ExactChase(problem).run() if options.strategy == "exact" else GreedyChase(problem).run()


def tighten(problem: Problem, relaxed: Relaxed, options: RelaxationOptions) -> Tightened:
    """The backchase alone, for a set that `relax` found."""
    protected = _protected(problem, relaxed)
    if options.strategy == "beam" and options.objective == "minimal" and options.evidence == "data":
        return BeamBackchase(problem, relaxed, options.beam, checked(options.ranker), protected).run()
    minimal, counted = options.objective == "minimal", counts_matter(problem.table)
    if options.strategy == "exact" and minimal and options.evidence == "data" and not counted:
        return ExactBackchase(problem, relaxed, options.schema, protected).run()
    return Deletion(
        problem,
        relaxed,
        data_evidence=options.evidence == "data",
        minimal=minimal,
        schema=options.schema,
        protected=protected,
        counted=counted,
    ).run()


def counts_matter(table: Table) -> bool:
    """Whether the table's answers depend on how many solutions there are (bag semantics)."""
    if table.shell.form is Form.ASK:
        return False
    expressions = [column.expression for column in table.head]
    expressions += [*table.shell.having, *(key.expression for key in table.shell.order)]
    if not any(has_aggregate(one) for one in expressions):
        return not table.shell.distinct
    aggregates = [
        one for expression in expressions for one in walk_expression(expression) if isinstance(one, Aggregate)
    ]
    return any(not one.distinct and one.function not in ("min", "max", "sample") for one in aggregates)


def _protected(problem: Problem, relaxed: Relaxed) -> frozenset[Variable]:
    """Variables beside the key that the rest of the table needs: for its shell, for what it shows of `optional`."""
    bound = problem.bound(relaxed.rows)
    wanted = set(shell_variables(problem.table))
    in_table = positive_variables(problem.core.rows)
    for row in problem.decoration:
        if _has_effect(problem, row):
            wanted |= needs(row, in_table)
    return frozenset(wanted) & bound


def _has_effect(problem: Problem, row: Row) -> bool:
    """Whether the result shows the `optional` row: what it binds, or how many solutions it makes."""
    table = problem.table
    if row.note.required or (not table.head and table.shell.form is Form.SELECT):
        return True
    own = row_variables(row) - positive_variables(problem.core.rows)
    return bool(own & shell_variables(table)) or counts_matter(table)


def report_of(problem: Problem, relaxed: Relaxed, tightened: Tightened | None) -> ChaseReport:
    """Both findings in one report, with the `optional` rows added; `tightened` None: there was nothing to tighten."""
    if tightened is None:
        extra = tuple(Dropped(row.id, DropReason.ORPHANED) for row in problem.decoration)
        untouched = {one.row for one in relaxed.dropped}
        rest = tuple(Dropped(name, DropReason.UNSAFE) for name in problem.row_ids if name not in untouched)
        dropped = _in_order(problem, (*relaxed.dropped, *rest, *extra))
        return ChaseReport(
            *(relaxed.status, False, None),
            dropped=dropped,
            blocking=relaxed.blocking,
            calls=problem.meter.calls,
            ms=problem.meter.ms,
            reference=bool(problem.references),
            steps=tuple(problem.steps),
            tried=tuple(problem.tried),
        )
    kept, redundant, orphans = _decorate(problem, tightened)
    status = Status.STOPPED if Status.STOPPED in (relaxed.status, tightened.status) else Status.OK
    return ChaseReport(
        status,
        relaxed.optimal and tightened.optimal,
        _without(problem.written.only(one.row for one in kept), tightened.branches),
        _in_order(problem, kept),
        _in_order(problem, (*relaxed.dropped, *orphans)),
        _in_order(problem, redundant),
        relaxed.blocking,
        relaxed.alternatives,
        relaxed.suspects,
        tightened.answers,
        problem.meter.calls,
        problem.meter.ms,
        bool(problem.references),
        tuple(problem.steps),
        tuple(problem.tried),
        branches=tightened.branches,
    )


def _without(table: Table, branches: Sequence[LeftOut]) -> Table:
    """The table without the branches."""
    for one in branches:
        row = table.row(one.row)
        assert isinstance(row.atom, Either)
        rest = [branch for place, branch in enumerate(row.atom.branches, 1) if place not in one.branches]
        table = with_branches(table, row, rest)
    return table


def _decorate(
    problem: Problem, tightened: Tightened
) -> tuple[tuple[Kept, ...], tuple[Redundant, ...], tuple[Dropped, ...]]:
    """Add the `optional` rows: kept where the table shows what they bind, otherwise without effect on the answers."""
    kept, redundant, orphans = list(tightened.kept), list(tightened.redundant), list[Dropped]()
    # what U* binds decides whether the row is an orphan; what an effective row needs stays bound (`_protected`)
    bound = problem.bound([*(one.row for one in kept), *(one.row for one in redundant)])
    in_table = positive_variables(problem.core.rows)
    for row in problem.decoration:
        missing = needs(row, in_table) - bound
        if missing:
            names = tuple(sorted(variable.name for variable in missing))
            orphans.append(Dropped(row.id, DropReason.ORPHANED, unbound=names))
        elif _has_effect(problem, row):
            kept.append(Kept(row.id, WitnessKind.REQUIRED))
        else:
            redundant.append(Redundant(row.id, RedundancyKind.IMPLIED, "it binds nothing that the answer shows"))
    return tuple(kept), tuple(redundant), tuple(orphans)


def _in_order(problem: Problem, found: Sequence[RowFinding]) -> tuple[RowFinding, ...]:
    places = {row.id: place for place, row in enumerate(problem.table.rows)}
    return tuple(sorted(found, key=lambda one: places[one.row]))
