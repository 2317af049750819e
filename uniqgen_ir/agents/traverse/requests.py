"""The requests of a walk: prompts of a step and of the choice at the end, each with an enumeration of its answers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from attrs import frozen

from uniqgen_ir.agents.llm.messages import Request
from uniqgen_ir.agents.prompting import Prompts
from uniqgen_ir.agents.traverse.paths import nodes_text, path_text
from uniqgen_ir.agents.traverse.views import Candidate, View
from uniqgen_ir.kg.linking.index import GraphIndex

STOP: Final = "STOP"
NONE: Final = "none"
_CHOICE_TOKENS: Final = 200


def step_request(view: View, prompts: Prompts) -> Request:
    """What is asked at one step: the question, the last K hops, the current entity, its ranked relations."""
    values = {
        "question": view.question,
        "hops": view.history.shown,
        "hidden": view.history.hidden > 0,  # how many are hidden would tell the depth
        "current": view.current,
        "kind": view.kind,
        "options": view.options,
        "left_out": view.left_out,
        "width": view.width,
        "can_stop": view.can_stop,
        "stop": STOP,
    }
    return Request("walk", prompts.messages("walk", values), step_schema(view), max_tokens=_CHOICE_TOKENS)


def step_schema(view: View) -> dict[str, Any]:
    """At most `width` of the options, or STOP where the walk may end; nothing else can be named."""
    return scored_choices([one.id for one in view.options] + ([STOP] if view.can_stop else []), view.width)


def scored_choices(ids: Sequence[str], most: int) -> dict[str, Any]:
    """One to `most` of the ids, each with a score."""
    score = {"type": "number", "minimum": 0, "maximum": 1}
    choice = object_schema(id={"type": "string", "enum": list(ids)}, score=score)
    return object_schema(choices={"type": "array", "items": choice, "minItems": 1, "maxItems": most})


@frozen
class _CandidateShown:
    id: str
    paths: tuple[str, ...]
    ends: str


def extract_request(
    question: str, candidates: Sequence[Candidate], index: GraphIndex, prompts: Prompts
) -> tuple[Request, list[str]]:
    """What is asked at the end, with whole paths, and the ids of the candidates in their order."""
    ids = [f"a{place}" for place in range(1, len(candidates) + 1)]
    shown = [
        _CandidateShown(name, tuple(path_text(index, path) for path in one.paths), nodes_text(index, one.nodes))
        for name, one in zip(ids, candidates, strict=True)
    ]
    messages = prompts.messages("paths", {"question": question, "candidates": shown})
    schema = object_schema(best={"type": "string", "enum": [*ids, NONE]})
    return Request("choose a path", messages, schema, max_tokens=_CHOICE_TOKENS), ids


def object_schema(**properties: Any) -> dict[str, Any]:
    """A JSON object with just these properties."""
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }
