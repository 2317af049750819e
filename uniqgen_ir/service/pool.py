"""Several processes of one embedded engine, so that a slow statement holds up nobody else, and can be ended alone."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager, suppress
from types import TracebackType
from typing import Self

from attrs import define, field

from uniqgen_ir.backends.base import Engine, RenderedQuery
from uniqgen_ir.backends.engines.faults import timed_out
from uniqgen_ir.ir.protocols import Answers
from uniqgen_ir.service.deadline import current_deadline


@define(eq=False)
class PooledEngine:
    """Up to `most` engines that `start` makes, one statement on each at a time. An `Engine`.

    Where the deadline of the current request is cancelled, the process of its statement is killed; the engine starts a
    new one for the next statement.
    """

    start: Callable[[], Engine]
    most: int
    _idle: list[Engine] = field(factory=list[Engine], init=False)
    _made: int = field(default=0, init=False)
    _free: threading.Condition = field(factory=threading.Condition, init=False)
    _first: Engine = field(init=False)

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
        with self._one(timeout, query) as engine:
            left = None if ends is None else max(0.001, ends - time.monotonic())
            deadline = current_deadline()
            if deadline is None:
                return engine.select(query, timeout=left, limit=limit)
            with deadline.ended_by(lambda: _kill(engine)):
                return engine.select(query, timeout=left, limit=limit)

    @contextmanager
    def _one(self, timeout: float | None, query: RenderedQuery) -> Generator[Engine]:
        engine = self._taken(timeout)
        if engine is None:
            raise timed_out(self.name, timeout, query.text)
        try:
            yield engine
        finally:
            with self._free:
                self._idle.append(engine)
                self._free.notify()

    def _taken(self, timeout: float | None) -> Engine | None:
        with self._free:
            if not self._idle and self._made < self.most:
                self._made += 1
            elif self._free.wait_for(lambda: bool(self._idle), timeout):
                return self._idle.pop()
            else:
                return None
        try:
            return self.start()
        except BaseException:
            with self._free:
                self._made -= 1
            raise

    def close(self) -> None:
        """Close the engines that are idle; one that works is closed with this process."""
        with self._free:
            for engine in self._idle:
                engine.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def _kill(engine: Engine) -> None:
    number = getattr(engine, "process_id", None)
    if isinstance(number, int):
        with suppress(ProcessLookupError):
            os.kill(number, signal.SIGKILL)
