"""Answers as plain JSON, for traces and reports."""

from __future__ import annotations

from collections.abc import Iterable

from uniqgen_ir.ir.terms import GroundTerm
from uniqgen_ir.ir.values import to_json
from uniqgen_ir.passes.trace import Json


def show_answer(answer: Iterable[GroundTerm | None]) -> Json:
    """One answer: a value for a key of one variable, otherwise a list."""
    values: list[Json] = [to_json(term) for term in answer]
    return values[0] if len(values) == 1 else values


def show_answers(answers: Iterable[Iterable[GroundTerm | None]]) -> list[Json]:
    return [show_answer(one) for one in answers]
