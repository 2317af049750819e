"""Meters of a question and of a batch: what was spent on the model, and what is left."""

from __future__ import annotations

import threading
import time

from attrs import define, field

from uniqgen_ir.agents.llm.allowance import Allowance
from uniqgen_ir.agents.llm.errors import ModelUnavailable, model_error
from uniqgen_ir.agents.llm.messages import Usage
from uniqgen_ir.agents.llm.settings import ModelBudget


@define(eq=False)
class ModelMeter:
    """Counts HTTP requests, tokens and seconds; safe to use from several threads.

    With `over`, everything is taken from that meter, too: a batch bounds its questions together.
    """

    budget: ModelBudget
    whose: str = "question"
    over: ModelMeter | None = None
    allowance: Allowance = field(factory=Allowance)
    """the time of the request that the question came with"""
    calls: int = 0
    usage: Usage = field(factory=Usage)
    _reserved: int = 0
    """tokens that requests under way may come to"""
    _started: float | None = None
    _lock: threading.Lock = field(factory=threading.Lock, init=False, repr=False)

    def reserve(self, tokens: int) -> None:
        """Take one request and its likely tokens from the budget. Raises ModelUnavailable (UQ692) before it is sent."""
        with self._lock:
            if self._started is None:
                self._started = time.monotonic()
            if self.calls >= self.budget.calls:
                raise self._spent(f"all {self.budget.calls} calls of the {self.whose}'s budget are spent")
            if self.usage.total + self._reserved + tokens > self.budget.tokens:
                spent = f"{self.budget.tokens}, of which {self.usage.total + self._reserved} are spent"
                raise self._spent(
                    f"a request of about {tokens} tokens does not fit in the {self.whose}'s budget of {spent}"
                )
            if self._left() <= 0:
                raise self._spent(f"the {self.budget.seconds:g} seconds of the {self.whose}'s budget are over")
            if self.allowance.seconds_left() <= 0:
                message = "the time that the request has for the model is over"
                raise model_error(ModelUnavailable, "UQ692", message, hint="allow the request more seconds")
            if self.over is not None:
                self.over.reserve(tokens)
            self.calls += 1
            self._reserved += tokens

    def settle(self, tokens: int, usage: Usage) -> None:
        """Replace what `reserve` took by what the request really cost (nothing where it failed)."""
        with self._lock:
            self._reserved -= tokens
            self.usage = self.usage + usage
        if self.over is not None:
            self.over.settle(tokens, usage)

    @property
    def seconds_left(self) -> float:
        """Seconds until the budget ends; may be negative."""
        with self._lock:
            own = min(self._left(), self.allowance.seconds_left())
        return own if self.over is None else min(own, self.over.seconds_left)

    def _left(self) -> float:
        passed = 0.0 if self._started is None else time.monotonic() - self._started
        return self.budget.seconds - passed

    def _spent(self, message: str) -> Exception:
        option = "--model-budget" if self.whose == "question" else "--batch-budget"
        return model_error(ModelUnavailable, "UQ692", message, hint=f"{option} calls=N,tokens=N,seconds=N raises it")
