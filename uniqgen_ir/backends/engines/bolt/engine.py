"""The Bolt engine: Cypher to a server that somebody else runs, through the official driver."""

from __future__ import annotations

import asyncio
import logging
import weakref
from concurrent.futures import CancelledError
from contextlib import suppress
from typing import Any, Final

import neo4j
from attrs import define, field
from neo4j.exceptions import DriverError, Neo4jError, ServiceUnavailable, SessionExpired

from uniqgen_ir.backends.base import ASK_COLUMN, RenderedQuery
from uniqgen_ir.backends.cypher.values import decode
from uniqgen_ir.backends.engines.bolt.address import BoltAddress, credentials
from uniqgen_ir.backends.engines.bolt.faults import fault
from uniqgen_ir.backends.engines.bolt.guard import writing_word
from uniqgen_ir.backends.engines.bolt.loop import LoopThread
from uniqgen_ir.backends.engines.bolt.values import Restore, term_of
from uniqgen_ir.backends.engines.closing import Closing
from uniqgen_ir.backends.engines.faults import refused, timed_out, unavailable, wrong_language
from uniqgen_ir.backends.parameters import unbound
from uniqgen_ir.ir.protocols import AnswerRow, Answers
from uniqgen_ir.ir.table import Form
from uniqgen_ir.ir.terms import Literal

_CONNECT_SECONDS: Final = 10.0
_MOST_CONNECTIONS: Final = 32
_IDLE_SECONDS: Final = 30.0
"""A connection that was idle for longer is tried before it is used: the server may have gone meanwhile."""

# the driver's own warnings would mix with ours; what matters is raised
logging.getLogger("neo4j").addHandler(logging.NullHandler())


@define
class _Received:
    """What has come of one query so far."""

    columns: tuple[str, ...] = ()
    rows: list[tuple[Any, ...]] = field(factory=list[tuple[Any, ...]])
    more: bool = False


class BoltEngine(Closing):
    """Answers Cypher by asking a server. An `Engine`; read-only: sessions are opened for reading, and a text with a
    word that writes is not sent.

    Killable: the server is told the time limit, and at the limit the connection is closed, which ends the query on
    Neo4j and Memgraph, if they have not ended it themselves; ArcadeDB lets it run. `InterruptibleByThread` in the same
    way. Thread-safe: every query has a session of its own, over a pool of at most 32 connections. A connection that
    turns out to be dead before anything came over it is replaced, once; nothing else is tried again.
    """

    name = "bolt"
    killable = True
    thread_safe = True

    def __init__(self, address: BoltAddress, dialect: str, *, restore: Restore = decode, key: str = "id") -> None:
        """`restore` makes terms of the strings in columns of terms; `key` is the property that names a node."""
        self.address = address
        self.dialects: tuple[str, ...] = (dialect,)
        self.restore = restore
        self.key = key
        self._closed = False
        self._loop = LoopThread()
        self._driver = self._loop.run(self._connect())
        self._end = weakref.finalize(self, _end, self._loop, self._driver)

    async def _connect(self) -> neo4j.AsyncDriver:
        return neo4j.AsyncGraphDatabase.driver(  # pyright: ignore[reportUnknownMemberType]
            self.address.uri,
            auth=credentials(),
            connection_timeout=_CONNECT_SECONDS,
            connection_acquisition_timeout=60.0,
            max_connection_pool_size=_MOST_CONNECTIONS,
            liveness_check_timeout=_IDLE_SECONDS,
            max_transaction_retry_time=0.0,
            user_agent="uniqgen-ir",
            telemetry_disabled=True,
        )

    @property
    def agent(self) -> str:
        """What the server says that it is, such as `Neo4j/5.26.30`. Raises StoreUnavailable."""
        info = self._driver.get_server_info  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]
        return str(self._guarded(info, "", _CONNECT_SECONDS).agent)

    def select(self, query: RenderedQuery, *, timeout: float | None = None, limit: int | None = None) -> Answers:
        """See `Engine.select`."""
        if query.dialect not in self.dialects:
            raise wrong_language(self.name, query)
        if query.unbound:
            raise unbound(query.unbound)
        received = self.ask(query.text, dict(query.params), timeout, _most(query, limit))
        if query.form is Form.ASK:
            return Answers((ASK_COLUMN,), ((Literal.of(any(row[0] for row in received.rows)),),))
        columns = query.columns or received.columns
        kinds = query.column_kinds or tuple("plain" for _ in columns)
        complete = not received.more or (query.limit is not None and _most(query, limit) == query.limit)
        return Answers(columns, tuple(self._row(row, kinds) for row in received.rows), complete)

    def _row(self, row: tuple[Any, ...], kinds: tuple[str, ...]) -> AnswerRow:
        return tuple(
            None if cell is None else term_of(cell, kind, self.restore, self.key)
            for cell, kind in zip(row, kinds, strict=True)
        )

    def ask(self, text: str, params: dict[str, Any], timeout: float | None, most: int | None = None) -> _Received:
        """The rows as the driver gives them, at most so many. Raises StoreError."""
        if self._closed:
            raise unavailable(self.name, "it is closed", text)
        word = writing_word(text)
        if word is not None:
            raise refused(self.name, f"only reading queries are sent, and this one says {word}", text)
        received = _Received()

        async def send() -> None:
            try:
                await self._send(text, params, timeout, most, received)
            except (ServiceUnavailable, SessionExpired):
                if received.columns:
                    raise
                # a pooled connection whose server was restarted: nothing came, and reading twice does no harm
                await self._send(text, params, timeout, most, received)

        self._guarded(send, text, timeout, received)
        return received

    def _guarded(self, work: Any, text: str, timeout: float | None, received: _Received | None = None) -> Any:
        try:
            return self._loop.run(work(), timeout)
        except TimeoutError as error:
            raise timed_out(self.name, timeout, text) from error
        except CancelledError as error:
            if self._closed:
                raise unavailable(self.name, "it was closed", text) from error
            raise timed_out(self.name, None, text) from error
        except (Neo4jError, DriverError, OSError) as error:
            raise fault(error, self.address, text, timeout, len(received.rows) if received else 0) from error

    async def _send(
        self, text: str, params: dict[str, Any], timeout: float | None, most: int | None, received: _Received
    ) -> None:
        # left by cancelling, the session closes its connection: the server sees that and ends the query
        async with self._driver.session(  # pyright: ignore[reportUnknownMemberType]
            database=self.address.database, default_access_mode=neo4j.READ_ACCESS
        ) as session:
            query = neo4j.Query(text, timeout=timeout)  # pyright: ignore[reportArgumentType]
            result = await session.run(query, params)
            received.columns = tuple(result.keys())
            async for record in result:
                if most is not None and len(received.rows) >= most:
                    received.more = True
                    return
                received.rows.append(tuple(record.values()))

    def interrupt_thread(self, thread: int) -> None:
        """See `InterruptibleByThread.interrupt_thread`."""
        self._loop.interrupt(thread)

    def close(self) -> None:
        self._closed = True
        self._end()


def _most(query: RenderedQuery, limit: int | None) -> int | None:
    if query.form is Form.ASK:
        return None
    return limit if query.limit is None else query.limit if limit is None else min(limit, query.limit)


def _end(loop: LoopThread, driver: neo4j.AsyncDriver) -> None:
    # where the server has gone, the connections go with the process
    with suppress(TimeoutError, CancelledError, asyncio.CancelledError, Neo4jError, DriverError, OSError):
        loop.cancel()
        loop.run(driver.close(), 5.0)
    loop.stop()
