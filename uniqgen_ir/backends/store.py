"""A store made of a renderer and an engine."""

from __future__ import annotations

import time

from attrs import define, evolve, field

from uniqgen_ir.backends.base import Engine, RenderedQuery, Renderer
from uniqgen_ir.backends.engines.closing import Closing
from uniqgen_ir.backends.engines.faults import timed_out
from uniqgen_ir.ir.protocols import Answers, StoreStatistics, StoreTimeout
from uniqgen_ir.ir.table import Table


@define
class RenderingStore(Closing):
    """Answers tables by rendering them and running the text; counts calls, rows and seconds.

    Implements `uniqgen_ir.ir.protocols.Store`. As thread-safe as its engine, but for the statistics.
    """

    engine: Engine
    renderer: Renderer
    _statistics: StoreStatistics = field(factory=StoreStatistics)

    @property
    def statistics(self) -> StoreStatistics:
        return self._statistics

    @property
    def killable(self) -> bool:
        return self.engine.killable

    def render(self, table: Table, *, limit: int | None = None) -> RenderedQuery:
        """The text that `select` would send."""
        return self.renderer.render(limited(table, limit))

    def select(self, table: Table, *, limit: int | None = None, timeout: float | None = None) -> Answers:
        """See `Store.select`. With a limit, one row more is asked for, to know whether the answers are complete.

        Writing the text counts towards the timeout: a table of thousands of rows takes a part of it.
        """
        begun = time.monotonic()
        query = self.render(table, limit=None if limit is None else limit + 1)
        left = None if timeout is None else timeout - (time.monotonic() - begun)
        if left is not None and left <= 0:
            raise timed_out(self.engine.name, timeout, query.text)
        start = time.perf_counter()
        self._statistics.calls += 1
        try:
            answers = self.engine.select(query, timeout=left, limit=limit)
        except StoreTimeout as error:
            # in the user's seconds, not in what was left of them
            raise timed_out(self.engine.name, timeout, query.text) from error
        finally:
            self._statistics.seconds += time.perf_counter() - start
        self._statistics.rows += len(answers.rows)
        return answers

    def close(self) -> None:
        """Close the engine."""
        self.engine.close()


def limited(table: Table, limit: int | None) -> Table:
    """The table with at most `limit` answers; a smaller limit of its own stays."""
    own = table.shell.limit
    if limit is None or (own is not None and own <= limit):
        return table
    return table if limit < 0 else evolve(table, shell=evolve(table.shell, limit=limit))
