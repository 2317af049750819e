"""The embedded SPARQL engine: Oxigraph in a process of its own, because a query inside it cannot be stopped."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from uniqgen_ir.backends.base import ASK_COLUMN, RenderedQuery
from uniqgen_ir.backends.engines import cache
from uniqgen_ir.backends.engines.closing import Closing
from uniqgen_ir.backends.engines.faults import refused, unavailable, wrong_language
from uniqgen_ir.backends.engines.oxigraph_load import VERSION_NAME, build_store, n_triples
from uniqgen_ir.backends.engines.source import FactSource
from uniqgen_ir.backends.engines.supervised import SupervisedWorker
from uniqgen_ir.backends.engines.worker import Worker
from uniqgen_ir.backends.parameters import unbound
from uniqgen_ir.backends.sparql.terms import BLANK_NAMESPACE, blank_label
from uniqgen_ir.ir.protocols import AnswerRow, Answers
from uniqgen_ir.ir.terms import IRI, BlankNode, GroundTerm, Literal
from uniqgen_ir.ir.vocabulary import XSD_STRING

if TYPE_CHECKING:
    from collections.abc import Callable

_SCRIPT: Final = Path(__file__).with_name("oxigraph_worker.py")
_LANGUAGES: Final = ("oxigraph", "sparql", "sparql-http")


class OxigraphEngine(Closing):
    """Answers SPARQL over one graph. An `Engine`.

    Killable: at a timeout the worker process is killed and a new one started for the next query. Thread-safe: calls of
    several threads wait for each other. Numbers, booleans, dates and times come back in Oxigraph's own lexical form
    (`"01"^^xsd:integer` as `"1"^^xsd:integer`, the integer types as xsd:integer).
    """

    name = "oxigraph"
    dialects = _LANGUAGES
    killable = True
    thread_safe = True

    def __init__(self, start: Callable[[], Worker]) -> None:
        self._terms = _TermReader()
        self._worker = SupervisedWorker(self.name, start)

    @classmethod
    def open(cls, source: FactSource) -> OxigraphEngine:
        """The engine over a source: a store on disk, built once per content, or one in memory where it has no hash."""
        key = source.content_hash
        if key is None:
            facts = n_triples(source.facts())
            return cls(lambda: _in_memory(facts))
        folder = cache.built(VERSION_NAME, key, lambda place: build_store(source, place))
        return cls(lambda: Worker(_SCRIPT, [str(folder)]))

    def select(self, query: RenderedQuery, *, timeout: float | None = None, limit: int | None = None) -> Answers:
        """See `Engine.select`."""
        if query.dialect not in _LANGUAGES:
            raise wrong_language(self.name, query)
        if query.unbound:
            raise unbound(query.unbound)
        reply = self._worker.ask(("query", query.text, limit), query.text, timeout)
        match reply:
            case ("ask", truth):
                return Answers((ASK_COLUMN,), ((Literal.of(bool(truth)),),))
            case ("rows", names, rows, complete):
                read = self._terms.row
                return Answers(query.columns or names, tuple(read(row) for row in rows), complete)
            case ("error", _, words):
                raise refused(self.name, words, query.text)
            case _:
                raise unavailable(self.name, f"unknown reply {reply[0]!r}", query.text)

    @property
    def process_id(self) -> int | None:
        """The worker process, None where none runs."""
        return self._worker.process_id

    def interrupt(self) -> None:
        """See `Interruptible.interrupt`."""
        self._worker.interrupt()

    def close(self) -> None:
        self._worker.close()


def _in_memory(facts: bytes) -> Worker:
    worker = Worker(_SCRIPT, ["-"])
    worker.ask(("load", facts))
    return worker


class _TermReader:
    """Turns the worker's terms into ours; IRIs that come often are made once."""

    def __init__(self) -> None:
        self._iris: dict[str, IRI | BlankNode] = {}

    def row(self, row: list[Any]) -> AnswerRow:
        return tuple(None if cell is None else self.term(cell) for cell in row)

    def term(self, cell: Any) -> GroundTerm:
        if type(cell) is str:
            found = self._iris.get(cell)
            if found is None:
                found = self._iris[cell] = self._iri(cell)
                if len(self._iris) > 200_000:
                    self._iris.clear()
            return found
        if len(cell) == 1:
            return BlankNode(cell[0])
        lexical, datatype, language = cell
        return Literal(lexical, datatype or XSD_STRING, language)

    def _iri(self, text: str) -> IRI | BlankNode:
        return BlankNode(blank_label(text)) if text.startswith(BLANK_NAMESPACE) else IRI(text)
