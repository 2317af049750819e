"""What chase and backchase promise, checked against the definitions on random tables, graphs and reference answers.

Verdicts are recomputed from `ir.analysis` and the reference evaluator alone; every property is shown to fail for a
search with a fault built in.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations

import pytest
from attrs import evolve
from hypothesis import Phase, assume, find, given, settings
from hypothesis import strategies as st

from tests.property.strategies import (
    CLASSES,
    EXISTENTIAL,
    KEY,
    NODES,
    RELATIONS,
    TYPE,
    graphs_for,
    monotone_tables,
    reference_sets,
    row_subsets,
    worlds,
)
from tests.property.unit_strategies import unit_tables
from uniqgen_ir.ir.analysis import active_rows, answer_key, is_safe, positive_variables, row_variables
from uniqgen_ir.ir.diagnostics import DiagnosticError
from uniqgen_ir.ir.evaluation.evaluate import ReferenceStore, evaluate
from uniqgen_ir.ir.graph import Fact, Graph
from uniqgen_ir.ir.protocols import AnswerRow, ReferenceAnswer
from uniqgen_ir.ir.rows import Either, NotBlock, OptionalBlock, Row, Triple, TypeAtom
from uniqgen_ir.ir.table import Column, Table
from uniqgen_ir.ir.terms import Variable
from uniqgen_ir.passes import relaxation
from uniqgen_ir.passes.containment.compare import contains
from uniqgen_ir.passes.nesting import core_table
from uniqgen_ir.passes.relaxation import RelaxationOptions, chase_and_backchase
from uniqgen_ir.passes.search import comparing, lazy_fetch
from uniqgen_ir.passes.search.deletion import Deletion
from uniqgen_ir.passes.search.greedy import GreedyChase
from uniqgen_ir.passes.search.images import may_have_image
from uniqgen_ir.passes.search.lazy_fetch import Neighbourhood
from uniqgen_ir.passes.search.problem import AnswerKey, Problem
from uniqgen_ir.passes.search.refusals import check_searchable
from uniqgen_ir.passes.search.result import ChaseReport, DropReason, RedundancyKind, Status, WitnessKind

Task = tuple[Table, Graph, tuple[ReferenceAnswer, ...]]
Case = tuple[Task, float]
"""a task and a threshold"""


@st.composite
def tasks(draw: st.DrawFn, keys: int = 1, pinned: bool = False, confident: bool = True) -> Task:
    tables = monotone_tables(min_rows=2, keys=keys, pinned=pinned)
    table, graph = draw(worlds(st.one_of(tables, unit_tables(keys=keys, pinned=pinned))))
    references = draw(reference_sets(table, graph, confident=confident))
    return table, graph, references


@st.composite
def cases(draw: st.DrawFn) -> Case:
    """Tasks with one or two key variables, now and then a pinned row, doubtful answers, a threshold."""
    theta = draw(st.sampled_from([1.0, 1.0, 1.0, 0.9, 0.5, 0.3]))
    kind = tasks(draw(st.sampled_from([1, 1, 2])), pinned=draw(st.booleans()), confident=theta == 1.0)
    task = draw(kind)
    assume(searchable(task[0], task[2]))
    return task, theta


def searchable(table: Table, references: Iterable[ReferenceAnswer]) -> bool:
    try:
        check_searchable(table, references)
    except DiagnosticError:
        return False
    return True


def answers(table: Table, graph: Graph, names: Iterable[str]) -> frozenset[AnswerRow] | None:
    """The key's answers under the active rows of the set; None for an unsafe set."""
    names = frozenset(names)
    if not is_safe(table, names):
        return None
    live = active_rows(table, names)
    rows = [row for row in table.rows if row.id in live]
    return frozenset(evaluate(core_table(table, answer_key(table), rows), graph).rows)


def share(references: Iterable[ReferenceAnswer], found: frozenset[AnswerRow] | None) -> float:
    """The confidence-weighted share of the reference answers among those found."""
    weights = {one.key: one.confidence for one in references}
    return sum(weight for key, weight in weights.items() if found and key in found) / sum(weights.values())


def complete(task: Task, names: Iterable[str], theta: float) -> bool:
    table, graph, references = task
    covered = share(references, answers(table, graph, names))
    return covered > 0 and covered >= theta - 1e-9


def chase_faults(task: Task, report: ChaseReport, theta: float = 1.0) -> list[str]:
    """What is wrong with U* and the account of it."""
    table, graph, references = task
    top = {one.row for one in (*report.kept, *report.redundant)}
    found = []
    listed = sorted([*(one.row for one in (*report.kept, *report.redundant, *report.dropped))])
    if listed != sorted(row.id for row in table.rows):
        found.append("not a partition")
    if report.status is not Status.OK:
        return found if report.status is Status.NONE else [*found, "stopped without a budget"]
    if not complete(task, top, theta):
        found.append("unsafe or incomplete")
    if active_rows(table, top) != top:
        found.append("an inactive row stays")
    for one in report.dropped:
        now_active = one.row in active_rows(table, top | {one.row})
        if now_active and complete(task, top | {one.row}, theta):
            found.append(f"{one.row} could stay")
        if (one.reason is DropReason.ORPHANED) == now_active:
            found.append(f"{one.row} is given the wrong reason")
        lost = set(one.lost) & (answers(table, graph, top | {one.row}) or set())
        if lost:
            found.append(f"{one.row} is said to lose {lost}, and does not")
        if now_active and not one.lost:
            found.append(f"{one.row} is dropped without a witness")
    if any(row.note.required and row.id not in top for row in table.rows):
        found.append("a pinned row is dropped")
    assert references
    return found


def backchase_faults(task: Task, report: ChaseReport) -> list[str]:
    """What is wrong with the minimal set, given U*."""
    table, graph, _ = task
    kept = {one.row for one in report.kept}
    target = answers(table, graph, kept | {one.row for one in report.redundant})
    found: list[str] = optional_faults(table, report)
    table = narrow(table, report)
    if answers(table, graph, kept) != target or target != frozenset(report.answers):
        found.append("other answers than U*")
    for one in report.kept:
        rest = answers(table, graph, kept - {one.row})
        if one.kind is WitnessKind.REQUIRED:
            continue
        pinned = {row.id for row in table.rows if row.note.required}
        pinned |= {row.id for row in table.rows if row.id in kept and isinstance(row.atom, OptionalBlock)}
        if rest is None or not pinned <= active_rows(table, kept - {one.row}):
            if one.kind is not WitnessKind.UNSAFE:
                found.append(f"{one.row} is needed for safety, not for an answer")
        elif rest == target:
            found.append(f"{one.row} is redundant")
        elif one.kind is not WitnessKind.ANSWER or one.answer not in rest or one.answer in (target or set()):
            found.append(f"the witness of {one.row} is wrong")
    return found


def narrow(table: Table, report: ChaseReport) -> Table:
    """The table without the branches that were left out."""
    gone = {one.row: one.branches for one in report.branches}
    rows: list[Row] = []
    for row in table.rows:
        branches = row.atom.branches if isinstance(row.atom, Either) else ()
        rest = tuple(one for place, one in enumerate(branches, 1) if place not in gone.get(row.id, ()))
        rows.append(evolve(row, atom=Either(rest)) if row.id in gone else row)
    return table.with_rows(rows)


def optional_faults(table: Table, report: ChaseReport) -> list[str]:
    """An active `optional` row stays where the head shows what it binds, and only there."""
    kept, redundant = ({one.row for one in part} for part in (report.kept, report.redundant))
    shown = set(table.columns) - positive_variables(table.rows)
    found: list[str] = []
    for row in table.rows:
        if isinstance(row.atom, OptionalBlock) and row.id in kept | redundant:
            should_stay = bool(row_variables(row) & shown) or row.note.required
            if should_stay != (row.id in kept):
                found.append(f"{row.id} is optional and on the wrong side")
            if row.id in kept and row.id not in active_rows(table, kept):
                found.append(f"{row.id} is optional, kept, and nothing binds what it needs")
    return found


def search(task: Task, **options: object) -> ChaseReport:
    table, graph, references = task
    return chase_and_backchase(table, ReferenceStore(graph), references, RelaxationOptions(**options))  # type: ignore[arg-type]


@given(st.data())
def test_more_rows_never_give_more_answers(data: st.DataObject) -> None:
    table, graph = data.draw(worlds(st.one_of(monotone_tables(min_rows=2), unit_tables())))
    larger = data.draw(row_subsets(table))
    smaller = larger & data.draw(row_subsets(table))
    fewer, more = answers(table, graph, larger), answers(table, graph, smaller)
    assume(fewer is not None and more is not None)
    assert fewer is not None
    assert more is not None
    assert fewer <= more


@given(cases())
def test_greedy_keeps_its_promises(case: Case) -> None:
    """Complete, maximal and explained; minimal and as sound; every step the right way; few statements."""
    task, theta = case
    table = task[0]
    report = search(task, theta=theta)
    assert chase_faults(task, report, theta) == []
    assert step_faults(task, report) == []
    assert len(table.columns) > 1 or report.calls <= 2 * len(table.rows) + 2
    if report.status is Status.OK:
        assert backchase_faults(task, report) == []
        assert proposal_faults(task, report, theta) == []
    else:
        assert not any_complete(task, theta)


def any_complete(task: Task, theta: float) -> bool:
    """Whether some safe set with every pinned row is complete."""
    table = task[0]
    pinned = {row.id for row in table.rows if row.note.required}
    names = [row.id for row in table.rows]
    sets = (frozenset(some) | pinned for size in range(len(names) + 1) for some in combinations(names, size))
    return any(pinned <= active_rows(table, some) and complete(task, some, theta) for some in sets)


def proposal_faults(task: Task, report: ChaseReport, theta: float) -> list[str]:
    """What is wrong with the rows that are proposed without the suspects."""
    table, graph, references = task
    top = {one.row for one in (*report.kept, *report.redundant)}
    top -= {row.id for row in table.rows if isinstance(row.atom, OptionalBlock)}
    found: list[str] = []
    for one in report.alternatives:
        given = answers(table, graph, one.rows)
        if not top < set(one.rows) or given is None:
            found.append("what is proposed does not hold all that stays")
        elif one.tells_apart is None or one.tells_apart in given:
            found.append("the suspect does not tell the two apart")
        elif theta == 1.0:
            others = sum(reference.key in given for reference in references)
            if 2 * others < len(references) and others != len(references) - 1:
                found.append("most reference answers are lost")
    return found


def step_faults(task: Task, report: ChaseReport) -> list[str]:
    """Steps that grow a set must not add an answer, steps that shrink it must not lose one."""
    table, graph, _ = task
    found: list[str] = []
    for step in report.steps:
        if step.rule not in ("chase.keep", "backchase.remove"):
            continue
        before, after = (answers(table, graph, names) for names in (step.rows_before, step.rows_after))
        grows = step.rule == "chase.keep"
        if (
            set(step.rows_before) <= set(step.rows_after)
            if not grows
            else not set(step.rows_before) < set(step.rows_after)
        ):
            found.append(f"{step.rule} goes the wrong way")
        if after is None or before is None:
            found += [] if grows and before is None else [f"{step.rule} leaves the key unbound"]
        elif not (after <= before if grows else before <= after):
            found.append(f"{step.rule}: {step.rows_before} to {step.rows_after}")
    return found


@st.composite
def twins(draw: st.DrawFn) -> Task:
    """Tasks in which one row stands twice, so that something is redundant."""
    table, graph, references = draw(tasks())
    row = draw(st.sampled_from([one for one in table.rows if not isinstance(one.atom, OptionalBlock)]))
    return table.with_rows((*table.rows, evolve(row, id="twin"))), graph, references


@given(st.data(), st.sampled_from(["greedy", "exact"]), st.sampled_from(["data", "schema"]))
def test_implied_rows_say_nothing_on_any_other_graph(data: st.DataObject, strategy: str, evidence: str) -> None:
    task = data.draw(twins())
    assume(searchable(task[0], task[2]))
    report = search(task, strategy=strategy, evidence=evidence)
    assume(report.status is Status.OK and report.redundant)
    other = data.draw(graphs_for(task[0]))
    large = {one.row for one in (*report.kept, *report.redundant)}
    left = large - {one.row for one in report.redundant if one.kind is RedundancyKind.IMPLIED}
    assert answers(task[0], other, left) == answers(task[0], other, large)
    if evidence == "schema":
        assert all(one.kind is RedundancyKind.IMPLIED for one in report.redundant)


@given(twins())
def test_a_row_that_follows_has_an_image(task: Task) -> None:
    """The quick look spares no decision that containment would have answered with yes."""
    table, graph, _ = task
    names = [row.id for row in table.rows if not isinstance(row.atom, OptionalBlock)]
    key = frozenset(answer_key(table))
    for row in (one for one in table.rows if one.id in active_rows(table, names)):
        rest = active_rows(table, [one for one in names if one != row.id])
        if not answers(table, graph, rest):
            continue  # what contradicts itself has nothing to say
        wider, narrower = (
            core_table(table, answer_key(table), [one for one in table.rows if one.id in some])
            for some in (active_rows(table, names), rest)
        )
        image = may_have_image(row, narrower.rows, key)
        assert image or not contains(wider, narrower, as_sets=True, witnesses=False).holds
        assert image or row.id != "twin"


@given(tasks())
def test_beam_is_complete_and_tight_keeps_all_that_the_answers_allow(task: Task) -> None:
    assume(searchable(task[0], task[2]))
    beam, tight = search(task, strategy="beam", beam=2), search(task, objective="tight")
    assert beam.status is tight.status
    if beam.status is Status.OK:
        assert complete(task, (one.row for one in beam.kept), 1.0)
    assert chase_faults(task, tight) == []
    # an `optional` that the head does not show is no part of U*
    assert all(isinstance(task[0].row(one.row).atom, OptionalBlock) for one in tight.redundant)


@st.composite
def unit_tasks(draw: st.DrawFn) -> Task:
    """Tasks with rows of `not`, `optional` or `either` only."""
    table, graph = draw(worlds(unit_tables()))
    return table, graph, draw(reference_sets(table, graph))


def caught(faults: object, found_in: st.SearchStrategy[Task] | None = None) -> None:
    """Fails unless the generator finds a task for which `faults` finds something."""

    def faulty(task: Task) -> bool:
        if not searchable(task[0], task[2]):
            return False
        report = search(task)
        return report.status is Status.OK and bool(faults(task, report))  # type: ignore[operator]

    assert find(
        tasks() if found_in is None else found_in,
        faulty,
        settings=settings(max_examples=2000, phases=(Phase.generate,)),
    )


def test_a_chase_that_skips_a_row_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = GreedyChase._next

    def skipping(self: GreedyChase, waiting: list[str]) -> str | None:
        return whole(self, waiting[:-1])

    monkeypatch.setattr(GreedyChase, "_next", skipping)
    caught(chase_faults)


def test_a_chase_that_loses_answers_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Neighbourhood, "lost", lambda *_: ())
    caught(chase_faults)


def test_a_backchase_that_drops_one_too_many_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Deletion, "_leak", lambda *_: None)
    caught(backchase_faults)


def test_a_backchase_that_keeps_too_much_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Deletion, "_test_on_data", lambda *_: None)
    caught(backchase_faults)


def _small() -> Task:
    """One answer, in the second branch of an `either`; an `optional` that needs what no answer needs."""
    node, x, y, name = NODES[0], KEY, EXISTENTIAL[0], Variable("shown")
    branches = tuple((Row(f"kind.{place}", TypeAtom(x, class_)),) for place, class_ in enumerate(CLASSES[:2], 1))
    rows = (
        Row("edge", Triple(x, RELATIONS[0], y)),
        Row("kind", Either(branches)),
        Row("label", OptionalBlock((Row("label.1", Triple(y, RELATIONS[1], name)),))),
    )
    facts: list[Fact] = [(node, RELATIONS[0], NODES[1]), (node, TYPE, CLASSES[1]), (NODES[1], RELATIONS[1], node)]
    facts.append((NODES[2], RELATIONS[0], NODES[1]))  # `kind` keeps it out, so that `edge` is the row to spare
    table = Table("t", (Column(x), Column(name)), rows)
    return table, Graph(facts), (ReferenceAnswer((node,)),)


SMALL = _small()
"""Mutants that random tasks meet too rarely are shown on this one."""


def test_a_chase_that_takes_not_for_always_true_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = Neighbourhood.lost

    def blind(self: Neighbourhood, row_id: str, kept: list[str], answers: list[AnswerKey]) -> object:
        return () if isinstance(self.problem.rows[row_id].atom, NotBlock) else whole(self, row_id, kept, answers)

    monkeypatch.setattr(Neighbourhood, "lost", blind)
    caught(chase_faults, unit_tasks())


def test_a_chase_that_looks_at_one_branch_of_either_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = lazy_fetch.fetch

    def narrow(table: Table, row: Row, *rest: object) -> Table:
        atom = Either((row.atom.branches[0], row.atom.branches[0])) if isinstance(row.atom, Either) else row.atom
        return whole(table, evolve(row, atom=atom), *rest)  # type: ignore[arg-type]

    assert chase_faults(SMALL, search(SMALL)) == []
    monkeypatch.setattr(lazy_fetch, "fetch", narrow)
    assert "kind could stay" in chase_faults(SMALL, search(SMALL))


def test_a_backchase_that_lets_go_of_what_optional_needs_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    assert backchase_faults(SMALL, search(SMALL)) == []
    monkeypatch.setattr(relaxation, "_protected", lambda *_: frozenset())
    assert any("nothing binds what it needs" in one for one in backchase_faults(SMALL, search(SMALL)))


def test_a_report_that_forgets_optional_rows_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(relaxation, "_has_effect", lambda *_: False)
    assert "label is optional and on the wrong side" in backchase_faults(SMALL, search(SMALL))


def test_a_step_that_tells_the_wrong_way_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = Problem.note

    def turned(
        self: Problem, rule: str, before: list[str], after: list[str], *rest: object, **evidence: object
    ) -> None:
        whole(self, rule, after, before, *rest, **evidence)  # type: ignore[arg-type]

    monkeypatch.setattr(Problem, "note", turned)
    caught(step_faults)


def test_comparisons_taken_for_true_are_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(comparing, "holds", lambda *_: True)
    caught(chase_faults)
