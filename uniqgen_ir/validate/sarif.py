"""Reports as SARIF 2.1.0, which code hosts show beside the lines of a change."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final
from urllib.parse import quote

from uniqgen_ir.ir.codes import CODES
from uniqgen_ir.ir.diagnostics import Diagnostic, Severity
from uniqgen_ir.ir.spans import Span
from uniqgen_ir.validate.report import Report

_LEVELS: Final = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFORMATION: "note"}


def sarif(reports: Sequence[tuple[str, Report]], version: str) -> dict[str, Any]:
    """One run over some files, each given by its name and its report; `version` is that of the tool."""
    reports = [(quote(address, safe="/:"), report) for address, report in reports]
    codes = sorted({one.code for _, report in reports for one in report.diagnostics})
    results = [_result(address, report, one) for address, report in reports for one in report.diagnostics]
    driver = {"name": "uniqgen", "version": version, "rules": [_rule(code) for code in codes]}
    return {
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{"tool": {"driver": driver}, "columnKind": "unicodeCodePoints", "results": results}],
    }


def _rule(code: str) -> dict[str, Any]:
    page = CODES[code]
    return {
        "id": code,
        "name": page.kind,
        "shortDescription": {"text": page.title},
        "fullDescription": {"text": f"{page.what} {page.why}"},
        "help": {"text": page.page(), "markdown": page.page()},
    }


def _result(address: str, report: Report, one: Diagnostic) -> dict[str, Any]:
    location: dict[str, Any] = {"artifactLocation": {"uri": address}}
    if one.span is not None:
        location["region"] = _region(one.span)
    found: dict[str, Any] = {
        "ruleId": one.code,
        "level": _LEVELS[one.severity],
        "message": {"text": one.message + (f" ({one.hint})" if one.hint else "")},
        "locations": [{"physicalLocation": location}],
    }
    if one.fix is not None:
        changes = [
            {
                "deletedRegion": _region(Span.at(report.query, edit.start, edit.end)),
                "insertedContent": {"text": edit.text},
            }
            for edit in one.fix.edits
        ]
        artifact = {"artifactLocation": {"uri": address}, "replacements": changes}
        found["fixes"] = [{"description": {"text": one.fix.title}, "artifactChanges": [artifact]}]
    return found


def _region(span: Span) -> dict[str, int]:
    return {
        "startLine": span.line,
        "startColumn": span.column,
        "endLine": span.end_line,
        "endColumn": span.end_column,
    }
