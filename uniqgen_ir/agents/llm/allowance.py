"""What calls of a model have beside their budget: the time of the request that they serve, and what ends them."""

from __future__ import annotations

import math
from collections.abc import Callable, Generator
from concurrent.futures import Future
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

from attrs import define, field


def _without_end() -> float:
    return math.inf


@define(eq=False)
class Allowance:
    """`seconds_left` is asked before each call and bounds its wait. Safe for threads."""

    seconds_left: Callable[[], float] = _without_end
    _calls: set[Future[Any]] = field(factory=set[Future[Any]], init=False)
    _ended: bool = field(default=False, init=False)

    @contextmanager
    def call(self, future: Future[Any]) -> Generator[None]:
        """While inside, `end` cancels this call."""
        self._calls.add(future)
        if self._ended:
            future.cancel()
        try:
            yield
        finally:
            self._calls.discard(future)

    def end(self) -> None:
        """Cancel the calls that are under way, and those that come; from any thread."""
        self._ended = True
        for one in tuple(self._calls):
            one.cancel()


_CURRENT: ContextVar[Allowance | None] = ContextVar("allowance", default=None)


def current_allowance() -> Allowance:
    """That of the request which this thread works for; one without an end where there is none."""
    return _CURRENT.get() or Allowance()


@contextmanager
def allowed(allowance: Allowance) -> Generator[None]:
    """While inside, questions that begin in this thread have this allowance."""
    token = _CURRENT.set(allowance)
    try:
        yield
    finally:
        _CURRENT.reset(token)
