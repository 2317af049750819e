"""Traces: every rewrite is a flat `Step`; a file of steps is held together by a chain of hashes.

A trace file is JSON lines, `{"step": …, "previous": h, "hash": h'}` with `h' = sha256(h + canonical JSON of step)`. A
step that
is changed without mending the chain is found by `read_trace`; one whose chain was mended but whose claim is false is
found
by `uniqgen_ir.passes.certificates.checker.verify_trace`, which replays the claims on the graph.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from typing import Final, TypeAlias, cast

from attrs import field, frozen

from uniqgen_ir.ir.diagnostics import fail

Json: TypeAlias = "bool | int | float | str | list[Json] | dict[str, Json] | None"

GENESIS: Final = "0" * 64
"""The hash before the first line."""


def _no_evidence() -> dict[str, Json]:
    return {}


@frozen
class Step:
    """One named rewrite or finding.

    `rows_before` and `rows_after` are row ids; `evidence` is plain JSON: what a checker needs to see that it is true.
    """

    rule: str
    rows_before: tuple[str, ...] = ()
    rows_after: tuple[str, ...] = ()
    reason: str = ""
    evidence: Mapping[str, Json] = field(factory=_no_evidence)

    def to_json(self) -> dict[str, Json]:
        return {
            "rule": self.rule,
            "rows_before": list(self.rows_before),
            "rows_after": list(self.rows_after),
            "reason": self.reason,
            "evidence": dict(self.evidence),
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Json]) -> Step:
        """The step that `to_json` wrote. Raises KeyError or TypeError where it is not one."""
        before, after = data["rows_before"], data["rows_after"]
        evidence = data["evidence"]
        if not (isinstance(before, list) and isinstance(after, list) and isinstance(evidence, dict)):
            raise TypeError("rows and evidence of a step have the wrong shape")
        return cls(
            str(data["rule"]),
            tuple(str(one) for one in before),
            tuple(str(one) for one in after),
            str(data["reason"]),
            evidence,
        )


def _hash(previous: str, step: Mapping[str, Json]) -> str:
    text = json.dumps(step, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256((previous + text).encode()).hexdigest()


def seal(steps: Iterable[Step]) -> str:
    """The hash of steps (a header and the history after it) that a result names as what it was made from."""
    current = GENESIS
    for step in steps:
        current = _hash(current, step.to_json())
    return current


def write_trace(steps: Iterable[Step]) -> str:
    """The steps as JSON lines with their chain of hashes."""
    lines: list[str] = []
    previous = GENESIS
    for step in steps:
        data = step.to_json()
        current = _hash(previous, data)
        lines.append(json.dumps({"step": data, "previous": previous, "hash": current}, ensure_ascii=False))
        previous = current
    return "".join(line + "\n" for line in lines)


def read_trace(text: str) -> tuple[Step, ...]:
    """The steps of a trace file. Raises DiagnosticError (UQ490) where a line is not a step or the chain is broken."""
    steps: list[Step] = []
    previous = GENESIS
    for number, line in enumerate(text.splitlines(), 1):
        try:
            record = cast("dict[str, Json]", json.loads(line))
            data = cast("dict[str, Json]", record["step"])
            step = Step.from_json(data)
            intact = record["previous"] == previous and record["hash"] == _hash(previous, data)
        except (ValueError, KeyError, TypeError) as error:
            raise fail("UQ490", f"line {number} of the trace is not a step: {error}") from error
        if not intact:
            raise fail("UQ490", f"line {number} of the trace was changed after it was written (its hash does not fit)")
        previous = str(record["hash"])
        steps.append(step)
    return tuple(steps)
