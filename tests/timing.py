"""Times that a test insists on: of the work of this thread, not of what else the test process does."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TypeVar

Result = TypeVar("Result")
TRIES = 3


def timed(limit: float, work: Callable[[], Result]) -> tuple[Result, float]:
    """What the work gives, and its seconds of processor time, which must be less than `limit` in one of three tries.

    A large test process stops now and then to collect garbage, for longer than most of what is timed takes.
    """
    least = float("inf")
    for _ in range(TRIES):
        started = time.thread_time()
        result = work()
        least = min(least, time.thread_time() - started)
        if least < limit:
            return result, least
    raise AssertionError(f"{least:.1f} s, where less than {limit:g} s were allowed")


def within(limit: float, work: Callable[[], Result]) -> Result:
    """As `timed`, for who does not want to know how long it took."""
    return timed(limit, work)[0]
