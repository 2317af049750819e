"""The strategy `exact` against brute force: the best maximal set, and the smallest set with the same answers."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import cast

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
from uniqgen_ir import driver
from uniqgen_ir.ir.analysis import active_rows, is_safe
from uniqgen_ir.ir.evaluate import ReferenceStore
from uniqgen_ir.ir.graph import Graph
from uniqgen_ir.ir.protocols import ReferenceAnswer
from uniqgen_ir.ir.rows import NotBlock, OptionalBlock, Origin
from uniqgen_ir.ir.table import Table
from uniqgen_ir.ir.terms import IRI
from uniqgen_ir.passes.certificate import verify_trace
from uniqgen_ir.passes.search.budget import Budget
from uniqgen_ir.passes.search.result import ChaseReport, Status


def core_names(table: Table) -> list[str]:
    return [row.id for row in table.rows if not isinstance(row.atom, OptionalBlock)]


def subsets(names: list[str]) -> Iterator[frozenset[str]]:
    return (frozenset(some) for size in range(len(names) + 1) for some in combinations(names, size))


def explicit(table: Table, names: frozenset[str]) -> int:
    return sum(table.row(name).note.origin is Origin.EXPLICIT for name in names)


def better_exists(task: Task, theta: float, size: int) -> bool:
    """Whether a safe complete set of active rows holds more than `size` explicit rows."""
    table, _, _ = task
    pinned = {row.id for row in table.rows if row.note.required and row.id in core_names(table)}
    possible = (
        names
        for names in subsets(core_names(table))
        if pinned <= names and explicit(table, names) > size and active_rows(table, names) == names
    )
    return any(is_safe(table, names) and complete(task, names, theta) for names in possible)


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
        assert not better_exists(task, theta, explicit(table, relaxed_rows(report, table)))
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


def smaller_exists(task: Task, report: ChaseReport, size: int) -> bool:
    """Whether a safe set of less than `size` rows of U*, the pinned rows among them, has the answers of U*."""
    table, graph, _ = task
    top = relaxed_rows(report, table)
    needed = {row.id for row in table.rows if row.note.required}
    needed |= {one.row for one in report.kept if isinstance(table.row(one.row).atom, OptionalBlock)}
    target, optional = answers(table, graph, top), frozenset(needed - top)
    # more rows of U* never spoil it, so that the sets one and two rows smaller are enough
    candidates = (
        names for names in subsets(sorted(top)) if size - 3 < len(names) < size and needed - optional <= names
    )
    active = (names for names in candidates if active_rows(table, names | optional) == names | optional)
    return any(answers(table, graph, names) == target for names in active)


@given(tasks(pinned=True))
def test_exact_keeps_as_few_rows_as_possible(task: Task) -> None:
    assume(searchable(task[0], task[2]))
    report = search(task, strategy="exact")
    if report.status is Status.OK:
        kept = frozenset(one.row for one in report.kept) & frozenset(core_names(task[0]))
        assert backchase_faults(task, report) == []
        assert report.optimal
        assert not smaller_exists(task, report, len(kept))


@settings(max_examples=max(40, settings().max_examples // 4))
@given(tasks(pinned=True))
def test_what_exact_claims_can_be_replayed(task: Task) -> None:
    assume(searchable(task[0], task[2]))
    report = search(task, strategy="exact")
    verdict = verify_trace(report.steps, ReferenceStore(task[1]), task[0])
    assert verdict.valid, verdict.diagnostics
    if report.status is Status.OK:
        # the checker reads a proof of one case; it says nothing about what is under `not`
        beyond = {
            str(step.evidence["row"])
            for step in report.steps
            if step.rule == "backchase.remove" and len(cast("list[object]", step.evidence["proof"])) > 1
        }
        beyond |= {row.id for row in task[0].rows if isinstance(row.atom, NotBlock)}
        assert [one for one in verdict.unproved if one.split()[1] not in beyond] == []


def read(text: str) -> Table:
    outcome = driver.read("prefix e: <http://e.x/>\n" + text, "ctable")
    return outcome.table


def graph_of(*facts: str) -> Graph:
    return Graph(tuple(IRI("http://e.x/" + term) for term in fact.split()) for fact in facts)  # type: ignore[misc]


GRAPH = graph_of("a r m", "a r n", "m p u", "n p v", "n p w", "b r m")
TWO_WAYS = read(
    """ctable t {
      select distinct ?x
      c1: ?x e:r ?w
      c2: ?w e:p e:u
      c3: ?w e:p e:v
      c4: ?w e:p e:w
    }
    """
)


def test_the_larger_of_two_maximal_sets_wins_and_the_other_is_named() -> None:
    """One neighbour satisfies c2, another c3 and c4; greedy takes what comes first."""
    task: Task = (TWO_WAYS, GRAPH, (ReferenceAnswer((IRI("http://e.x/a"),)),))
    greedy, exact = search(task), search(task, strategy="exact")
    assert relaxed_rows(greedy, TWO_WAYS) == {"c1", "c2"}
    assert relaxed_rows(exact, TWO_WAYS) == {"c1", "c3", "c4"}
    assert exact.optimal
    (other,) = exact.alternatives
    assert other.rows == ("c1", "c2")
    assert other.tells_apart == (IRI("http://e.x/b"),)


def test_a_budget_of_calls_gives_the_best_set_so_far() -> None:
    task: Task = (TWO_WAYS, GRAPH, (ReferenceAnswer((IRI("http://e.x/a"),)),))
    report = search(task, strategy="exact", budget=Budget(calls=5))
    assert report.status is Status.STOPPED
    assert not report.optimal
    assert relaxed_rows(report, TWO_WAYS) == {"c1", "c2"}
    assert report.calls <= 5
