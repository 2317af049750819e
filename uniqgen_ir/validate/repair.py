"""Mending a query: fixes are applied, the result is checked again, until no error is left."""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Callable, Iterable, Iterator
from typing import Final, TypeAlias

from attrs import frozen

from uniqgen_ir.ir.diagnostics import Diagnostic, Edit, Severity, errors

ROUNDS: Final = 6
"""How often fixes are applied: one may bring to light what another fault hid."""

MOST_ERRORS: Final = 200
"""With more errors a text is not mended: it was not meant as a query, and finding all repairs takes long."""

Check: TypeAlias = "Callable[[str], tuple[Diagnostic, ...]]"


@frozen
class Repaired:
    """A text without errors. `safe`: every fix on the way keeps what the writer meant."""

    text: str
    safe: bool


def repair(text: str, found: Iterable[Diagnostic], check: Check) -> Repaired | None:
    """The text with the fixes of its errors applied, and of those that then come to light.

    None where there is no error, one stays, or there are more than `MOST_ERRORS`. Warnings are left as they are: they
    are no reason to change a query.
    """
    safe = True
    for mended, left, all_safe in _rounds(text, found, check, safely=False):
        safe = safe and all_safe
        if not errors(left):
            return Repaired(mended, safe)
    return None


def repair_safely(text: str, found: Iterable[Diagnostic], check: Check) -> str:
    """The text with the safe fixes of its errors applied, and of those that then come to light.

    Errors without a fix, or whose fix may change what the query means, stay as they are, and all do where there are
    more than `MOST_ERRORS`.
    """
    for mended, _, _ in _rounds(text, found, check, safely=True):
        text = mended
    return text


def _rounds(
    text: str, found: Iterable[Diagnostic], check: Check, *, safely: bool
) -> Iterator[tuple[str, tuple[Diagnostic, ...], bool]]:
    """The text after each round of fixes, what is wrong with it then, and whether all fixes of the round were safe.

    Nothing where there are more than `MOST_ERRORS`. `safely` leaves the other fixes out.
    """
    seen = {text}
    diagnostics = tuple(found)
    if len(errors(diagnostics)) > MOST_ERRORS:
        return
    for _ in range(ROUNDS):
        edits, all_safe = _edits(one for one in diagnostics if not safely or (one.fix is not None and one.fix.safe))
        text = _apply(text, edits)
        if text in seen:
            return
        seen.add(text)
        diagnostics = check(text)
        yield text, diagnostics, all_safe


def _edits(diagnostics: Iterable[Diagnostic]) -> tuple[list[Edit], bool]:
    """The edits of every error's fix that does not touch what an earlier fix changes, and whether all are safe."""
    taken = _Taken()
    safe = True
    for one in diagnostics:
        if one.severity is not Severity.ERROR or one.fix is None:
            continue
        fresh = [edit for edit in one.fix.edits if edit not in taken.edits]
        if fresh and not any(taken.clashes(edit) for edit in fresh):
            for edit in fresh:
                taken.add(edit)
            safe = safe and one.fix.safe
    return taken.in_order, safe


class _Taken:
    """Edits that do not touch each other, in the order of the text: of another one only the neighbours are asked."""

    def __init__(self) -> None:
        self.edits: set[Edit] = set()
        self.in_order: list[Edit] = []

    def clashes(self, edit: Edit) -> bool:
        """Whether an edit touches what one of these changes."""
        place = bisect_left(self.in_order, _place(edit), key=_place)
        near = self.in_order[max(0, place - 2) : place + 2]
        return any(_clash(edit, other) for other in near)

    def add(self, edit: Edit) -> None:
        """One more, which clashes with none."""
        self.edits.add(edit)
        insort(self.in_order, edit, key=_place)


def _place(edit: Edit) -> tuple[int, int]:
    return edit.start, edit.end


def _apply(text: str, edits: list[Edit]) -> str:
    """The text with edits, given in its order, applied."""
    parts: list[str] = []
    done = 0
    for edit in edits:
        parts += [text[done : edit.start], edit.text]
        done = edit.end
    return "".join((*parts, text[done:]))


def _clash(left: Edit, right: Edit) -> bool:
    if left.start == left.end and right.start == right.end:
        return left.start == right.start
    return left.start < right.end and right.start < left.end
