"""Mending a query: fixes are applied, the result is checked again, until no error is left."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final, TypeAlias

from attrs import frozen

from uniqgen_ir.ir.diagnostics import Diagnostic, Edit, Severity, errors

ROUNDS: Final = 6
"""How often fixes are applied: one may bring to light what another fault hid."""

Check: TypeAlias = "Callable[[str], tuple[Diagnostic, ...]]"


@frozen
class Repaired:
    """A text without errors. `safe`: every fix on the way keeps what the writer meant."""

    text: str
    safe: bool


def repair(text: str, found: Iterable[Diagnostic], check: Check) -> Repaired | None:
    """The text with the fixes of its errors applied, and of those that then come to light.

    None where there is no error, or one stays. Warnings are left as they are: they are no reason to change a query.
    """
    seen = {text}
    safe = True
    diagnostics = tuple(found)
    for _ in range(ROUNDS):
        edits, all_safe = _edits(diagnostics)
        mended = _apply(text, edits)
        if mended in seen:
            return None
        seen.add(mended)
        safe = safe and all_safe
        text, diagnostics = mended, check(mended)
        if not errors(diagnostics):
            return Repaired(text, safe)
    return None


def _edits(diagnostics: Iterable[Diagnostic]) -> tuple[list[Edit], bool]:
    """The edits of every error's fix that does not touch what an earlier fix changes, and whether all are safe."""
    edits: list[Edit] = []
    safe = True
    for one in diagnostics:
        if one.severity is not Severity.ERROR or one.fix is None:
            continue
        fresh = [edit for edit in one.fix.edits if edit not in edits]
        if fresh and not any(_clash(edit, other) for edit in fresh for other in edits):
            edits += fresh
            safe = safe and one.fix.safe
    return edits, safe


def _apply(text: str, edits: list[Edit]) -> str:
    for edit in sorted(edits, key=lambda edit: (edit.start, edit.end), reverse=True):
        text = text[: edit.start] + edit.text + text[edit.end :]
    return text


def _clash(left: Edit, right: Edit) -> bool:
    if left.start == left.end and right.start == right.end:
        return left.start == right.start
    return left.start < right.end and right.start < left.end
