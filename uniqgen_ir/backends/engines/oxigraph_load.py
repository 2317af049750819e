"""Building Oxigraph stores."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

import pyoxigraph

from uniqgen_ir.backends.engines.source import FactSource
from uniqgen_ir.backends.sparql.terms import blank_iri
from uniqgen_ir.ir.diagnostics import fail
from uniqgen_ir.ir.graph import Fact
from uniqgen_ir.ir.terms import IRI, BlankNode, GroundTerm, Literal

VERSION_NAME: Final = f"oxigraph-{pyoxigraph.__version__}-1"
"""Names the format of built stores: the library's version and ours."""


def build_store(source: FactSource, place: Path) -> None:
    """Fill an empty folder with the store. Raises DiagnosticError where the source is broken."""
    store = pyoxigraph.Store(place)
    store.bulk_extend(_quads(source.facts()))
    store.optimize()
    store.flush()
    del store


def _quads(facts: Iterable[Fact]) -> Iterator[pyoxigraph.Quad]:
    nodes: dict[GroundTerm, pyoxigraph.NamedNode] = {}
    for subject, predicate, object_ in facts:
        ends = _native(object_, nodes)
        subject_node, predicate_node = _native(subject, nodes), _native(predicate, nodes)
        assert not isinstance(subject_node, pyoxigraph.Literal)
        assert not isinstance(predicate_node, pyoxigraph.Literal)
        yield pyoxigraph.Quad(subject_node, predicate_node, ends)


def _native(
    term: GroundTerm, nodes: dict[GroundTerm, pyoxigraph.NamedNode]
) -> pyoxigraph.NamedNode | pyoxigraph.Literal:
    if isinstance(term, Literal):
        if term.language is not None:
            return pyoxigraph.Literal(term.lexical, language=term.language)
        return pyoxigraph.Literal(term.lexical, datatype=pyoxigraph.NamedNode(term.datatype))
    found = nodes.get(term)
    if found is None:
        found = nodes[term] = _node(term)
    return found


def _node(term: IRI | BlankNode) -> pyoxigraph.NamedNode:
    text = term.value if isinstance(term, IRI) else blank_iri(term.label)
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
