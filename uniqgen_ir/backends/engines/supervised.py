"""A worker process that is always there: killed at a timeout, and another one started for the next question."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Any

from uniqgen_ir.backends.engines.faults import timed_out, unavailable
from uniqgen_ir.backends.engines.worker import Worker, WorkerDied, WorkerTimeout


class SupervisedWorker:
    """The process behind an engine. Thread-safe: calls of several threads wait for each other."""

    def __init__(self, engine: str, start: Callable[[], Worker]) -> None:
        self._engine = engine
        self._start = start
        self._lock = threading.Lock()
        self._worker: Worker | None = start()
        self._closed = False

    @property
    def process_id(self) -> int | None:
        """The worker process, None where none runs."""
        return None if self._worker is None else self._worker.process_id

    def ask(self, message: tuple[Any, ...], text: str, timeout: float | None) -> tuple[Any, ...]:
        """The reply to a message about the query `text`. Raises StoreTimeout, StoreUnavailable."""
        start = time.monotonic()
        if not self._lock.acquire(timeout=-1 if timeout is None else timeout):
            raise timed_out(self._engine, timeout, text)
        try:
            if self._closed:
                raise unavailable(self._engine, "it is closed", text)
            if self._worker is None or not self._worker.alive:
                self._worker = self._start()
            left = None if timeout is None else max(0.0, timeout - (time.monotonic() - start))
            return self._worker.ask(message, left)
        except WorkerTimeout as error:
            # start the next process now: it is ready when the next question comes
            self._worker = self._start()
            raise timed_out(self._engine, timeout, text) from error
        except WorkerDied as error:
            self._worker = None
            raise unavailable(self._engine, str(error), text) from error
        finally:
            self._lock.release()

    def interrupt(self) -> None:
        """End the question that runs now, from any thread: its process is killed; the next question starts another."""
        worker = self._worker
        if worker is not None:
            worker.kill()

    def close(self) -> None:
        """End the process. A second call does nothing."""
        self._closed = True
        if self._worker is not None:
            self._worker.end()
            self._worker = None
