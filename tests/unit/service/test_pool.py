"""Statements of cancelled requests end on every embedded engine, and nobody else's does."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Generator
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path

import pytest
from attrs import define, evolve

from uniqgen_ir.backends.base import Engine, RenderedQuery
from uniqgen_ir.backends.engines.oxigraph import OxigraphEngine
from uniqgen_ir.backends.engines.worker import Worker
from uniqgen_ir.driver import read
from uniqgen_ir.ir.protocols import StoreError, StoreTimeout
from uniqgen_ir.service.deadline import Deadline, working_until
from uniqgen_ir.service.graph import ServedGraph
from uniqgen_ir.service.pool import PooledEngine

ENGINES = ("oxigraph", "ladybug", "kglite")
LONG = 50.0
SOON = 25.0
"""Seconds within which a cancelled statement must have ended on a busy machine; without it, it has LONG."""
QUICK = "SELECT ?drug { ?drug <http://almanac.example/medicine/treats> ?what } LIMIT 1"
SPARQL = "SELECT (COUNT(*) AS ?n) WHERE { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i }"


@pytest.fixture(scope="module")
def graph() -> Generator[ServedGraph]:
    with ServedGraph(["almanac"]) as one:
        yield one


def slow(graph: ServedGraph, engine: str) -> RenderedQuery:
    """A statement that would run for hours, as the engine takes it."""
    quick = quick_one(graph, engine)
    text = SPARQL if engine == "oxigraph" else "MATCH (a), (b), (c), (d) WHERE a <> b RETURN count(*) AS n"
    return evolve(
        quick,
        text=text,
        params={},
        columns=("n",),
        column_kinds=("plain",),
        form=read(SPARQL, "sparql").table.shell.form,
    )


def quick_one(graph: ServedGraph, engine: str) -> RenderedQuery:
    return graph.engine_store(engine).render(read(QUICK, "sparql").table)


def started(processor_time: Callable[[], float]) -> None:
    """Wait until the statement really runs: it is what takes processor time now."""
    before, end = processor_time(), time.monotonic() + LONG
    while processor_time() - before < 0.2:
        assert time.monotonic() < end, "the statement never began"
        time.sleep(0.02)


def processor_time_of(engine: Engine) -> Callable[[], float]:
    """Seconds of processor time of the process that runs the engine's statements."""
    number = getattr(engine, "process_id", None)
    if number is None:
        return time.process_time

    def of_process() -> float:
        fields = Path(f"/proc/{number}/stat").read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / 100.0

    return of_process


@pytest.mark.parametrize("name", ENGINES)
def test_cancelling_ends_the_statement_and_the_next_one_is_answered(graph: ServedGraph, name: str) -> None:
    engines: list[Engine] = []

    def start() -> Engine:
        engines.append(graph._open(name).engine)  # pyright: ignore[reportPrivateUsage]
        return engines[-1]

    statement = slow(graph, name)
    with PooledEngine(start, 1) as pool, ThreadPoolExecutor(2) as threads:
        running = Deadline.after(LONG)
        future = threads.submit(_select, pool, statement, running)
        started(processor_time_of(engines[0]))
        waiting = Deadline.after(LONG)
        queued = threads.submit(_select, pool, statement, waiting)
        waiting.cancel()
        assert isinstance(queued.exception(SOON), StoreTimeout)
        assert not future.done(), "the statement of another request was ended"
        running.cancel()
        assert isinstance(future.exception(SOON), StoreError)
        assert len(pool.select(quick_one(graph, name), timeout=LONG).rows) == 1
        assert len(engines) == 1


def test_a_statement_is_ended_that_was_cancelled_while_its_engine_started(graph: ServedGraph) -> None:
    """The engine's process was killed before, and the cancellation comes while the next one starts."""
    starting = threading.Event()
    opened = graph._open("oxigraph").engine  # pyright: ignore[reportPrivateUsage]
    assert isinstance(opened, OxigraphEngine)
    begin = opened._worker._start  # pyright: ignore[reportPrivateUsage]

    def slowly() -> Worker:
        starting.set()
        time.sleep(1.0)
        return begin()

    opened._worker._start = slowly  # pyright: ignore[reportPrivateUsage]
    with PooledEngine(lambda: opened, 1) as pool, ThreadPoolExecutor(1) as threads:
        opened.interrupt()
        running = Deadline.after(LONG)
        future = threads.submit(_select, pool, slow(graph, "oxigraph"), running)
        assert starting.wait(SOON)
        running.cancel()
        assert isinstance(future.exception(SOON), StoreError)
        assert len(pool.select(quick_one(graph, "oxigraph"), timeout=LONG).rows) == 1


def _select(pool: PooledEngine, query: RenderedQuery, deadline: Deadline) -> object:
    with working_until(deadline):
        return pool.select(query, timeout=LONG)


@define
class _Gate:
    """An engine that answers when it is let, for the order in which requests get their turn."""

    entered: threading.Semaphore
    leave: threading.Semaphore
    name = "gate"
    dialects = ("gate",)
    killable = True
    thread_safe = True
    interrupted: int = 0
    closed: int = 0

    def select(self, query: RenderedQuery, **_: object) -> object:
        self.entered.release()
        assert self.leave.acquire(timeout=LONG)
        return query

    def interrupt(self) -> None:
        self.interrupted += 1
        self.leave.release()

    def close(self) -> None:
        self.closed += 1


def test_a_request_that_gives_up_waiting_passes_its_turn_on() -> None:
    gate = _Gate(threading.Semaphore(0), threading.Semaphore(0))
    pool = PooledEngine(lambda: gate, 1)  # type: ignore[arg-type, return-value]
    query = RenderedQuery("q", {}, (), "gate")
    with ThreadPoolExecutor(3) as threads:
        first = threads.submit(_select, pool, query, Deadline.after(LONG))
        assert gate.entered.acquire(timeout=LONG)
        gives_up = Deadline.after(LONG)
        waiting: list[Future[object]] = [
            threads.submit(_select, pool, query, gives_up),
            threads.submit(_select, pool, query, Deadline.after(LONG)),
        ]
        gives_up.cancel()
        assert isinstance(waiting[0].exception(SOON), StoreTimeout)
        gate.leave.release(2)
        assert first.result(SOON) is waiting[1].result(SOON) is query
        assert gate.interrupted == 0


def test_an_engine_at_work_is_closed_when_its_statement_ends() -> None:
    gate = _Gate(threading.Semaphore(0), threading.Semaphore(0))
    pool = PooledEngine(lambda: gate, 1)  # type: ignore[arg-type, return-value]
    with ThreadPoolExecutor(1) as threads:
        first = threads.submit(_select, pool, RenderedQuery("q", {}, (), "gate"), Deadline.after(LONG))
        assert gate.entered.acquire(timeout=LONG)
        pool.close()
        assert gate.closed == 0
        gate.leave.release()
        first.result(LONG)
    assert gate.closed == 1
