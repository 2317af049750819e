"""Clients that leave, and clients that send their body too slowly, at every address that takes a body."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Generator
from typing import Any

import pytest
from attrs import define, evolve, field
from starlette.applications import Starlette

from uniqgen_ir.service.deadline import current_deadline
from uniqgen_ir.service.graph import ServedGraph
from uniqgen_ir.service.operations import OPERATIONS
from uniqgen_ir.service.service import Service
from uniqgen_ir.service.workbench import Limits, Workbench
from uniqgen_ir.web import playground
from uniqgen_ir.web.app import make_app
from uniqgen_ir.web.openapi import LOOKED_UP, address

SOON = 20.0
BODIES = {address(one): one.example for one in OPERATIONS if one.name not in LOOKED_UP} | {
    "/playground/look": playground.LOOK.example
}


@define(eq=False)
class Stuck:
    """Work that begins, and ends only where it is cancelled."""

    begun: threading.Event = field(factory=threading.Event)
    cancelled: threading.Event = field(factory=threading.Event)

    def __call__(self, _bench: Workbench, _arguments: dict[str, Any]) -> dict[str, Any]:
        deadline = current_deadline()
        assert deadline is not None
        with deadline.ended_by(self.cancelled.set):
            self.begun.set()
            assert self.cancelled.wait(SOON)
        return {}


@pytest.fixture
def stuck(monkeypatch: pytest.MonkeyPatch) -> Stuck:
    work = Stuck()
    monkeypatch.setattr(playground, "LOOK", evolve(playground.LOOK, work=work))
    return work


@pytest.fixture
def service(stuck: Stuck) -> Generator[Service]:
    """A service in which every operation is stuck."""
    with Service(Workbench(ServedGraph([]), Limits(seconds=5 * SOON))) as one:
        one.operations = {name: evolve(each, work=stuck) for name, each in one.operations.items()}
        yield one


async def _exchange(
    app: Starlette, path: str, body: bytes, left: asyncio.Event, *, whole: bool = True
) -> tuple[int, bytes]:
    """Status and body of the reply to a client that leaves when this is set; its own body may lack its end."""
    given = [{"type": "http.request", "body": body, "more_body": not whole}]
    sent: list[dict[str, Any]] = []

    async def receive() -> dict[str, Any]:
        if given:
            return given.pop()
        await left.wait()
        return {"type": "http.disconnect"}

    async def send(message: Any) -> None:
        sent.append(message)

    headers = [(b"host", b"localhost"), (b"content-type", b"application/json")]
    scope = {"type": "http", "method": "POST", "path": path, "headers": headers, "query_string": b"", "app": app}
    await asyncio.wait_for(app(scope, receive, send), 3 * SOON)  # type: ignore[arg-type]
    return sent[0]["status"], b"".join(one.get("body", b"") for one in sent)


@pytest.mark.parametrize("path", BODIES)
def test_work_ends_where_its_client_leaves(path: str, service: Service, stuck: Stuck) -> None:
    app = make_app(service, pages=playground.playground_routes(service))

    async def main() -> tuple[int, bytes]:
        left = asyncio.Event()
        replied = asyncio.create_task(_exchange(app, path, json.dumps(BODIES[path]).encode(), left))
        assert await asyncio.to_thread(stuck.begun.wait, SOON)
        left.set()
        return await replied

    assert asyncio.run(main()) == (499, b"")
    assert stuck.cancelled.is_set()
    assert 'code="cancelled"} 1' in service.metrics_text()


@pytest.mark.parametrize("path", BODIES)
def test_a_client_that_leaves_while_it_sends_is_no_fault(path: str, service: Service) -> None:
    app = make_app(service, pages=playground.playground_routes(service))

    async def main() -> tuple[int, bytes]:
        left = asyncio.Event()
        left.set()
        return await _exchange(app, path, b'{"query', left, whole=False)

    assert asyncio.run(main()) == (499, b"")
    assert "uniqgen_requests_total{" not in service.metrics_text()


@pytest.mark.parametrize("path", BODIES)
def test_a_body_has_to_come_in_time(path: str) -> None:
    with Service(Workbench(ServedGraph([]), Limits(seconds=0.2))) as hasty:
        app = make_app(hasty, pages=playground.playground_routes(hasty))
        status, body = asyncio.run(_slowly(app, path))
    assert (status, json.loads(body)["error"]["code"]) == (408, "UQ704")


async def _slowly(app: Starlette, path: str) -> tuple[int, bytes]:
    return await _exchange(app, path, b'{"query', asyncio.Event(), whole=False)
