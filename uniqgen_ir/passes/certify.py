"""Certificates: the claims of a search as steps that a checker can replay on the graph without searching."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from typing import Final, cast

from uniqgen_ir.ir import codec
from uniqgen_ir.ir.codec_nodes import cell
from uniqgen_ir.ir.terms import GroundTerm
from uniqgen_ir.passes.search.problem import Problem
from uniqgen_ir.passes.search.result import ChaseReport, Dropped, Kept, Redundant
from uniqgen_ir.passes.trace import Json, Step

VERSION: Final = 1


def header(problem: Problem) -> Step:
    """What the search was given: the table, its answer key, the reference answers, the threshold."""
    evidence: dict[str, Json] = {
        "version": VERSION,
        "table": cast("Json", codec.to_json(problem.table)),
        "key": [variable.name for variable in problem.key],
        "references": [{"key": cells(one.key), "confidence": one.confidence} for one in problem.references],
        "theta": problem.theta,
    }
    return Step("relaxation.header", problem.row_ids, (), "what the search was given", evidence)


def certificates(problem: Problem, report: ChaseReport) -> tuple[Step, ...]:
    """The claims of a report that found a table; none for one that did not."""
    if report.table is None:
        return ()
    decoration = {row.id for row in problem.decoration}
    kept = tuple(one for one in report.kept if one.row not in decoration)
    small = tuple(one.row for one in kept)
    redundant = {one.row for one in report.redundant}
    large = tuple(name for name in problem.row_ids if name in redundant or name in small)
    return (
        Step("certificate.result", problem.row_ids, small, "every row is kept, dropped or redundant", _lists(report)),
        Step("certificate.complete", large, large, "the relaxed rows give the reference answers"),
        *(_dropped(one, large) for one in report.dropped if one.row not in decoration),
        *(_kept(problem, one, small) for one in kept),
        *(_redundant(one, large, small) for one in report.redundant if one.row not in decoration),
        Step("certificate.sound", large, small, "the kept rows give the same answers", answer_set(report.answers)),
    )


def answer_set(answers: Iterable[tuple[GroundTerm, ...]]) -> dict[str, Json]:
    """Size and hash of a set of answers."""
    lines = sorted(json.dumps(cells(one), sort_keys=True, ensure_ascii=False) for one in answers)
    return {"size": len(lines), "sha256": hashlib.sha256("\n".join(lines).encode()).hexdigest()}


def cells(answer: Iterable[GroundTerm]) -> list[Json]:
    return [cast("Json", cell(term)) for term in answer]


def _lists(report: ChaseReport) -> dict[str, Json]:
    return {
        "kept": [one.row for one in report.kept],
        "dropped": [one.row for one in report.dropped],
        "redundant": [one.row for one in report.redundant],
    }


def _dropped(one: Dropped, large: tuple[str, ...]) -> Step:
    evidence: dict[str, Json] = {"row": one.row, "lost": [cells(answer) for answer in one.lost]}
    evidence["unbound"] = list(one.unbound)
    return Step("certificate.dropped", (*large, one.row), large, one.reason.value, evidence)


def _kept(problem: Problem, one: Kept, small: tuple[str, ...]) -> Step:
    rest = tuple(name for name in small if name != one.row)
    evidence: dict[str, Json] = {"row": one.row}
    if one.answer is not None:
        evidence["answer"] = cells(one.answer)
    lost = problem.bound(problem.active(small)) - problem.bound(problem.active(rest))
    evidence["unbound"] = [*sorted(variable.name for variable in lost)]
    return Step("certificate.kept", small, rest, one.kind.value, evidence)


def _redundant(one: Redundant, large: tuple[str, ...], small: tuple[str, ...]) -> Step:
    return Step("certificate.redundant", large, small, one.kind.value, {"row": one.row, "because": one.because})
