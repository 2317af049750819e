"""The time that one request has, known to everything that works for it."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Self

from attrs import define, field

from uniqgen_ir.passes.search.budget import Cancellation


@define(eq=False)
class Deadline:
    """When the work for a request ends (seconds of the monotonic clock), and the switch that ends it sooner.

    Searches look at `cancellation` between two statements; statements get no more time than is `left`.
    """

    seconds: float
    ends: float
    cancellation: Cancellation = field(factory=Cancellation)

    @classmethod
    def after(cls, seconds: float) -> Self:
        """The deadline so many seconds from now."""
        return cls(seconds, time.monotonic() + seconds)

    @property
    def left(self) -> float:
        """Seconds that are left; 0 where it has passed or was cancelled."""
        return 0.0 if self.cancellation.cancelled else max(0.0, self.ends - time.monotonic())

    def cancel(self) -> None:
        """End the work now. May be called from any thread."""
        self.cancellation.cancelled = True


_CURRENT: ContextVar[Deadline | None] = ContextVar("deadline", default=None)


def current_deadline() -> Deadline | None:
    """The deadline of the request that this thread or task works for."""
    return _CURRENT.get()


@contextmanager
def working_until(deadline: Deadline) -> Iterator[Deadline]:
    """While inside, this is the deadline of the work."""
    token = _CURRENT.set(deadline)
    try:
        yield deadline
    finally:
        _CURRENT.reset(token)
