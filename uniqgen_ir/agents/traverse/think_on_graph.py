"""A loop in the style of Think-on-Graph (Sun et al. 2024), as a control: entities as beams, the whole past in view.

At each depth a model chooses relations for each entity, then entities among those reached, then says whether what was
found is enough. Paths are chains of single facts, and every prompt shows them whole.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Final

from attrs import define, evolve, field, frozen

from uniqgen_ir.agents.llm.client import ChatModel
from uniqgen_ir.agents.llm.messages import Json, Request
from uniqgen_ir.agents.traverse.outlook import Outlook, starts
from uniqgen_ir.agents.traverse.paths import Path, best_first, hops_told
from uniqgen_ir.agents.traverse.requests import STOP, object_schema, scored_choices, step_request
from uniqgen_ir.agents.traverse.views import Option, View
from uniqgen_ir.agents.traverse.walk import Walker
from uniqgen_ir.kg.linking.mentions import LinkedQuestion

ENTITIES_SHOWN: Final = 40
"""How many entities a prompt lists; those of the likeliest relations first."""
LEAST_WEIGHT: Final = 0.01


@frozen
class Explored:
    """What the loop found: answers as nodes, and what it asked."""

    answers: tuple[int, ...]
    calls: int
    tokens: int
    """of all prompts, estimated"""


@frozen
class _Shown:
    id: str
    text: str


@define
class ThinkOnGraph:
    """One question's loop. `explore` may be called once. Raises ModelError."""

    walker: Walker
    model: ChatModel
    calls: int = field(default=0, init=False)
    tokens: int = field(default=0, init=False)

    def explore(self, linked: LinkedQuestion, within: Collection[int] | None = None) -> Explored:
        """Explore until the model says that it is enough, or the depth is reached."""
        walker = evolve(self.walker, options=evolve(self.walker.options, history=None))
        outlook = walker.outlook(linked, within)
        live = [evolve(one, score=1.0) for one in starts(linked, walker.index)]
        for _ in range(walker.options.depth):
            reached = self._reached(outlook, live)
            if not reached:
                break
            live = self._pruned(linked, reached)
            answers = self._enough(linked, live)
            if answers:
                return Explored(answers, self.calls, self.tokens)
        return Explored((), self.calls, self.tokens)

    def _ask(self, requests: Sequence[Request]) -> list[Json]:
        self.calls += len(requests)
        self.tokens += sum(one.prompt_tokens for one in requests)
        return [self.model.complete(one) for one in requests]

    def _reached(self, outlook: Outlook, live: Sequence[Path]) -> list[Path]:
        """Single facts along the relations that the model chooses for each entity."""
        views = [view for view in map(outlook.view, live) if view.options]
        replies = self._ask([step_request(view, self.walker.prompts) for view in views])
        found: list[Path] = []
        for view, reply in zip(views, replies, strict=True):
            by_id = {option.id: option for option in view.options}
            for one in reply["choices"]:
                if one["id"] != STOP:
                    found += _single(view, by_id[one["id"]], max(LEAST_WEIGHT, float(one["score"])))
        return best_first(found)[:ENTITIES_SHOWN]

    def _pruned(self, linked: LinkedQuestion, reached: Sequence[Path]) -> list[Path]:
        width = self.walker.options.width
        if len(reached) <= width:
            return list(reached)
        shown = self._shown(reached)
        values = {"question": linked.text, "entities": shown, "width": width}
        schema = scored_choices([one.id for one in shown], width)
        request = Request("choose entities", self.walker.prompts.messages("ends", values), schema, max_tokens=200)
        scores = {one["id"]: float(one["score"]) for one in self._ask([request])[0]["choices"]}
        kept = [
            evolve(path, score=path.score * max(LEAST_WEIGHT, scores[one.id]))
            for path, one in zip(reached, shown, strict=True)
            if one.id in scores
        ]
        return best_first(kept)

    def _enough(self, linked: LinkedQuestion, live: Sequence[Path]) -> tuple[int, ...]:
        shown = self._shown(live)
        ids = [one.id for one in shown]
        messages = self.walker.prompts.messages("enough", {"question": linked.text, "entities": shown})
        named = {"type": "array", "items": {"type": "string", "enum": ids}, "maxItems": len(ids)}
        schema = object_schema(enough={"type": "boolean"}, answers=named)
        reply = self._ask([Request("enough", messages, schema, max_tokens=200)])[0]
        chosen = [live[ids.index(name)] for name in reply["answers"]] if reply["enough"] else []
        return tuple(dict.fromkeys(node for path in chosen for node in path.ends))

    def _shown(self, paths: Sequence[Path]) -> list[_Shown]:
        told = (hops_told(self.walker.index, path) for path in paths)
        return [_Shown(f"n{place}", "; ".join(lines)) for place, lines in enumerate(told, 1)]


def _single(view: View, option: Option, weight: float) -> list[Path]:
    """The path continued to each single entity that the relation leads to."""
    leg = option.leg
    ends = sorted(leg.end)[:ENTITIES_SHOWN]
    return [view.path.continued(evolve(leg, sets=(*leg.sets[:-1], frozenset({end}))), weight) for end in ends]
