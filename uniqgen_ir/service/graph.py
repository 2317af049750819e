"""The graph that a service answers on, shared by all requests; each sees stores of its own."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import Final

from attrs import define

from uniqgen_ir.backends.base import Engine, InterruptibleByThread
from uniqgen_ir.backends.engines.faults import timed_out
from uniqgen_ir.backends.registry import open_endpoint
from uniqgen_ir.backends.store import RenderingStore
from uniqgen_ir.driver import KnowledgeGraph
from uniqgen_ir.ir.diagnostics import fail
from uniqgen_ir.ir.protocols import Answers
from uniqgen_ir.ir.table import Table
from uniqgen_ir.service.deadline import Deadline, current_deadline
from uniqgen_ir.service.pool import PooledEngine

SERVER_ENGINE: Final = "oxigraph"
"""What requests call the engine that a server takes the place of."""
PROCESSES: Final = 4
"""Processes of one embedded engine at most."""


@define(slots=False)
class BoundedStore(RenderingStore):
    """A store over a shared engine for one request: counts only its own statements, and ends with its deadline."""

    deadline: Deadline | None = None

    def select(self, table: Table, *, limit: int | None = None, timeout: float | None = None) -> Answers:
        """See `Store.select`. Raises StoreTimeout at once where no time is left."""
        if self.deadline is None:
            return super().select(table, limit=limit, timeout=timeout)
        left = self.deadline.left
        if left <= 0.0:
            raise timed_out(self.engine.name, self.deadline.seconds, self.render(table, limit=limit).text)
        return super().select(table, limit=limit, timeout=left if timeout is None else min(timeout, left))

    def close(self) -> None:
        """Nothing: the engine belongs to the graph."""


class ServedGraph(KnowledgeGraph):
    """A graph for many threads.

    With a `server` (the address of a SPARQL endpoint that holds the same graph), its statements go there, while words
    are linked to names from the sources.
    """

    def __init__(
        self,
        sources: Sequence[str],
        *,
        schemas: Sequence[str] = (),
        mapping: str | None = None,
        label_property: str | None = None,
        server: str | None = None,
    ) -> None:
        super().__init__(sources, schemas=schemas, mapping=mapping, label_property=label_property)
        self._server = server
        self._opening: dict[str, threading.RLock] = {}
        """one for each engine: building the store of one must not hold up requests to another"""

    def engine_store(self, engine: str) -> RenderingStore:
        """A store of the current request over the engine that all share. Raises DiagnosticError."""
        with self._opening.setdefault(engine, threading.RLock()):
            shared = self._shared(engine)
        return BoundedStore(shared.engine, shared.renderer, deadline=current_deadline())

    def interrupt_thread(self, thread: int) -> None:
        """End what servers do for a thread; statements of embedded engines are ended by those who started them."""
        for store in tuple(self._stores.values()):
            if isinstance(store.engine, InterruptibleByThread):
                store.engine.interrupt_thread(thread)

    def _shared(self, engine: str) -> RenderingStore:
        if self._server is not None and engine == SERVER_ENGINE and engine not in self._stores:
            self._stores[engine] = open_endpoint(self._server)
        if engine not in self._stores:
            self._stores[engine] = self._pooled(engine)
        return self._stores[engine]

    def _pooled(self, engine: str) -> RenderingStore:
        """The store of an engine; an embedded one runs several statements at a time."""
        if self.endpoint is not None or self.bolt is not None:
            return self._open(engine)
        first = self._open(engine)
        unused = [first.engine]

        def start() -> Engine:
            return unused.pop() if unused else self._open(engine).engine

        return RenderingStore(PooledEngine(start, PROCESSES), first.renderer)

    def warm(self) -> None:
        """Build now what requests share, so that the first ones do not build it twice. Raises DiagnosticError."""
        if not self.sources:
            raise fail("UQ653", "no graph given", hint="--graph FILE, or --graph almanac for the bundled one")
        _ = self.vocabulary, self.mapping
        if self.endpoint is None and self.bolt is None:
            _ = self.loaded, self.profiles
            self.engine_store("ladybug")
        self.engine_store(SERVER_ENGINE)
