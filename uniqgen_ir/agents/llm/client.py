"""A model that answers with objects of a schema: what the agents see of it."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from types import TracebackType
from typing import Protocol, Self

from attrs import define, evolve, field, frozen

from uniqgen_ir.agents.llm.allowance import current_allowance
from uniqgen_ir.agents.llm.budget import ModelMeter
from uniqgen_ir.agents.llm.connection import Connection, Sent
from uniqgen_ir.agents.llm.dialect import schema_text
from uniqgen_ir.agents.llm.errors import ModelAnswerError, ModelError, model_error
from uniqgen_ir.agents.llm.json_schema import fault
from uniqgen_ir.agents.llm.memory import Recorder, ReplyCache, read_recording
from uniqgen_ir.agents.llm.messages import CallRecord, Json, Message, Reply, Request, Usage
from uniqgen_ir.agents.llm.settings import Endpoint, ModelSettings, endpoint_from_environment
from uniqgen_ir.agents.llm.shape import declines, no_object, objects_in
from uniqgen_ir.ir.diagnostics import fail

Check = Callable[[Json], str | None]
"""What the schema cannot say: the fault of an answer as a sentence for the model, or None."""

LONGER = 4
"""How many times longer an answer may become after it was cut off."""


class ChatModel(Protocol):
    """One conversation with a model: what the agents need."""

    def complete(self, request: Request, check: Check | None = None) -> Json:
        """The model's answer: a value of the request's schema that passes the check."""
        ...

    def complete_all(self, requests: Sequence[Request], check: Check | None = None) -> list[Json | ModelError]:
        """The answers in the order of the requests; an error in place of one that failed."""
        ...


@frozen
class _Judged:
    """A reply as a value, or the sentence that says why it is none."""

    value: Json = None
    fault: str | None = None


@define(eq=False)
class Model:
    """A model and the way to it. A context manager; `session` begins the work on one question."""

    settings: ModelSettings
    endpoint: Endpoint | None = None
    """None: taken from the environment at the first request that is sent"""
    _connection: Connection | None = field(default=None, init=False)
    _cache: ReplyCache | None = field(default=None, init=False)
    _recorder: Recorder | None = field(default=None, init=False)
    _replayed: dict[str, Reply] | None = field(default=None, init=False)
    _lock: threading.Lock = field(factory=threading.Lock, init=False)
    _stopped: bool = field(default=False, init=False)
    _together: ModelMeter | None = field(default=None, init=False)

    def __attrs_post_init__(self) -> None:
        settings = self.settings
        if settings.together is not None:
            self._together = ModelMeter(settings.together, "batch")
        if settings.replay is not None:
            self._replayed = read_recording(settings.replay)
        elif settings.cache is not None:
            self._cache = ReplyCache(settings.cache)
        if settings.record is not None:
            self._recorder = Recorder(settings.record)

    def session(self) -> ModelSession:
        """A conversation with a budget of its own, and its share of the one that all have together."""
        meter = ModelMeter(self.settings.budget, over=self._together, allowance=current_allowance())
        return ModelSession(self, meter)

    def reply(self, request: Request, meter: ModelMeter) -> tuple[Sent, str]:
        """A reply and where it comes from. Raises ModelError, DiagnosticError (UQ696: not recorded)."""
        if self._replayed is not None:
            known = self._replayed.get(request.key(self.settings.model))
            if known is None:
                message = f"{self.settings.replay} holds no call like this one ({request.purpose})"
                raise fail("UQ696", message, hint="record again: question, graph, model or prompts have changed")
            return Sent(known, 0), "replay"
        cached = self._cache.get(self._cache_key(request)) if self._cache is not None else None
        return (Sent(cached, 0), "cache") if cached is not None else (self._connected().send(request, meter), "server")

    def keep(self, request: Request, reply: Reply) -> None:
        """Remember a good reply."""
        if self._cache is not None:
            self._cache.put(self._cache_key(request), reply)

    def record(self, request: Request, reply: Reply) -> None:
        """Write a call to the file of `record`, where there is one."""
        if self._recorder is not None:
            self._recorder.put(self.settings.model, request, reply)

    def _cache_key(self, request: Request) -> str:
        # two servers may call different models by one name
        return request.key(f"{self._address().shown} {self.settings.model}")

    def _address(self) -> Endpoint:
        if self.endpoint is None:
            self.endpoint = endpoint_from_environment()
        return self.endpoint

    def _connected(self) -> Connection:
        with self._lock:
            if self._connection is None:
                self._connection = Connection(self.settings, self._address())
                if self._stopped:
                    self._connection.stop()
            return self._connection

    def cancel(self) -> None:
        """End every request under way."""
        if self._connection is not None:
            self._connection.cancel()

    def stop(self) -> None:
        """Send nothing more, and end every request under way: several questions end together."""
        with self._lock:
            self._stopped = True
            if self._connection is not None:
                self._connection.stop()

    def close(self) -> None:
        """End requests, connections and files."""
        for part in (self._connection, self._cache, self._recorder):
            if part is not None:
                part.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


@define(eq=False)
class ModelSession:
    """One question's conversation: checked answers, one round of repair, a budget, and a record of every call."""

    model: Model
    meter: ModelMeter
    calls: list[CallRecord] = field(factory=list[CallRecord])

    @property
    def name(self) -> str:
        """The name of the model."""
        return self.model.settings.model

    @property
    def usage(self) -> Usage:
        """Tokens that were paid for."""
        return self.meter.usage

    def complete(self, request: Request, check: Check | None = None) -> Json:
        """The model's answer: a value of the request's schema that passes the check.

        A wrong answer is shown to the model once with its fault. Raises ModelUnavailable, ModelAnswerError (UQ693
        after the second wrong answer, UQ694 where the model declines), DiagnosticError (UQ696).
        """
        reply, judged = self._call(request, check)
        if judged.fault is not None:
            reply, judged = self._call(_repair(request, reply, judged.fault), check)
            if judged.fault is None:
                self.model.keep(request, reply)  # the next time the mended answer comes at once
        if judged.fault is None:
            return judged.value
        name = self.model.settings.model
        if declines(reply.text):
            raise _declined(name, reply.text)
        message = f"{name} gave no usable answer ({request.purpose}): {judged.fault}"
        hint = "a larger model, or one that its server can hold to a JSON schema"
        raise model_error(ModelAnswerError, "UQ693", message, hint=hint)

    def complete_all(self, requests: Sequence[Request], check: Check | None = None) -> list[Json | ModelError]:
        """The answers in the order of the requests, asked side by side; an error in place of one that failed."""

        def one(request: Request) -> Json | ModelError:
            try:
                return self.complete(request, check)
            except ModelError as error:
                return error

        if len(requests) <= 1:
            return [one(request) for request in requests]
        with ThreadPoolExecutor(min(len(requests), self.model.settings.parallel)) as pool:
            try:
                return list(pool.map(one, requests))
            except BaseException:
                self.model.cancel()  # otherwise leaving the pool would wait for them
                raise

    def _call(self, request: Request, check: Check | None) -> tuple[Reply, _Judged]:
        started = time.perf_counter()
        record = CallRecord(request.purpose, self.model.settings.model, request.messages, None)
        try:
            sent, source = self.model.reply(request, self.meter)
        except ModelError as error:
            passed = (time.perf_counter() - started) * 1000.0
            self.calls.append(evolve(record, fault=error.diagnostics[0].message, milliseconds=passed))
            raise
        reply = sent.reply
        judged = _judge(reply, request, check)
        declined = reply.declined
        passed = (time.perf_counter() - started) * 1000.0
        self.calls.append(
            evolve(
                record,
                reply=reply,
                source=source,
                attempts=sent.attempts,
                milliseconds=passed,
                fault=declined or judged.fault,
            )
        )
        self.model.record(request, reply)
        if declined is not None:
            raise _declined(self.model.settings.model, declined)
        if judged.fault is None and source == "server":
            self.model.keep(request, reply)
        return reply, judged


def _declined(model: str, words: str) -> ModelError:
    said = " ".join(words.split())[:160]
    message = f'{model} declines to answer: "{said}"'
    return model_error(ModelAnswerError, "UQ694", message, hint="ask another model, or offline")


def _judge(reply: Reply, request: Request, check: Check | None) -> _Judged:
    """The last object of the reply that fits, or what is wrong with the last one."""
    found = objects_in(reply.text)
    if not found:
        return _Judged(fault=no_object(reply.text, cut_off=reply.finish == "length"))
    wrong: str | None = None
    for value in reversed(found):
        wrong_here = fault(value, request.schema) or (check(value) if check is not None else None)
        if wrong_here is None:
            return _Judged(value)
        wrong = wrong or wrong_here
    return _Judged(fault=wrong)


def _repair(request: Request, reply: Reply, wrong: str) -> Request:
    """The same request with the wrong answer and its fault; longer where the answer was cut off."""
    asked = Message("user", f"That cannot be used: {wrong}. {schema_text(request)}")
    limit = request.max_tokens * (LONGER if reply.finish == "length" else 1)
    said = (Message("assistant", reply.text),) if reply.text.strip() else ()
    return evolve(
        request,
        purpose=f"{request.purpose} (repair)",
        messages=(*request.messages, *said, asked),
        max_tokens=limit,
    )
