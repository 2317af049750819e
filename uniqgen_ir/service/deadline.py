"""The time that one request has, known to everything that works for it."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Final, Self

from attrs import define, field

from uniqgen_ir.passes.search.budget import Cancellation

AGAIN: Final = 0.05
"""Seconds after which a statement that still runs is ended again."""


@define(eq=False)
class _Ending:
    """Calls `end` until it is over."""

    end: Callable[[], None]
    _left: threading.Event = field(factory=threading.Event, init=False)
    _thread: threading.Thread | None = field(default=None, init=False)

    def begin(self) -> None:
        if self._thread is None:
            self._thread = threading.Thread(target=self._repeat, name="uniqgen-ending", daemon=True)
            self._thread.start()

    def _repeat(self) -> None:
        while not self._left.is_set():
            self.end()
            self._left.wait(AGAIN)

    def over(self) -> None:
        self._left.set()
        if self._thread is not None:
            self._thread.join()


@define(eq=False)
class Deadline:
    """When the work for a request ends (seconds of the monotonic clock), and the switch that ends it sooner.

    Searches look at `cancellation` between two statements; statements get no more time than is `left`.
    """

    seconds: float
    ends: float
    cancellation: Cancellation = field(factory=Cancellation)
    _lock: threading.Lock = field(factory=threading.Lock, init=False)
    _endings: list[_Ending] = field(factory=list[_Ending], init=False)

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
            for ending in self._endings:
                ending.begin()

    @contextmanager
    def ended_by(self, end: Callable[[], None]) -> Generator[None]:
        """While inside, `end` ends the statement that runs for this deadline.

        It is called in a thread of its own, and again until this is left: a statement that has not begun yet, since its
        engine still starts, is not ended by the first call.
        """
        ending = _Ending(end)
        with self._lock:
            self._endings.append(ending)
        try:
            yield
        finally:
            with self._lock:
                self._endings.remove(ending)
            # waited for: the statement of another request must not be ended in its place
            ending.over()


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
