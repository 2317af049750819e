"""Many questions at once against one server engine, and the engine dies half-way."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Generator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.servers import oxigraph
from tests.servers.uniqgen import Served, serving
from uniqgen_ir.kg.load import BUNDLED_GRAPHS

SECONDS = 240.0
"""Seconds of a request: half of the questions must be answered before the store dies, on a busy machine, too."""
SLACK = 30.0
"""Seconds on a busy machine between the service's answer and this process reading it."""
AT_ONCE = 200
QUESTIONS = (
    "Which drugs treat tetany?",
    "Where were the Olympic Games of 1936 held?",
    "Which cities hosted the Olympic Games?",
    "Which country contains Berlin?",
    "Who is the king of the moon?",
)
Reply = tuple[int, dict[str, Any], float]


async def _ask(client: httpx.AsyncClient, question: str) -> Reply:
    started = time.monotonic()
    reply = await client.post("/v1/ask", json={"question": question, "languages": ["sparql"]})
    return reply.status_code, reply.json(), time.monotonic() - started


async def _ask_all(
    service: Served, many: int, half_way: Any = None, seconds: float = SECONDS
) -> list[tuple[str, Reply]]:
    """The replies to so many questions at once; `half_way` is done once half of them are there."""
    limits = httpx.Limits(max_connections=many)
    async with httpx.AsyncClient(
        base_url=service.url, limits=limits, timeout=seconds + SLACK, trust_env=False
    ) as client:
        asked = [QUESTIONS[place % len(QUESTIONS)] for place in range(many)]
        tasks = [asyncio.create_task(_ask(client, question)) for question in asked]
        if half_way is not None:
            while sum(task.done() for task in tasks) < many // 2:
                await asyncio.sleep(0.01)
            await asyncio.to_thread(half_way)
        return list(zip(asked, await asyncio.gather(*tasks), strict=True))


@pytest.fixture
def store(tmp_path: Path) -> Generator[tuple[str, ExitStack]]:
    """A SPARQL server over the bundled graph, and what ends it."""
    if (reason := oxigraph.missing()) is not None:
        pytest.skip(reason)
    files = sorted(BUNDLED_GRAPHS["almanac"].glob("*.ttl"))
    whole = tmp_path / "almanac.ttl"
    whole.write_text("\n".join(one.read_text(encoding="utf-8") for one in files), encoding="utf-8")
    with ExitStack() as server:
        yield server.enter_context(oxigraph.served(whole, tmp_path)), server


def test_the_store_dies_under_200_questions(store: tuple[str, ExitStack], tmp_path: Path) -> None:
    address, server = store
    options = ("--api", "--graph", "almanac", "--store", f"sparql+{address}", "--seconds", str(SECONDS))
    with serving(tmp_path, *options) as service:
        alone = dict(asyncio.run(_ask_all(service, len(QUESTIONS))))
        assert [status for status, _, _ in alone.values()] == [200] * len(QUESTIONS)
        assert sum(bool(found["answers"]) for _, found, _ in alone.values()) >= 3
        asyncio.run(_ask_all(service, 20))
        before = service.memory()
        replies = asyncio.run(_ask_all(service, AT_ONCE, server.close))
        after = service.memory()
        afterwards = asyncio.run(_ask_all(service, len(QUESTIONS)))
    assert len(replies) == AT_ONCE
    complete = [_judged(question, reply, alone[question]) for question, reply in replies]
    assert sum(complete) >= AT_ONCE // 2
    assert not all(complete), "the store died too late to matter"
    for question, reply in afterwards:
        _judged(question, reply, alone[question])
    assert after - before < 40.0, f"{before:.0f} MB before, {after:.0f} MB after"


PATIENT = 300.0
"""Seconds of a request where memory is looked at, and not time."""


@pytest.mark.slow  # 600 questions
def test_memory_is_flat_over_rounds_of_200_questions(store: tuple[str, ExitStack], tmp_path: Path) -> None:
    address, server = store
    options = ("--api", "--graph", "almanac", "--store", f"sparql+{address}", "--seconds", str(PATIENT))
    with serving(tmp_path, *options) as service:
        asyncio.run(_ask_all(service, 40, seconds=PATIENT))
        megabytes = [service.memory()]
        for half_way in (None, None, server.close):
            replies = asyncio.run(_ask_all(service, AT_ONCE, half_way, PATIENT))
            assert {status for _, (status, _, _) in replies} <= {200, 503}
            megabytes.append(service.memory())
    print("megabytes before and after each round:", ", ".join(f"{one:.1f}" for one in megabytes))
    assert megabytes[-1] - megabytes[1] < 10.0, megabytes


def _judged(question: str, reply: Reply, alone: Reply) -> bool:
    """Whether it is the answer that the question has alone; otherwise it must say with a code what failed."""
    status, found, seconds = reply
    assert seconds < SECONDS + SLACK
    if status != 200:
        assert status in (503, 504)
        assert found["error"]["code"].startswith("UQ")
        return False
    assert found["question"] == question
    assert found["queries"].keys() <= {"sparql"}
    if found["partial"]:
        assert any(one["code"] in {"UQ602", "UQ641", "UQ642", "UQ601"} for one in found["diagnostics"])
        return False
    assert found["answers"] == alone[1]["answers"]
    assert found["table"] == alone[1]["table"]
    assert found["calls"] == alone[1]["calls"], "statements of another question were counted"
    return True
