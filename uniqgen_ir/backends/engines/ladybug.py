"""The embedded Cypher engine: Ladybug over a database that we lay out ourselves, so that no RDF term is lost."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import ladybug

from uniqgen_ir.backends.base import ASK_COLUMN, RenderedQuery
from uniqgen_ir.backends.cypher.dialects import DIALECTS
from uniqgen_ir.backends.cypher.renderer import CypherRenderer
from uniqgen_ir.backends.engines import cache
from uniqgen_ir.backends.engines.closing import Closing
from uniqgen_ir.backends.engines.faults import refused, timed_out, unavailable, wrong_language
from uniqgen_ir.backends.engines.ladybug_load import CATALOGUE, DATABASE, VERSION_NAME, build_database
from uniqgen_ir.backends.engines.property_layout import Catalogue
from uniqgen_ir.backends.engines.property_values import answer_row
from uniqgen_ir.backends.engines.source import FactSource
from uniqgen_ir.backends.parameters import unbound
from uniqgen_ir.ir.protocols import Answers
from uniqgen_ir.ir.table import Form
from uniqgen_ir.ir.terms import Literal

_BUFFER_BYTES: Final = 512 * 1024 * 1024
_QUERIES_PER_CONNECTION: Final = 48
"""A connection keeps the plan of every text that it ever ran, one or two megabytes each, until it is closed."""


class LadybugEngine(Closing):
    """Answers Cypher over one graph. An `Engine`.

    `catalogue` is the layout that its renderer needs (`renderer()`). Killable: the library stops a query at its
    timeout. Thread-safe: calls of several threads wait for each other.
    """

    name = "ladybug"
    dialects = ("ladybug",)
    killable = True
    thread_safe = True

    def __init__(self, folder: Path, clean: Callable[[], None] | None = None) -> None:
        self.catalogue = Catalogue.read(folder / CATALOGUE)
        self._database = ladybug.Database(folder / DATABASE, read_only=True, buffer_pool_size=_BUFFER_BYTES)
        self._connection = ladybug.Connection(self._database)
        self._sent = 0
        self._lock = threading.Lock()
        self._changing = threading.Lock()
        self._clean = clean
        self._closed = False

    @classmethod
    def open(cls, source: FactSource) -> LadybugEngine:
        """The engine over a source: a database on disk, built once per content, or a temporary one."""
        return cls(*cache.folder_of(VERSION_NAME, source.content_hash, lambda place: build_database(source, place)))

    def renderer(self) -> CypherRenderer:
        """The renderer for the layout of this database."""
        return CypherRenderer(DIALECTS["ladybug"], self.catalogue)

    def select(self, query: RenderedQuery, *, timeout: float | None = None, limit: int | None = None) -> Answers:
        """See `Engine.select`."""
        if query.dialect not in self.dialects:
            raise wrong_language(self.name, query)
        if query.unbound:
            raise unbound(query.unbound)
        if self._closed:
            raise unavailable(self.name, "it is closed", query.text)
        most = limit if query.limit is None else query.limit if limit is None else min(limit, query.limit)
        with self._lock:
            rows, more = self._run(query, timeout, most)
        if query.form is Form.ASK:
            return Answers((ASK_COLUMN,), ((Literal.of(any(row[0] for row in rows)),),))
        kinds = query.column_kinds or tuple("plain" for _ in query.columns)
        complete = not more or (query.limit is not None and most == query.limit)
        return Answers(query.columns, tuple(answer_row(row, kinds) for row in rows), complete)

    def _run(self, query: RenderedQuery, timeout: float | None, most: int | None) -> tuple[list[list[Any]], bool]:
        self._sent += 1
        turn = self._sent % _QUERIES_PER_CONNECTION
        if turn == 0:
            with self._changing:
                self._connection.close()
                self._connection = ladybug.Connection(self._database)
        # a plan that is used again with other values sometimes answers for the old ones: no text is sent twice
        text = query.text + " " * turn
        self._connection.set_query_timeout(0 if timeout is None else max(1, int(timeout * 1000)))
        try:
            result = self._connection.execute(text, dict(query.params))
        except RuntimeError as error:
            if "Interrupted" in str(error):
                raise timed_out(self.name, timeout, query.text) from error
            raise refused(self.name, str(error), query.text) from error
        assert isinstance(result, ladybug.QueryResult)
        rows: list[list[Any]] = []
        try:
            while result.has_next():
                if most is not None and len(rows) >= most and query.form is not Form.ASK:
                    return rows, True
                rows.append(list(result.get_next()))
            return rows, False
        finally:
            result.close()

    def interrupt(self) -> None:
        """See `Interruptible.interrupt`."""
        # a connection that is being closed cannot be interrupted
        with self._changing:
            if not self._connection.is_closed:
                self._connection.interrupt()

    def close(self) -> None:
        if not self._closed:
            self._closed = True
            with self._changing:
                self._connection.close()
            self._database.close()
            if self._clean is not None:
                self._clean()
