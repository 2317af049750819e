"""Diagnostics: what every reader, pass, backend and check says when something is not right.

One object feeds the terminal, JSON, SARIF and the language server. `code` is stable and has a page
(`uniqgen explain CODE`); `kind` is the short name that scripts test for; both come from `uniqgen_ir.ir.codes`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import StrEnum
from functools import lru_cache
from itertools import pairwise
from typing import Final

from attrs import frozen

from uniqgen_ir.ir.codes import CODES
from uniqgen_ir.ir.spans import Span


class Severity(StrEnum):
    """How bad it is: with an error, work cannot go on."""

    ERROR = "error"
    WARNING = "warning"
    INFORMATION = "information"


@frozen
class Edit:
    """Replace `source[start:end]` (characters) by `text`."""

    start: int
    end: int
    text: str


@frozen
class Fix:
    """A repair. `safe` fixes keep what the writer meant and may be applied without asking."""

    title: str
    edits: tuple[Edit, ...]
    safe: bool = True

    def apply(self, text: str) -> str:
        """The text after all edits. Raises ValueError if two edits overlap."""
        edits = sorted(self.edits, key=lambda edit: edit.start)
        if any(later.start < earlier.end for earlier, later in pairwise(edits)):
            raise ValueError("edits overlap")
        for edit in reversed(edits):
            text = text[: edit.start] + edit.text + text[edit.end :]
        return text


@frozen
class Related:
    """A second place that the message speaks of."""

    message: str
    span: Span


@frozen
class Diagnostic:
    """One message: a code, one sentence in the user's words, where, and how to mend it."""

    code: str
    message: str
    span: Span | None = None
    severity: Severity = Severity.ERROR
    hint: str | None = None
    fix: Fix | None = None
    related: tuple[Related, ...] = ()

    def __attrs_post_init__(self) -> None:
        if self.code not in CODES:
            raise ValueError(f"{self.code} is not in the table of codes")

    @property
    def kind(self) -> str:
        """The short name of the fault, as in `unknown_label`."""
        return CODES[self.code].kind

    def render(self, sources: Mapping[str, str] | None = None) -> str:
        """The message as text, with the source line and a caret where the source is given (name → text)."""
        place = f"{self.span.source}:{self.span.line}:{self.span.column}: " if self.span else ""
        lines = [f"{place}{self.severity.value} {self.code}: {_printable(self.message)}"]
        if self.span and sources and self.span.source in sources:
            lines += _excerpt(self.span, sources[self.span.source])
        for related in self.related:
            lines.append(f"  see {related.span.source}:{related.span.line}:{related.span.column}: {related.message}")
        if self.hint:
            lines.append(f"  help: {self.hint}")
        if self.fix:
            lines.append(f"  fix{'' if self.fix.safe else ' (check it)'}: {self.fix.title}")
        return "\n".join(lines)


@lru_cache(maxsize=8)  # one report a line of a long file would split the file anew each time
def _lines(source: str) -> list[str]:
    return source.split("\n")


def _excerpt(span: Span, source: str) -> list[str]:
    source_lines = _lines(source)
    if span.line > len(source_lines):
        return []
    text = source_lines[span.line - 1].rstrip("\r")
    end = span.end_column if span.end_line == span.line else len(text) + 1
    # of a long line only what stands around the fault
    first = max(0, span.column - 1 - _EXCERPT // 2) if len(text) > _EXCERPT else 0
    shown = _printable(text[first : first + _EXCERPT])
    before, after = "…" if first else "", "…" if first + _EXCERPT < len(text) else ""
    # tabs stay tabs under the caret, so that it lines up whatever their width
    indent = "".join("\t" if character == "\t" else " " for character in before + shown[: span.column - 1 - first])
    marks = "^" * max(1, min(end - span.column, _EXCERPT - (span.column - 1 - first)))
    number = str(span.line)
    return [f" {number} | {before}{shown}{after}", f" {' ' * len(number)} | {indent}{marks}"]


_EXCERPT: Final = 160
_PICTURES: Final = {code: 0x2400 + code for code in range(32) if chr(code) not in "\t\n"} | dict.fromkeys(
    range(127, 160), 0x2421
)


def _printable(text: str) -> str:
    """Control characters as their pictures: what came from a file must not steer the reader's terminal."""
    return text.translate(_PICTURES)


class DiagnosticError(Exception):
    """Raised where work cannot go on; carries every diagnostic found so far, at least one of them an error."""

    def __init__(self, diagnostics: Iterable[Diagnostic]) -> None:
        self.diagnostics = tuple(diagnostics)
        super().__init__("; ".join(f"{one.code}: {one.message}" for one in self.diagnostics))

    def __reduce__(self) -> tuple[type[DiagnosticError], tuple[tuple[Diagnostic, ...]]]:
        """What another process needs to make the same error."""
        return type(self), (self.diagnostics,)


def fail(code: str, message: str, span: Span | None = None, *, hint: str | None = None) -> DiagnosticError:
    """A one-message error, ready to raise."""
    return DiagnosticError((Diagnostic(code, message, span, hint=hint),))


def errors(diagnostics: Iterable[Diagnostic]) -> tuple[Diagnostic, ...]:
    """Only those of severity error."""
    return tuple(one for one in diagnostics if one.severity is Severity.ERROR)
