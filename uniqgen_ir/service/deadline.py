"""The time that one request has, known to everything that works for it."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Generator
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
    _lock: threading.Lock = field(factory=threading.Lock, init=False)
    _end_statement: Callable[[], None] | None = field(default=None, init=False)

    @classmethod
    def after(cls, seconds: float) -> Self:
        """The deadline so many seconds from now."""
        return cls(seconds, time.monotonic() + seconds)

    @property
    def left(self) -> float:
        """Seconds that are left; 0 where it has passed or was cancelled."""
        return 0.0 if self.cancellation.cancelled else max(0.0, self.ends - time.monotonic())

    def cancel(self) -> None:
        """End the work now, and the statement that runs for it. May be called from any thread."""
        self.cancellation.cancelled = True
        with self._lock:
            if self._end_statement is not None:
                self._end_statement()

    @contextmanager
    def ended_by(self, end: Callable[[], None]) -> Generator[None]:
        """While inside, `end` ends the statement that runs for this deadline."""
        with self._lock:
            self._end_statement = end
        try:
            yield
        finally:
            # taken back under the lock: the statement of another request must not be ended in its place
            with self._lock:
                self._end_statement = None


_CURRENT: ContextVar[Deadline | None] = ContextVar("deadline", default=None)


def current_deadline() -> Deadline | None:
    """The deadline of the request that this thread or task works for."""
    return _CURRENT.get()


@contextmanager
def working_until(deadline: Deadline) -> Generator[Deadline]:
    """While inside, this is the deadline of the work."""
    token = _CURRENT.set(deadline)
    try:
        yield deadline
    finally:
        _CURRENT.reset(token)
