"""Performs operations: checks arguments, admits work, keeps deadlines, counts. What both faces call."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from types import TracebackType
from typing import Any, Final, Self

from uniqgen_ir.agents.llm.json_schema import fault
from uniqgen_ir.ir.diagnostics import Diagnostic, DiagnosticError, fail
from uniqgen_ir.service.deadline import Deadline, working_until
from uniqgen_ir.service.metrics import Metrics
from uniqgen_ir.service.operations import OPERATIONS, Operation
from uniqgen_ir.service.workbench import Workbench

RESERVE: Final = 0.25
"""The share of a request's seconds, at most one second, that its statements do not get: what was found must be said."""


class ServiceError(DiagnosticError):
    """The service, not the query, is the reason: it is busy (UQ703) or the time is up (UQ704)."""


class Service:
    """Operations on one workbench. A context manager; leaving it ends what is under way."""

    def __init__(self, bench: Workbench) -> None:
        self.bench = bench
        self.limits = bench.limits
        self.metrics = Metrics()
        self.operations: Mapping[str, Operation] = {one.name: one for one in OPERATIONS}
        self._pool = ThreadPoolExecutor(bench.limits.concurrent, thread_name_prefix="uniqgen")
        self._lock = threading.Lock()
        self._admitted: set[Deadline] = set()
        self._waiting: set[asyncio.Future[None]] = set()
        """what wakes each caller that waits, where the service is stopped"""
        self._running = 0
        self._stopping = False

    async def perform(self, operation: Operation, arguments: object) -> dict[str, Any]:
        """The result of an operation. A cancelled call ends its work.

        Raises DiagnosticError: UQ701 for arguments that do not fit, UQ703, UQ704, and what the operation raises.
        """
        started = time.monotonic()
        code = "cancelled"
        try:
            result = await self._bounded(operation, checked(arguments, operation))
            code = "ok"
            return result
        except DiagnosticError as error:
            code = error.diagnostics[0].code
            raise
        except Exception:
            code = "UQ900"
            raise
        finally:
            self.metrics.ended(operation.name, code, time.monotonic() - started)

    async def _bounded(self, operation: Operation, arguments: dict[str, Any]) -> dict[str, Any]:
        seconds = min(float(arguments.get("seconds", self.limits.seconds)), self.limits.seconds)
        stopped = asyncio.get_running_loop().create_future()
        deadline = self._admit(seconds, stopped)
        # a thread cannot be killed: it keeps its place until it sees that its time is up, and nobody waits for it
        job = self._pool.submit(self._work, operation, arguments, deadline)
        future = asyncio.wrap_future(job)
        future.add_done_callback(_look_at)
        try:
            await asyncio.wait((future, stopped), timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
        finally:
            with self._lock:
                self._waiting.discard(stopped)
                if job.cancel():  # it has not had its turn
                    self._admitted.discard(deadline)
            if not job.done():
                deadline.cancel()
        if stopped.done() and (not future.done() or deadline.cancellation.cancelled):
            raise _stopped()
        if not future.done():
            raise _too_late(seconds)
        return future.result()

    def _admit(self, seconds: float, stopped: asyncio.Future[None]) -> Deadline:
        deadline = Deadline.after(seconds - min(1.0, seconds * RESERVE))
        with self._lock:
            if self._stopping:
                raise _stopped()
            if len(self._admitted) >= self.limits.concurrent + self.limits.waiting:
                message = f"{len(self._admitted)} requests are being answered or wait, and no more may"
                raise ServiceError((Diagnostic("UQ703", message, hint="send it again in a while"),))
            self._admitted.add(deadline)
            self._waiting.add(stopped)
        return deadline

    def _work(self, operation: Operation, arguments: dict[str, Any], deadline: Deadline) -> dict[str, Any]:
        with self._lock:
            self._running += 1
        try:
            if deadline.left <= 0.0:
                raise _too_late(deadline.seconds)
            end = partial(self.bench.graph.interrupt_thread, threading.get_ident())
            with working_until(deadline), deadline.ended_by(end):
                return operation.work(self.bench, arguments)
        finally:
            with self._lock:
                self._running -= 1
                self._admitted.discard(deadline)

    def metrics_text(self) -> str:
        """The metrics for Prometheus."""
        with self._lock:
            running, admitted = self._running, len(self._admitted)
        return self.metrics.text(running, admitted - running)

    def stop(self) -> None:
        """Admit nothing any more, and end what is under way: whoever waits for it is told so (UQ703)."""
        with self._lock:
            self._stopping = True
            under_way, waiting = tuple(self._admitted), tuple(self._waiting)
        for one in waiting:
            one.get_loop().call_soon_threadsafe(_tell, one)
        for deadline in under_way:
            deadline.cancel()

    def close(self) -> None:
        """Stop; wait for nothing."""
        self.stop()
        self._pool.shutdown(wait=False, cancel_futures=True)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def checked(arguments: object, operation: Operation) -> dict[str, Any]:
    """The arguments, if they fit the operation's schema. Raises DiagnosticError (UQ701)."""
    if isinstance(arguments, dict):
        given: dict[str, Any] = arguments  # pyright: ignore[reportUnknownVariableType]
        arguments = {name: _whole(value, operation.takes["properties"].get(name, {})) for name, value in given.items()}
    wrong = fault(arguments, operation.takes, "request") or _unwritable(arguments)
    if wrong is not None:
        raise fail(
            "UQ701", wrong, hint=f"{operation.name} takes {', '.join(operation.takes['properties']) or 'nothing'}"
        )
    assert isinstance(arguments, dict)
    return dict(arguments)  # pyright: ignore[reportUnknownArgumentType]


def _whole(value: object, schema: Mapping[str, Any]) -> object:
    """A whole number that is written with a fraction of zero, as JSON Schema allows, as the integer that it is."""
    wanted = schema.get("type") == "integer" and isinstance(value, float) and value.is_integer()
    return int(value) if wanted else value  # type: ignore[call-overload]


def _unwritable(value: object) -> str | None:
    """JSON can say half of a character; no query language and no engine can."""
    match value:
        case str():
            try:
                value.encode()
            except UnicodeEncodeError as error:
                return f"the request holds half of a character (a lone surrogate) at place {error.start} of a text"
            return None
        case dict():
            parts: list[object] = [*value, *value.values()]  # pyright: ignore[reportUnknownVariableType, reportUnknownMemberType, reportUnknownArgumentType]
            return next((one for each in parts if (one := _unwritable(each))), None)
        case list():
            items: list[object] = value  # pyright: ignore[reportUnknownVariableType]
            return next((one for each in items if (one := _unwritable(each))), None)
        case _:
            return None


def _too_late(seconds: float) -> ServiceError:
    message = f"the work did not end within {seconds:g} seconds"
    return ServiceError((Diagnostic("UQ704", message, hint="ask for less, or allow more seconds"),))


def _stopped() -> ServiceError:
    return ServiceError((Diagnostic("UQ703", "the service is being stopped", hint="send it again in a while"),))


def _tell(stopped: asyncio.Future[None]) -> None:
    if not stopped.done():
        stopped.set_result(None)


def _look_at(future: asyncio.Future[dict[str, Any]]) -> None:
    # an error that nobody waits for any more was reported as UQ704; asking for it keeps asyncio from reporting it again
    if not future.cancelled():
        future.exception()
