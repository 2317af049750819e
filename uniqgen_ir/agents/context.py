"""Bounded path context: of what was done so far, a prompt shows the last K entries only (Shan & Luo 2026).

K applies to the hops of a walk and to the rewrite steps that the ranking of rows sees. Everything that is hidden stays
in memory: answers and audits use it, prompts do not.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from attrs import frozen

FULL: Final = "full"
"""How people write that everything is shown; None in options."""


@frozen
class Entry:
    """One entry with its true number, from 1."""

    number: int
    text: str


@frozen
class BoundedHistory:
    """The last entries, and how many earlier ones are not shown."""

    shown: tuple[Entry, ...]
    hidden: int

    @property
    def numbers(self) -> tuple[int, ...]:
        """The numbers of the entries that are shown."""
        return tuple(one.number for one in self.shown)


def bounded(entries: Sequence[str], history: int | None) -> BoundedHistory:
    """The last `history` entries (None: all). Raises ValueError for a negative number."""
    if history is not None and history < 0:
        raise ValueError(f"history is {history}; it is at least 0, or None for all")
    hidden = 0 if history is None else max(0, len(entries) - history)
    numbered = [Entry(number, text) for number, text in enumerate(entries, 1)]
    return BoundedHistory(tuple(numbered[hidden:]), hidden)


def history_name(history: int | None) -> str:
    """`0`, `1`, … or `full`."""
    return FULL if history is None else str(history)
