"""Diagnostics as the JSON objects of the command line contract, which every face gives."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from attrs import asdict

from uniqgen_ir.ir.diagnostics import Diagnostic


def diagnostic_json(one: Diagnostic) -> dict[str, Any]:
    """A diagnostic as the JSON object of the command line contract."""
    span = one.span
    return {
        "code": one.code,
        "kind": one.kind,
        "severity": one.severity.value,
        "message": one.message,
        "source": span.source if span else None,
        "line": span.line if span else None,
        "column": span.column if span else None,
        "end_line": span.end_line if span else None,
        "end_column": span.end_column if span else None,
        "hint": one.hint,
        "fix": asdict(one.fix) if one.fix else None,
    }


def error_json(diagnostics: Iterable[Diagnostic]) -> dict[str, Any]:
    """The `error` object of a batch line: the first error's code and message, and all diagnostics."""
    listed = [diagnostic_json(one) for one in diagnostics]
    first = next((one for one in listed if one["severity"] == "error"), listed[0])
    return {"code": first["code"], "message": first["message"], "diagnostics": listed}
