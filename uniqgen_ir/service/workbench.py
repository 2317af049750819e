"""What operations work with: the graph, the reader of questions, limits, and what is made once for all requests."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

from attrs import define, field, frozen

from uniqgen_ir.agents.ask import Asker, AskOptions
from uniqgen_ir.passes.relaxation import RelaxationOptions
from uniqgen_ir.service.graph import ServedGraph
from uniqgen_ir.validate.schema_sources import vocabulary_of_graph
from uniqgen_ir.validate.vocabulary import Vocabulary

if TYPE_CHECKING:
    from collections.abc import Callable

    from uniqgen_ir.agents.ask import Reader
    from uniqgen_ir.agents.propose import Proposer


@frozen(kw_only=True)
class Limits:
    """What one request, and all of them together, may use.

    `seconds` counts from a request's arrival. `concurrent` requests are worked on at once; `waiting` more wait for
    their turn. `rows` bounds one answer, `body` the bytes of a request.
    """

    seconds: float = 30.0
    rows: int = 10_000
    body: int = 512 * 1024
    concurrent: int = 8
    waiting: int = 512

    def __attrs_post_init__(self) -> None:
        for name in ("seconds", "rows", "body", "concurrent", "waiting"):
            if getattr(self, name) <= 0:
                raise ValueError(f"the limit {name} is {getattr(self, name)}; it must be above 0")


@define(eq=False)
class Workbench:
    """One graph with everything that requests share. Safe for threads."""

    graph: ServedGraph
    limits: Limits = field(factory=Limits)
    make_reader: Callable[[Proposer], Reader] | None = None
    """makes the reader of a model from the offline one; None: questions are read offline"""
    _lock: threading.Lock = field(factory=threading.Lock, init=False)
    _asker: Asker | None = field(default=None, init=False)
    _vocabulary: Vocabulary | None = field(default=None, init=False)

    def asker(self) -> Asker:
        """The asker with the graph's index; every request takes a copy with options of its own."""
        with self._lock:
            if self._asker is None:
                options = AskOptions(relaxation=RelaxationOptions(schema=self.graph.vocabulary.schema))
                asker = Asker(self.graph, options, self.make_reader)
                _ = asker.proposer
                self._asker = asker
            return self._asker

    def vocabulary(self) -> Vocabulary:
        """What the gate knows of the graph. Raises DiagnosticError (UQ644 for a remote graph without a schema)."""
        with self._lock:
            if self._vocabulary is None:
                declared = self.graph.vocabulary
                self._vocabulary = vocabulary_of_graph(
                    self.graph.loaded.graph, declared.schema, dict(declared.prefixes)
                )
            return self._vocabulary
