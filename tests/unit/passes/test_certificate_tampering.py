"""Traces that were changed and whose hashes were mended: each is rejected, or says that something is not proved.

The changes are made to the steps; `mended` writes them with a whole chain, `resealed` also mends the hash of header
and history, so that only the meaning is left to betray them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import pytest
from attrs import evolve

from tests.unit.passes.outside import Case, iri, random_case
from uniqgen_ir.ir.codec_nodes import cell
from uniqgen_ir.ir.diagnostics import DiagnosticError
from uniqgen_ir.ir.evaluation.evaluate import ReferenceStore
from uniqgen_ir.ir.protocols import ReferenceAnswer
from uniqgen_ir.passes.certificates.checker import Verdict, verify_trace
from uniqgen_ir.passes.relaxation import RelaxationOptions, chase_and_backchase
from uniqgen_ir.passes.trace import Step, read_trace, seal, write_trace

Steps = tuple[Step, ...]
Change = Callable[[Steps], Iterator[Steps]]

SEEDS = (0, 1, 2, 3, 5, 8, 13, 21)
NOBODY: list[Any] = [cell(iri("nobody"))]


def searched(case: Case, *more: ReferenceAnswer, **options: Any) -> Steps:
    store = ReferenceStore(case.graph)
    return chase_and_backchase(case.table, store, (*case.references, *more), RelaxationOptions(**options)).steps


def mended(steps: Sequence[Step]) -> Steps:
    return read_trace(write_trace(steps))


def resealed(steps: Steps) -> Steps:
    """The steps with the seal of the result mended as well."""
    told = [step for step in steps if not step.rule.startswith("certificate.")]
    return tuple(with_evidence(step, sealed=seal(told)) if "sealed" in step.evidence else step for step in steps)


def with_evidence(step: Step, **changes: Any) -> Step:
    return evolve(step, evidence={**step.evidence, **changes})


def is_betrayed(steps: Steps, case: Case) -> bool:
    """Whether the checker rejects the trace, or says that a claim is not proved."""
    try:
        verdict = verify_trace(mended(steps), ReferenceStore(case.graph))
    except DiagnosticError as error:
        return {one.code for one in error.diagnostics} == {"UQ490"}
    return bool(verdict.diagnostics or verdict.unproved)


def at(rule: str, change: Callable[[Step], Step | None], reason: str | None = None) -> Change:
    """The trace once for each step of this rule, that step changed (None: as it was)."""

    def changed(steps: Steps) -> Iterator[Steps]:
        for place, step in enumerate(steps):
            if step.rule == rule and reason in (None, step.reason):
                other = change(step)
                if other is not None:
                    yield (*steps[:place], other, *steps[place + 1 :])

    return changed


def only_header(steps: Steps) -> Iterator[Steps]:
    yield steps[:1]


def only_result(steps: Steps) -> Iterator[Steps]:
    yield resealed((steps[0], *(step for step in steps if step.rule == "certificate.result")))


def one_removed(steps: Steps) -> Iterator[Steps]:
    for place in range(1, len(steps)):
        yield (*steps[:place], *steps[place + 1 :])


def one_repeated(steps: Steps) -> Iterator[Steps]:
    for place, step in enumerate(steps):
        yield (*steps[:place], step, *steps[place:])


def one_claim_removed_under_a_mended_seal(steps: Steps) -> Iterator[Steps]:
    for other in one_removed(steps):
        if sum(step.rule.startswith("certificate.") for step in other) < claims_of(steps):
            yield resealed(other)


def one_repeated_under_a_mended_seal(steps: Steps) -> Iterator[Steps]:
    yield from (resealed(other) for other in one_repeated(steps))


def claims_of(steps: Steps) -> int:
    return sum(step.rule.startswith("certificate.") for step in steps)


def neighbours_swapped(steps: Steps) -> Iterator[Steps]:
    for place in range(len(steps) - 1):
        yield (*steps[:place], steps[place + 1], steps[place], *steps[place + 2 :])


def unknown_claim_added(steps: Steps) -> Iterator[Steps]:
    yield (*steps, Step("certificate.magic", reason="it is true"))
    yield resealed((steps[0], Step("chase.magic", reason="it is true"), *steps[1:]))


def references_changed(steps: Steps) -> Iterator[Steps]:
    references: list[Any] = list(steps[0].evidence["references"])  # type: ignore[arg-type]
    yield (with_evidence(steps[0], references=references[1:]), *steps[1:])
    added = with_evidence(steps[0], references=[*references, {"key": NOBODY, "confidence": 1.0}])
    yield (added, *steps[1:])
    yield resealed((added, *steps[1:]))


def row_changed(steps: Steps) -> Iterator[Steps]:
    """A kept row that speaks of something else: the answers are other ones."""
    kept = {str(step.evidence["row"]) for step in steps if step.rule == "certificate.kept" and step.reason == "answer"}
    table: Any = steps[0].evidence["table"]
    for place, row in enumerate(table["rows"]):
        if row["id"] in kept and "nowhere" not in str(row):
            other = {**row, "atom": {**row["atom"], "predicate": cell(iri("nowhere"))}}
            changed = {**table, "rows": [*table["rows"][:place], other, *table["rows"][place + 1 :]]}
            forged = (with_evidence(steps[0], table=changed), *steps[1:])
            yield forged
            yield resealed(forged)


def moved(steps: Steps, source: str, target: str) -> Iterator[Steps]:
    """One row listed elsewhere."""
    for place, step in enumerate(steps):
        if step.rule == "certificate.result" and step.evidence[source]:
            lists: Any = step.evidence
            name, *rest = lists[source]
            forged = with_evidence(step, **{source: rest, target: [*lists[target], name]})
            yield (*steps[:place], forged, *steps[place + 1 :])


def history_contradicts(steps: Steps) -> Iterator[Steps]:
    """The history tells another story than the claims, under a mended seal."""
    dropped = [step for step in steps if step.rule == "certificate.dropped"]
    kept = [step for step in steps if step.rule == "certificate.kept"]
    for place, step in enumerate(steps):
        if step.rule == "chase.drop" and kept:
            forged = with_evidence(step, row=kept[0].evidence["row"])
        elif step.rule == "backchase.keep" and dropped:
            forged = with_evidence(step, row=dropped[0].evidence["row"])
        else:
            continue
        yield resealed((*steps[:place], forged, *steps[place + 1 :]))


def renamed(reason: str) -> Callable[[Step], Step]:
    return lambda step: evolve(step, reason=reason)


CHANGES: dict[str, Change] = {
    "only the header": only_header,
    "only the result": only_result,
    "a step removed": one_removed,
    "a claim removed, the seal mended": one_claim_removed_under_a_mended_seal,
    "a step repeated": one_repeated,
    "a step repeated, the seal mended": one_repeated_under_a_mended_seal,
    "two steps swapped": neighbours_swapped,
    "an unknown claim": unknown_claim_added,
    "dropped for a banana": at("certificate.dropped", renamed("banana")),
    "kept for a banana": at("certificate.kept", renamed("banana")),
    "redundant for a banana": at("certificate.redundant", renamed("banana")),
    "dropped untested": at("certificate.dropped", renamed("untested")),
    "kept untested": at("certificate.kept", renamed("untested")),
    "dropped by the beam": at("certificate.dropped", renamed("beam")),
    "kept by the objective": at("certificate.kept", renamed("objective")),
    "another version": at("relaxation.header", lambda step: with_evidence(step, version=99)),
    "another threshold": at("relaxation.header", lambda step: with_evidence(step, theta=0.01)),
    "data told as implied": at("certificate.redundant", renamed("implied"), "data"),
    "a reason that is no claim": at(
        "certificate.redundant", lambda step: with_evidence(step, because="the moon is made of cheese")
    ),
    "swapped witness of a kept row": at("certificate.kept", lambda step: with_evidence(step, answer=NOBODY), "answer"),
    "swapped witness of a dropped row": at(
        "certificate.dropped", lambda step: with_evidence(step, lost=[NOBODY]), "loses_answers"
    ),
    "no witness": at("certificate.dropped", lambda step: with_evidence(step, lost=[]), "loses_answers"),
    "an orphan that is none": at("certificate.dropped", renamed("orphaned"), "loses_answers"),
    "safety instead of an answer": at("certificate.kept", renamed("unsafe"), "answer"),
    "a pin that is none": at("certificate.kept", renamed("required"), "answer"),
    "a binder that is none": at("certificate.kept", lambda step: with_evidence(step, unbound=["banana"])),
    "another number of answers": at("certificate.sound", lambda step: with_evidence(step, size=77)),
    "other answers": at("certificate.sound", lambda step: with_evidence(step, sha256="0" * 64)),
    "other rows after": at("certificate.sound", lambda step: evolve(step, rows_after=())),
    "other reference answers": references_changed,
    "another row": row_changed,
    "dropped told as kept": lambda steps: moved(steps, "dropped", "kept"),
    "kept told as redundant": lambda steps: moved(steps, "kept", "redundant"),
    "a history that contradicts": history_contradicts,
}


@pytest.mark.parametrize("change", CHANGES)
def test_a_trace_with_a_change_is_betrayed(change: str) -> None:
    tried = 0
    for seed in SEEDS:
        case = random_case(seed)
        steps = searched(case)
        for other in CHANGES[change](steps):
            if other != steps:
                tried += 1
                assert is_betrayed(other, case), (seed, other)
    assert tried > 0


def test_a_dropped_row_must_lose_the_very_answer_that_it_names() -> None:
    """A reference answer that the row keeps is no witness, though it is a reference answer."""
    tried = 0
    for seed in range(40):
        case = random_case(seed)
        steps = searched(case)
        references: Any = steps[0].evidence["references"]
        for place, step in enumerate(steps):
            if step.rule != "certificate.dropped" or step.reason != "loses_answers":
                continue
            lost: Any = step.evidence["lost"]
            others = [one["key"] for one in references if one["key"] not in lost]
            if others:
                given = case.table.only({*step.rows_before})
                answers = {line[0] for line in ReferenceStore(case.graph).select(given).rows}
                if any(cell(one) in others[0] for one in answers if one is not None):
                    tried += 1
                    forged = with_evidence(step, lost=[others[0]])
                    assert is_betrayed((*steps[:place], forged, *steps[place + 1 :]), case)
    assert tried > 0


@pytest.mark.parametrize("seed", SEEDS)
def test_an_untouched_trace_of_greedy_proves_every_claim(seed: int) -> None:
    case = random_case(seed)
    verdict = verify_trace(mended(searched(case)), ReferenceStore(case.graph), case.table)
    assert (verdict.diagnostics, verdict.unproved) == ((), ())
    assert verdict.claims == len(case.table.rows) + 3
    assert verdict.calls <= len(case.table.rows) + 3


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("options", [{"strategy": "beam", "beam": 2}, {"objective": "tight"}, {"evidence": "schema"}])
def test_what_other_searches_do_not_show_is_reported(seed: int, options: dict[str, Any]) -> None:
    case = random_case(seed)
    steps = searched(case, **options)
    verdict = verify_trace(mended(steps), ReferenceStore(case.graph))
    assert verdict.valid
    open_reasons = {"beam", "objective", "evidence", "untested"}
    assert len(verdict.unproved) == sum(
        step.reason in open_reasons for step in steps if step.rule.startswith("certificate.")
    )
    assert verdict.claims + len(verdict.unproved) == claims_of(steps)


def none_trace(seed: int) -> tuple[Case, Steps]:
    case = random_case(seed)
    return case, searched(case, ReferenceAnswer((iri("nobody"),)))


def checked(case: Case, steps: Steps) -> Verdict:
    return verify_trace(mended(steps), ReferenceStore(case.graph))


@pytest.mark.parametrize("seed", SEEDS)
def test_that_no_rows_keep_the_answers_is_shown(seed: int) -> None:
    case, steps = none_trace(seed)
    verdict = checked(case, steps)
    assert (verdict.diagnostics, verdict.unproved) == ((), ())
    assert verdict.claims == len(case.table.rows) + 1
    assert verdict.calls <= len(case.table.rows) + 1


@pytest.mark.parametrize("seed", SEEDS)
def test_that_no_rows_keep_the_answers_is_not_believed_where_some_do(seed: int) -> None:
    """The claims of a search for an impossible answer under a header without that answer."""
    case, steps = none_trace(seed)
    honest = searched(case)
    possible = steps[0].evidence["references"][:-1]  # type: ignore[index]
    forged = resealed((with_evidence(steps[0], references=possible), *steps[1:]))
    assert honest[-1].rule == "certificate.sound"
    assert is_betrayed(forged, case)
    for change in (only_header, one_removed, one_repeated, neighbours_swapped):
        assert all(is_betrayed(other, case) for other in change(steps) if other != steps)
