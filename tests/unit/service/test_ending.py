"""Requests that are cancelled, and services that are stopped, while a server or something of ours is at work."""

from __future__ import annotations

import asyncio
import socket
import threading
from collections.abc import Generator
from contextlib import contextmanager
from typing import Any

import pytest
from attrs import evolve

from tests.servers.misbehaving import Received, serving
from uniqgen_ir.ir.diagnostics import DiagnosticError
from uniqgen_ir.service.graph import ServedGraph
from uniqgen_ir.service.operations import ASK, RUN
from uniqgen_ir.service.service import Service
from uniqgen_ir.service.workbench import Limits, Workbench

LONG = 100.0
SOON = 20.0


@contextmanager
def over_a_silent_server(begun: threading.Event, closed: threading.Event) -> Generator[Service]:
    """A service on an endpoint that never answers, and tells when its connection is closed."""

    def silent(connection: socket.socket, received: Received, number: int) -> None:
        del received, number
        connection.settimeout(LONG)
        begun.set()
        if connection.recv(1) == b"":
            closed.set()

    with (
        serving(silent) as server,
        ServedGraph([f"sparql+{server.url}"]) as graph,
        Service(Workbench(graph, Limits(seconds=LONG))) as service,
    ):
        yield service


@pytest.mark.parametrize("how", ["cancelled", "stopped", "too late"])
def test_the_connection_to_a_server_is_closed_with_its_request(how: str) -> None:
    begun, closed = threading.Event(), threading.Event()

    async def main(service: Service) -> BaseException:
        seconds = {"seconds": 1.0} if how == "too late" else {}
        asked = asyncio.create_task(service.perform(RUN, {**RUN.example, **seconds}))
        assert await asyncio.to_thread(begun.wait, SOON)
        if how == "cancelled":
            asked.cancel()
        elif how == "stopped":
            await asyncio.to_thread(service.stop)
        (ended,) = await asyncio.wait_for(asyncio.gather(asked, return_exceptions=True), SOON)
        assert await asyncio.to_thread(closed.wait, SOON)
        assert isinstance(ended, BaseException)
        return ended

    with over_a_silent_server(begun, closed) as service:
        ended = asyncio.run(main(service))
    if how == "cancelled":
        assert isinstance(ended, asyncio.CancelledError)
    else:
        assert isinstance(ended, DiagnosticError)
        assert ended.diagnostics[0].code in {"stopped": ("UQ703",), "too late": ("UQ704", "UQ601")}[how]


@pytest.fixture
def bench() -> Workbench:
    return Workbench(ServedGraph([]), Limits(seconds=LONG, concurrent=1, waiting=1))


def test_who_waits_is_told_at_once_that_the_service_stops_whatever_the_work_does(bench: Workbench) -> None:
    released = threading.Event()
    begun = threading.Event()

    def deaf(_bench: Workbench, _arguments: dict[str, Any]) -> dict[str, Any]:
        begun.set()
        return {"released": released.wait(LONG)}

    async def main(service: Service) -> list[str]:
        stuck = evolve(ASK, work=deaf)
        asked = [asyncio.create_task(service.perform(stuck, ASK.example)) for _ in range(2)]
        assert await asyncio.to_thread(begun.wait, SOON)
        await asyncio.to_thread(service.stop)
        told = await asyncio.wait_for(asyncio.gather(*asked, return_exceptions=True), SOON)
        return [one.diagnostics[0].code for one in told if isinstance(one, DiagnosticError)]

    with Service(bench) as service:
        assert asyncio.run(main(service)) == ["UQ703"] * 2
        released.set()


def test_a_request_that_is_cancelled_before_its_turn_leaves_its_place(bench: Workbench) -> None:
    released, begun = threading.Event(), threading.Event()

    def held(_bench: Workbench, _arguments: dict[str, Any]) -> dict[str, Any]:
        begun.set()
        return {"released": released.wait(SOON)}

    async def main(service: Service) -> list[dict[str, Any]]:
        operation = evolve(ASK, work=held)
        first = asyncio.create_task(service.perform(operation, ASK.example))
        assert await asyncio.to_thread(begun.wait, SOON)
        queued = asyncio.create_task(service.perform(operation, ASK.example))
        while "uniqgen_requests_waiting 1" not in service.metrics_text():
            await asyncio.sleep(0.01)
        queued.cancel()
        await asyncio.wait((queued,))
        next_one = asyncio.create_task(service.perform(operation, ASK.example))
        while "uniqgen_requests_waiting 1" not in service.metrics_text():
            assert not next_one.done(), "there was no place for it"
            await asyncio.sleep(0.01)
        released.set()
        return [await first, await next_one]

    with Service(bench) as service:
        assert asyncio.run(main(service)) == [{"released": True}] * 2
