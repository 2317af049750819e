"""A small client of the Language Server Protocol: a real server process, JSON-RPC over its pipes."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
import time
from pathlib import Path
from queue import Empty, Queue
from types import TracebackType
from typing import Any, Self

Message = dict[str, Any]
TIMEOUT = 120.0


class Refused(Exception):
    """The server answered with an error."""


class Client:
    """One server process. A context manager: leaving it shuts the server down."""

    def __init__(self, folder: Path, encodings: list[str] | None = None) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "uniqgen_ir", "lsp"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=folder,
        )
        self.received: Queue[Message] = Queue()
        self.published: dict[str, list[Message]] = {}
        self.versions: dict[str, int | None] = {}
        self.number = 0
        threading.Thread(target=self._read, daemon=True).start()
        general = {"positionEncodings": encodings} if encodings else {}
        self.capabilities = self.request(
            "initialize", {"processId": None, "rootUri": folder.as_uri(), "capabilities": {"general": general}}
        )["capabilities"]
        self.notify("initialized", {})

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            self.request("shutdown", None)
            self.notify("exit", None)
            self.process.wait(timeout=TIMEOUT)
        finally:
            self.process.kill()
            self.process.wait()

    def _read(self) -> None:
        stream = self.process.stdout
        assert stream is not None
        while True:
            length = 0
            while (line := stream.readline()) not in (b"\r\n", b""):
                if line.lower().startswith(b"content-length:"):
                    length = int(line.split(b":")[1])
            if not length:
                return
            self.received.put(json.loads(stream.read(length)))

    def _send(self, message: Message) -> None:
        self.send_bytes(json.dumps({"jsonrpc": "2.0", **message}).encode())

    def send_bytes(self, body: bytes) -> None:
        stream = self.process.stdin
        assert stream is not None
        stream.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        stream.flush()

    def notify(self, method: str, params: object) -> None:
        self._send({"method": method, "params": params})

    def request(self, method: str, params: object) -> Any:
        """The result. Raises Refused with the server's message."""
        self.number += 1
        mine = self.number
        self._send({"id": mine, "method": method, "params": params})
        message = self._until(lambda one: one.get("id") == mine and "method" not in one)
        if "error" in message:
            raise Refused(message["error"]["message"])
        return message["result"]

    def _until(self, wanted: Any) -> Message:
        end = time.monotonic() + TIMEOUT
        while time.monotonic() < end:
            try:
                message = self.received.get(timeout=0.2)
            except Empty:
                assert self.process.poll() is None, "the server has ended"
                continue
            if message.get("method") == "textDocument/publishDiagnostics":
                self.published[message["params"]["uri"]] = message["params"]["diagnostics"]
                self.versions[message["params"]["uri"]] = message["params"].get("version")
            if wanted(message):
                return message
        raise AssertionError("the server did not answer")

    def open(self, file: Path, text: str | None = None, language: str | None = None) -> str:
        """Open a file, with its content or another; returns its URI."""
        uri = file.as_uri()
        content = file.read_text(encoding="utf-8") if text is None else text
        name = language or file.suffix.removeprefix(".")
        self.notify(
            "textDocument/didOpen",
            {"textDocument": {"uri": uri, "languageId": name, "version": 1, "text": content}},
        )
        return uri

    def change(self, uri: str, version: int, text: str) -> None:
        self.notify(
            "textDocument/didChange",
            {"textDocument": {"uri": uri, "version": version}, "contentChanges": [{"text": text}]},
        )

    def diagnostics(self, uri: str, version: int = 1) -> list[Message]:
        """What the server publishes for this version of the text."""
        if self.versions.get(uri) != version:
            self._until(
                lambda one: (
                    one.get("method") == "textDocument/publishDiagnostics"
                    and one["params"]["uri"] == uri
                    and one["params"].get("version") == version
                )
            )
        return self.published[uri]

    def wait_for_codes(self, uri: str, codes: list[str]) -> None:
        """Wait until the diagnostics of a text are these. Fails where they never are."""
        while [one["code"] for one in self.published.get(uri, [])] != codes:
            self._until(lambda one: one.get("method") == "textDocument/publishDiagnostics")

    def at(self, method: str, uri: str, line: int, character: int, **more: object) -> Any:
        """The result of a request about a position."""
        position = {"line": line, "character": character}
        return self.request(f"textDocument/{method}", {"textDocument": {"uri": uri}, "position": position, **more})
