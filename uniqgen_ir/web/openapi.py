"""The OpenAPI description of the service, made from its operations."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from uniqgen_ir import __version__
from uniqgen_ir.service import schemas as s
from uniqgen_ir.service.operations import Operation

Json = dict[str, Any]

LOOKED_UP: Final = frozenset({"explain", "schema"})
"""Operations that are read with GET; `explain` has its code in the path."""
_ERRORS: Final = {
    400: "not JSON, or not what the schema says (UQ701)",
    403: "a `Host` that is not this machine (UQ705)",
    408: "the body did not come in time (UQ704)",
    413: "too large (UQ702)",
    415: "not declared as JSON (UQ705)",
    422: "the query has an error, which `code` names",
    429: "more requests a second than the service takes from one address (UQ707)",
    500: "a fault of the service (UQ900)",
    503: "busy (UQ703), or the store or the model cannot be reached (UQ602, UQ641, …)",
    504: "the time is up (UQ704, UQ601)",
}


def description(operations: Iterable[Operation], *, server: str = "/") -> Json:
    """The document of `/openapi.json`, version 3.1."""
    paths: Json = {}
    for one in operations:
        if one.name in LOOKED_UP:
            paths[address(one)] = {"get": _looked_up(one)}
        else:
            paths[address(one)] = {"post": _posted(one)}
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "uniqgen",
            "version": __version__,
            "description": "Questions, constraint tables, SPARQL and Cypher on one graph, for reading only.",
        },
        "servers": [{"url": server}],
        "paths": paths | {"/health": {"get": _health()}, "/live": {"get": _live()}, "/metrics": {"get": _metrics()}},
        "components": {"schemas": {"Error": s.ERROR}},
    }


def address(operation: Operation) -> str:
    """The path of an operation."""
    return "/v1/explain/{code}" if operation.name == "explain" else f"/v1/{operation.name}"


def _posted(operation: Operation) -> Json:
    content = {"application/json": {"schema": operation.takes, "example": operation.example}}
    return _described(operation) | {
        "requestBody": {"required": True, "content": content},
        "responses": _responses(operation.gives, 400, 403, 408, 413, 415, 422, 429, 500, 503, 504),
    }


def _looked_up(operation: Operation) -> Json:
    parameters = [
        {
            "name": name,
            "in": "path",
            "required": True,
            "example": operation.example[name],
            "schema": {key: one[key] for key in one if key != "description"},
        }
        for name, one in operation.takes["properties"].items()
    ]
    found = _described(operation) | {"responses": _responses(operation.gives, 400, 403, 422, 429, 500, 503, 504)}
    if not parameters:
        return found
    missing = {"404": _failure("there is no such code (UQ652)")}
    return found | {"parameters": parameters, "responses": found["responses"] | missing}


def _described(operation: Operation) -> Json:
    return {"operationId": operation.name, "summary": operation.title, "description": operation.description}


def _responses(gives: s.Schema, *statuses: int) -> Json:
    return {"200": _response("done", gives)} | {str(one): _failure(_ERRORS[one]) for one in statuses}


def _response(words: str, schema: s.Schema) -> Json:
    return {"description": words, "content": {"application/json": {"schema": schema}}}


def _failure(words: str) -> Json:
    return _response(words, {"$ref": "#/components/schemas/Error"})


def _health() -> Json:
    healthy = s.given(
        {"status": s.choice("ok, or an error response", "ok"), "version": s.TEXT, "graph": s.TEXTS},
        "status",
        "version",
        "graph",
    )
    return {
        "operationId": "health",
        "summary": "Ready: whether the service and its store answer",
        "responses": _responses(healthy, 403, 503, 504),
    }


def _live() -> Json:
    living = s.given({"status": s.choice("always ok", "ok"), "version": s.TEXT}, "status", "version")
    return {
        "operationId": "live",
        "summary": "Alive: whether the service answers, its store aside",
        "responses": _responses(living, 403),
    }


def _metrics() -> Json:
    content = {"text/plain": {"schema": s.TEXT}}
    return {
        "operationId": "metrics",
        "summary": "Counters for Prometheus",
        "responses": {
            "200": {"description": "text exposition format", "content": content},
            "403": _failure(_ERRORS[403]),
        },
    }
