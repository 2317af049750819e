"""An OpenAI-compatible server on loopback that answers as a test says: well, badly, late, or not at all."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from attrs import define, field, frozen

Json = Any


@frozen
class Answer:
    """One HTTP reply: `content` is what the model says; `body` replaces the whole reply.

    `wait` seconds pass before it; `cut` sends only so many bytes of it and closes the connection.
    """

    content: str | None = ""
    status: int = 200
    body: str | None = None
    headers: Mapping[str, str] = field(factory=dict)
    finish: str = "stop"
    message: Mapping[str, Json] = field(factory=dict)
    usage: Mapping[str, int] | None = field(factory=lambda: {"prompt_tokens": 100, "completion_tokens": 20})
    wait: float = 0.0
    cut: int | None = None

    def text(self, model: str) -> str:
        if self.body is not None:
            return self.body
        message = {"role": "assistant", "content": self.content, **self.message}
        reply: dict[str, Json] = {
            "id": "chatcmpl-1",
            "object": "chat.completion",
            "created": 0,
            "model": model,
            "choices": [{"index": 0, "message": message, "finish_reason": self.finish}],
        }
        if self.usage is not None:
            reply["usage"] = dict(self.usage)
        return json.dumps(reply)


def says(value: Json) -> Answer:
    """The model answers with this value as JSON."""
    return Answer(json.dumps(value, ensure_ascii=False))


def error(status: int, message: str, **headers: str) -> Answer:
    """The server refuses with an error object; `retry_after="1"` is a header."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return Answer(status=status, body=json.dumps({"error": {"message": message, "code": None}}), headers=named)


Script = Callable[[dict[str, Json], int], Answer]
"""From the body of a request and its number (from 1) to the answer."""


@define
class ScriptedModel:
    """The address, and everything that was asked: bodies and headers in the order of arrival."""

    url: str
    requests: list[dict[str, Json]] = field(factory=list)
    headers: list[dict[str, str]] = field(factory=list)
    paths: list[str] = field(factory=list[str])
    at_once: int = 0
    """the largest number of requests that were open at one time"""

    @property
    def prompts(self) -> list[str]:
        """The text of each request's messages."""
        return ["\n".join(message["content"] for message in one["messages"]) for one in self.requests]


@contextmanager
def scripted_model(script: Script | list[Answer]) -> Iterator[ScriptedModel]:
    """A server that answers by a script; a list is answered in order, its last entry for ever."""
    given = script
    answer: Script = (lambda _, number: given[min(number, len(given)) - 1]) if isinstance(given, list) else given
    served = ScriptedModel("")
    lock = threading.Lock()
    stopping = threading.Event()
    open_now = 0

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            nonlocal open_now
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            with lock:
                served.requests.append(body)
                served.paths.append(self.path)
                served.headers.append({name.lower(): value for name, value in self.headers.items()})
                number = len(served.requests)
                open_now += 1
                served.at_once = max(served.at_once, open_now)
            try:
                self._send(answer(body, number), body["model"])
            except (BrokenPipeError, ConnectionResetError):
                self.close_connection = True  # the client went away, as some tests want
            finally:
                with lock:
                    open_now -= 1

        def _send(self, one: Answer, model: str) -> None:
            stopping.wait(one.wait)
            data = one.text(model).encode()
            self.send_response(one.status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(data)))
            for name, value in one.headers.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(data if one.cut is None else data[: one.cut])
            self.wfile.flush()
            self.close_connection = self.close_connection or one.cut is not None

        def log_message(self, format: str, *args: object) -> None:
            """Nothing: a test's output is its own."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    served.url = f"http://127.0.0.1:{server.server_address[1]}/v1"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield served
    finally:
        stopping.set()
        server.shutdown()
        thread.join()
        server.server_close()
