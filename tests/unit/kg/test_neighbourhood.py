"""Edges as arrays, and the local subgraph."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from uniqgen_ir.kg.neighbourhood import neighbourhood
from uniqgen_ir.kg.neighbourhood_adjacency import Adjacency, backward, capped, forward, reverse

EDGES = st.lists(st.tuples(st.integers(0, 9), st.integers(0, 2), st.integers(0, 9)), max_size=30)


@given(EDGES, st.sets(st.integers(0, 9)), st.integers(0, 2))
def test_images_are_those_of_the_edges(edges: list[tuple[int, int, int]], nodes: set[int], relation: int) -> None:
    adjacency = Adjacency.build(10, edges)
    assert adjacency.image(nodes, forward(relation)) == {o for s, r, o in edges if s in nodes and r == relation}
    assert adjacency.image(nodes, backward(relation)) == {s for s, r, o in edges if o in nodes and r == relation}
    expanded = adjacency.expand(nodes)
    assert expanded.get(forward(relation), set()) == adjacency.image(nodes, forward(relation))


@given(EDGES, st.sets(st.integers(0, 9), min_size=1), st.integers(0, 3))
def test_the_neighbourhood_is_what_walks_reach(edges: list[tuple[int, int, int]], starts: set[int], hops: int) -> None:
    reached = set(starts)
    for _ in range(hops):
        reached |= {o for s, _, o in edges if s in reached} | {s for s, _, o in edges if o in reached}
    found = neighbourhood(Adjacency.build(10, edges), starts, hops)
    assert found.complete
    assert found.nodes == reached


def test_the_cap_keeps_the_nearest_and_says_so() -> None:
    adjacency = Adjacency.build(50, [(0, 0, node) for node in range(1, 50)])
    found = neighbourhood(adjacency, {0}, 1, cap=10)
    assert found.nodes == frozenset(range(10))
    assert not found.complete
    assert list(capped(range(5, 0, -1), 3)) == [1, 2, 3]


def test_reversing_twice_is_the_same_way() -> None:
    assert reverse(forward(3)) == backward(3)
    assert reverse(reverse(forward(3))) == forward(3)
