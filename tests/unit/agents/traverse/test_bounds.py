"""K bounds what prompts show; what is kept in memory does not depend on it."""

from __future__ import annotations

import json
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.unit.agents.traverse.ways import index_of, ring, walked
from uniqgen_ir.agents.context import bounded, history_name
from uniqgen_ir.agents.traverse.outlook import WalkOptions
from uniqgen_ir.agents.traverse.paths import facts_of
from uniqgen_ir.kg.linking.index import GraphIndex

DEPTH = 6


@pytest.fixture(scope="module")
def index() -> GraphIndex:
    return index_of(ring())


def tokens_by_depth(index: GraphIndex, history: int | None) -> list[int]:
    return [step.tokens for step in walked(index, history, depth=DEPTH).steps]


@pytest.mark.parametrize("history", [0, 1, 2])
def test_prompts_are_flat_in_depth_for_a_fixed_history(index: GraphIndex, history: int) -> None:
    tokens = tokens_by_depth(index, history)
    assert len(tokens) == DEPTH
    # from the step on at which as much is hidden as ever will be
    assert len(set(tokens[history + 1 :])) == 1, tokens


def test_prompts_grow_with_depth_when_the_whole_history_is_shown(index: GraphIndex) -> None:
    tokens = tokens_by_depth(index, None)
    assert all(later > earlier for earlier, later in pairwise(tokens[1:])), tokens  # the first one offers no STOP


@pytest.mark.parametrize("noise", [0.0, 0.3, 0.7])
def test_paths_are_the_same_whatever_is_shown(index: GraphIndex, noise: float) -> None:
    walks = [walked(index, history, noise=noise, depth=4, width=3) for history in (0, 1, 2, 3, None)]
    ways = [[(path.key, path.score) for path in walk.finished] for walk in walks]
    assert all(way == ways[0] for way in ways)
    assert len({walk.answers for walk in walks}) == 1
    assert [len(step.shown) for step in walks[0].steps] == [0] * len(walks[0].steps)


def test_whole_paths_stay_in_memory_and_can_be_audited(index: GraphIndex) -> None:
    walk = walked(index, 0, depth=DEPTH)
    assert walk.chosen is not None
    (path,) = walk.chosen.paths
    assert path.depth == DEPTH
    (answer,) = path.ends
    facts = facts_of(index, path, answer)
    assert len(facts) == DEPTH
    assert facts[0][0] == path.topic.node
    assert facts[-1][2] == answer
    for start, hop, end in facts:
        assert end in index.adjacency.follow(start, hop.directed)
    for before, after in pairwise(facts):
        assert before[2] == after[0]
    with pytest.raises(ValueError, match="does not lead"):
        facts_of(index, path, answer + 1 if answer + 1 not in path.ends else answer - 1)


def test_a_path_is_immutable_and_shares_its_beginning(index: GraphIndex) -> None:
    walk = walked(index, 1, depth=3)
    path = next(one for one in walk.finished if one.depth == 3)
    assert path.parent is not None
    assert path.parent.leg.hops == path.leg.hops[:-1]
    with pytest.raises(AttributeError):
        path.score = 1.0  # type: ignore[misc]


@given(st.lists(st.text(max_size=5), max_size=12), st.one_of(st.none(), st.integers(0, 15)))
def test_the_last_entries_keep_their_true_numbers(entries: list[str], history: int | None) -> None:
    found = bounded(entries, history)
    assert found.hidden + len(found.shown) == len(entries)
    assert [one.text for one in found.shown] == entries[found.hidden :]
    assert list(found.numbers) == list(range(found.hidden + 1, len(entries) + 1))
    assert history is None or len(found.shown) <= history


def test_numbers_that_make_no_sense_are_refused() -> None:
    with pytest.raises(ValueError, match="history"):
        bounded(["a"], -1)
    with pytest.raises(ValueError, match="history"):
        WalkOptions(history=-1)
    with pytest.raises(ValueError, match="width"):
        WalkOptions(width=0)
    assert json.dumps([history_name(None), history_name(2)]) == '["full", "2"]'
