"""Traces: the chain of hashes finds a change, the checker finds a false claim."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from attrs import evolve

from tests.unit.passes.outside import Case, random_case
from uniqgen_ir.ir.diagnostics import DiagnosticError
from uniqgen_ir.ir.evaluation.evaluate import ReferenceStore
from uniqgen_ir.ir.graph import Graph
from uniqgen_ir.passes.certificates.checker import verify_trace
from uniqgen_ir.passes.relaxation import RelaxationOptions, chase_and_backchase
from uniqgen_ir.passes.trace import Step, read_trace, write_trace

SEEDS = range(12)


def trace(case: Case, **options: Any) -> tuple[Step, ...]:
    return chase_and_backchase(
        case.table, ReferenceStore(case.graph), case.references, RelaxationOptions(**options)
    ).steps


@pytest.mark.parametrize("seed", SEEDS)
def test_every_claim_of_a_trace_holds(seed: int) -> None:
    case = random_case(seed)
    steps = read_trace(write_trace(trace(case)))
    verdict = verify_trace(steps, ReferenceStore(case.graph), case.table)
    assert verdict.diagnostics == ()
    assert verdict.claims > len(case.table.rows)
    assert verdict.calls <= len(case.table.rows) + 3


def test_a_changed_line_breaks_the_chain() -> None:
    text = write_trace(trace(random_case(1)))
    lines = text.splitlines()
    lines[2] = lines[2].replace("chase.", "chose.", 1)
    with pytest.raises(DiagnosticError) as caught:
        read_trace("\n".join(lines))
    assert caught.value.diagnostics[0].code == "UQ490"
    with pytest.raises(DiagnosticError, match="line 1"):
        read_trace("not json\n")


def dropped(step: Step) -> bool:
    return step.rule == "certificate.dropped" and step.reason == "loses_answers"


def kept_for_answer(step: Step) -> bool:
    return step.rule == "certificate.kept" and step.reason == "answer"


def with_evidence(step: Step, **changes: Any) -> Step:
    return evolve(step, evidence={**step.evidence, **changes})


def swap_result(step: Step) -> Step:
    lists: dict[str, Any] = dict(step.evidence)
    gone = lists["dropped"][0]
    lists = {**lists, "kept": [*lists["kept"], gone], "dropped": lists["dropped"][1:]}
    return evolve(step, rows_after=(*step.rows_after, gone), evidence=lists)


FALSEHOODS: dict[str, tuple[Callable[[Step], bool], Callable[[Step], Step]]] = {
    "a dropped row is kept": (lambda step: step.rule == "certificate.result", swap_result),
    "an orphan that is none": (dropped, lambda step: evolve(step, reason="orphaned")),
    "another answer is lost": (dropped, lambda step: with_evidence(step, lost=[])),
    "another answer is kept out": (
        kept_for_answer,
        lambda step: with_evidence(step, answer=[{"type": "uri", "value": "http://example.org/nobody"}]),
    ),
    "safety instead of an answer": (kept_for_answer, lambda step: evolve(step, reason="unsafe")),
    "a pin that is none": (kept_for_answer, lambda step: evolve(step, reason="required")),
    "other answers": (lambda step: step.rule == "certificate.sound", lambda step: with_evidence(step, size=0)),
}


@pytest.mark.parametrize("falsehood", FALSEHOODS)
def test_a_false_claim_under_a_mended_chain_is_found(falsehood: str) -> None:
    chosen, change = FALSEHOODS[falsehood]
    found = 0
    for seed in SEEDS:
        case = random_case(seed)
        steps = trace(case)
        place = next((place for place, step in enumerate(steps) if chosen(step)), None)
        if place is None:
            continue
        forged = read_trace(write_trace((*steps[:place], change(steps[place]), *steps[place + 1 :])))
        verdict = verify_trace(forged, ReferenceStore(case.graph), case.table)
        assert {one.code for one in verdict.diagnostics} == {"UQ491"}
        found += 1
    assert found > 0


def test_a_trace_does_not_hold_on_another_graph_or_table() -> None:
    case, other = random_case(3), random_case(4)
    steps = trace(case)
    smaller = Graph(fact for fact in case.graph if fact[0] != next(iter(case.answers)))
    assert not verify_trace(steps, ReferenceStore(smaller), case.table).valid
    assert not verify_trace(steps, ReferenceStore(case.graph), other.table).valid


def test_a_trace_without_its_parts_is_refused() -> None:
    case = random_case(3)
    steps = trace(case)
    with pytest.raises(DiagnosticError):
        verify_trace(steps[1:], ReferenceStore(case.graph))
    with pytest.raises(DiagnosticError):
        verify_trace((), ReferenceStore(case.graph))
    broken = tuple(evolve(step, evidence={}) if kept_for_answer(step) else step for step in steps)
    if broken != steps:
        with pytest.raises(DiagnosticError):
            verify_trace(broken, ReferenceStore(case.graph))


def test_a_trace_without_references_and_of_the_beam_holds() -> None:
    case = random_case(5)
    for steps in (
        chase_and_backchase(case.table, ReferenceStore(case.graph), ()).steps,
        trace(case, strategy="beam", beam=2),
        trace(case, objective="tight"),
    ):
        assert verify_trace(steps, ReferenceStore(case.graph)).valid


def test_lines_are_flat_json() -> None:
    case = random_case(2)
    for line in write_trace(trace(case)).splitlines():
        record = json.loads(line)
        assert set(record) == {"step", "previous", "hash"}
        assert set(record["step"]) == {"rule", "rows_before", "rows_after", "reason", "evidence"}
