"""One query sent over the SPARQL 1.1 Protocol: GET or POST, redirections, patience with a busy server, a deadline."""

from __future__ import annotations

import os
import re
import threading
import time
from collections.abc import Callable
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Final
from urllib.parse import urlencode, urljoin, urlsplit

from uniqgen_ir.backends.engines.faults import refused, timed_out, unavailable
from uniqgen_ir.backends.engines.sparql.cap import counting
from uniqgen_ir.backends.engines.sparql.exchange import (
    ConnectFailed,
    CutOff,
    DeadlinePassed,
    Exchange,
    ExchangeFailed,
    Reply,
    Request,
    basic,
)
from uniqgen_ir.backends.engines.sparql.results import ACCEPT, BrokenResults, Results, read_results
from uniqgen_ir.ir.diagnostics import Diagnostic
from uniqgen_ir.ir.protocols import StoreUnavailable
from uniqgen_ir.ir.terms import Literal

_LONGEST_URL: Final = 2000
_ATTEMPTS: Final = 3
_LONGEST_WAIT: Final = 10.0
"""Seconds: a server that asks for more patience than this is taken to be away."""
_BUSY: Final = frozenset({429, 502, 503, 504})
_MOVED: Final = frozenset({301, 302, 303, 307, 308})
_OTHER_METHOD: Final = frozenset({405, 411, 413, 414})
_ENDPOINT: Final = "the SPARQL endpoint"


class Task:
    """One query with its deadline: sending, following, trying again."""

    def __init__(
        self, url: str, text: str, timeout: float | None, wait: Callable[[float], object] | None = None
    ) -> None:
        """`wait` passes the seconds between two attempts; None: by letting them pass, or until the task is ended."""
        self.text = text
        self._url = url
        self._timeout = timeout
        self._deadline = None if timeout is None else time.monotonic() + timeout
        self._ended = threading.Event()
        self._wait = wait or self._ended.wait
        self._under_way: Exchange | None = None

    def end(self) -> None:
        """Send nothing more and close the connection, from any thread: whoever waits gets StoreTimeout."""
        self._ended.set()
        if (under_way := self._under_way) is not None:
            under_way.stop()

    def send(self, text: str) -> Reply:
        """A reply with results. Raises StoreTimeout, StoreUnavailable, StoreError."""
        for attempt in range(1, _ATTEMPTS + 1):
            last = attempt == _ATTEMPTS
            try:
                reply = self._followed(text)
            except ConnectFailed as error:
                if last:
                    raise unavailable(_ENDPOINT, f"{_place(self._url)}: {error}", text) from error
                self._pause(0.1 * 2**attempt)
                continue
            if reply.status not in _BUSY:
                return self._accepted(reply, text)
            pause = _patience(reply, attempt)
            if last or pause is None or pause > min(_LONGEST_WAIT, self._left()):
                words = f"{_place(self._url)} replies {reply.status}{_retry_words(reply)}: {_said(reply)}"
                raise unavailable(_ENDPOINT, words, text)
            self._pause(pause)
        raise AssertionError("the last attempt returns or raises")

    def read(self, reply: Reply) -> Results:
        """The results in a reply."""
        try:
            return read_results(reply.body, reply.headers.get("content-type"))
        except BrokenResults as error:
            raise broken(str(error), self.text) from error

    def count(self) -> int:
        """How many rows the query has, by the server's own count."""
        results = self.read(self.send(counting(self.text)))
        cell = results.rows[0][0] if len(results.rows) == 1 and len(results.rows[0]) == 1 else None
        if not isinstance(cell, Literal) or not cell.lexical.isdigit():
            raise broken("the count is no number", self.text)
        return int(cell.lexical)

    def _followed(self, text: str) -> Reply:
        url = self._url
        for _ in range(5):
            reply = self._once(url, text)
            if reply.status not in _MOVED or "location" not in reply.headers:
                return reply
            url = _moved(url, reply.headers["location"], text)
        raise _status(f"{_place(self._url)} sends from one address to the next without an end", text)

    def _once(self, url: str, text: str) -> Reply:
        try:
            reply = self._exchanged(_request(url, text, self._url))
            if reply.status in _OTHER_METHOD:
                reply = self._exchanged(_request(url, text, self._url, post=_fits(url, text)))
            return reply
        except DeadlinePassed as error:
            raise timed_out(_ENDPOINT, self._timeout, text) from error
        except CutOff as error:
            raise broken(str(error), text) from error
        except ExchangeFailed as error:
            raise unavailable(_ENDPOINT, f"{_place(url)}: {error}", text) from error

    def _exchanged(self, request: Request) -> Reply:
        self._under_way = Exchange(request, self._left_or_none())
        # looked at afterwards: whoever ends the task either finds this exchange, or is found here
        if self._ended.is_set():
            raise DeadlinePassed
        return self._under_way.reply()

    def _accepted(self, reply: Reply, text: str) -> Reply:
        if reply.status in (200, 203, 206):
            return reply
        if reply.status == 408:
            raise timed_out(_ENDPOINT, self._timeout, text)
        if reply.status in (400, 422, 500, 501):
            raise refused(_ENDPOINT, _said(reply), text)
        raise _status(f"{_place(self._url)} replies {reply.status}: {_said(reply)}", text, reply.status)

    def _left_or_none(self) -> float | None:
        return None if self._deadline is None else max(0.0, self._deadline - time.monotonic())

    def _left(self) -> float:
        left = self._left_or_none()
        return float("inf") if left is None else left

    def _pause(self, seconds: float) -> None:
        if self._left() < seconds:
            raise timed_out(_ENDPOINT, self._timeout, self.text)
        self._wait(seconds)
        if self._ended.is_set():
            raise timed_out(_ENDPOINT, self._timeout, self.text)


def broken(words: str, text: str) -> StoreUnavailable:
    """The results cannot be used."""
    return StoreUnavailable((Diagnostic("UQ642", f"the server's results cannot be read: {words}"),), text)


def _status(words: str, text: str, status: int = 0) -> StoreUnavailable:
    hints = {
        401: "set UNIQGEN_SPARQL_USER and UNIQGEN_SPARQL_PASSWORD",
        403: "the server wants other rights",
        404: "check the path of the endpoint: it is often /sparql or /query",
    }
    return StoreUnavailable((Diagnostic("UQ641", words, hint=hints.get(status)),), text)


def _request(url: str, text: str, home: str, *, post: bool | None = None) -> Request:
    headers = {"Accept": ACCEPT, "Accept-Encoding": "identity", "User-Agent": "uniqgen-ir", "Connection": "close"}
    user = os.environ.get("UNIQGEN_SPARQL_USER")
    # a server that sends elsewhere must not pass the password on
    if user and urlsplit(url).hostname == urlsplit(home).hostname:
        headers["Authorization"] = basic(user, os.environ.get("UNIQGEN_SPARQL_PASSWORD", ""))
    form = urlencode({"query": text})
    if not (post if post is not None else not _fits(url, text)):
        return Request("GET", f"{url}{'&' if urlsplit(url).query else '?'}{form}", headers)
    headers["Content-Type"] = "application/x-www-form-urlencoded"
    return Request("POST", url, headers, form.encode("ascii"))


def _fits(url: str, text: str) -> bool:
    """Whether the query is short enough for the address line."""
    return len(url) + len(urlencode({"query": text})) < _LONGEST_URL


def _moved(url: str, location: str, text: str) -> str:
    """Where a redirection leads. The query is added there again, so a copy of it in the location goes."""
    new = urlsplit(urljoin(url, location))
    if new.scheme not in ("http", "https") or not new.hostname:
        raise _status(f"{_place(url)} sends to {location}, which is no address of a server", text)
    if urlsplit(url).scheme == "https" and new.scheme == "http":
        raise _status(f"{_place(url)} sends to {_place(new.geturl())}, which is not encrypted", text)
    kept = "&".join(one for one in new.query.split("&") if one and not one.startswith("query="))
    return new._replace(query=kept, fragment="").geturl()


def _place(url: str) -> str:
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}{parts.path}"


def _patience(reply: Reply, attempt: int) -> float | None:
    """Seconds to wait before the next attempt; None where there should be none."""
    after = reply.headers.get("retry-after", "").strip()
    if after.isdigit():
        return float(after)
    if after:
        try:
            moment = parsedate_to_datetime(after)
        except ValueError:
            return float(0.2 * 2**attempt)
        return max(0.0, (moment.astimezone(UTC) - datetime.now(UTC)).total_seconds())
    # a gateway's time limit has passed: the same query would only pass it again
    return None if reply.status == 504 else float(0.2 * 2**attempt)


def _retry_words(reply: Reply) -> str:
    after = reply.headers.get("retry-after")
    return f" and asks to come back after {after}" if after else ""


def _said(reply: Reply) -> str:
    """The first line of what the server says, without markup."""
    words = reply.body[:4000].decode("utf-8", "replace")
    if "html" in reply.headers.get("content-type", ""):
        words = re.sub(r"<(style|script|head)\b.*?</\1>|<[^>]*>", " ", words, flags=re.DOTALL | re.IGNORECASE)
    lines = [" ".join(line.split()) for line in words.splitlines() if line.strip()]
    return lines[0][:300] if lines else "it says nothing more"
