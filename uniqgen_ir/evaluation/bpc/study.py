"""The study: every arm answers every question within one fixed neighbourhood, with the same beams, depth and seed."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from types import TracebackType
from typing import Any, Final, Self, TypeAlias

from attrs import define, evolve, field, frozen

from uniqgen_ir.agents.llm.client import Model, ModelSession
from uniqgen_ir.agents.llm.errors import ModelError, ModelUnavailable
from uniqgen_ir.agents.llm.messages import Request
from uniqgen_ir.agents.llm.settings import ModelSettings
from uniqgen_ir.agents.matching import RelationMatcher
from uniqgen_ir.agents.prompting import Prompts
from uniqgen_ir.agents.traverse.lexical import LexicalController
from uniqgen_ir.agents.traverse.model import BUDGET_SPENT, ModelController
from uniqgen_ir.agents.traverse.outlook import WalkOptions, topics_of
from uniqgen_ir.agents.traverse.paths import hop_text, path_text
from uniqgen_ir.agents.traverse.requests import object_schema
from uniqgen_ir.agents.traverse.scripted import GoldWay, RandomController, ReadingController, ScriptedController
from uniqgen_ir.agents.traverse.think_on_graph import ThinkOnGraph
from uniqgen_ir.agents.traverse.views import Controller
from uniqgen_ir.agents.traverse.walk import StepRecord, Walk, Walker
from uniqgen_ir.evaluation.bpc.arms import Arm, Guide, Kind
from uniqgen_ir.evaluation.bpc.gold import answer_nodes, gold_way, shortest_way
from uniqgen_ir.evaluation.bpc.topics import linked_topics
from uniqgen_ir.evaluation.datasets import GoldQuestion
from uniqgen_ir.evaluation.metrics import Given, score
from uniqgen_ir.ir.values import to_json
from uniqgen_ir.kg.linking.index import GraphIndex
from uniqgen_ir.kg.linking.mentions import LinkedQuestion
from uniqgen_ir.kg.neighbourhood import neighbourhood

_MEMORY_TOKENS: Final = 300
"""Room for a thought and names, before the model is asked once more with four times as much."""

Line: TypeAlias = dict[str, Any]
"""What one arm made of one question, as it is written to the file of results."""

ANSWERS_KEPT = 100


@frozen(kw_only=True)
class StudyOptions:
    """What every arm has in common; only `history` of `walk` differs between them."""

    walk: WalkOptions = field(factory=WalkOptions)
    nodes: int = 4_000
    """the most nodes of a question's neighbourhood"""
    seed: int = 42


@frozen
class World:
    """A graph as walks see it."""

    index: GraphIndex
    matcher: RelationMatcher

    @classmethod
    def of(cls, index: GraphIndex) -> Self:
        """The world of a graph's index."""
        return cls(index, RelationMatcher(index))


@frozen
class Task:
    """A question as every arm gets it; `way`: the gold way, where one is known."""

    gold: GoldQuestion
    world: World
    linked: LinkedQuestion
    within: frozenset[int]
    way: GoldWay | None = None


@frozen
class _Found:
    """Answers (nodes, or names where there was no graph), prompts and their estimated tokens, the walk if any."""

    given: tuple[Given, ...]
    shown: tuple[object, ...]
    calls: int
    tokens: int
    walk: Walk | None = None


@define
class Study:
    """A context manager: it holds the models. `settings` says everything about them but their names.

    `world_of` gives the graph that a question is walked on.
    """

    world_of: Callable[[GoldQuestion], World]
    options: StudyOptions
    settings: ModelSettings
    prompts: Prompts = field(factory=Prompts)
    _models: dict[str, Model] = field(factory=dict[str, Model], init=False)
    _stack: ExitStack = field(factory=ExitStack, init=False)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stack.close()

    def lines(self, questions: Sequence[GoldQuestion], arms: Sequence[Arm], done: int = 0) -> Iterator[Line]:
        """A line for each question and arm, question by question; the first `done` are left out."""
        for place, gold in enumerate(questions):
            wanted = arms[max(0, done - place * len(arms)) :]
            if not wanted:
                continue
            task = self.task(gold)
            for arm in wanted:
                yield self._line(task, arm)

    def task(self, gold: GoldQuestion) -> Task:
        """The question with its topics and its neighbourhood, the same for every arm."""
        world = self.world_of(gold)
        index = world.index
        linked = linked_topics(gold.question, gold.names, index)
        starts = {node for topic in topics_of(linked, index) for node in topic.nodes}
        near = neighbourhood(index.adjacency, starts, self.options.walk.depth, self.options.nodes)
        answers = answer_nodes(gold.answers or (), near.nodes, index)
        way = gold_way(gold, index) or shortest_way(starts, {one for nodes in answers.values() for one in nodes}, index)
        return Task(gold, world, linked, near.nodes, way)

    def _line(self, task: Task, arm: Arm) -> Line:
        session = self._session(arm.guide)
        started = time.perf_counter()
        line: Line = {"id": f"{arm.name}\t{task.gold.id}", "arm": arm.name, "question": task.gold.question}
        gold = task.gold.answers or ()
        try:
            found = self._found(task, arm, session)
        except ModelError as error:
            first = error.diagnostics[0]
            if isinstance(error, ModelUnavailable) and first.code != BUDGET_SPENT:
                raise  # every other question would fail, too; what was answered is kept
            found = _Found((), (), 0 if session is None else session.meter.calls, 0)
            line["error"] = {"code": first.code, "message": first.message}
        reached = score(found.given, gold)
        line |= {"gold": list(gold), "answers": list(found.shown), "f1": round(reached.f1, 6)}
        line |= {"hits1": reached.hits1, "exact": reached.exact, "calls": found.calls, "prompt_tokens": found.tokens}
        line["ms"] = round((time.perf_counter() - started) * 1000.0, 1)
        if session is not None:
            line |= {"input_tokens": session.usage.input, "output_tokens": session.usage.output}
        if found.walk is not None:
            index = task.world.index
            line["steps"] = [_step(one, index) for one in found.walk.steps]
            paths = found.walk.chosen.paths if found.walk.chosen else ()
            line["paths"] = [path_text(index, one) for one in paths]
        return line

    def _found(self, task: Task, arm: Arm, session: ModelSession | None) -> _Found:
        match arm.kind:
            case Kind.MEMORY:
                assert session is not None
                return self._from_memory(task.gold.question, session)
            case Kind.THINK_ON_GRAPH:
                assert session is not None
                explored = ThinkOnGraph(self._walker(task, None), session).explore(task.linked, task.within)
                return _nodes(task.world.index, explored.answers, explored.calls, explored.tokens)
            case Kind.WALK | Kind.RANDOM:
                guide = self._controller(task, arm.guide, session)
                controller = RandomController(guide, self.options.seed) if arm.kind is Kind.RANDOM else guide
                history = arm.history if arm.kind is Kind.WALK else self.options.walk.history
                walk = self._walker(task, history).walk(task.linked, controller, task.within)
                return evolve(_nodes(task.world.index, walk.answers, walk.calls, walk.tokens), walk=walk)

    def _walker(self, task: Task, history: int | None) -> Walker:
        options = evolve(self.options.walk, history=history)
        return Walker(task.world.index, task.world.matcher, options, self.prompts)

    def _from_memory(self, question: str, session: ModelSession) -> _Found:
        answers = {"type": "array", "items": {"type": "string"}, "maxItems": ANSWERS_KEPT}
        schema = object_schema(thought={"type": "string"}, answers=answers)
        messages = self.prompts.messages("memory", {"question": question})
        request = Request("answer from memory", messages, schema, max_tokens=_MEMORY_TOKENS)
        names: list[str] = session.complete(request)["answers"]
        return _Found(tuple(Given.of(name, name) for name in names), tuple(names), 1, request.prompt_tokens)

    def _session(self, guide: Guide) -> ModelSession | None:
        if not guide.is_model:
            return None
        model = self._models.get(guide.name)
        if model is None:
            model = self._models[guide.name] = self._stack.enter_context(Model(evolve(self.settings, model=guide.name)))
        return model.session()

    def _controller(self, task: Task, guide: Guide, session: ModelSession | None) -> Controller:
        seed, index = self.options.seed, task.world.index
        if guide.scripted:
            noise, *distraction = guide.shares
            ways = {} if task.way is None else {task.gold.question: task.way}
            if distraction:
                return ReadingController(index, ways, noise, distraction[0], seed)
            return ScriptedController(index, ways, noise, seed)
        lexical = LexicalController(index, task.world.matcher)
        return lexical if session is None else ModelController(index, session, self.prompts, lexical)


def _step(record: StepRecord, index: GraphIndex) -> dict[str, Any]:
    return {
        "path": path_text(index, record.path),
        "depth": record.path.depth,
        "shown": list(record.shown),
        "tokens": record.tokens,
        "chosen": {hop_text(index, hop): round(share, 4) for hop, share in record.chosen},
        "stop": round(record.stop, 4),
    }


def _nodes(index: GraphIndex, nodes: Sequence[int], calls: int, tokens: int) -> _Found:
    names = [index.labels[node] for node in nodes]
    given = tuple(Given.of(name, to_json(index.terms[node])) for name, node in zip(names, nodes, strict=True))
    return _Found(given, tuple(names[:ANSWERS_KEPT]), calls, tokens)
