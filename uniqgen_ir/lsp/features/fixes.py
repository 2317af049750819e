"""Quick fixes: the repairs that diagnostics carry."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from attrs import frozen

from uniqgen_ir.ir.diagnostics import Diagnostic, Fix


@frozen
class QuickFix:
    """A repair, and the diagnostic that it mends."""

    diagnostic: Diagnostic
    fix: Fix


def quick_fixes(diagnostics: Iterable[Diagnostic], start: int, end: int, text: str) -> Iterator[QuickFix]:
    """The repairs of the diagnostics that touch the characters `start` to `end` and can be applied."""
    for one in diagnostics:
        if one.fix is None or one.span is None:
            continue
        places = [(one.span.start, one.span.end), *((edit.start, edit.end) for edit in one.fix.edits)]
        touches = any(first <= end and start <= last for first, last in places)
        if touches and _applies(one.fix, text):
            yield QuickFix(one, one.fix)


def _applies(fix: Fix, text: str) -> bool:
    if any(not 0 <= edit.start <= edit.end <= len(text) for edit in fix.edits):
        return False
    try:
        return fix.apply(text) != text
    except ValueError:
        # two of its edits overlap
        return False
