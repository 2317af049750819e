"""Several processes of one embedded engine, so that a slow statement holds up nobody else, and can be ended alone."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager, nullcontext

from attrs import define, field

from uniqgen_ir.backends.base import Engine, Interruptible, RenderedQuery
from uniqgen_ir.backends.engines.closing import Closing
from uniqgen_ir.backends.engines.faults import timed_out
from uniqgen_ir.ir.protocols import Answers
from uniqgen_ir.service.deadline import Deadline, current_deadline


@define(eq=False)
class PooledEngine(Closing):
    """Up to `most` engines that `start` makes, one statement on each at a time. An `Engine`.

    Where the deadline of the current request is cancelled, its statement is ended, and one that waits does not begin.
    """

    start: Callable[[], Engine]
    most: int
    _idle: list[Engine] = field(factory=list[Engine], init=False)
    _made: int = field(default=0, init=False)
    _free: threading.Condition = field(factory=threading.Condition, init=False)
    _first: Engine = field(init=False)
    _closed: bool = field(default=False, init=False)

    def __attrs_post_init__(self) -> None:
        self._first = self.start()
        self._idle.append(self._first)
        self._made = 1

    @property
    def name(self) -> str:
        return self._first.name

    @property
    def dialects(self) -> tuple[str, ...]:
        return self._first.dialects

    @property
    def killable(self) -> bool:
        return self._first.killable

    @property
    def thread_safe(self) -> bool:
        return True

    def select(self, query: RenderedQuery, *, timeout: float | None = None, limit: int | None = None) -> Answers:
        """See `Engine.select`; waiting for an engine counts, too."""
        ends = None if timeout is None else time.monotonic() + timeout
        deadline = current_deadline()
        with self._one(timeout, query, deadline) as engine:
            left = None if ends is None else max(0.001, ends - time.monotonic())
            if deadline is None or not isinstance(engine, Interruptible):
                return engine.select(query, timeout=left, limit=limit)
            with deadline.ended_by(engine.interrupt):
                if deadline.cancellation.cancelled:
                    raise timed_out(self.name, timeout, query.text)
                return engine.select(query, timeout=left, limit=limit)

    @contextmanager
    def _one(self, timeout: float | None, query: RenderedQuery, deadline: Deadline | None) -> Generator[Engine]:
        engine = self._taken(timeout, deadline)
        if engine is None:
            raise timed_out(self.name, timeout, query.text)
        try:
            yield engine
        finally:
            with self._free:
                if self._closed:
                    engine.close()
                self._idle.append(engine)
                # all of them: one whose request was cancelled would not pass it on
                self._free.notify_all()

    def _taken(self, timeout: float | None, deadline: Deadline | None) -> Engine | None:
        """An engine that is free, or a new one; None where there was none in time, or the request was cancelled."""

        def cancelled() -> bool:
            return deadline is not None and deadline.cancellation.cancelled

        with nullcontext() if deadline is None else deadline.ended_by(self._wake), self._free:
            if not self._idle and self._made < self.most and not cancelled():
                self._made += 1
            elif self._free.wait_for(lambda: self._idle or cancelled(), timeout) and not cancelled():
                return self._idle.pop()
            else:
                return None
        try:
            return self.start()
        except BaseException:
            with self._free:
                self._made -= 1
            raise

    def _wake(self) -> None:
        with self._free:
            self._free.notify_all()

    def close(self) -> None:
        """Close the engines that are idle now; one that works is closed when its statement ends."""
        with self._free:
            self._closed = True
            for engine in self._idle:
                engine.close()
