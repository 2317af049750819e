"""How often one address may send requests: a token bucket for each (Turner 1986), in bounded memory."""

from __future__ import annotations

import math
import time
from collections import OrderedDict
from collections.abc import Callable
from typing import Final

from attrs import define, field
from starlette.types import ASGIApp, Receive, Scope, Send

from uniqgen_ir.ir.diagnostics import Diagnostic
from uniqgen_ir.web.faults import response

MOST_ADDRESSES: Final = 10_000
"""Addresses that are remembered; the one that has been silent longest is forgotten first."""
BURST_SECONDS: Final = 2.0
"""How many seconds' worth of requests an address that was silent may send at once (at least one request)."""
UNCOUNTED: Final = ("/live", "/health", "/metrics")


@define(eq=False)
class Allowance:
    """So many requests a second for each address. Used by one thread, that of the event loop."""

    rate: float
    clock: Callable[[], float] = time.monotonic
    _buckets: OrderedDict[str, tuple[float, float]] = field(factory=OrderedDict[str, tuple[float, float]], init=False)
    """address → requests that it may still send, and when that was so"""

    def wait(self, address: str) -> float:
        """Seconds until the address may send another request; 0 where it may now, which is then counted."""
        now = self.clock()
        most = max(1.0, self.rate * BURST_SECONDS)
        left, then = self._buckets.pop(address, (most, now))
        left = min(most, left + (now - then) * self.rate)
        allowed = left >= 1.0
        self._buckets[address] = (left - 1.0 if allowed else left, now)
        if len(self._buckets) > MOST_ADDRESSES:
            self._buckets.popitem(last=False)
        return 0.0 if allowed else (1.0 - left) / self.rate


class RateLimit:
    """Refuses what comes faster than the allowance with status 429 (UQ707); probes and metrics are not counted."""

    def __init__(self, app: ASGIApp, allowance: Allowance) -> None:
        self._app = app
        self._allowance = allowance

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["path"] in UNCOUNTED:
            await self._app(scope, receive, send)
            return
        client = scope.get("client")
        seconds = self._allowance.wait(client[0] if client else "")
        if seconds == 0.0:
            await self._app(scope, receive, send)
            return
        message = f"more than {self._allowance.rate:g} requests a second come from this address"
        refused = response(429, Diagnostic("UQ707", message, hint="send them further apart"))
        refused.headers["Retry-After"] = str(math.ceil(seconds))
        await refused(scope, receive, send)
