"""Request bodies: read within their limit, as JSON that means one thing."""

from __future__ import annotations

import json

from starlette.requests import Request

from uniqgen_ir.ir.diagnostics import fail


async def json_body(request: Request, most: int) -> object:
    """The body as JSON. Raises DiagnosticError: UQ705 for another content type, UQ702 above `most` bytes, UQ701."""
    kind = request.headers.get("content-type", "").split(";")[0].strip().lower()
    if kind != "application/json":
        # a form of another site can send everything but this type without asking first
        raise fail("UQ705", "the body is not declared as JSON", hint="Content-Type: application/json")
    body = bytearray()
    async for part in request.stream():
        body += part
        if len(body) > most:
            raise fail("UQ702", f"the request is larger than {most} bytes")
    return parsed(bytes(body))


def parsed(body: bytes) -> object:
    """The one value that the bytes say. Raises DiagnosticError (UQ701)."""
    try:
        return json.loads(body.decode("utf-8"), parse_constant=_no_constant, object_pairs_hook=_once)
    except UnicodeDecodeError as error:
        raise fail("UQ701", f"the body is not UTF-8: {error.reason} at byte {error.start}") from error
    except json.JSONDecodeError as error:
        raise fail("UQ701", f"the body is not JSON: {error.msg} in line {error.lineno}") from error
    except RecursionError as error:
        raise fail("UQ701", "the body is nested too deep") from error
    except ValueError as error:
        raise fail("UQ701", f"the body is not JSON that can be used: {error}") from error


def _no_constant(name: str) -> object:
    raise ValueError(f"{name} is not a number of JSON")


def _once(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a key stands twice in one object")
    return found
