"""An event loop in a thread: the driver can give up a running query only where it is asynchronous."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Coroutine
from concurrent.futures import CancelledError
from typing import Any, Final, TypeVar

from uniqgen_ir.backends.engines.statements import Statements

Result = TypeVar("Result")
_STOP_SECONDS: Final = 2.0
"""What cancelled work has to close its connections, once the loop is to end."""


class LoopThread:
    """Runs coroutines for callers in other threads, many at the same time."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="uniqgen-bolt", daemon=True)
        self._thread.start()
        self._statements = Statements()
        self._lock = threading.Lock()
        self._stopped = False

    def run(self, work: Coroutine[Any, Any, Result], seconds: float | None = None) -> Result:
        """The result of a coroutine, which is cancelled after so many seconds, or when the caller is interrupted.

        Raises TimeoutError, and `concurrent.futures.CancelledError` where `interrupt` or `stop` ended it.
        """
        with self._lock:
            if self._stopped:
                work.close()
                raise CancelledError
            future = asyncio.run_coroutine_threadsafe(asyncio.wait_for(work, seconds), self._loop)
        with self._statements.running(future.cancel):
            try:
                return future.result()
            except BaseException:
                future.cancel()
                raise

    def interrupt(self, thread: int) -> None:
        """Cancel what the thread of this identifier waits for."""
        self._statements.end(thread)

    def cancel(self) -> None:
        """Cancel what runs, so that everybody who waits for it is told."""
        asyncio.run_coroutine_threadsafe(_cancel_others(), self._loop).result()

    def stop(self) -> None:
        """End the loop and its thread, once."""
        with self._lock:
            if self._stopped:
                return
            self._stopped = True
        self.cancel()
        # names of hosts are looked up in threads of the loop's own
        asyncio.run_coroutine_threadsafe(self._loop.shutdown_default_executor(), self._loop).result()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()


async def _cancel_others() -> None:
    others = asyncio.all_tasks() - {asyncio.current_task()}
    for task in others:
        task.cancel()
    if others:
        await asyncio.wait(others, timeout=_STOP_SECONDS)
