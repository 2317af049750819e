"""Ctrl-C during a search: it ends with the best set so far; a second one ends the program."""

from __future__ import annotations

import signal
import sys
import threading
from collections.abc import Generator
from contextlib import contextmanager
from types import FrameType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from uniqgen_ir.passes.search.budget import Cancellation


@contextmanager
def cancelled_by_interrupt(cancellation: Cancellation) -> Generator[None]:
    """While inside, the first interrupt sets the cancellation. Outside the main thread nothing changes."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def interrupt(_number: int, _frame: FrameType | None) -> None:
        if cancellation.cancelled:
            raise KeyboardInterrupt
        cancellation.cancelled = True
        print("interrupted: ending with the best set so far (once more to give up)", file=sys.stderr)
        if cancellation.asking:  # ends the wait for the store
            raise KeyboardInterrupt

    before = signal.signal(signal.SIGINT, interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
