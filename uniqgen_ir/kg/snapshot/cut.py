"""Cutting the k-hop surroundings of some nodes out of a graph that need not fit into memory.

The graph is read once for each hop and once more for the cut; what stays in memory is the set of nodes reached and the
degrees of the nodes where the walk stands.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from typing import TypeAlias

from attrs import field, frozen

from uniqgen_ir.ir.graph import Fact
from uniqgen_ir.ir.terms import IRI, BlankNode, Literal
from uniqgen_ir.ir.vocabulary import RDF_TYPE
from uniqgen_ir.kg.load import names_things

Node: TypeAlias = IRI | BlankNode
Facts: TypeAlias = Callable[[], Iterable[Fact]]
"""The facts of the graph, from the beginning each time."""


@frozen
class Cut:
    """Which nodes are inside: `starts` and what is at most `hops` edges from them, in either direction.

    The walk does not go on from a node with more than `hub_limit` edges (`hubs` are those it stopped at): what is next
    to a country or a gender is most of a graph. 0 is no limit. Classes are never walked to by `rdf:type`.
    """

    starts: frozenset[Node]
    hops: int
    hub_limit: int
    nodes: frozenset[Node] = field(repr=False)
    hubs: frozenset[Node] = field(repr=False)

    def facts(self, facts: Facts) -> Iterator[Fact]:
        """The facts inside: of the nodes, their values, their types, and the edges between them."""
        for fact in facts():
            subject, predicate, object_ = fact
            if subject in self.nodes and (
                isinstance(object_, Literal) or object_ in self.nodes or predicate.value == RDF_TYPE
            ):
                yield fact


def cut(facts: Facts, starts: Iterable[Node], hops: int, hub_limit: int = 0) -> Cut:
    """Walk `hops` edges from the starts. Raises ValueError where `hops` or `hub_limit` is negative."""
    if hops < 0 or hub_limit < 0:
        raise ValueError("hops and hub_limit are 0 or more")
    inside = frontier = frozenset(starts)
    hubs: frozenset[Node] = frozenset()
    for _ in range(hops):
        if not frontier:
            break
        if hub_limit:
            degrees = _degrees(facts(), frontier)
            # somebody asked for the starts themselves, however many edges they have
            stopped = frozenset(node for node in frontier - frozenset(starts) if degrees[node] > hub_limit)
            hubs |= stopped
            frontier -= stopped
        reached = _next_to(facts(), frontier) - inside
        inside |= reached
        frontier = reached
    return Cut(frozenset(starts), hops, hub_limit, inside, hubs)


def nodes_named(facts: Iterable[Fact], names: Iterable[str]) -> dict[str, frozenset[Node]]:
    """The nodes that have each name (a label, exactly as written), and the nodes whose IRI it is."""
    found: dict[str, set[Node]] = {name: set() for name in names}
    for subject, predicate, object_ in facts:
        if isinstance(object_, Literal):
            if object_.lexical in found and names_things(predicate):
                found[object_.lexical].add(subject)
        elif isinstance(object_, IRI) and object_.value in found:
            found[object_.value].add(object_)
        if isinstance(subject, IRI) and subject.value in found:
            found[subject.value].add(subject)
    return {name: frozenset(nodes) for name, nodes in found.items()}


def _edges(facts: Iterable[Fact]) -> Iterator[tuple[Node, Node]]:
    for subject, predicate, object_ in facts:
        if not isinstance(object_, Literal) and predicate.value != RDF_TYPE:
            yield subject, object_


def _degrees(facts: Iterable[Fact], nodes: frozenset[Node]) -> Counter[Node]:
    return Counter(end for edge in _edges(facts) for end in edge if end in nodes)


def _next_to(facts: Iterable[Fact], nodes: frozenset[Node]) -> frozenset[Node]:
    found: set[Node] = set()
    for subject, object_ in _edges(facts):
        if subject in nodes:
            found.add(object_)
        if object_ in nodes:
            found.add(subject)
    return frozenset(found)
