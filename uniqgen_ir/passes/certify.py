"""Certificates: the claims of a search as steps that a checker can replay on the graph without searching."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from typing import Final, cast

from uniqgen_ir.ir import codec
from uniqgen_ir.ir.codec_nodes import cell
from uniqgen_ir.ir.schema import Schema
from uniqgen_ir.ir.terms import GroundTerm, Literal
from uniqgen_ir.passes.certificates.schema_facts import facts_of
from uniqgen_ir.passes.search.problem import Problem, plain_spelling
from uniqgen_ir.passes.search.result import ChaseReport, Dropped, Kept, LeftOut, RedundancyKind
from uniqgen_ir.passes.trace import Json, Step, seal

VERSION: Final = 5
MOST_LOST: Final = 20
"""lost answers that a claim names for a row: one is enough where all are needed, and traces stay small"""


def header(problem: Problem, schema: Schema | None = None) -> Step:
    """What the search was given: the table, its answer key, the reference answers, the threshold, the schema."""
    evidence: dict[str, Json] = {
        "version": VERSION,
        "table": cast("Json", codec.to_json(problem.table)),
        "key": [variable.name for variable in problem.key],
        "references": [{"key": cells(one.key), "confidence": one.confidence} for one in problem.references],
        "theta": problem.theta,
        "schema": facts_of(problem.table, schema),
    }
    return Step("relaxation.header", problem.row_ids, (), "what the search was given", evidence)


def certificates(problem: Problem, report: ChaseReport) -> tuple[Step, ...]:
    """The claims of a report: one for every row of the table, and what holds of all of them."""
    if report.table is None:
        return (_none(problem, report), *(_dropped(one, ()) for one in report.dropped))
    kept, redundant = ({one.row for one in found} for found in (report.kept, report.redundant))
    small = tuple(name for name in problem.row_ids if name in kept)
    large = tuple(name for name in problem.row_ids if name in redundant or name in kept)
    lists = {**_lists(report), "sealed": seal(report.steps)}
    return (
        Step("certificate.result", problem.row_ids, small, "every row is kept, dropped or redundant", lists),
        Step("certificate.complete", large, large, "the relaxed rows give the reference answers"),
        *(_dropped(one, large) for one in report.dropped),
        *(_kept(problem, one, small) for one in report.kept),
        *(_branches(one, large, small) for one in report.branches),
        *(Step("certificate.redundant", large, small, one.kind.value, {"row": one.row}) for one in report.redundant),
        _sound(report, large, small),
    )


def _sound(report: ChaseReport, large: tuple[str, ...], small: tuple[str, ...]) -> Step:
    if report.answers is None:
        return Step("certificate.sound", large, small, "no row was left out, and not all answers were asked for")
    return Step("certificate.sound", large, small, "the kept rows give the same answers", answer_set(report.answers))


def _none(problem: Problem, report: ChaseReport) -> Step:
    """The claim that no set of rows keeps the reference answers (or, `stopped`, that none was found in time)."""
    evidence: dict[str, Json] = {
        "dropped": [one.row for one in report.dropped],
        "blocking": [{"answer": cells(one.answer), "rows": list(one.rows)} for one in report.blocking],
        "sealed": seal(report.steps),
    }
    return Step("certificate.none", problem.row_ids, (), report.status.value, evidence)


def answer_set(answers: Iterable[tuple[GroundTerm, ...]]) -> dict[str, Json]:
    """Size and hash of a set of answers, literals in plain spelling (engines return `01` as they please)."""
    spelt = {tuple(plain_spelling(term) if isinstance(term, Literal) else term for term in one) for one in answers}
    lines = sorted(json.dumps(cells(one), sort_keys=True, ensure_ascii=False) for one in spelt)
    return {"size": len(lines), "sha256": hashlib.sha256("\n".join(lines).encode()).hexdigest()}


def cells(answer: Iterable[GroundTerm]) -> list[Json]:
    return [cast("Json", cell(term)) for term in answer]


def _lists(report: ChaseReport) -> dict[str, Json]:
    return {
        "kept": [one.row for one in report.kept],
        "dropped": [one.row for one in report.dropped],
        "redundant": [one.row for one in report.redundant],
        "branches": [one.row for one in report.branches],
    }


def _dropped(one: Dropped, large: tuple[str, ...]) -> Step:
    evidence: dict[str, Json] = {"row": one.row, "lost": [cells(answer) for answer in one.lost[:MOST_LOST]]}
    evidence["unbound"] = list(one.unbound)
    return Step("certificate.dropped", (*large, one.row), large, one.reason.value, evidence)


def _branches(one: LeftOut, large: tuple[str, ...], small: tuple[str, ...]) -> Step:
    evidence: dict[str, Json] = {"row": one.row, "branches": [*one.branches]}
    return Step("certificate.branches", large, small, RedundancyKind.DATA.value, evidence)


def _kept(problem: Problem, one: Kept, small: tuple[str, ...]) -> Step:
    rest = tuple(name for name in small if name != one.row)
    evidence: dict[str, Json] = {"row": one.row}
    if one.answer is not None:
        evidence["answer"] = cells(one.answer)
    lost = problem.bound(problem.active(small)) - problem.bound(problem.active(rest))
    evidence["unbound"] = [*sorted(variable.name for variable in lost)]
    return Step("certificate.kept", small, rest, one.kind.value, evidence)
