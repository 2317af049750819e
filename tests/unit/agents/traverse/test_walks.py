"""Walks: both directions, caps by rank, stopping, controllers."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from attrs import define, field

from tests.unit.agents.traverse.ways import QUESTION, gold_road, index_of, linked, ring, walked
from tests.unit.kg.films import graph as films
from uniqgen_ir.agents.matching import RelationMatcher
from uniqgen_ir.agents.prompting import Prompts
from uniqgen_ir.agents.traverse.lexical import LexicalController
from uniqgen_ir.agents.traverse.outlook import WalkOptions
from uniqgen_ir.agents.traverse.requests import STOP, step_request, step_schema
from uniqgen_ir.agents.traverse.scripted import RandomController, ReadingController
from uniqgen_ir.agents.traverse.views import Candidate, Choice, View
from uniqgen_ir.agents.traverse.walk import Walk, Walker
from uniqgen_ir.ir.graph import Graph
from uniqgen_ir.ir.terms import IRI
from uniqgen_ir.kg.linking.index import GraphIndex, build_index
from uniqgen_ir.kg.linking.linker import link
from uniqgen_ir.kg.linking.mentions import LinkedQuestion


def answers(question: str, graph: Graph, options: WalkOptions | None = None) -> list[str]:
    """The labels of what the walk without a model answers."""
    index = build_index(graph)
    matcher = RelationMatcher(index)
    walk = Walker(index, matcher, options or WalkOptions()).walk(
        link(question, index), LexicalController(index, matcher)
    )
    return sorted(index.labels[node] for node in walk.answers)


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Who directed Quiet River?", ["Ada Stone"]),
        ("Which films were directed by Ada Stone?", ["Loud River", "Quiet River"]),  # backwards
        ("Where was the director of Third Door born?", ["Haven"]),
        ("Which films directed by Dan Ooms starred Eve Park?", ["Fifth Door"]),  # two walks that meet
    ],
)
def test_words_guide_walks_in_both_directions(question: str, expected: list[str]) -> None:
    assert answers(question, films()) == expected


def hub() -> Graph:
    """One node with many relations; the one that matters has the last number."""
    found = Graph()
    place = "http://hub.example/"
    for number in range(70):
        found.add((IRI(place + "Middle"), IRI(f"{place}spoke{number:02}"), IRI(f"{place}End{number}")))
    found.add((IRI(place + "Middle"), IRI(place + "treasurer"), IRI(place + "Jo")))
    return found


def test_relations_are_ranked_before_any_is_cut() -> None:
    assert answers("Who is the treasurer of Middle?", hub(), WalkOptions(cap=5)) == ["Jo"]


@define
class Watching:
    """Takes the first option twice, then stops; keeps every view."""

    views: list[View] = field(factory=list[View])

    def choose(self, views: Sequence[View]) -> list[Choice]:
        self.views += views
        return [Choice(((0, 1.0),)) if view.path.depth < 2 else Choice((), 1.0) for view in views]

    def extract(self, linked: LinkedQuestion, candidates: Sequence[Candidate]) -> int | None:  # noqa: ARG002
        return 0 if candidates else None


@pytest.fixture(scope="module")
def index() -> GraphIndex:
    return index_of(ring())


def watched(index: GraphIndex, history: int | None, cap: int = 50) -> tuple[Watching, Walk]:
    controller = Watching()
    walker = Walker(index, RelationMatcher(index), WalkOptions(history=history, depth=5, cap=cap))
    return controller, walker.walk(linked(index), controller)


def test_stopping_ends_a_walk_before_its_depth(index: GraphIndex) -> None:
    controller, walk = watched(index, 1)
    assert [view.path.depth for view in controller.views] == [0, 1, 2]
    assert [path.depth for path in walk.finished] == [2]


def test_the_start_cannot_be_the_answer(index: GraphIndex) -> None:
    controller, _ = watched(index, 1)
    ids = [step_schema(view)["properties"]["choices"]["items"]["properties"]["id"]["enum"] for view in controller.views]
    assert [STOP in one for one in ids] == [False, True, True]
    assert set(ids[0]) == {option.id for option in controller.views[0].options}


def test_prompts_have_true_numbers_and_a_neutral_marker(index: GraphIndex) -> None:
    controller, _ = watched(index, 1)
    texts = [step_request(view, Prompts()).messages[1].content for view in controller.views]
    assert "earlier ones are not shown" not in texts[0]
    assert "hop 1:" in texts[1]
    assert "hop 2:" in texts[2]
    assert "hop 1:" not in texts[2]
    assert "earlier ones are not shown" in texts[2]
    nothing, _ = watched(index, 0)
    last = step_request(nothing.views[2], Prompts()).messages[1].content
    assert "hop" not in last.split("Current entity")[0].replace("Last hops", "")
    assert "start" not in last.split("Current entity")[0].lower()


def test_what_does_not_fit_is_counted(index: GraphIndex) -> None:
    controller, _ = watched(index, 1, cap=2)
    assert all(len(view.options) == 2 and view.left_out == 4 for view in controller.views[:1])


def test_shares_add_up_to_one() -> None:
    choice = Choice(((0, 2.0), (3, 1.0)), 1.0)
    assert choice.stop_share + sum(share for _, share in choice.shares) == pytest.approx(1.0)


def test_a_walk_may_be_kept_within_a_neighbourhood(index: GraphIndex) -> None:
    start = next(iter(linked(index).entities)).nodes[0]
    near = {start, *(end for _, end in index.adjacency.edges(start))}
    controller = Watching()
    walker = Walker(index, RelationMatcher(index), WalkOptions(depth=4))
    walk = walker.walk(linked(index), controller, near)
    assert all(path.ends <= near for path in walk.finished)


def test_a_reader_of_prompts_is_lost_without_history_and_misled_by_too_much(index: GraphIndex) -> None:
    def found(history: int | None, distraction: float) -> tuple[str, ...]:
        gold = gold_road(index, 3)
        controller = ReadingController(index, gold, 0.0, distraction)
        walker = Walker(index, RelationMatcher(index), WalkOptions(history=history, depth=6, width=1))
        return tuple(index.labels[node] for node in walker.walk(linked(index), controller).answers)

    assert found(1, 1.0) == ("Stop103",)
    assert found(0, 1.0) != ("Stop103",)  # the way repeats a relation: it cannot tell where it is
    assert found(None, 1.0) != ("Stop103",)
    assert found(None, 0.0) == ("Stop103",)


def test_random_walks_repeat_under_a_seed(index: GraphIndex) -> None:
    def path(seed: int) -> list[object]:
        judge = Watching()
        walker = Walker(index, RelationMatcher(index), WalkOptions(depth=3))
        return [one.key for one in walker.walk(linked(index), RandomController(judge, seed)).finished]

    assert path(1) == path(1)
    assert any(path(1) != path(seed) for seed in range(2, 6))


def test_noise_is_drawn_from_the_seed() -> None:
    index = index_of(ring())
    assert walked(index, 1, noise=0.5).answers == walked(index, 1, noise=0.5).answers
    assert QUESTION in gold_road(index, 1)
