"""Budget and meter: how many statements and milliseconds a search may spend, and what it spent."""

from __future__ import annotations

import time

from attrs import define, field, frozen

from uniqgen_ir.ir.protocols import Answers, Store
from uniqgen_ir.ir.table import Table


@frozen
class Budget:
    """Limits of one search. None: no limit.

    `rows` caps what one fetch may bring, `test_ms` how long one statement may run, `answers` how many answers the
    relaxed table may have before the search stops comparing.
    """

    calls: int | None = None
    ms: float | None = None
    rows: int = 50_000
    test_ms: float = 10_000.0
    answers: int = 200_000

    def __attrs_post_init__(self) -> None:
        for name in ("calls", "ms", "rows", "test_ms", "answers"):
            value = getattr(self, name)
            if value is not None and value <= 0:
                raise ValueError(f"budget {name}={value} is not positive")


class BudgetExhausted(Exception):
    """The budget allows no further statement."""


@define
class Cancellation:
    """Lets somebody outside end a search: it then returns the best set so far, marked `stopped`.

    May be set from another thread or a signal handler. `asking` says that a statement is under way: a signal handler
    then raises KeyboardInterrupt to end the wait, which the search takes for the cancellation that it is.
    """

    cancelled: bool = False
    asking: bool = False


@define
class Meter:
    """A store with a budget: refuses to send what the budget does not allow, and counts what was sent."""

    store: Store
    budget: Budget
    cancellation: Cancellation = field(factory=Cancellation)
    _calls_before: int = field(init=False)
    _started: float = field(init=False, factory=time.monotonic)

    def __attrs_post_init__(self) -> None:
        self._calls_before = self.store.statistics.calls

    @property
    def calls(self) -> int:
        """Statements sent since the search began."""
        return self.store.statistics.calls - self._calls_before

    @property
    def ms(self) -> float:
        """Milliseconds since the search began."""
        return (time.monotonic() - self._started) * 1000.0

    def allows(self) -> bool:
        """Whether one more statement is within the budget."""
        return self.has_time() and (self.budget.calls is None or self.calls < self.budget.calls)

    def has_time(self, share: float = 1.0) -> bool:
        """Whether a search in memory may go on: less than this share of the milliseconds is spent."""
        return not self.cancellation.cancelled and (self.budget.ms is None or self.ms < share * self.budget.ms)

    def left(self, share: float = 1.0) -> float:
        """Milliseconds until this share of the budget is spent, not below 0; infinite without a limit."""
        return float("inf") if self.budget.ms is None else max(0.0, share * self.budget.ms - self.ms)

    def select(self, table: Table, *, limit: int | None = None, most_ms: float | None = None) -> Answers:
        """The table's answers, within `most_ms` or the budget's `test_ms`.

        Raises BudgetExhausted before sending or where the search is cancelled meanwhile, and what the store raises.
        """
        if not self.allows():
            raise BudgetExhausted
        timeout_ms = self.budget.test_ms if most_ms is None else min(most_ms, self.budget.test_ms)
        if self.budget.ms is not None:
            timeout_ms = min(timeout_ms, self.budget.ms - self.ms)
        self.cancellation.asking = True
        try:
            return self.store.select(table, limit=limit, timeout=max(timeout_ms, 1.0) / 1000.0)
        except KeyboardInterrupt as error:
            if not self.cancellation.cancelled:
                raise
            raise BudgetExhausted from error
        finally:
            self.cancellation.asking = False
