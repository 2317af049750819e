"""A server that does what real ones do on bad days: each connection is handed to a function of the test."""

from __future__ import annotations

import socket
import ssl
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager

from attrs import define, field


@define
class Received:
    """What a client sent: request line, head and body."""

    line: str
    head: str
    body: bytes


Answering = Callable[[socket.socket, Received, int], None]
"""Answers one request; the number counts requests from 1."""


@define
class Server:
    """The address, and what was received so far."""

    url: str
    received: list[Received] = field(factory=list)
    stopping: threading.Event = field(factory=threading.Event)


def reply(status: str, body: bytes = b"", kind: str = "application/sparql-results+json", *extra: str) -> bytes:
    """A whole HTTP reply."""
    head = [f"HTTP/1.1 {status}", f"Content-Type: {kind}", f"Content-Length: {len(body)}", "Connection: close", *extra]
    return "\r\n".join(head).encode() + b"\r\n\r\n" + body


@contextmanager
def serving(answer: Answering, tls: ssl.SSLContext | None = None) -> Iterator[Server]:
    """A server on loopback, encrypted on request; every thread of it has ended when this does."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        listener.settimeout(0.1)
        server = Server(f"{'https' if tls else 'http'}://127.0.0.1:{listener.getsockname()[1]}/sparql")
        threads: list[threading.Thread] = []
        main = threading.Thread(target=_accept, args=(listener, server, answer, threads, tls))
        main.start()
        try:
            yield server
        finally:
            server.stopping.set()
            main.join()
            for thread in threads:
                thread.join()


def _accept(
    listener: socket.socket,
    server: Server,
    answer: Answering,
    threads: list[threading.Thread],
    tls: ssl.SSLContext | None,
) -> None:
    while not server.stopping.is_set():
        try:
            connection, _ = listener.accept()
        except TimeoutError:
            continue
        thread = threading.Thread(target=_handle, args=(connection, server, answer, tls))
        threads.append(thread)
        thread.start()


def _handle(connection: socket.socket, server: Server, answer: Answering, tls: ssl.SSLContext | None) -> None:
    with ExitStack() as stack:
        stack.enter_context(connection)
        try:
            if tls is not None:
                connection.settimeout(10)
                connection = stack.enter_context(tls.wrap_socket(connection, server_side=True))
            received = _receive(connection)
            server.received.append(received)
            answer(connection, received, len(server.received))
        except OSError:
            pass  # the client has gone


def _receive(connection: socket.socket) -> Received:
    connection.settimeout(10)
    data = b""
    while b"\r\n\r\n" not in data:
        chunk = connection.recv(65536)
        if not chunk:
            raise ConnectionResetError
        data += chunk
    head, _, body = data.partition(b"\r\n\r\n")
    text = head.decode("latin-1")
    lengths = [line.partition(":")[2] for line in text.split("\r\n") if line.lower().startswith("content-length:")]
    while lengths and len(body) < int(lengths[0]):
        body += connection.recv(65536)
    line, _, rest = text.partition("\r\n")
    return Received(line, rest, body)
