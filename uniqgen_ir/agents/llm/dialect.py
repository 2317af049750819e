"""What a server understands of the Chat Completions interface, learnt from what it refuses."""

from __future__ import annotations

import json
from typing import Any, Final, Literal, TypeAlias

from attrs import evolve, frozen

from uniqgen_ir.agents.llm.messages import Request

AnswerFormat: TypeAlias = Literal["json_schema", "json_object", "text"]

_NEXT_FORMAT: Final[dict[AnswerFormat, AnswerFormat]] = {"json_schema": "json_object", "json_object": "text"}
_TOO_LONG: Final = (
    "context length",
    "context_length",
    "context window",
    "too long",
    "maximum context",
    "exceeds the available",
)


@frozen
class ServerDialect:
    """How requests to one server are written. The first is tried with everything; each refusal takes one thing away."""

    answer_format: AnswerFormat = "json_schema"
    limit_name: Literal["max_tokens", "max_completion_tokens"] = "max_tokens"
    temperature: bool = True
    seed: bool = True
    system: bool = True

    def parameters(self, model: str, request: Request) -> dict[str, Any]:
        """The body of the request."""
        body: dict[str, Any] = {"model": model, "messages": self._messages(request)}
        body[self.limit_name] = request.max_tokens
        if self.temperature:
            body["temperature"] = request.temperature
        if self.seed:
            body["seed"] = request.sample
        if self.answer_format == "json_schema":
            named = {"name": "answer", "schema": dict(request.schema), "strict": True}
            body["response_format"] = {"type": "json_schema", "json_schema": named}
        elif self.answer_format == "json_object":
            body["response_format"] = {"type": "json_object"}
        return body

    def _messages(self, request: Request) -> list[dict[str, str]]:
        messages = [one.to_json() for one in request.messages]
        if not self.system and len(messages) > 1 and messages[0]["role"] == "system":
            first, second, *rest = messages
            messages = [{"role": second["role"], "content": f"{first['content']}\n\n{second['content']}"}, *rest]
        if self.answer_format != "json_schema":
            # the server will not enforce the schema, so the model has to read it
            messages[0]["content"] += "\n\n" + schema_text(request)
        return messages

    def adapted(self, refusal: str) -> ServerDialect | None:
        """The dialect without what a refusal (400, 422, 501) is about; None if nothing is left to take away."""
        said = refusal.lower()
        if any(words in said for words in _TOO_LONG):
            return None
        if self.limit_name == "max_tokens" and "max_completion_tokens" in said:
            return evolve(self, limit_name="max_completion_tokens")
        if self.system and "system" in said and "role" in said:
            return evolve(self, system=False)
        if self.temperature and "temperature" in said:
            return evolve(self, temperature=False)
        if self.seed and "seed" in said:
            return evolve(self, seed=False)
        following = _NEXT_FORMAT.get(self.answer_format)
        return None if following is None else evolve(self, answer_format=following)


def schema_text(request: Request) -> str:
    """The schema in words that a model can follow."""
    schema = json.dumps(request.schema, ensure_ascii=False, separators=(",", ":"))
    return f"Answer with one JSON object and nothing else. It must meet this JSON schema:\n{schema}"
