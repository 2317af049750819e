"""Where an engine's facts come from: a protocol, so that engines need not know about files."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

from attrs import frozen

from uniqgen_ir.ir.graph import Fact, Graph


class FactSource(Protocol):
    """A graph to load.

    `content_hash` names its content, so that a built store can be kept; None where it is not worth keeping.
    """

    @property
    def content_hash(self) -> str | None: ...

    def facts(self) -> Iterator[Fact]:
        """Every fact, one at a time; repetitions are allowed. Raises DiagnosticError where the source is broken."""
        ...


@frozen
class GraphSource:
    """A graph in memory as a source."""

    graph: Graph
    content_hash: str | None = None

    def facts(self) -> Iterator[Fact]:
        return iter(self.graph)
