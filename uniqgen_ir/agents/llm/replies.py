"""From the body of a server's reply to the model's text: as documented, and as servers really answer."""

from __future__ import annotations

import json
from typing import Any, cast

from uniqgen_ir.agents.llm.messages import Json, Reply, Request, Usage, estimated_tokens


def read_reply(body: str, request: Request) -> Reply:
    """The reply in a body. Raises ValueError, with words for people, where it is none."""
    try:
        data: Json = json.loads(body)
    except json.JSONDecodeError:
        raise ValueError(_strange(body)) from None
    choices: Json = data.get("choices") if isinstance(data, dict) else None  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]
    if not isinstance(choices, list) or not choices or not isinstance(choices[0], dict):
        raise ValueError(_strange(body))
    choice = cast("dict[str, Any]", choices[0])
    message = choice.get("message")
    if not isinstance(message, dict):
        raise ValueError(_strange(body))
    parts = cast("dict[str, Any]", message)
    text = _text(parts)
    finish = str(choice.get("finish_reason") or "stop")
    declined = parts.get("refusal") or (f"the server's filter stopped it ({finish})" if "filter" in finish else None)
    usage = _usage(cast("dict[str, Any]", data).get("usage"), request, text)
    return Reply(text, finish, str(declined) if declined else None, usage)


def _text(message: dict[str, Any]) -> str:
    """The content, or the arguments where a server turned the answer into the call of a tool."""
    content = message.get("content")
    if isinstance(content, list):
        pieces: list[Any] = content  # pyright: ignore[reportUnknownVariableType]
        content = "".join(str(one.get("text", "")) if isinstance(one, dict) else str(one) for one in pieces)  # pyright: ignore[reportUnknownMemberType, reportUnknownArgumentType]
    if isinstance(content, str) and content.strip():
        return content
    calls = message.get("tool_calls")
    if isinstance(calls, list) and calls and isinstance(calls[0], dict):
        function: Any = cast("dict[str, Any]", calls[0]).get("function")
        arguments: Any = cast("dict[str, Any]", function).get("arguments") if isinstance(function, dict) else None
        return arguments if isinstance(arguments, str) else json.dumps(arguments)
    return content or ""


def _usage(given: object, request: Request, text: str) -> Usage:
    if isinstance(given, dict):
        counts = cast("dict[str, Any]", given)
        read, written = counts.get("prompt_tokens"), counts.get("completion_tokens")
        if isinstance(read, int) and isinstance(written, int):
            return Usage(read, written)
    return Usage(request.prompt_tokens, estimated_tokens(text), estimated=True)


def _strange(body: str) -> str:
    start = " ".join(body.split())[:80]
    return f'it begins "{start}"' if start else "it is empty"
