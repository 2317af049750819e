"""What passes and the agent may ask of the outside world. The driver injects implementations.

A *store* answers tables. One `select` is one statement sent: a *call*. Bindings are sent as a `Values` row, counts as a
`count` column, existence as a limit of 1; nothing else is needed, so every engine can serve every pass.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Protocol

from attrs import define, field, frozen

from uniqgen_ir.ir.diagnostics import Diagnostic, DiagnosticError
from uniqgen_ir.ir.spans import Span
from uniqgen_ir.ir.table import Table
from uniqgen_ir.ir.terms import GroundTerm

AnswerRow = tuple[GroundTerm | None, ...]
"""One answer: a term per column, None where unbound."""


@frozen
class Answers:
    """The answers of one query. `complete` is False where a limit or a server's cap cut them off.

    `diagnostics` are warnings of the store, such as a server that left rows out.
    """

    columns: tuple[str, ...]
    rows: tuple[AnswerRow, ...]
    complete: bool = True
    diagnostics: tuple[Diagnostic, ...] = field(default=(), eq=False)


@define
class StoreStatistics:
    """What was asked of a store so far: statements sent, rows read, seconds waited."""

    calls: int = 0
    rows: int = 0
    seconds: float = 0.0


class StoreError(DiagnosticError):
    """A store could not answer; the command line exits with 3."""

    def __init__(self, diagnostics: Iterable[Diagnostic], query: str | None = None) -> None:
        super().__init__(diagnostics)
        self.query = query


class StoreTimeout(StoreError):
    """The query did not end in time and was stopped."""


class StoreUnavailable(StoreError):
    """The store cannot be reached, or died."""


class Store(Protocol):
    """A graph that answers tables."""

    @property
    def statistics(self) -> StoreStatistics:
        """The running totals."""
        ...

    @property
    def killable(self) -> bool:
        """Whether a timeout really ends a running query."""
        ...

    def select(self, table: Table, *, limit: int | None = None, timeout: float | None = None) -> Answers:
        """The table's answers, at most `limit` of them, within `timeout` seconds.

        Raises StoreTimeout, StoreUnavailable, StoreError, or DiagnosticError where the table cannot be rendered.
        """
        ...


@frozen
class ReferenceAnswer:
    """One answer that the query must give: a term per key variable, and how sure its source is, in (0, 1].

    `span` is its place in a file of answers.
    """

    key: tuple[GroundTerm, ...]
    confidence: float = 1.0
    span: Span | None = field(default=None, eq=False, repr=False)

    def __attrs_post_init__(self) -> None:
        if not 0.0 < self.confidence <= 1.0:
            raise ValueError(f"confidence {self.confidence} is not in (0, 1]")


class Oracle(Protocol):
    """A source of reference answers: a person's file, a model, the offline heuristic."""

    def reference_answers(self, question: str, table: Table, store: Store) -> tuple[ReferenceAnswer, ...]:
        """The answers that it vouches for; empty where it cannot tell."""
        ...


class Ranker(Protocol):
    """Orders candidate sets of rows in the beam search, best first."""

    def rank(self, table: Table, candidates: Sequence[frozenset[str]]) -> Sequence[frozenset[str]]:
        """The candidates (sets of row ids), best first."""
        ...
