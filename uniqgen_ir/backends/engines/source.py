"""Where an engine's facts come from: a protocol, so that engines need not know about files."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from attrs import frozen

from uniqgen_ir.ir.graph import Fact, Graph

if TYPE_CHECKING:
    import pyoxigraph


class FactSource(Protocol):
    """A graph to load.

    `content_hash` names its content, so that a built store can be kept; None where it is not worth keeping.
    """

    @property
    def content_hash(self) -> str | None: ...

    def facts(self) -> Iterator[Fact]:
        """Every fact, one at a time; repetitions are allowed. Raises DiagnosticError where the source is broken."""
        ...


@runtime_checkable
class QuadSource(Protocol):
    """A source that may hold quads of Oxigraph's own: terms of ours need not be made for its store.

    `blank` gives the IRI under which a store keeps a blank node of this label. None where there are only facts.
    """

    def quads(self, blank: Callable[[str], pyoxigraph.NamedNode]) -> Iterator[pyoxigraph.Quad] | None: ...


@frozen
class GraphSource:
    """A graph in memory as a source."""

    graph: Graph
    content_hash: str | None = None

    def facts(self) -> Iterator[Fact]:
        return iter(self.graph)
