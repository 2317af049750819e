"""Graphs in RDF as the quads of the library that reads them: stores that it fills need no terms of ours in between."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from uniqgen_ir.kg.formats import SourceFile, TermReader, open_source, rdf_triples

if TYPE_CHECKING:
    import pyoxigraph


def quads_of_file(file: SourceFile, blank: Callable[[str], pyoxigraph.NamedNode]) -> Iterator[pyoxigraph.Quad]:
    """The triples of a file, the same as its facts; `blank` gives the IRI that stands for a blank node.

    Raises DiagnosticError where the file is broken.
    """
    import pyoxigraph

    labels = TermReader(file.blank_prefix)

    def named(node: pyoxigraph.BlankNode) -> pyoxigraph.NamedNode:
        return blank(labels.blank(node.value).label)

    with open_source(file) as stream:
        for triple in rdf_triples(file, stream):
            subject, object_ = triple.subject, triple.object
            if isinstance(subject, pyoxigraph.BlankNode) or isinstance(object_, pyoxigraph.BlankNode):
                start = named(subject) if isinstance(subject, pyoxigraph.BlankNode) else subject
                end = named(object_) if isinstance(object_, pyoxigraph.BlankNode) else object_
                yield pyoxigraph.Quad(start, triple.predicate, end)
            else:
                yield triple
