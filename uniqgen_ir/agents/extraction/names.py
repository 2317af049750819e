"""Names that are not found as they are written: a model says what they are called, the graph looks them up."""

from __future__ import annotations

from typing import Any, Final

from attrs import evolve

from uniqgen_ir.agents.llm.client import ChatModel
from uniqgen_ir.agents.llm.messages import Request
from uniqgen_ir.agents.prompting import Prompts
from uniqgen_ir.kg.linking.index import GraphIndex
from uniqgen_ir.kg.linking.linker import link
from uniqgen_ir.kg.linking.mentions import LinkedQuestion, Mention

MOST_NAMES: Final = 6
SCHEMA: Final[dict[str, Any]] = {
    "type": "object",
    "properties": {"names": {"type": "array", "items": {"type": "string", "maxLength": 100}, "maxItems": MOST_NAMES}},
    "required": ["names"],
    "additionalProperties": False,
}


def linked_with_model(linked: LinkedQuestion, index: GraphIndex, model: ChatModel, prompts: Prompts) -> LinkedQuestion:
    """The question with what the model's names for it are in the graph; a question in another language needs it.

    Only what the graph finds under such a name comes in.
    """
    messages = prompts.messages("name", {"question": linked.text, "most": MOST_NAMES})
    given: list[str] = model.complete(Request("name the things", messages, SCHEMA, max_tokens=300))["names"]
    found = [link(name.replace('"', " "), index) for name in given]
    return evolve(
        linked,
        entities=tuple(_nowhere(mention) for one in found for mention in one.entities),
        values=tuple(_nowhere(mention) for one in found for mention in one.values),
        classes=tuple(_nowhere(mention) for one in found for mention in one.classes),
        tried=(*linked.tried, *given),
    )


def _nowhere(mention: Mention) -> Mention:
    """The mention without a place: its words are not those of the question, which stay free for relations."""
    return evolve(mention, start=0, end=0)
