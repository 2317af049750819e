"""One HTTP request with a deadline that holds: for names, connections, slow heads and bodies that drip.

The standard library's client has a time limit for each read from the socket, none for the whole. So the exchange runs
in a thread of its own, and at the deadline its socket is shut: whoever reads or writes there wakes up and ends.
"""

from __future__ import annotations

import http.client
import ipaddress
import socket
import ssl
import threading
import urllib.request
from base64 import b64encode
from collections.abc import Mapping
from contextlib import suppress
from urllib.parse import SplitResult, unquote, urlsplit

from attrs import field, frozen


@frozen
class Request:
    """What to send: the headers besides those that every request has."""

    method: str
    url: str
    headers: Mapping[str, str]
    body: bytes | None = None


@frozen
class Reply:
    """What came back. Header names are in lower case."""

    status: int
    headers: Mapping[str, str] = field(repr=False)
    body: bytes = field(repr=False)


class ConnectFailed(Exception):
    """No connection came about, so nothing was sent: safe to try again."""


class ExchangeFailed(Exception):
    """The connection broke, or what came back is not HTTP."""


class CutOff(ExchangeFailed):
    """The body ended before it was complete."""


class DeadlinePassed(Exception):
    """The time was up, or nobody wants the reply any more."""


class Exchange(threading.Thread):
    """One request, its reply, and the thread in which they travel."""

    def __init__(self, request: Request, seconds: float | None) -> None:
        """`seconds` is the time for all of it; None: no limit."""
        super().__init__(name="uniqgen-http", daemon=True)
        self._seconds = seconds
        # while TLS is agreed on there is no socket to shut: a limit for each read, later than the deadline, ends it
        self._limit = None if seconds is None else seconds + 1.0
        self._reply: Reply | None = None
        self._failure: Exception | None = None
        self._request = request
        self._connection: http.client.HTTPConnection | None = None
        self._stopped = False
        self._over = threading.Event()

    def reply(self) -> Reply:
        """The reply, which is waited for. To be called once.

        Raises ConnectFailed, CutOff, ExchangeFailed, or DeadlinePassed after the seconds, or where it was stopped.
        """
        if not self._stopped:
            self.start()
            if not self._over.wait(self._seconds):
                self.stop()
        if self._stopped:
            raise DeadlinePassed
        if self._failure is not None:
            raise self._failure
        assert self._reply is not None
        return self._reply

    def stop(self) -> None:
        """Shut the socket, so that the thread ends, and wake whoever waits for it. May be called from any thread."""
        self._stopped = True
        self._over.set()
        connection = self._connection
        # a name that is still looked up has no socket yet; the thread sees `_stopped` when it has
        if connection is not None and connection.sock is not None:
            _shut(connection.sock)

    def run(self) -> None:
        try:
            self._reply = self._exchange()
        except Exception as error:
            self._failure = error
        finally:
            if self._connection is not None:
                self._connection.close()
            self._over.set()

    def _exchange(self) -> Reply:
        request, target = self._request, urlsplit(self._request.url)
        self._connection, selector, extra = _connection(target, self._limit)
        try:
            self._connection.connect()
        except (OSError, http.client.HTTPException) as error:
            raise ConnectFailed(_words(error)) from error
        if self._stopped:
            raise DeadlinePassed
        try:
            self._connection.request(request.method, selector, request.body, {**request.headers, **extra})
            response = self._connection.getresponse()
            headers = {name.lower(): value for name, value in response.getheaders()}
            return Reply(response.status, headers, response.read())
        except http.client.IncompleteRead as error:
            got = len(error.partial)
            raise CutOff(f"the body ended after {got:,} bytes of {_length(error, got)}") from error
        except (OSError, http.client.HTTPException, ValueError) as error:
            raise ExchangeFailed(_words(error)) from error


def _length(error: http.client.IncompleteRead, got: int) -> str:
    return "an unknown number" if error.expected is None else f"{got + error.expected:,}"


def _connection(target: SplitResult, limit: float | None) -> tuple[http.client.HTTPConnection, str, dict[str, str]]:
    """The connection, what to ask for on it, and the headers that a proxy wants."""
    host, secure = target.hostname or "", target.scheme == "https"
    port = target.port or (443 if secure else 80)
    path = (target.path or "/") + (f"?{target.query}" if target.query else "")
    proxy = _proxy(target)
    if proxy is None:
        kind = http.client.HTTPSConnection if secure else http.client.HTTPConnection
        return kind(host, port, timeout=limit), path, {}
    credentials = _proxy_credentials(proxy)
    if secure:
        tunnel = http.client.HTTPSConnection(proxy.hostname or "", proxy.port or 80, timeout=limit)
        tunnel.set_tunnel(host, port, credentials)
        return tunnel, path, {}
    plain = http.client.HTTPConnection(proxy.hostname or "", proxy.port or 80, timeout=limit)
    return plain, f"http://{target.netloc}{path}", credentials


def _proxy(target: SplitResult) -> SplitResult | None:
    """The proxy that the environment names; never one for this machine."""
    host = target.hostname or ""
    if is_loopback(host) or urllib.request.proxy_bypass(host):
        return None
    address = urllib.request.getproxies().get(target.scheme)
    return None if not address else urlsplit(address if "://" in address else f"http://{address}")


def is_loopback(host: str) -> bool:
    """Whether the host is this machine, by its name or address."""
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _proxy_credentials(proxy: SplitResult) -> dict[str, str]:
    if proxy.username is None:
        return {}
    return {"Proxy-Authorization": basic(unquote(proxy.username), unquote(proxy.password or ""))}


def basic(user: str, password: str) -> str:
    """The value of a header of basic authentication (RFC 7617)."""
    return "Basic " + b64encode(f"{user}:{password}".encode()).decode("ascii")


def _shut(connection: socket.socket) -> None:
    with suppress(OSError):
        # the plain socket below TLS: a farewell could wait for the other side
        socket.socket.shutdown(connection, socket.SHUT_RDWR)


def _words(error: Exception) -> str:
    if isinstance(error, ssl.SSLCertVerificationError):
        return f"its certificate is not trusted: {error.verify_message}"
    if isinstance(error, OSError) and error.strerror:
        return error.strerror
    return str(error) or type(error).__name__
