"""The walk: beams of paths from what a question names, step by step, both directions, as a controller chooses.

After *Bounded Path Context* (Shan & Luo 2026). What differs: relations are ranked before any is cut off, both
directions are walked, beams are kept by score, and a beam is a path of relations with all nodes that it leads to.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import product
from typing import Final

from attrs import define, evolve, field, frozen

from uniqgen_ir.agents.legs import Hop
from uniqgen_ir.agents.matching import RelationMatcher
from uniqgen_ir.agents.prompting import Prompts
from uniqgen_ir.agents.traverse.outlook import Outlook, WalkOptions, starts
from uniqgen_ir.agents.traverse.paths import Path, best_first
from uniqgen_ir.agents.traverse.requests import extract_request, step_request
from uniqgen_ir.agents.traverse.views import Candidate, Choice, Controller, View
from uniqgen_ir.kg.linking.index import GraphIndex
from uniqgen_ir.kg.linking.mentions import LinkedQuestion

HOPELESS: Final = 0.1
"""A path this much less likely than one that has ended from the same topic is not walked on."""
FINISHED_KEPT: Final = 12
CANDIDATES_KEPT: Final = 8
MOST_TOPICS: Final = 4
MOST_COMBINED: Final = 8
"""How many topics, and paths of each, are tried together: at most 4096 combinations."""
LEFT_OUT: Final = 0.05
"""What a topic that no path of the answer starts from takes off."""


@frozen
class StepRecord:
    """One choice: where, what was shown of the past, how large the prompt was, and what was chosen."""

    path: Path
    shown: tuple[int, ...]
    """numbers of the hops that the prompt showed"""
    options: int
    left_out: int
    tokens: int
    """of the prompt, estimated from its length"""
    chosen: tuple[tuple[Hop, float], ...]
    """hops with their shares"""
    stop: float


@frozen
class Walk:
    """What a walk found. `answers` are nodes, those that most of the likely candidates agree on first."""

    steps: tuple[StepRecord, ...]
    finished: tuple[Path, ...]
    candidates: tuple[Candidate, ...]
    chosen: Candidate | None
    answers: tuple[int, ...]
    extract_tokens: int = 0

    @property
    def calls(self) -> int:
        """How often the controller was asked."""
        return len(self.steps) + (1 if self.extract_tokens else 0)

    @property
    def tokens(self) -> int:
        """Tokens of all prompts, estimated."""
        return self.extract_tokens + sum(one.tokens for one in self.steps)


@define
class Walker:
    """Walks on one graph."""

    index: GraphIndex
    matcher: RelationMatcher
    options: WalkOptions = field(factory=WalkOptions)
    prompts: Prompts = field(factory=Prompts)

    def walk(self, linked: LinkedQuestion, controller: Controller, within: Collection[int] | None = None) -> Walk:
        """Walk from everything that the question names; `within`: leave these nodes never. Raises ModelError."""
        return _Run(self, linked, controller, self.outlook(linked, within)).result()

    def outlook(self, linked: LinkedQuestion, within: Collection[int] | None = None) -> Outlook:
        """What can be seen on walks of this question."""
        return Outlook(self.index, self.matcher, self.options, linked, None if within is None else frozenset(within))


@define
class _Run:
    """One question's walk."""

    walker: Walker
    linked: LinkedQuestion
    controller: Controller
    outlook: Outlook
    steps: list[StepRecord] = field(factory=list[StepRecord], init=False)
    finished: list[Path] = field(factory=list[Path], init=False)

    def result(self) -> Walk:
        live = starts(self.linked, self.walker.index)
        for _ in range(self.walker.options.depth):
            live = self._step(live)
        self.finished += live  # at the last depth every path ends
        finished = _kept(self.finished)
        candidates = _candidates(finished)
        place, tokens = self._extracted(candidates)
        chosen = None if place is None else candidates[place]
        answers = _ordered(chosen, candidates)
        return Walk(tuple(self.steps), tuple(finished), candidates, chosen, answers, tokens)

    def _step(self, live: Sequence[Path]) -> list[Path]:
        views = [view for view in map(self.outlook.view, live) if view.options or view.can_stop]
        # where nothing leads on, the path has ended
        self.finished += [view.path for view in views if not view.options]
        open_views = [view for view in views if view.options]
        if not open_views:
            return []
        fresh: list[Path] = []
        for view, choice in zip(open_views, self.controller.choose(open_views), strict=True):
            fresh += self._follow(view, choice)
        return self._beams(fresh)

    def _follow(self, view: View, choice: Choice) -> list[Path]:
        path = view.path
        if choice.stop_share > 0.0:
            self.finished.append(evolve(path, score=path.score * choice.stop_share))
        shares = [(view.options[place], share) for place, share in choice.shares[: view.width]]
        self.steps.append(
            StepRecord(
                path,
                view.history.numbers,
                len(view.options),
                view.left_out,
                step_request(view, self.walker.prompts).prompt_tokens,
                tuple((option.leg.hops[-1], share) for option, share in shares),
                choice.stop_share,
            )
        )
        return [path.continued(option.leg, share) for option, share in shares]

    def _beams(self, paths: Sequence[Path]) -> list[Path]:
        """The best paths of each topic, less those that have hardly a chance against one that has ended."""
        kept: list[Path] = []
        counts: dict[int, int] = {}
        best: dict[int, float] = {}
        for one in self.finished:
            best[one.topic.mention.start] = max(best.get(one.topic.mention.start, 0.0), one.score)
        for one in best_first(paths):
            topic = one.topic.mention.start
            if counts.get(topic, 0) < self.walker.options.beams and one.score >= HOPELESS * best.get(topic, 0.0):
                counts[topic] = counts.get(topic, 0) + 1
                kept.append(one)
        return kept

    def _extracted(self, candidates: Sequence[Candidate]) -> tuple[int | None, int]:
        if len(candidates) < 2:
            return (0, 0) if candidates else (None, 0)
        place = self.controller.extract(self.linked, candidates)
        request, _ = extract_request(self.linked.text, candidates, self.walker.index, self.walker.prompts)
        return place, request.prompt_tokens


def _kept(finished: Sequence[Path]) -> list[Path]:
    """The best finished paths of each topic, best first; of two ways to end one path the likelier."""
    distinct: dict[object, Path] = {}
    for one in best_first([one for one in finished if one.depth]):
        distinct.setdefault(one.key, one)
    counts: dict[int, int] = {}
    kept: list[Path] = []
    for one in distinct.values():
        topic = one.topic.mention.start
        counts[topic] = counts.get(topic, 0) + 1
        if counts[topic] <= FINISHED_KEPT:
            kept.append(one)
    return kept


def _candidates(finished: Sequence[Path]) -> tuple[Candidate, ...]:
    """Paths of different topics that meet, or single ones at a discount; the likeliest first, one for each node set."""
    topics: dict[int, list[Path | None]] = {}
    for one in finished:
        topics.setdefault(one.topic.mention.start, [None]).append(one)
    found: list[Candidate] = []
    most = MOST_COMBINED if len(topics) > 1 else FINISHED_KEPT + 1
    for chosen in product(*(paths[:most] for paths in list(topics.values())[:MOST_TOPICS])):
        paths = tuple(one for one in chosen if one is not None)
        nodes = frozenset[int].intersection(*(one.ends for one in paths)) if paths else frozenset[int]()
        if nodes:
            score = LEFT_OUT ** (len(topics) - len(paths))
            for one in paths:
                score *= one.score
            found.append(Candidate(paths, nodes, score))
    found.sort(key=lambda one: (-one.score, len(one.paths)))  # stable: equal ones stay in the order of their paths
    distinct: dict[frozenset[int], Candidate] = {}
    for candidate in found:
        distinct.setdefault(candidate.nodes, candidate)
    return tuple(distinct.values())[:CANDIDATES_KEPT]


def _ordered(chosen: Candidate | None, candidates: Sequence[Candidate]) -> tuple[int, ...]:
    """The answers, those that other candidates give, too, first."""
    if chosen is None:
        return ()
    support = {node: sum(one.score for one in candidates if node in one.nodes) for node in chosen.nodes}
    return tuple(sorted(chosen.nodes, key=lambda node: (-support[node], node)))
