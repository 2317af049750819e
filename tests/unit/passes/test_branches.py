"""Branches of `either` that the backchase leaves out, proofs by cases, and what the checker says to false claims."""

from __future__ import annotations

from typing import Any

import pytest
from attrs import evolve

from tests.unit.passes.outside import random_case
from tests.unit.passes.test_certificate_tampering import Steps, mended, resealed, searched, with_evidence
from uniqgen_ir import driver
from uniqgen_ir.ir.diagnostics import DiagnosticError
from uniqgen_ir.ir.evaluation.evaluate import ReferenceStore
from uniqgen_ir.ir.graph import Fact, Graph
from uniqgen_ir.ir.printer import print_row
from uniqgen_ir.ir.protocols import ReferenceAnswer
from uniqgen_ir.ir.table import Table
from uniqgen_ir.ir.terms import IRI
from uniqgen_ir.passes.certificates.checker import Verdict, verify_trace
from uniqgen_ir.passes.certificates.claims import REASONS, read_header
from uniqgen_ir.passes.certificates.follow import following
from uniqgen_ir.passes.relaxation import RelaxationOptions, chase_and_backchase
from uniqgen_ir.passes.search.result import ChaseReport, Status


def iri(name: str) -> IRI:
    return IRI("http://e.x/" + name)


def fact(text: str) -> Fact:
    subject, predicate, object_ = text.split()
    return iri(subject), iri(predicate), iri(object_)


def table(*rows: str) -> Table:
    lines = "\n".join(rows)
    text = f"prefix e: <http://e.x/>\nctable t {{\n  select distinct ?x\n{lines}\n}}\n"
    return driver.read(text, "ctable").table


def search(one: Table, graph: Graph, *answers: str, **options: Any) -> ChaseReport:
    references = tuple(ReferenceAnswer((iri(name),)) for name in answers)
    chosen: dict[str, Any] = {"strategy": "exact", **options}
    settings = RelaxationOptions(**chosen)
    return chase_and_backchase(one, ReferenceStore(graph), references, settings)


GRAPH = Graph(
    map(
        fact,
        (
            *("a p m", "b p m", "c p n", "d q n", "e p n"),
            *("a s ok", "b s ok", "c s no", "d s ok", "e s ok"),
            *("a k T", "b k T", "c k T", "b t z"),
        ),
    )
)
NARROW = table(
    "what: either { ?x e:p e:m } or { ?x e:p e:n . ?x e:s e:ok } or { ?x e:p ?y . ?x e:t e:z }",
    "good: ?x e:s e:ok",
    "kind: ?x e:k e:T",
)


def test_branches_that_give_nothing_more_go_and_the_checker_agrees() -> None:
    report = search(NARROW, GRAPH, "a")
    assert [(one.row, one.branches) for one in report.branches] == [("what", (2, 3))]
    assert report.table is not None
    assert print_row(report.table.rows[0]).split() == [
        "what.1:",
        "?x",
        "<http://e.x/p>",
        "<http://e.x/m>",
        "@from(what)",
    ]
    assert {one.row for one in report.redundant} == {"good", "kind"}  # the branch alone keeps everybody else out
    verdict = verify_trace(report.steps, ReferenceStore(GRAPH), NARROW)
    assert (verdict.diagnostics, verdict.unproved) == ((), ())


@pytest.mark.parametrize("options", [{"strategy": "greedy"}, {"objective": "tight"}, {"evidence": "schema"}])
def test_elsewhere_an_either_stays_whole(options: dict[str, Any]) -> None:
    report = search(NARROW, GRAPH, "a", **options)
    assert report.branches == ()
    assert report.table is not None
    assert set(report.table.rows) <= set(NARROW.rows)


def test_what_is_pinned_or_shown_stays_whole() -> None:
    pinned = NARROW.with_rows(evolve(row, note=evolve(row.note, required=True)) for row in NARROW.rows)
    assert search(pinned, GRAPH, "a").branches == ()
    shown = driver.read(
        "prefix e: <http://e.x/>\nctable t {\n  select distinct ?x\n"
        "  c: either { ?x e:p ?y } or { ?x e:q ?y }\n  s: ?x e:s e:ok\n  order by ?y\n}\n",
        "ctable",
    ).table
    assert search(shown, GRAPH, "a").branches == ()


def test_two_branches_that_are_both_needed_stay() -> None:
    either = table("c: either { ?x e:p e:m } or { ?x e:q e:n } or { ?x e:q ?z }")
    report = search(either, GRAPH, "a", "d")
    assert [one.branches for one in report.branches] == [(3,)]
    assert set(report.answers) == {(iri("a"),), (iri("b"),), (iri("d"),)}


def branch_claims(*branches: int, row: str = "what") -> Steps:
    """The honest trace with another claim about the branches."""
    steps = search(NARROW, GRAPH, "a").steps
    return tuple(
        with_evidence(step, row=row, branches=list(branches)) if step.rule == "certificate.branches" else step
        for step in steps
    )


def verdict_on(steps: Steps) -> Verdict:
    return verify_trace(mended(steps), ReferenceStore(GRAPH))


@pytest.mark.parametrize("branches", [(1,), (1, 2), (1, 3), (3,)])
def test_other_branches_than_those_left_out_are_betrayed(branches: tuple[int, ...]) -> None:
    verdict = verdict_on(branch_claims(*branches))
    assert verdict.diagnostics


@pytest.mark.parametrize("branches", [(), (1, 2, 3), (4,), (0,), (2, 2)])
def test_branches_that_there_are_not_are_no_claim(branches: tuple[int, ...]) -> None:
    with pytest.raises(DiagnosticError) as caught:
        verdict_on(branch_claims(*branches))
    assert {one.code for one in caught.value.diagnostics} == {"UQ490"}


def test_branches_of_another_row_are_betrayed() -> None:
    verdict = verdict_on(branch_claims(2, 3, row="good"))
    assert verdict.diagnostics


def test_a_claim_about_branches_must_be_there_and_asked_for() -> None:
    steps = search(NARROW, GRAPH, "a").steps
    without = tuple(step for step in steps if step.rule != "certificate.branches")
    assert verdict_on(without).diagnostics
    silent = tuple(with_evidence(step, branches=[]) if step.rule == "certificate.result" else step for step in without)
    assert verdict_on(resealed(silent)).diagnostics  # the kept rows with every branch give other answers


def test_a_proof_by_cases_is_read() -> None:
    """`far` follows from either branch, from each by another mapping."""
    cases = table(
        "near: ?x e:p ?y",
        "how: either { ?y e:q ?u } or { ?y e:r ?u }",
        "far: either { ?y e:q ?v } or { ?y e:r ?w }",
    )
    graph = Graph(map(fact, ("a p b", "b q c", "d p e", "e r f", "g p h")))
    report = search(cases, graph, "a", "d", evidence="schema")
    assert [one.row for one in report.redundant] in (["far"], ["how"])
    assert unproved(report, graph) == []


def unproved(report: ChaseReport, graph: Graph) -> list[str]:
    """What the checker cannot show, but for rows of which nothing was asked."""
    verdict = verify_trace(report.steps, ReferenceStore(graph))
    assert verdict.valid
    return [one for one in verdict.unproved if "does not follow" not in one]


def test_a_path_of_several_lengths_is_read_case_by_case() -> None:
    paths = table("one: ?x e:p ?y", "short: ?y e:q{1,2} ?u", "long: ?y e:q{1,3} ?v")
    graph = Graph(map(fact, ("a p b", "b q c", "c q d", "e p f")))
    report = search(paths, graph, "a", evidence="schema")
    assert len(report.redundant) == 1
    assert unproved(report, graph) == []


def test_the_end_of_a_path_that_is_the_answer_is_not_any_end() -> None:
    """`wide` gives ends that `near` does not: a mapping that says nothing about the answer proves nothing."""
    ends = table("near: e:a e:q ?x", "wide: e:a e:q{1,2} ?x")
    graph = Graph(map(fact, ("a q b", "b q c")))
    report = search(ends, graph, "b")
    given = read_header(report.steps[0])
    assert [one.row for one in report.redundant] == ["wide"]
    rows, fixed = list(given.table.rows), frozenset(given.table.columns)
    no_terms: dict[str, list[dict[str, str]]] = {"near": [{}]}
    assert following(given.table, ["near"], rows, fixed, given.schema, no_terms) == frozenset()


def test_what_is_under_not_is_compared_with_names_of_its_own() -> None:
    twice = table("one: ?x e:p ?y", "none: not { ?x e:q ?u }", "nobody: not { ?x e:q ?v }")
    report = search(twice, GRAPH, "a", evidence="schema")
    assert len(report.redundant) == 1
    assert unproved(report, GRAPH) == []


def test_a_mapping_for_one_case_only_is_no_proof() -> None:
    """The second branch says something else, and the claim is that it does not matter on any graph."""
    cases = table("near: ?x e:p ?y", "how: either { ?y e:q ?u } or { ?y e:s ?u }", "far: ?y e:q ?v")
    graph = Graph(map(fact, ("a p b", "b q c", "a p m")))
    report = search(cases, graph, "a")
    steps = tuple(
        evolve(step, reason="implied") if step.rule == "certificate.redundant" else step for step in report.steps
    )
    told = tuple(
        with_evidence(step, kind="implied", proof=[{"block": 1, "homomorphism": {"?v": "?u"}, "when": []}])
        if step.rule == "backchase.remove"
        else step
        for step in steps
    )
    verdict = verify_trace(mended(resealed(told)), ReferenceStore(graph))
    assert verdict.unproved or verdict.diagnostics


def test_every_kind_of_claim_is_among_those_that_are_changed() -> None:
    """What the tests of changed traces work on holds each claim that a checker can prove."""
    nothing = chase_and_backchase(NARROW, ReferenceStore(GRAPH), (), RelaxationOptions()).steps
    empty = chase_and_backchase(table("c: ?x e:p ?y", "n: ?x e:z ?y"), ReferenceStore(GRAPH), (), RelaxationOptions())
    traces = [search(NARROW, GRAPH, "a").steps, nothing, empty.steps]
    traces += [searched(random_case(seed)) for seed in range(8)]
    impossible = search(NARROW, GRAPH, "nobody")
    assert impossible.status is Status.NONE
    pinned = NARROW.with_rows(evolve(row, note=evolve(row.note, required=True)) for row in NARROW.rows)
    twin = NARROW.with_rows((*NARROW.rows, evolve(NARROW.rows[2], id="twin")))
    more = [impossible.steps, search(pinned, GRAPH, "a").steps, search(twin, GRAPH, "a").steps]
    found = {(step.rule, step.reason) for steps in (*traces, *more) for step in steps if step.rule in REASONS}
    unproved = {"beam", "no_safe_set", "untested", "objective", "evidence", "stopped"}
    unproved.add("no row was left out, and not all answers were asked for")
    wanted = {(rule, reason) for rule, reasons in REASONS.items() for reason in reasons - unproved}
    assert wanted <= found
    for steps in (*traces, *more):
        for place, step in enumerate(steps):
            if step.rule in REASONS:  # each claim left out, and each told of other rows
                assert not _believed((*steps[:place], *steps[place + 1 :]))
                assert not _believed((*steps[:place], evolve(step, rows_after=("x",)), *steps[place + 1 :]))


def _believed(steps: Steps) -> bool:
    given: Any = steps[0].evidence["table"]
    graph = GRAPH if "e.x" in str(given) else None
    if graph is None:
        return False
    try:
        verdict = verify_trace(mended(steps), ReferenceStore(graph))
    except DiagnosticError:
        return False
    return not verdict.diagnostics
