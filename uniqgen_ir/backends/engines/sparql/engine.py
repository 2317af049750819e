"""The SPARQL 1.1 Protocol over HTTP: queries to a server that somebody else runs."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final
from urllib.parse import urlsplit

from uniqgen_ir.backends.base import ASK_COLUMN, RenderedQuery
from uniqgen_ir.backends.engines.closing import Closing
from uniqgen_ir.backends.engines.faults import refused, unavailable, wrong_language
from uniqgen_ir.backends.engines.remote import ENDPOINT_SCHEMES
from uniqgen_ir.backends.engines.sparql.cap import looks_cut, prologue_end, told_cut
from uniqgen_ir.backends.engines.sparql.exchange import Reply
from uniqgen_ir.backends.engines.sparql.protocol import Task, broken
from uniqgen_ir.backends.engines.sparql.results import Results
from uniqgen_ir.backends.engines.statements import Statements
from uniqgen_ir.backends.parameters import unbound
from uniqgen_ir.ir.diagnostics import Diagnostic, Severity, fail
from uniqgen_ir.ir.protocols import Answers, StoreError
from uniqgen_ir.ir.terms import Literal

_READS: Final = re.compile(r"(?:SELECT|ASK)\b", re.IGNORECASE)


class SparqlHttpEngine(Closing):
    """Answers SPARQL by asking an endpoint. An `Engine`; read-only.

    Not killable: at a timeout the connection is closed, and the server may or may not notice; `InterruptibleByThread`
    in the same way. Thread-safe: every query has a connection of its own. Connections that fail and servers that are
    busy (429, 502, 503; 504 where it says when to come back) are tried again, three times in all and within the
    timeout; nothing else is.

    Rows that the server leaves out are noticed where its reply tells, and where their number is one that caps have and
    a count finds more: the answers are then incomplete and carry a warning (UQ643).
    """

    name = "sparql-http"
    dialects = ("sparql-http", "sparql")
    killable = False
    thread_safe = True

    def __init__(self, url: str, *, wait: Callable[[float], object] | None = None) -> None:
        """`wait` passes the seconds between two attempts; None: by letting them pass."""
        self._url = url
        self._wait = wait
        self._closed = False
        self._statements = Statements()

    @classmethod
    def open(cls, source: str) -> SparqlHttpEngine:
        """The engine for `sparql+http://host:port/path` or `sparql+https://…`. Raises DiagnosticError (UQ640)."""
        try:
            parts = urlsplit(source)
            usable = parts.scheme in ENDPOINT_SCHEMES and parts.hostname and parts.port != 0
        except ValueError as error:
            raise fail("UQ640", f"{source} is no address: {error}") from error
        if not usable:
            raise fail("UQ640", f"{source} names no server", hint="sparql+http://host:port/path")
        if parts.username is not None or parts.password is not None:
            hint = "set UNIQGEN_SPARQL_USER and UNIQGEN_SPARQL_PASSWORD in the environment"
            raise fail("UQ640", "user and password do not belong into the address", hint=hint)
        return cls(parts._replace(scheme=ENDPOINT_SCHEMES[parts.scheme], fragment="").geturl())

    def select(self, query: RenderedQuery, *, timeout: float | None = None, limit: int | None = None) -> Answers:
        """See `Engine.select`."""
        if query.dialect not in self.dialects:
            raise wrong_language(self.name, query)
        if query.unbound:
            raise unbound(query.unbound)
        if self._closed:
            raise unavailable(self.name, "it is closed", query.text)
        if not _READS.match(query.text, prologue_end(query.text)):
            raise refused(self.name, "only SELECT and ASK are sent", query.text)
        task = Task(self._url, query.text, timeout, self._wait)
        with self._statements.running(task.end):
            return self._answers(query, task, limit)

    def _answers(self, query: RenderedQuery, task: Task, limit: int | None) -> Answers:
        reply = task.send(query.text)
        results = task.read(reply)
        if results.truth is not None:
            return Answers((ASK_COLUMN,), ((Literal.of(results.truth),),))
        rows = results.rows if limit is None else results.rows[:limit]
        cut = self._cut(task, reply, results, enough=limit is not None and len(results.rows) > limit)
        complete = len(rows) == len(results.rows) and not cut
        return Answers(_columns(query, results), rows, complete, cut)

    def _cut(self, task: Task, reply: Reply, results: Results, *, enough: bool) -> tuple[Diagnostic, ...]:
        """A warning where the server left rows out, or where that cannot be told."""
        got = len(results.rows)
        told = told_cut(reply.status, reply.headers, got)
        if told is not None:
            return _missing(f"{told}; there may be more than these {got:,}")
        if enough or not looks_cut(task.text, got):
            return ()
        try:
            total = task.count()
        except StoreError as error:
            if error.diagnostics[0].code == "UQ601":
                raise
            return _missing(f"{got:,} rows came, a number at which servers stop, and counting them failed")
        if total > got:
            return _missing(f"the server sent {got:,} of {total:,} rows and did not say so")
        return ()

    def interrupt_thread(self, thread: int) -> None:
        """See `InterruptibleByThread.interrupt_thread`."""
        self._statements.end(thread)

    def close(self) -> None:
        self._closed = True


def _missing(message: str) -> tuple[Diagnostic, ...]:
    hint = "ask for less, or sort and page with limit and offset"
    return (Diagnostic("UQ643", message, severity=Severity.WARNING, hint=hint),)


def _columns(query: RenderedQuery, results: Results) -> tuple[str, ...]:
    if query.columns and len(query.columns) != len(results.names):
        raise broken(f"{len(results.names)} columns came where {len(query.columns)} were asked for", query.text)
    return query.columns or results.names
