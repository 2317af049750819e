"""Standard input that ends when the client leaves, and when the process is told to stop."""

from __future__ import annotations

import os
import select
import signal
import threading
from collections.abc import Generator
from contextlib import contextmanager
from types import FrameType
from typing import Final

_STDIN: Final = 0
_AT_ONCE: Final = 1 << 16
"""Bytes that are passed on together."""


@contextmanager
def ended_by_signals() -> Generator[None]:
    """While inside, SIGINT and SIGTERM end standard input, as if the client had left; a second one acts as before.

    The server reads in a thread, which nothing can wake. So what comes in is passed on through a pipe, and closing that
    is in our hands.
    """
    outside = os.dup(_STDIN)
    inside, feed = os.pipe()
    os.dup2(inside, _STDIN)
    os.close(inside)
    stopped, stop = os.pipe()

    def told(number: int, frame: FrameType | None) -> None:
        del frame
        signal.signal(number, before[number])
        os.write(stop, b".")

    before = {int(one): signal.getsignal(one) for one in (signal.SIGINT, signal.SIGTERM)}
    for one in before:
        signal.signal(one, told)
    thread = threading.Thread(target=_pass_on, args=(outside, feed, stopped), name="uniqgen-stdin", daemon=True)
    thread.start()
    try:
        yield
    finally:
        for one, handler in before.items():
            signal.signal(one, handler)
        os.write(stop, b".")
        thread.join()
        os.dup2(outside, _STDIN)
        for each in (outside, stopped, stop):
            os.close(each)


def _pass_on(outside: int, feed: int, stopped: int) -> None:
    """Copy from `outside` to `feed`, which is closed at the end, and where there is something in `stopped`."""
    os.set_blocking(feed, False)
    data = b""
    try:
        while True:
            poll = select.poll()
            poll.register(stopped, select.POLLIN)
            if data:
                poll.register(feed, select.POLLOUT)
            else:
                poll.register(outside, select.POLLIN)
            if any(one == stopped for one, _ in poll.poll()):
                return
            if data:
                data = data[os.write(feed, data) :]
            elif not (data := os.read(outside, _AT_ONCE)):
                return
    except OSError:
        # the server reads no more, or the terminal has gone: both are the end
        return
    finally:
        os.close(feed)
