"""Requests over the network: one event loop in a thread of its own, so that a call ends when its time is up.

Retried are requests that brought no answer: a broken connection, a timeout, 408, 409, 429, 5xx. A chat completion
changes nothing on the server, so asking twice costs no more than tokens. Everything else is told at once.
"""

from __future__ import annotations

import asyncio
import random
import threading
from collections.abc import Callable, Coroutine
from concurrent.futures import CancelledError, Future
from typing import TYPE_CHECKING, Any, Final, TypeVar

from attrs import define, field, frozen

from uniqgen_ir.agents.llm.budget import ModelMeter
from uniqgen_ir.agents.llm.dialect import ServerDialect
from uniqgen_ir.agents.llm.errors import ModelCancelled, ModelUnavailable, model_error
from uniqgen_ir.agents.llm.messages import Reply, Request, Usage
from uniqgen_ir.agents.llm.replies import read_reply
from uniqgen_ir.agents.llm.settings import Endpoint, ModelSettings

if TYPE_CHECKING:
    from openai import APIStatusError, AsyncOpenAI

Outcome = TypeVar("Outcome")

FIRST_PAUSE: Final = 0.5
"""Seconds before the second attempt where the server names none; doubled each time."""
LONGEST_PAUSE: Final = 20.0
_RETRIED: Final = frozenset({408, 409, 429})
_REFUSALS: Final = frozenset({400, 415, 422, 501})
"""Answers that may be about one parameter of the request."""


@frozen
class Sent:
    """A reply, and how many HTTP requests it took."""

    reply: Reply
    attempts: int


@define(eq=False)
class Connection:
    """The way to one server. Learns what the server understands; safe to use from several threads."""

    settings: ModelSettings
    endpoint: Endpoint
    dialect: ServerDialect = field(factory=ServerDialect)
    _loop: asyncio.AbstractEventLoop = field(factory=asyncio.new_event_loop, init=False)
    _client: AsyncOpenAI | None = field(default=None, init=False)
    _running: set[Future[Sent]] = field(factory=set[Future[Sent]], init=False)
    _thread: threading.Thread = field(init=False)
    _stopped: bool = field(default=False, init=False)

    def __attrs_post_init__(self) -> None:
        self._thread = threading.Thread(target=self._loop.run_forever, name="model calls", daemon=True)
        self._thread.start()

    def send(self, request: Request, meter: ModelMeter) -> Sent:
        """The server's reply. Raises ModelUnavailable (UQ690, UQ691, UQ692), ModelCancelled."""
        future = self._start(self._send(request, meter))
        self._running.add(future)
        if self._stopped:
            future.cancel()
        try:
            with meter.allowance.call(future):
                return future.result()
        except CancelledError:
            raise model_error(ModelCancelled, "UQ690", f"the call ({request.purpose}) was cancelled") from None
        except BaseException:
            future.cancel()  # an interrupt of the waiting thread ends the request, too
            raise
        finally:
            self._running.discard(future)

    def cancel(self) -> None:
        """End every request under way; their callers get ModelCancelled."""
        for future in tuple(self._running):
            future.cancel()

    def stop(self) -> None:
        """Send nothing more, and end every request under way."""
        self._stopped = True  # first: a request that begins now sees it
        self.cancel()

    def close(self) -> None:
        """End what is under way, the connections and the thread."""
        if self._loop.is_closed():
            return
        # calls that are given up with the connection end in errors that nobody waits for
        self._loop.set_exception_handler(lambda _loop, _context: None)
        self.cancel()
        if self._client is not None:
            self._start(self._client.close()).result(timeout=5)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(timeout=5)
        self._loop.close()

    def _start(self, work: Coroutine[Any, Any, Outcome]) -> Future[Outcome]:
        return asyncio.run_coroutine_threadsafe(work, self._loop)

    def _opened(self) -> AsyncOpenAI:
        """The client, made at first use: the package takes a second to load."""
        if self._client is None:
            from openai import AsyncOpenAI, DefaultAsyncHttpxClient

            # a proxy of the environment must not come between this machine and itself
            http = DefaultAsyncHttpxClient(trust_env=not self.endpoint.loopback, timeout=self.settings.timeout)
            self._client = AsyncOpenAI(
                base_url=self.endpoint.base,
                api_key=self.endpoint.key,
                default_query=self.endpoint.query,
                default_headers=self.endpoint.headers,
                max_retries=0,
                http_client=http,
            )
        return self._client

    async def _send(self, request: Request, meter: ModelMeter) -> Sent:
        """Attempts until one brings a reply; a request that the server does not understand is written anew."""
        attempts, failures = 0, 0
        while True:
            dialect = self.dialect
            tokens = request.prompt_tokens + request.max_tokens // 4
            meter.reserve(tokens)
            attempts += 1
            usage = Usage()
            try:
                reply = await self._attempt(request, dialect, meter.seconds_left)
                usage = reply.usage
                return Sent(reply, attempts)
            except _Refused as refused:
                self._adapt(dialect, refused.message)
            except _Failed as failed:
                failures += 1
                await self._pause(failed, failures, meter.seconds_left)
            finally:
                meter.settle(tokens, usage)

    def _adapt(self, tried: ServerDialect, message: str) -> None:
        if self.dialect != tried:
            return  # another call has learnt from the same refusal meanwhile
        following = tried.adapted(message)
        if following is None:
            raise self._refusal(message)
        self.dialect = following

    def _refusal(self, message: str, hint: str | None = None) -> Exception:
        text = f"{self.endpoint.shown} refuses the request for {self.settings.model}: {message}"
        return model_error(ModelUnavailable, "UQ691", text, hint=hint)

    async def _attempt(self, request: Request, dialect: ServerDialect, seconds_left: float) -> Reply:
        import openai

        client: Any = self._opened()  # its overloads do not take a body that is made elsewhere
        body = dialect.parameters(self.settings.model, request)
        seconds = max(0.05, min(self.settings.timeout, seconds_left))
        try:
            # the client's own timeout is for each read; this one is for the whole of it
            raw = await asyncio.wait_for(client.chat.completions.with_raw_response.create(**body), seconds)
            return read_reply(raw.http_response.text, request)
        except (TimeoutError, openai.APITimeoutError):
            raise _Failed(f"it did not answer within {seconds:.3g} s") from None
        except openai.APIStatusError as error:
            raise self._status(error) from None
        except openai.APIConnectionError as error:
            raise _Failed(f"the connection failed: {_root(error)}") from None
        except openai.OpenAIError as error:
            raise _Failed(str(error)) from None
        except ValueError as error:
            raise _Failed(f"its reply is not that of a model server: {error}", retried=False) from None

    def _status(self, error: APIStatusError) -> Exception:
        status, message = error.status_code, self.endpoint.redact(_message(error))
        if status in _RETRIED or (status >= 500 and status != 501):
            spent = "insufficient_quota" in message
            pause = _retry_after(error)
            return _Failed(f"status {status}: {message}", pause=pause, retried=not spent)
        if status in _REFUSALS:
            return _Refused(message)
        hints = {
            401: "check OPENAI_API_KEY",
            403: "the key may not use this model",
            404: "check --model and OPENAI_BASE_URL: most servers want it to end in /v1",
        }
        return self._refusal(f"status {status}: {message}", hints.get(status))

    async def _pause(self, failed: _Failed, failures: int, seconds_left: float) -> None:
        """Wait before the next attempt, or raise where there is none."""
        name = f"the model {self.settings.model} at {self.endpoint.shown}"
        if not failed.retried or failures >= self.settings.attempts:
            tries = "" if failures == 1 else f" ({failures} attempts)"
            message = f"{name} cannot be used: {failed.message}{tries}"
            raise model_error(ModelUnavailable, "UQ690", message, hint="is the server up, and OPENAI_BASE_URL right?")
        usual = min(LONGEST_PAUSE, FIRST_PAUSE * 2.0 ** (failures - 1)) * random.uniform(0.75, 1.25)
        pause = usual if failed.pause is None else failed.pause
        if pause >= seconds_left:
            message = f"{name} asks to wait {pause:.3g} s, longer than the {max(0.0, seconds_left):.3g} s left: "
            raise model_error(ModelUnavailable, "UQ690", message + failed.message, hint="try later, or a larger budget")
        await asyncio.sleep(pause)


class _Failed(Exception):
    """An attempt brought nothing; `pause` are the seconds that the server asks to wait."""

    def __init__(self, message: str, pause: float | None = None, *, retried: bool = True) -> None:
        super().__init__(message)
        self.message, self.pause, self.retried = message, pause, retried


class _Refused(Exception):
    """The server does not accept the request as it is written."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


def _message(error: APIStatusError) -> str:
    """The server's words, short: from its JSON error object, or the start of its body."""
    body: object = error.body
    if isinstance(body, dict):
        inner: Any = body.get("error", body)  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]
        if isinstance(inner, dict):
            parts = [str(inner[name]) for name in ("message", "code") if inner.get(name)]  # pyright: ignore[reportUnknownMemberType, reportUnknownArgumentType]
            if parts:
                return _short(" · ".join(parts))
    return _short(error.response.text or error.message)


def _short(text: str, most: int = 300) -> str:
    line = " ".join(text.split())
    return line if len(line) <= most else f"{line[:most]}…"


def _retry_after(error: APIStatusError) -> float | None:
    """The seconds that the header asks to wait; a date counts from now."""
    text = error.response.headers.get("retry-after", "").strip()
    try:
        return max(0.0, float(text)) if text else None
    except ValueError:
        return _until(text)


def _until(date: str) -> float | None:
    from datetime import UTC, datetime
    from email.utils import parsedate_to_datetime

    try:
        return max(0.0, (parsedate_to_datetime(date) - datetime.now(UTC)).total_seconds())
    except (ValueError, TypeError):
        return None


def _root(error: BaseException) -> str:
    """The words of the first cause: the client's own are only *Connection error*."""
    while error.__cause__ is not None:
        error = error.__cause__
    return str(error) or type(error).__name__


Sender = Callable[[Request, ModelMeter], Sent]
"""What a call goes through: `Connection.send`."""
