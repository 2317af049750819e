"""How much of everything a graph has, for hints about cost."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from typing import Final

from attrs import field, frozen

from uniqgen_ir.ir.graph import Fact
from uniqgen_ir.ir.terms import IRI
from uniqgen_ir.ir.vocabulary import RDF_TYPE

SCAN: Final = 10_000
"""From so many nodes or triples on a scan is worth a hint."""
MANY: Final = 1_000_000
"""From so many paths or pairs on."""


@frozen
class Statistics:
    """`labels`: nodes by label; `types`: relationships by type; `nodes`: all nodes that have a label.

    `classes` and `predicates` say the same by IRI, for SPARQL; of a predicate every triple is counted.
    """

    nodes: int
    labels: Mapping[str, int]
    types: Mapping[str, int]
    classes: Mapping[str, int] = field(factory=dict[str, int])
    predicates: Mapping[str, int] = field(factory=dict[str, int])


def statistics_of(facts: Iterable[Fact], name: Callable[[IRI], str]) -> Statistics:
    """The counts of a graph. `name` gives the names that queries of property graphs use."""
    labels: Counter[str] = Counter()
    types: Counter[str] = Counter()
    classes: Counter[str] = Counter()
    predicates: Counter[str] = Counter()
    nodes: set[object] = set()
    for subject, predicate, object_ in facts:
        predicates[predicate.value] += 1
        if predicate.value == RDF_TYPE and isinstance(object_, IRI):
            labels[name(object_)] += 1
            classes[object_.value] += 1
            nodes.add(subject)
        elif isinstance(object_, IRI):
            types[name(predicate)] += 1
    return Statistics(len(nodes), labels, types, classes, predicates)
