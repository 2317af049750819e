"""The second embedded Cypher engine: kglite in a process of its own, so that a timeout always ends the query."""

from __future__ import annotations

import datetime
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from uniqgen_ir.backends.base import ASK_COLUMN, RenderedQuery
from uniqgen_ir.backends.cypher.dialects import DIALECTS
from uniqgen_ir.backends.cypher.renderer import CypherRenderer
from uniqgen_ir.backends.engines import cache
from uniqgen_ir.backends.engines.closing import Closing
from uniqgen_ir.backends.engines.faults import refused, unavailable, wrong_language
from uniqgen_ir.backends.engines.kglite_load import CATALOGUE, GRAPH, VERSION_NAME, build_graph
from uniqgen_ir.backends.engines.property_layout import Catalogue
from uniqgen_ir.backends.engines.property_values import answer_row
from uniqgen_ir.backends.engines.source import FactSource
from uniqgen_ir.backends.engines.supervised import SupervisedWorker
from uniqgen_ir.backends.engines.worker import Worker
from uniqgen_ir.backends.parameters import unbound
from uniqgen_ir.ir.protocols import Answers
from uniqgen_ir.ir.table import Form
from uniqgen_ir.ir.terms import Literal

_SCRIPT: Final = Path(__file__).with_name("kglite_worker.py")


class KgliteEngine(Closing):
    """Answers Cypher over one graph. An `Engine`.

    `catalogue` is the layout that its renderer needs (`renderer()`). Killable: at a timeout the worker process is
    killed and a new one started for the next query. Thread-safe: calls of several threads wait for each other.
    """

    name = "kglite"
    dialects = ("kglite",)
    killable = True
    thread_safe = True

    def __init__(self, folder: Path, clean: Callable[[], None] | None = None) -> None:
        self.catalogue = Catalogue.read(folder / CATALOGUE)
        self._clean = clean
        self._worker = SupervisedWorker(self.name, lambda: Worker(_SCRIPT, [str(folder / GRAPH)]))
        self._closed = False

    @classmethod
    def open(cls, source: FactSource) -> KgliteEngine:
        """The engine over a source: a graph on disk, built once per content, or a temporary one."""
        return cls(*cache.folder_of(VERSION_NAME, source.content_hash, lambda place: build_graph(source, place)))

    def renderer(self) -> CypherRenderer:
        """The renderer for the layout of this graph."""
        return CypherRenderer(DIALECTS["kglite"], self.catalogue)

    def select(self, query: RenderedQuery, *, timeout: float | None = None, limit: int | None = None) -> Answers:
        """See `Engine.select`."""
        if query.dialect not in self.dialects:
            raise wrong_language(self.name, query)
        if query.unbound:
            raise unbound(query.unbound)
        most = limit if query.limit is None else query.limit if limit is None else min(limit, query.limit)
        wanted = None if query.form is Form.ASK else most
        reply = self._worker.ask(("query", query.text, dict(query.params), wanted), query.text, timeout)
        match reply:
            case ("rows", names, rows, complete):
                return self._answers(query, names, rows, complete or (query.limit is not None and most == query.limit))
            case ("error", _, words):
                raise refused(self.name, words, query.text)
            case _:
                raise unavailable(self.name, f"unknown reply {reply[0]!r}", query.text)

    def _answers(self, query: RenderedQuery, names: tuple[str, ...], rows: list[list[Any]], complete: bool) -> Answers:
        if query.form is Form.ASK:
            return Answers((ASK_COLUMN,), ((Literal.of(any(row[0] for row in rows)),),))
        columns = query.columns or names
        kinds = query.column_kinds or tuple("plain" for _ in columns)
        return Answers(columns, tuple(answer_row([_cell(cell) for cell in row], kinds) for row in rows), complete)

    @property
    def process_id(self) -> int | None:
        """The worker process, None where none runs."""
        return self._worker.process_id

    def interrupt(self) -> None:
        """See `Interruptible.interrupt`."""
        self._worker.interrupt()

    def close(self) -> None:
        if not self._closed:
            self._closed = True
            self._worker.close()
            if self._clean is not None:
                self._clean()


def _cell(cell: Any) -> Any:
    match cell:
        case ("time", text):
            return datetime.date.fromisoformat(text) if len(text) == 10 else text
        case ("other", text):
            return text
        case _:
            return cell
