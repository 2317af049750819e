"""The strategy `exact` against brute force: the best maximal set, and the smallest set with the same answers."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import Any

from attrs import evolve
from hypothesis import assume, given
from hypothesis import strategies as st

from tests.property.strategies import row_subsets
from tests.property.test_passes_search import (
    Case,
    Task,
    answers,
    backchase_faults,
    cases,
    chase_faults,
    complete,
    narrow,
    search,
    searchable,
    tasks,
)
from uniqgen_ir import driver
from uniqgen_ir.ir.analysis import active_rows, is_safe
from uniqgen_ir.ir.evaluation.evaluate import ReferenceStore
from uniqgen_ir.ir.graph import Graph
from uniqgen_ir.ir.protocols import ReferenceAnswer
from uniqgen_ir.ir.rows import Either, OptionalBlock, Origin
from uniqgen_ir.ir.table import Table
from uniqgen_ir.ir.terms import IRI
from uniqgen_ir.passes.certificates.checker import verify_trace
from uniqgen_ir.passes.search.asking import answers_nested
from uniqgen_ir.passes.search.budget import Budget, Meter
from uniqgen_ir.passes.search.exact.extents import Extents
from uniqgen_ir.passes.search.exact.semijoin import answers_by_rows
from uniqgen_ir.passes.search.problem import Problem
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


def smaller_exists(task: Task, report: ChaseReport, size: int) -> bool:
    """Whether a safe set of less than `size` rows of U*, the pinned rows among them, has the answers of U*."""
    whole, graph, _ = task
    table, top = narrow(whole, report), relaxed_rows(report, whole)
    needed = {row.id for row in table.rows if row.note.required}
    needed |= {one.row for one in report.kept if isinstance(table.row(one.row).atom, OptionalBlock)}
    target, optional = answers(whole, graph, top), frozenset(needed - top)
    # more rows of U* never spoil it, so that the sets one and two rows smaller are enough
    candidates = (
        names for names in subsets(sorted(top)) if size - 3 < len(names) < size and needed - optional <= names
    )
    active = (names for names in candidates if active_rows(table, names | optional) == names | optional)
    return any(answers(table, graph, names) == target for names in active)


def branch_faults(task: Task, report: ChaseReport) -> list[str]:
    """Branches that went and matter, branches that stay and could go (where nothing but the key is shown)."""
    table, graph, _ = task
    top, after = relaxed_rows(report, table), narrow(table, report)
    target = answers(table, graph, top)
    found = [] if answers(after, graph, top) == target else ["without the branches there are other answers"]
    kept = {one.row for one in report.kept}
    plain = all(row.id not in kept for row in table.rows if isinstance(row.atom, OptionalBlock))
    for row in after.rows:
        if plain and row.id in kept and isinstance(row.atom, Either) and not row.note.required:
            for branch in row.atom.branches:
                rest = tuple(one for one in row.atom.branches if one is not branch)
                fewer = after.with_rows(evolve(one, atom=Either(rest)) if one is row else one for one in after.rows)
                if rest and answers(fewer, graph, top) == target:
                    found.append(f"a branch of {row.id} could go")
    return found


def alternative_faults(task: Task, report: ChaseReport) -> list[str]:
    table, graph, _ = task
    found: list[str] = []
    for other in report.alternatives:
        if other.tells_apart is not None and other.reason.startswith("another"):
            sets = (other.rows, relaxed_rows(report, table))
            if sum(other.tells_apart in (answers(table, graph, one) or ()) for one in sets) != 1:
                found.append("the answer does not tell the two sets apart")
    return found


@given(cases())
def test_exact_keeps_its_promises(case: Case) -> None:
    """The best maximal set, the fewest rows and branches with the same answers, and claims that can be replayed."""
    task, theta = case
    table = task[0]
    report = search(task, strategy="exact", theta=theta)
    assert chase_faults(task, report, theta) == []
    if report.status is Status.OK:
        kept = frozenset(one.row for one in report.kept) & frozenset(core_names(table))
        assert backchase_faults(task, report) == []
        assert branch_faults(task, report) == []
        assert alternative_faults(task, report) == []
        assert report.optimal
        assert not better_exists(task, theta, explicit(table, relaxed_rows(report, table)))
        assert not smaller_exists(task, report, len(kept))
    check_replay(task, report)


def check_replay(task: Task, report: ChaseReport) -> None:
    verdict = verify_trace(report.steps, ReferenceStore(task[1]), task[0])
    assert verdict.valid, verdict.diagnostics
    if report.status is Status.OK:
        assert verdict.unproved == ()


OPTIONS = st.fixed_dictionaries(
    {
        "strategy": st.sampled_from(("exact", "greedy", "beam")),
        "objective": st.sampled_from(("minimal", "minimal", "tight")),
        "evidence": st.sampled_from(("data", "data", "schema")),
        "budget": st.builds(Budget, calls=st.integers(1, 60), answers=st.sampled_from((1, 3, 200_000))),
    }
)


@given(cases(), OPTIONS)
def test_whatever_the_budget_the_rows_are_complete_and_as_sound(case: Case, options: dict[str, Any]) -> None:
    """A search that was stopped gives rows that are right, though perhaps too many, and claims that hold."""
    task, theta = case
    table, graph, _ = task
    report = search(task, theta=theta, **options)
    assert report.calls <= options["budget"].calls
    if report.table is not None:
        top, kept = relaxed_rows(report, table), {one.row for one in report.kept}
        given = answers(narrow(table, report), graph, kept)
        assert complete(task, top, theta)
        assert given == answers(table, graph, top)
        assert report.answers is None or given == frozenset(report.answers)
    verdict = verify_trace(report.steps, ReferenceStore(graph), table)
    assert verdict.valid, verdict.diagnostics


def problem_of(task: Task) -> Problem:
    table, graph, references = task
    return Problem(table, references, Meter(ReferenceStore(graph), Budget()))


@given(st.data())
def test_every_way_to_the_answers_leads_to_the_same(data: st.DataObject) -> None:
    """Joined by the store, in nested tables, row by row, from what each row matches alone; or one gives up."""
    task = data.draw(tasks())
    assume(searchable(task[0], task[2]))
    problem = problem_of(task)
    names = problem.active(data.draw(row_subsets(task[0])) & set(problem.row_ids))
    if not problem.safe(names):
        return
    right = answers(task[0], task[1], names)
    assert answers_nested(problem, names, 10_000) in (right, None)
    assert answers_by_rows(problem, names) in (right, None)
    assert Extents(problem).answers(names) in (right, None)


def test_rows_that_form_a_tree_are_joined_from_what_they_match_alone() -> None:
    text = """ctable t {
      select distinct ?x
      c1: ?x e:r ?w
      c2: ?w e:p ?v
      c3: ?x e:r ?other
      c4: ?v != e:u
      c5: ?other e:p e:w
    }
    """
    task: Task = (read(text), GRAPH, (ReferenceAnswer((IRI("http://e.x/a"),)),))
    problem = problem_of(task)
    extents = Extents(problem)
    assert extents.answers(problem.row_ids) == answers(task[0], GRAPH, problem.row_ids) == {(IRI("http://e.x/a"),)}
    sent = problem.meter.calls
    assert sent == 3  # `c1` and `c3` ask the same
    assert extents.answers(["c1", "c2"]) == answers(task[0], GRAPH, ["c1", "c2"])
    assert problem.meter.calls == sent


def test_a_comparison_with_a_row_apart_is_not_forgotten_row_by_row() -> None:
    """`c2` counts only with the comparison, and the comparison only with `c2`."""
    text = "ctable t {\n select distinct ?x\n c1: ?x e:r ?y\n c2: ?z e:p e:v\n apart: ?x != ?z\n}\n"
    graph = graph_of("n r m", "n p v")
    problem = problem_of((read(text), graph, ()))
    assert answers(problem.table, graph, problem.row_ids) == frozenset()
    assert answers_by_rows(problem, problem.row_ids) is None


def test_a_comparison_with_what_stands_outside_is_not_put_into_a_nested_table() -> None:
    text = """ctable t {
      select distinct ?x
      c1: ?x e:r ?y
      c2: ?z e:r ?x
      c3: ?w e:p ?v
      apart: ?w != ?x
    }
    """
    graph = graph_of("a r a", "b p u")
    problem = problem_of((read(text), graph, ()))
    assert answers(problem.table, graph, problem.row_ids) == {(IRI("http://e.x/a"),)}
    assert answers_nested(problem, problem.row_ids, 100) == {(IRI("http://e.x/a"),)}


def test_rows_of_one_shape_that_show_one_and_two_variables_are_asked_for_apart() -> None:
    text = "ctable t {\n select distinct ?x\n c1: ?y e:r ?x\n c2: ?y e:r ?z\n c3: ?x e:r ?w\n}\n"
    graph = graph_of("a r m", "m r n")
    problem = problem_of((read(text), graph, ()))
    extents = Extents(problem)
    for names in (["c1", "c2"], ["c1", "c2", "c3"], ["c3", "c1"], ["c3"]):
        assert extents.answers(names) == answers(problem.table, graph, names)


def test_rows_in_a_circle_are_not_joined_there() -> None:
    text = "ctable t {\n select distinct ?x\n c1: ?x e:r ?w\n c2: ?w e:p ?v\n c3: ?v e:s ?x\n}\n"
    task: Task = (read(text), GRAPH, (ReferenceAnswer((IRI("http://e.x/a"),)),))
    assert Extents(problem_of(task)).answers(["c1", "c2", "c3"]) is None


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
