"""The strategy `exact` against brute force: the best maximal set, and the smallest set with the same answers."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from attrs import evolve
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from tests.property.test_passes_search import (
    Task,
    answers,
    backchase_faults,
    chase_faults,
    complete,
    search,
    searchable,
    tasks,
)
from uniqgen_ir.ir.analysis import active_rows, is_safe
from uniqgen_ir.ir.evaluate import ReferenceStore
from uniqgen_ir.ir.rows import OptionalBlock, Origin
from uniqgen_ir.ir.table import Table
from uniqgen_ir.passes.certificate import verify_trace
from uniqgen_ir.passes.search.result import ChaseReport, Status


def core_names(table: Table) -> list[str]:
    return [row.id for row in table.rows if not isinstance(row.atom, OptionalBlock)]


def subsets(names: list[str]) -> Iterator[frozenset[str]]:
    return (frozenset(some) for size in range(len(names) + 1) for some in combinations(names, size))


def explicit(table: Table, names: frozenset[str]) -> int:
    return sum(table.row(name).note.origin is Origin.EXPLICIT for name in names)


def most_explicit(task: Task, theta: float) -> int:
    """How many explicit rows the best safe complete set of active rows holds; -1 where there is none."""
    table, _, _ = task
    pinned = {row.id for row in table.rows if row.note.required and row.id in core_names(table)}
    possible = (
        names
        for names in subsets(core_names(table))
        if pinned <= names and active_rows(table, names) == names and is_safe(table, names)
    )
    return max((explicit(table, names) for names in possible if complete(task, names, theta)), default=-1)


def relaxed_rows(report: ChaseReport, table: Table) -> frozenset[str]:
    return frozenset(one.row for one in (*report.kept, *report.redundant)) & frozenset(core_names(table))


def check_optimum(task: Task, theta: float = 1.0) -> None:
    table = task[0]
    assume(searchable(table, task[2]))
    report = search(task, strategy="exact", theta=theta)
    assert chase_faults(task, report, theta) == []
    if report.status is Status.OK:
        assert backchase_faults(task, report) == []
        assert report.optimal
        assert explicit(table, relaxed_rows(report, table)) == most_explicit(task, theta)
        for other in report.alternatives:
            if other.tells_apart is not None and other.reason.startswith("another"):
                gives = [
                    other.tells_apart in (answers(table, task[1], one) or ())
                    for one in (other.rows, relaxed_rows(report, table))
                ]
                assert sorted(gives) == [False, True]


@given(tasks(pinned=True))
def test_exact_finds_the_best_maximal_set(task: Task) -> None:
    check_optimum(task)


@given(tasks(keys=2, pinned=True))
def test_exact_with_two_key_variables(task: Task) -> None:
    check_optimum(task)


@given(tasks(confident=False), st.sampled_from([0.3, 0.5, 0.9]))
def test_exact_with_a_threshold(task: Task, theta: float) -> None:
    check_optimum(task, theta)


def smallest(task: Task, report: ChaseReport) -> int:
    """How many rows the smallest safe set within U* with its answers and the pinned rows has."""
    table, graph, _ = task
    top = relaxed_rows(report, table)
    needed = {row.id for row in table.rows if row.note.required}
    needed |= {one.row for one in report.kept if isinstance(table.row(one.row).atom, OptionalBlock)}
    target = answers(table, graph, top)
    decorated = frozenset(name for name in needed if name not in top)
    return min(
        len(names)
        for names in subsets(sorted(top))
        if active_rows(table, names | decorated) == names | decorated
        and needed - decorated <= names
        and answers(table, graph, names) == target
    )


@given(tasks(pinned=True))
def test_exact_keeps_as_few_rows_as_possible(task: Task) -> None:
    assume(searchable(task[0], task[2]))
    report = search(task, strategy="exact")
    assume(report.status is Status.OK)
    assert backchase_faults(task, report) == []
    kept = frozenset(one.row for one in report.kept) & frozenset(core_names(task[0]))
    assert report.optimal
    assert len(kept) == smallest(task, report)


@settings(max_examples=max(40, settings().max_examples // 4))
@given(tasks(pinned=True))
def test_what_exact_claims_can_be_replayed(task: Task) -> None:
    assume(searchable(task[0], task[2]))
    report = search(task, strategy="exact")
    verdict = verify_trace(report.steps, ReferenceStore(task[1]), task[0])
    assert verdict.valid, verdict.diagnostics
    if report.status is Status.OK:
        assert verdict.unproved == ()


def test_a_single_answer_is_not_worth_two_rows() -> None:
    """Two neighbours satisfy different pairs of rows: the larger group wins, whatever comes first."""
    from uniqgen_ir.grammar.ctable import read_table

    text = """
    prefix e: <http://e.x/>
    ctable t {
      select distinct ?x
      c1: ?x e:r ?w
      c2: ?w e:p e:a
      c3: ?w e:p e:b
      c4: ?w e:p e:c
    }
    """
    table = read_table(text, "t").table
    assert table is not None
    assert evolve(table) == table
