"""Graphs in memory: a set of facts with look-ups in every direction."""

from __future__ import annotations

from itertools import product

from hypothesis import given
from hypothesis import strategies as st

from tests.property import strategies
from uniqgen_ir.ir.graph import Fact, Graph
from uniqgen_ir.ir.terms import IRI, Literal


@given(st.lists(strategies.facts(), max_size=12), strategies.facts())
def test_every_look_up_gives_the_facts_that_agree(facts: list[Fact], probe: Fact) -> None:
    graph = Graph(facts)
    assert set(graph) == set(facts)
    assert len(graph) == len(set(facts))
    for asked in product((True, False), repeat=3):
        pattern = [term if given else None for term, given in zip(probe, asked, strict=True)]
        found = list(graph.match(*pattern))  # type: ignore[arg-type]
        agreeing = {one for one in facts if all(p in (None, t) for p, t in zip(pattern, one, strict=True))}
        assert set(found) == agreeing
        assert len(found) == len(agreeing)
    assert (probe in graph) == (probe in facts)


def test_reading_adds_nothing() -> None:
    graph = Graph()
    a, p = IRI("http://example.org/a"), IRI("http://example.org/p")
    assert list(graph.objects(a, p)) == list(graph.subjects(p, a)) == list(graph.match(None, p, None)) == []
    assert graph.predicates == ()
    assert list(graph.match(Literal.of(1), None, None)) == []


def test_facts_keep_their_order() -> None:
    facts = [(IRI(f"http://example.org/{n}"), IRI("http://example.org/p"), Literal.of(n)) for n in (3, 1, 2)]
    graph = Graph(facts)
    graph.add(facts[0])
    assert list(graph) == facts
    assert list(graph.terms()) == [term for s, _, o in facts for term in (s, o)]
