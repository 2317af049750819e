"""From what the features say to the types of the protocol."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Final

from lsprotocol import types

from uniqgen_ir.ir.codes import CODES
from uniqgen_ir.ir.diagnostics import Diagnostic, Edit, Severity
from uniqgen_ir.ir.spans import Span
from uniqgen_ir.lsp.features.completion import Completion, Kind
from uniqgen_ir.lsp.features.fixes import QuickFix
from uniqgen_ir.lsp.positions import Lines

_SEVERITIES: Final = {
    Severity.ERROR: types.DiagnosticSeverity.Error,
    Severity.WARNING: types.DiagnosticSeverity.Warning,
    Severity.INFORMATION: types.DiagnosticSeverity.Information,
}
_KINDS: Final = {
    Kind.VARIABLE: types.CompletionItemKind.Variable,
    Kind.CLASS: types.CompletionItemKind.Class,
    Kind.RELATION: types.CompletionItemKind.Reference,
    Kind.PROPERTY: types.CompletionItemKind.Property,
    Kind.PREFIX: types.CompletionItemKind.Module,
    Kind.FUNCTION: types.CompletionItemKind.Function,
    Kind.KEYWORD: types.CompletionItemKind.Keyword,
    Kind.ANNOTATION: types.CompletionItemKind.Event,
    Kind.FILE: types.CompletionItemKind.File,
}


def to_range(lines: Lines, start: int, end: int) -> types.Range:
    """The range of the characters `start` to `end`."""
    return types.Range(types.Position(*lines.position(start)), types.Position(*lines.position(end)))


def to_uri(file: str) -> str:
    """The URI of a file; a text without one has its URI as its name."""
    return Path(file).resolve().as_uri() if "://" not in file else file


def to_diagnostic(one: Diagnostic, lines: Lines, others: Mapping[str, Lines]) -> types.Diagnostic:
    """A diagnostic. `others` are the lines of the files that its related places are in."""
    assert one.span is not None
    start, end = one.span.start, one.span.end
    # a whole table underlined hides what is wrong inside it: its first line will do
    if one.span.end_line > one.span.line:
        end = max(start, min(end, lines.line_end(start)))
    message = one.message + (f"\n{one.hint}" if one.hint else "")
    related = [
        types.DiagnosticRelatedInformation(_location(place.span, others[place.span.source]), place.message)
        for place in one.related
        if place.span.source in others
    ]
    return types.Diagnostic(
        range=to_range(lines, start, end),
        message=message,
        severity=_SEVERITIES[one.severity],
        code=one.code,
        source="uniqgen",
        related_information=related or None,
        data={"kind": CODES[one.code].kind},
    )


def _location(span: Span, lines: Lines) -> types.Location:
    return types.Location(to_uri(span.source), to_range(lines, span.start, span.end))


def related_files(diagnostics: Iterable[Diagnostic]) -> frozenset[str]:
    """The files that related places are in."""
    return frozenset(place.span.source for one in diagnostics for place in one.related)


def to_edits(edits: Iterable[Edit], lines: Lines) -> list[types.TextEdit]:
    return [types.TextEdit(to_range(lines, one.start, one.end), one.text) for one in edits]


def to_action(one: QuickFix, uri: str, lines: Lines) -> types.CodeAction:
    """A quick fix; the preferred one where it keeps what the writer meant."""
    title = one.fix.title[:1].upper() + one.fix.title[1:] + ("" if one.fix.safe else " (check it)")
    return types.CodeAction(
        title=title,
        kind=types.CodeActionKind.QuickFix,
        diagnostics=[to_diagnostic(one.diagnostic, lines, {})],
        is_preferred=one.fix.safe,
        edit=types.WorkspaceEdit(changes={uri: to_edits(one.fix.edits, lines)}),
    )


def to_item(one: Completion, lines: Lines, order: int) -> types.CompletionItem:
    """A proposal; the order of the features is kept."""
    return types.CompletionItem(
        label=one.label,
        kind=_KINDS[one.kind],
        detail=one.detail or None,
        filter_text=one.search or one.label,
        sort_text=f"{order:05}",
        text_edit=types.TextEdit(to_range(lines, one.start, one.end), one.text),
        additional_text_edits=to_edits(one.also, lines) or None,
    )
