"""A way to a server that can be cut: what a network, or a server that dies, does to a connection."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from attrs import define, field


@define
class Proxy:
    """Forwards connections on `port`. With `most`, a connection is cut once so many bytes have come from the server."""

    port: int
    most: int | None = None
    connections: list[socket.socket] = field(factory=list[socket.socket])
    accepted: int = 0

    def cut(self) -> None:
        """Break every connection."""
        for one in self.connections:
            _shut(one)
        self.connections.clear()


def _shut(one: socket.socket) -> None:
    with suppress(OSError):
        one.shutdown(socket.SHUT_RDWR)
    one.close()


@contextmanager
def before(port: int, most: int | None = None) -> Iterator[Proxy]:
    """A proxy before a port of this machine; every connection through it is cut at the end."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        proxy = Proxy(listener.getsockname()[1], most)
        accepting = threading.Thread(target=_accept, args=(listener, port, proxy), daemon=True)
        accepting.start()
        try:
            yield proxy
        finally:
            _shut(listener)
            proxy.cut()
            accepting.join(5)


def _accept(listener: socket.socket, port: int, proxy: Proxy) -> None:
    while True:
        try:
            client, _ = listener.accept()
            server = socket.create_connection(("127.0.0.1", port))
        except OSError:
            return
        proxy.accepted += 1
        proxy.connections += [client, server]
        for ends, most in (((client, server), None), ((server, client), proxy.most)):
            threading.Thread(target=_forward, args=(*ends, most), daemon=True).start()


def _forward(source: socket.socket, target: socket.socket, most: int | None) -> None:
    sent = 0
    with suppress(OSError):
        while chunk := source.recv(65536):
            sent += len(chunk)
            if most is not None and sent > most:
                break
            target.sendall(chunk)
    _shut(source)
    _shut(target)
