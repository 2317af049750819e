"""What commands print, and where: results on standard output, everything else on standard error."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path

from uniqgen_ir.ir.diagnostic_json import diagnostic_json as diagnostic_json
from uniqgen_ir.ir.diagnostic_json import error_json as error_json
from uniqgen_ir.ir.diagnostics import Diagnostic, DiagnosticError, fail


class AlreadyPrinted(DiagnosticError):
    """An error whose diagnostics are on standard error already."""


def read_bytes(name: str | None, what: str) -> bytes:
    """The bytes of a file or of standard input (`-`). Raises DiagnosticError where there is no file."""
    if name is None:
        raise fail("UQ653", f"no {what} given", hint="name a file, or - for standard input")
    try:
        return sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes()
    except OSError as error:
        raise fail("UQ650", f"cannot read {name}: {error.strerror}") from error


def read_input(name: str | None, what: str) -> tuple[str, str]:
    """The text of a file or of standard input (`-`), and the name to show for it.

    Raises DiagnosticError where there is no file, or it is not UTF-8 text.
    """
    found = read_bytes(name, what)
    try:
        return found.decode("utf-8-sig"), "<stdin>" if name == "-" else str(name)
    except UnicodeDecodeError as error:
        raise fail("UQ650", f"{name} is not UTF-8 text: {error.reason} at byte {error.start}") from error


def write_output(name: str, text: str) -> None:
    """Write a file; raises DiagnosticError where that cannot be done."""
    try:
        Path(name).write_text(text, encoding="utf-8")
    except OSError as error:
        raise fail("UQ650", f"cannot write {name}: {error.strerror}") from error


def print_json(value: object) -> None:
    print(json.dumps(value, ensure_ascii=False))


def print_diagnostics(diagnostics: Iterable[Diagnostic], sources: Mapping[str, str] | None = None) -> None:
    """Each diagnostic as text on standard error."""
    texts = dict(sources or {})
    for one in diagnostics:
        if one.span is not None and one.span.source not in texts and Path(one.span.source).is_file():
            texts[one.span.source] = Path(one.span.source).read_text(encoding="utf-8", errors="replace")
        print(one.render(texts), file=sys.stderr)
