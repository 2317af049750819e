"""Building Oxigraph stores."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

import pyoxigraph

from uniqgen_ir.backends.engines.source import FactSource, QuadSource
from uniqgen_ir.backends.sparql.terms import blank_iri
from uniqgen_ir.ir.diagnostics import fail
from uniqgen_ir.ir.graph import Fact
from uniqgen_ir.ir.terms import IRI, BlankNode, Literal

VERSION_NAME: Final = f"oxigraph-{pyoxigraph.__version__}-1"
"""Names the format of built stores: the library's version and ours."""

_MOST_KNOWN: Final = 1_000_000
"""so many names are kept while a store is built, so that memory has an end"""


def build_store(source: FactSource, place: Path) -> None:
    """Fill an empty folder with the store. Raises DiagnosticError where the source is broken."""
    store = pyoxigraph.Store(place)
    own = source.quads(lambda label: pyoxigraph.NamedNode(blank_iri(label))) if isinstance(source, QuadSource) else None
    store.bulk_extend(own if own is not None else _quads(source.facts()))
    store.optimize()
    store.flush()
    del store


def _quads(facts: Iterable[Fact]) -> Iterator[pyoxigraph.Quad]:
    nodes = _Nodes()
    for subject, predicate, object_ in facts:
        end = nodes.literal(object_) if isinstance(object_, Literal) else nodes.node(object_)
        yield pyoxigraph.Quad(nodes.node(subject), nodes.iri(predicate.value), end)


class _Nodes:
    """Turns our terms into the library's. Most come again: they are kept by their text, of which the hash is known."""

    def __init__(self) -> None:
        self._known: dict[str, pyoxigraph.NamedNode] = {}

    def node(self, term: IRI | BlankNode) -> pyoxigraph.NamedNode:
        return self.iri(term.value if isinstance(term, IRI) else blank_iri(term.label))

    def iri(self, text: str) -> pyoxigraph.NamedNode:
        found = self._known.get(text)
        if found is None:
            if len(self._known) > _MOST_KNOWN:
                self._known.clear()
            found = self._known[text] = _named(text)
        return found

    def literal(self, term: Literal) -> pyoxigraph.Literal:
        if term.language is not None:
            return pyoxigraph.Literal(term.lexical, language=term.language)
        return pyoxigraph.Literal(term.lexical, datatype=self.iri(term.datatype))


def _named(text: str) -> pyoxigraph.NamedNode:
    try:
        return pyoxigraph.NamedNode(text)
    except ValueError as error:
        raise fail("UQ503", f"<{ascii(text)[1:-1]}> is not an IRI: {error}") from error


def n_triples(facts: Iterable[Fact]) -> bytes:
    """The facts as N-Triples, blank nodes under their IRIs."""
    written = pyoxigraph.serialize(
        (pyoxigraph.Triple(quad.subject, quad.predicate, quad.object) for quad in _quads(facts)),
        format=pyoxigraph.RdfFormat.N_TRIPLES,
    )
    assert written is not None
    return written
