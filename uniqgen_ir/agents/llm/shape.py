"""From what a model wrote to the JSON object that was asked for, whatever it put around it."""

from __future__ import annotations

import json
import re
from typing import Final

from uniqgen_ir.agents.llm.messages import Json

_THINKING: Final = re.compile(r"<(think|thinking|reasoning|scratchpad)>.*?(</\1>|\Z)", re.DOTALL | re.IGNORECASE)
_STRAY_END: Final = re.compile(r"\A.*</(?:think|thinking|reasoning)>", re.DOTALL | re.IGNORECASE)
_SPECIAL: Final = re.compile(r"<\|[^|<>\n]{1,40}\|>|</?s>|\[/?INST\]|<(?:end|start)_of_turn>")
_DECLINING: Final = re.compile(
    r"\b(?:i(?:'|’)?m sorry|i am sorry|i can(?:no|'|’)t|i cannot|i am unable|i(?:'|’)m unable|as an ai|i won(?:'|’)t)\b"
    r"|lo siento|je suis désolé|es tut mir leid|leider kann ich|desculpe|抱歉|申し訳",
    re.IGNORECASE,
)
MOST_OBJECTS: Final = 20
"""How many objects of one text are looked at."""


def without_wrapping(text: str) -> str:
    """The text without thinking aloud and without the control tokens that some servers leave in."""
    bare = _THINKING.sub("", text)
    bare = _STRAY_END.sub("", bare)  # the opening tag is often in the prompt
    return _SPECIAL.sub("", bare).strip()


def objects_in(text: str) -> list[dict[str, Json]]:
    """Every outermost JSON object in the text, in order: inside fences, after *Answer:*, between sentences."""
    bare = without_wrapping(text)
    decoder = json.JSONDecoder()
    found: list[dict[str, Json]] = []
    place = bare.find("{")
    while place >= 0 and len(found) < MOST_OBJECTS:
        try:
            value, end = decoder.raw_decode(bare, place)
        except (ValueError, RecursionError):
            end = place + 1
        else:
            if isinstance(value, dict):
                found.append(value)  # pyright: ignore[reportUnknownArgumentType]
        place = bare.find("{", end)
    return found


def declines(text: str) -> bool:
    """Whether a text without an object reads as *I cannot help with that*, in one of a few languages."""
    return bool(_DECLINING.search(without_wrapping(text)[:300]))


def no_object(text: str, *, cut_off: bool) -> str:
    """What is wrong with a text that holds no object, as a sentence for the model and for people."""
    bare = without_wrapping(text)
    if cut_off:
        return "the answer was cut off before its JSON object ended"
    if not bare:
        return "the answer is empty" if not text.strip() else "the answer holds only thinking, and no JSON object"
    if "{" in bare:
        return "the answer holds no valid JSON object: a bracket, comma or quote is missing or too many"
    return "the answer holds no JSON object"
