"""What is sent to a model, what comes back, and the record of it."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Mapping
from typing import Any, Final, TypeAlias

from attrs import field, frozen

Json: TypeAlias = Any
"""A value as `json.loads` gives it."""

BYTES_PER_TOKEN: Final = 3.5
"""How many bytes of UTF-8 text make a token: less than the usual average of 4, so that estimates err upwards."""


def estimated_tokens(text: str) -> int:
    """How many tokens a text has, guessed from its length; used where a server does not count."""
    return math.ceil(len(text.encode()) / BYTES_PER_TOKEN)


@frozen
class Message:
    """One message; `role` is `system`, `user` or `assistant`."""

    role: str
    content: str

    def to_json(self) -> dict[str, str]:
        return {"role": self.role, "content": self.content}


@frozen
class Request:
    """What is asked of a model: messages, and the JSON schema that its answer must meet.

    `purpose` is for people and traces. `sample` tells repeated requests apart (it is the seed), so that each has a
    place of its own in the cache.
    """

    purpose: str
    messages: tuple[Message, ...]
    schema: Mapping[str, Json] = field(hash=False)
    max_tokens: int = 2000
    temperature: float = 0.0
    sample: int = 0

    def key(self, model: str) -> str:
        """The name of this request's content: SHA-256 over everything that the answer depends on, in hexadecimal."""
        content = {
            "model": model,
            "messages": [one.to_json() for one in self.messages],
            "schema": self.schema,
            "max_tokens": self.max_tokens,
            "temperature": self.temperature,
            "sample": self.sample,
        }
        return hashlib.sha256(json.dumps(content, sort_keys=True, ensure_ascii=False).encode()).hexdigest()

    @property
    def prompt_tokens(self) -> int:
        """The estimated tokens of messages and schema."""
        schema = json.dumps(self.schema, ensure_ascii=False, separators=(",", ":"))
        return estimated_tokens("".join(one.content for one in self.messages) + schema)


@frozen
class Usage:
    """Tokens read and written; `estimated` where the server did not say."""

    input: int = 0
    output: int = 0
    estimated: bool = False

    @property
    def total(self) -> int:
        return self.input + self.output

    def __add__(self, other: Usage) -> Usage:
        return Usage(self.input + other.input, self.output + other.output, self.estimated or other.estimated)


@frozen
class Reply:
    """A model's answer as it came: its text, why it ended, and what it cost."""

    text: str
    finish: str = "stop"
    """`stop`, `length` (cut off at the limit of tokens), `content_filter`, or the server's own word"""
    declined: str | None = None
    """the server's notice that the model declines"""
    usage: Usage = Usage()

    def to_json(self) -> dict[str, Json]:
        return {
            "text": self.text,
            "finish": self.finish,
            "declined": self.declined,
            "input_tokens": self.usage.input,
            "output_tokens": self.usage.output,
            "estimated": self.usage.estimated,
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Json]) -> Reply:
        """The reply that `to_json` wrote. Raises KeyError, TypeError or ValueError where it is not one."""
        usage = Usage(int(data["input_tokens"]), int(data["output_tokens"]), bool(data["estimated"]))
        declined = data["declined"]
        return cls(str(data["text"]), str(data["finish"]), None if declined is None else str(declined), usage)


@frozen
class CallRecord:
    """One request and what became of it, for traces: never a key, never a header."""

    purpose: str
    model: str
    messages: tuple[Message, ...]
    reply: Reply | None
    source: str = "server"
    """`server`, `cache` or `replay`"""
    attempts: int = 1
    """how many HTTP requests it took; 0 where none was sent"""
    milliseconds: float = 0.0
    fault: str | None = None
    """what was wrong with the answer, or with the way to it"""

    @property
    def usage(self) -> Usage:
        """What was paid for: nothing where the answer came from the cache or a file."""
        return self.reply.usage if self.reply is not None and self.source == "server" else Usage()

    def to_json(self) -> dict[str, Json]:
        return {
            "purpose": self.purpose,
            "model": self.model,
            "messages": [one.to_json() for one in self.messages],
            "reply": None if self.reply is None else self.reply.to_json(),
            "source": self.source,
            "attempts": self.attempts,
            "ms": round(self.milliseconds, 1),
            "fault": self.fault,
        }
