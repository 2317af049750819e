"""Reports as workflow commands, which GitHub's runner shows beside the lines of a change.

The form is that of its documentation, "Workflow commands for GitHub Actions": `::error file=…,line=…,title=…::message`,
with `%`, line ends and, in the properties, `:` and `,` percent-encoded.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from uniqgen_ir.ir.diagnostics import Diagnostic, Severity
from uniqgen_ir.validate.report import Report

_LEVELS: Final = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFORMATION: "notice"}


def workflow_commands(reports: Sequence[tuple[str, Report]]) -> Iterator[str]:
    """A line for each diagnostic; a file is given by the address to show, relative to the repository."""
    return (_annotation(address, one) for address, report in reports for one in report.diagnostics)


def _annotation(address: str, one: Diagnostic) -> str:
    properties = {"file": address}
    if one.span is not None:
        places = {"line": one.span.line, "endLine": one.span.end_line}
        if one.span.line == one.span.end_line:
            # columns are only understood within one line
            places |= {"col": one.span.column, "endColumn": one.span.end_column}
        properties |= {name: str(place) for name, place in places.items()}
    properties["title"] = f"{one.code} {one.kind}"
    shown = ",".join(f"{name}={_property(value)}" for name, value in properties.items())
    message = one.message + (f" ({one.hint})" if one.hint else "")
    return f"::{_LEVELS[one.severity]} {shown}::{_data(message)}"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
