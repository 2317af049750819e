"""An event loop in a thread: the driver can give up a running query only where it is asynchronous."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Coroutine
from typing import Any, TypeVar

Result = TypeVar("Result")


class LoopThread:
    """Runs coroutines for callers in other threads, many at the same time."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="uniqgen-bolt", daemon=True)
        self._thread.start()

    def run(self, work: Coroutine[Any, Any, Result], seconds: float | None = None) -> Result:
        """The result of a coroutine, which is cancelled after so many seconds, or when the caller is interrupted.

        Raises TimeoutError.
        """
        future = asyncio.run_coroutine_threadsafe(asyncio.wait_for(work, seconds), self._loop)
        try:
            return future.result()
        except BaseException:
            future.cancel()
            raise

    def stop(self) -> None:
        """End the loop and its thread, once."""
        if self._loop.is_closed():
            return
        # names of hosts are looked up in threads of the loop's own
        asyncio.run_coroutine_threadsafe(self._loop.shutdown_default_executor(), self._loop).result()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()
