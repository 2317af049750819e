"""How much of everything a graph has, for hints about cost."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping

from attrs import frozen

from uniqgen_ir.ir.graph import Fact
from uniqgen_ir.ir.terms import IRI
from uniqgen_ir.ir.vocabulary import RDF_TYPE


@frozen
class Statistics:
    """`labels`: nodes by label; `types`: relationships by type; `nodes`: all nodes that have a label."""

    nodes: int
    labels: Mapping[str, int]
    types: Mapping[str, int]


def statistics_of(facts: Iterable[Fact], name: Callable[[IRI], str]) -> Statistics:
    """The counts of a graph, under the names that queries of property graphs use."""
    labels: Counter[str] = Counter()
    types: Counter[str] = Counter()
    nodes: set[object] = set()
    for subject, predicate, object_ in facts:
        if predicate.value == RDF_TYPE and isinstance(object_, IRI):
            labels[name(object_)] += 1
            nodes.add(subject)
        elif isinstance(object_, IRI):
            types[name(predicate)] += 1
    return Statistics(len(nodes), labels, types)
