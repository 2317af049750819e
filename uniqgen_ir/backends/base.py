"""What renderers give and engines take."""

from __future__ import annotations

from collections.abc import Mapping
from types import TracebackType
from typing import Protocol, Self, TypeAlias, runtime_checkable

from attrs import Factory, frozen

from uniqgen_ir.ir.diagnostics import Diagnostic
from uniqgen_ir.ir.protocols import Answers
from uniqgen_ir.ir.table import Form, Table

ParameterValue: TypeAlias = "str | int | float | bool | list[ParameterValue] | None"
"""What travels beside a query: only what JSON can hold."""


@frozen
class Assumption:
    """A guess of the renderer: in row `row`, the name `term` was taken for an `as_` (`edge`, `property`, …)."""

    row: str
    term: str
    as_: str

    def to_json(self) -> dict[str, str]:
        """The keys are `row`, `term` and `as`."""
        return {"row": self.row, "term": self.term, "as": self.as_}


@frozen
class RenderedQuery:
    """A query in the words of one dialect.

    `columns` are the table's own names, in the order in which the engine returns them. `source_map` gives for every row
    id the half-open ranges of `text` that came from it. `unbound` names parameters that the caller has yet to fill.
    `column_kinds` tells a property-graph engine how each column turns back into a term. `limit` is a limit that
    the text could not say for all its parts together: the engine stops there.
    """

    text: str
    params: Mapping[str, ParameterValue]
    columns: tuple[str, ...]
    dialect: str
    source_map: Mapping[str, tuple[tuple[int, int], ...]] = Factory(dict[str, tuple[tuple[int, int], ...]])
    assumptions: tuple[Assumption, ...] = ()
    form: Form = Form.SELECT
    unbound: tuple[str, ...] = ()
    column_kinds: tuple[str, ...] = ()
    limit: int | None = None
    diagnostics: tuple[Diagnostic, ...] = ()
    """warnings of the renderer"""

    def to_json(self) -> dict[str, object]:
        """The query as the commands and the service give it, without the renderer's warnings."""
        return {
            "query": self.text,
            "params": dict(self.params),
            "columns": list(self.columns),
            "dialect": self.dialect,
            "source_map": {row: [list(span) for span in spans] for row, spans in self.source_map.items()},
            "assumptions": [one.to_json() for one in self.assumptions],
        }


class Renderer(Protocol):
    """Turns tables into the text of one dialect. Frozen, so that threads may share it."""

    @property
    def dialect(self) -> str:
        """The name of the dialect."""
        ...

    def render(self, table: Table, *, inline: bool = False) -> RenderedQuery:
        """The query that means the table; `inline` writes values into the text instead of passing them beside it.

        Raises DiagnosticError (UQ5xx, naming the row) where the dialect cannot say what the table says.
        """
        ...


class Engine(Protocol):
    """Runs queries. A context manager; read-only.

    `killable` says whether a timeout really ends a running query; `thread_safe` whether threads may share the engine
    (calls may still wait for each other). `dialects` names what it reads, its own first.
    """

    @property
    def name(self) -> str: ...

    @property
    def dialects(self) -> tuple[str, ...]: ...

    @property
    def killable(self) -> bool: ...

    @property
    def thread_safe(self) -> bool: ...

    def select(self, query: RenderedQuery, *, timeout: float | None = None, limit: int | None = None) -> Answers:
        """The answers, at most `limit` rows, within `timeout` seconds.

        Raises StoreTimeout, StoreUnavailable or StoreError; each carries the text of the query.
        """
        ...

    def close(self) -> None:
        """Free what the engine holds. A second call does nothing."""
        ...

    def __enter__(self) -> Self: ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...


@runtime_checkable
class Interruptible(Protocol):
    """An engine whose running query can be ended from another thread."""

    def interrupt(self) -> None:
        """End the query that runs now; whoever waits for it gets a StoreError. Nothing where none runs."""
        ...


@runtime_checkable
class InterruptibleByThread(Protocol):
    """An engine that works for several threads at once, and can end from outside what it does for one of them."""

    def interrupt_thread(self, thread: int) -> None:
        """End the query that the thread of this identifier waits for, which gets a StoreError. Nothing where it waits
        for none.
        """
        ...


ASK_COLUMN = "ask"
"""The one column of a yes/no answer."""
