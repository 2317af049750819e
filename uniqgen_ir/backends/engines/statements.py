"""What an engine does for each thread now, so that one statement can be ended alone."""

from __future__ import annotations

import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager

from attrs import define, field


@define(eq=False)
class Statements:
    """How the statement of each thread is ended; a thread has one at a time. Safe for threads."""

    _ends: dict[int, Callable[[], object]] = field(factory=dict[int, "Callable[[], object]"], init=False)

    @contextmanager
    def running(self, end: Callable[[], object]) -> Generator[None]:
        """While inside, `end` ends what this thread waits for. It may be called late, and more than once."""
        thread = threading.get_ident()
        self._ends[thread] = end
        try:
            yield
        finally:
            del self._ends[thread]

    def end(self, thread: int) -> None:
        """End what the thread of this identifier waits for; nothing where it waits for nothing."""
        end = self._ends.get(thread)
        if end is not None:
            end()
