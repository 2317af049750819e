"""How often one address may send requests."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import Any

import httpx
import pytest
from attrs import define
from hypothesis import given
from hypothesis import strategies as st
from starlette.applications import Starlette
from starlette.responses import PlainTextResponse
from starlette.routing import Route

from uniqgen_ir.web.rates import MOST_ADDRESSES, Allowance, RateLimit


@define
class Clock:
    now: float = 0.0

    def __call__(self) -> float:
        return self.now


def test_a_burst_then_one_at_a_time() -> None:
    clock = Clock()
    allowance = Allowance(5.0, clock)
    assert [allowance.wait("a") for _ in range(10)] == [0.0] * 10
    assert allowance.wait("a") == pytest.approx(0.2)
    assert allowance.wait("b") == 0.0
    clock.now += 0.2
    assert allowance.wait("a") == 0.0
    assert allowance.wait("a") > 0.0


def test_a_rate_below_one_still_lets_one_through() -> None:
    clock = Clock()
    allowance = Allowance(0.1, clock)
    assert allowance.wait("a") == 0.0
    assert allowance.wait("a") == pytest.approx(10.0)
    clock.now += 10.0
    assert allowance.wait("a") == 0.0


@given(st.floats(0.1, 50.0), st.lists(st.floats(0.0, 3.0), max_size=60))
def test_never_more_than_the_rate_and_a_burst(rate: float, pauses: list[float]) -> None:
    clock = Clock()
    allowance = Allowance(rate, clock)
    passed = 0
    for pause in pauses:
        clock.now += pause
        wait = allowance.wait("a")
        passed += wait == 0.0
        assert passed <= rate * clock.now + max(1.0, 2.0 * rate) + 1e-6
        if wait:
            # whoever waits as long as it is told is let in
            clock.now += wait + 1e-9
            assert allowance.wait("a") == 0.0
            passed += 1


def test_memory_is_bounded_and_the_busy_are_remembered() -> None:
    allowance = Allowance(1.0, Clock())
    assert [allowance.wait("busy") for _ in range(3)][-1] > 0.0
    for number in range(2 * MOST_ADDRESSES):
        allowance.wait(f"address {number}")
        if number % 1000 == 0:
            assert allowance.wait("busy") > 0.0
    assert len(allowance._buckets) == MOST_ADDRESSES


def test_refusals_have_a_code_and_probes_pass() -> None:
    async def answer(_request: Any) -> PlainTextResponse:
        return PlainTextResponse("yes")

    routes = [Route(path, answer) for path in ("/v1/schema", "/health", "/live", "/metrics")]
    app = RateLimit(Starlette(routes=routes), Allowance(1.0, Clock()))

    async def main() -> Iterator[httpx.Response]:
        transport = httpx.ASGITransport(app=app)
        async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as client:
            paths = ["/v1/schema"] * 3 + ["/health", "/live", "/metrics"] * 2
            return iter([await client.get(path) for path in paths])

    replies = list(asyncio.run(main()))
    assert [one.status_code for one in replies] == [200, 200, 429, *[200] * 6]
    assert replies[2].json()["error"]["code"] == "UQ707"
    assert int(replies[2].headers["Retry-After"]) >= 1
