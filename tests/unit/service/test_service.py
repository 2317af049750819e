"""Arguments, deadlines, admission, counters, and answers where something fails."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Generator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any

import pytest
from attrs import evolve

from tests.servers.scripted_model import Answer, ScriptedModel, scripted_model
from uniqgen_ir.agents.llm.client import Model
from uniqgen_ir.agents.llm.settings import Endpoint, ModelSettings
from uniqgen_ir.ir.diagnostics import DiagnosticError
from uniqgen_ir.ir.protocols import StoreTimeout
from uniqgen_ir.service import answering
from uniqgen_ir.service.deadline import Deadline, current_deadline, working_until
from uniqgen_ir.service.graph import ServedGraph
from uniqgen_ir.service.metrics import Metrics
from uniqgen_ir.service.operations import ASK, OPERATIONS, RUN
from uniqgen_ir.service.service import Service, checked
from uniqgen_ir.service.workbench import Limits, Workbench


@pytest.fixture(scope="module")
def bench() -> Generator[Workbench]:
    with ServedGraph(["almanac"]) as graph:
        yield Workbench(graph)


def code_of(work: Any) -> str:
    with pytest.raises(DiagnosticError) as caught:
        work()
    return caught.value.diagnostics[0].code


@pytest.mark.parametrize(
    "arguments",
    [None, [], {}, {"question": 1}, {"question": "a" * 2001}, {"question": "a", "x": 1}, {"question": "a", "ids": 1}],
)
def test_arguments_must_fit(arguments: object) -> None:
    assert code_of(lambda: checked(arguments, ASK)) == "UQ701"


def test_a_whole_number_may_have_a_fraction_of_zero() -> None:
    query = {"query": "ASK {}", "language": "sparql"}
    found = checked({**query, "rows": 3.0}, RUN)["rows"]
    assert (found, type(found)) == (3, int)
    assert code_of(lambda: checked({**query, "rows": 3.5}, RUN)) == "UQ701"


@pytest.mark.parametrize("operation", OPERATIONS, ids=lambda one: one.name)
def test_examples_fit_their_schemas(operation: Any) -> None:
    assert checked(operation.example, operation) == operation.example


def test_a_store_of_a_request_that_is_over_asks_nothing(bench: Workbench) -> None:
    deadline = Deadline.after(60.0)
    with working_until(deadline):
        assert current_deadline() is deadline
        store = bench.graph.engine_store("oxigraph")
        deadline.cancel()
        with pytest.raises(StoreTimeout):
            store.select(_table())
        assert store.statistics.calls == 0
    assert current_deadline() is None


def test_statements_are_counted_for_each_request_alone(bench: Workbench) -> None:
    first, second = (bench.graph.engine_store("oxigraph") for _ in range(2))
    first.select(_table())
    assert (first.statistics.calls, second.statistics.calls) == (1, 0)


def _table() -> Any:
    from uniqgen_ir.driver import read

    return read("ASK { ?s ?p ?o }", "sparql").table


def test_no_more_is_admitted_than_the_limits_allow(bench: Workbench) -> None:
    released = threading.Event()
    waits = evolve(ASK, work=lambda _bench, _arguments: {"released": released.wait(100.0)})
    limited = Workbench(bench.graph, Limits(seconds=100.0, concurrent=1, waiting=1))

    async def main(service: Service) -> list[Any]:
        both = [asyncio.create_task(service.perform(waits, ASK.example)) for _ in range(2)]
        wanted = {"uniqgen_requests_running 1", "uniqgen_requests_waiting 1"}
        async with asyncio.timeout(20.0):
            while not wanted <= set(service.metrics_text().splitlines()):
                await asyncio.sleep(0.01)
        with pytest.raises(DiagnosticError) as caught:
            await service.perform(waits, ASK.example)
        assert caught.value.diagnostics[0].code == "UQ703"
        released.set()
        return await asyncio.gather(*both)

    with Service(limited) as service:
        assert asyncio.run(main(service)) == [{"released": True}] * 2


def test_nobody_waits_longer_than_the_seconds_of_a_request(bench: Workbench) -> None:
    released = threading.Event()
    stuck = evolve(ASK, work=lambda _bench, _arguments: {"released": released.wait(100.0)})

    async def main(service: Service) -> str:
        with pytest.raises(DiagnosticError) as caught:
            await service.perform(stuck, {**ASK.example, "seconds": 0.2})
        return caught.value.diagnostics[0].code

    started = time.monotonic()
    with Service(bench) as service:
        assert asyncio.run(main(service)) == "UQ704"
        assert time.monotonic() - started < 50.0
        released.set()


def test_a_model_that_cannot_be_reached_is_replaced_and_named(bench: Workbench) -> None:
    from uniqgen_ir.agents.extraction.propose import ModelProposer

    nowhere = Endpoint("http://127.0.0.1:9/v1", "no key")
    with Model(ModelSettings(model="none", cache=None), nowhere) as model:
        with_model = Workbench(bench.graph, Limits(), lambda offline: ModelProposer(bench.graph, offline, model))
        found = ASK.work(with_model, ASK.example)
    assert set(found["answers"]) == {"calcium gluconate", "calcium chloride"}
    assert found["partial"] is True
    assert found["diagnostics"][0]["code"] == "UQ690"


def test_a_model_that_says_nothing_is_given_up_in_time_and_replaced(
    bench: Workbench, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(answering, "MODEL_SHARE", 0.02)
    with scripted_model([Answer("{}", wait=LONG)]) as server, _asking(bench, server.url, seconds=LONG) as service:
        found = asyncio.run(service.perform(ASK, ASK.example))
    assert set(found["answers"]) == {"calcium gluconate", "calcium chloride"}
    assert found["partial"] is True
    assert found["diagnostics"][0]["code"] == "UQ690"


def test_calls_of_a_model_end_with_the_request(bench: Workbench) -> None:
    async def main(service: Service, server: ScriptedModel) -> None:
        asked = asyncio.create_task(service.perform(ASK, ASK.example))
        async with asyncio.timeout(20.0):
            while not server.requests:
                await asyncio.sleep(0.01)
            asked.cancel()
            await asyncio.wait((asked,))
            # the place of the request is free again, long before the model would have answered
            while "uniqgen_requests_running 0" not in service.metrics_text():
                await asyncio.sleep(0.01)

    with scripted_model([Answer("{}", wait=LONG)]) as server, _asking(bench, server.url, seconds=LONG) as service:
        asyncio.run(main(service, server))
    assert len(server.requests) == 1


LONG = 100.0


@contextmanager
def _asking(bench: Workbench, address: str, seconds: float) -> Generator[Service]:
    """A service whose questions are read by the model of this server."""
    from uniqgen_ir.agents.extraction.propose import ModelProposer

    with Model(ModelSettings(model="scripted", cache=None), Endpoint(address, "no key")) as model:
        limits = Limits(seconds=seconds)
        with_model = Workbench(bench.graph, limits, lambda offline: ModelProposer(bench.graph, offline, model))
        with_model.asker()
        with Service(with_model) as service:
            yield service


def test_metrics_are_cumulative() -> None:
    metrics = Metrics()
    metrics.ended("ask", "ok", 0.02)
    metrics.ended("ask", "UQ704", 40.0)
    text = metrics.text(0, 0)
    assert 'uniqgen_requests_total{operation="ask",code="UQ704"} 1' in text
    assert 'uniqgen_request_seconds_bucket{operation="ask",le="0.05"} 1' in text
    assert 'uniqgen_request_seconds_bucket{operation="ask",le="60.0"} 2' in text
    assert 'uniqgen_request_seconds_count{operation="ask"} 2' in text


def test_an_engine_that_is_being_opened_holds_up_no_other(monkeypatch: pytest.MonkeyPatch) -> None:
    opening, opened = threading.Event(), threading.Event()
    usual = ServedGraph._open  # pyright: ignore[reportPrivateUsage]

    def slow(graph: ServedGraph, engine: str) -> Any:
        if engine == "kglite":
            opening.set()
            assert opened.wait(LONG)
        return usual(graph, engine)

    monkeypatch.setattr(ServedGraph, "_open", slow)
    with ServedGraph(["almanac"]) as graph, ThreadPoolExecutor(2) as threads:
        waits = threads.submit(graph.engine_store, "kglite")
        assert opening.wait(LONG)
        other = threads.submit(graph.engine_store, "oxigraph")
        assert other.result(LONG / 2).engine.name == "oxigraph"
        assert not waits.done()
        opened.set()
        assert waits.result(LONG).engine.name == "kglite"
