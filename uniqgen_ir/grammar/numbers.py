"""Whole numbers as texts give them, which may have more digits than Python reads."""

from __future__ import annotations

from typing import Final

LARGEST_SLICE: Final = 2**63 - 1
"""of `limit` and `offset`"""


def whole_number(digits: str, most: int) -> int | None:
    """The number that the digits stand for; None where it is larger than `most`."""
    plain = digits.lstrip("0") or "0"
    return int(plain) if len(plain) <= len(str(most)) and int(plain) <= most else None
