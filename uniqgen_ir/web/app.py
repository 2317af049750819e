"""The ASGI application: addresses, bodies, errors."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Iterable, Sequence
from typing import Any, Final

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import BaseRoute, Route
from starlette.types import ASGIApp, Receive, Scope, Send

from uniqgen_ir import __version__
from uniqgen_ir.ir.diagnostics import Diagnostic, DiagnosticError
from uniqgen_ir.service.operations import Operation
from uniqgen_ir.service.service import Service
from uniqgen_ir.web.bodies import json_body
from uniqgen_ir.web.faults import failed, internal, response
from uniqgen_ir.web.leaving import ClientLeft, unless_left
from uniqgen_ir.web.openapi import LOOKED_UP, address, description
from uniqgen_ir.web.rates import Allowance, RateLimit

Endpoint = Callable[[Request], Awaitable[Response]]
NOBODY_THERE: Final = 499
"""The status of a response that nobody reads."""
_PROBE: Final = {"query": "ASK {}", "language": "sparql"}
_HEADERS: Final = (
    (b"x-content-type-options", b"nosniff"),
    (b"cache-control", b"no-store"),
    (b"cross-origin-resource-policy", b"same-origin"),
)


def make_app(
    service: Service, *, hosts: Sequence[str] = (), pages: Iterable[BaseRoute] = (), rate: float | None = None
) -> Starlette:
    """The application of a service.

    `hosts` are the names that the `Host` header may hold (none: any), `rate` the requests a second of one address.
    """
    document = description(service.operations.values())

    async def openapi(_request: Request) -> Response:
        return JSONResponse(document)

    async def metrics(_request: Request) -> Response:
        return PlainTextResponse(service.metrics_text(), media_type="text/plain; version=0.0.4; charset=utf-8")

    async def health(request: Request) -> Response:
        return await _answered(request, _health(service))

    async def live(_request: Request) -> Response:
        return JSONResponse({"status": "ok", "version": __version__})

    routes: list[BaseRoute] = [
        Route("/openapi.json", openapi),
        Route("/metrics", metrics),
        Route("/health", health),
        Route("/live", live),
        *(_route(one, service) for one in service.operations.values()),
        *pages,
    ]
    middleware = [Middleware(Doorkeeper, hosts=frozenset(hosts))]
    if rate is not None:
        middleware.append(Middleware(RateLimit, allowance=Allowance(rate)))
    return Starlette(
        routes=routes,
        middleware=middleware,
        exception_handlers={HTTPException: _no_such_address, Exception: _fault_of_ours},
    )


def _route(operation: Operation, service: Service) -> Route:
    if operation.name not in LOOKED_UP:
        return Route(address(operation), posted_to(operation, service), methods=["POST"])

    async def looked_up(request: Request) -> Response:
        return await _answered(request, service.perform(operation, dict(request.path_params)))

    return Route(address(operation), looked_up, methods=["GET"])


def posted_to(operation: Operation, service: Service) -> Endpoint:
    """What performs an operation with the body of a request, for as long as its client is there."""

    async def posted(request: Request) -> Response:
        try:
            async with asyncio.timeout(service.limits.seconds):
                body = await json_body(request, service.limits.body)
        except TimeoutError:
            message = f"the body did not come within {service.limits.seconds:g} seconds"
            return response(408, Diagnostic("UQ704", message, hint="send it faster"))
        except ClientDisconnect:
            return Response(status_code=NOBODY_THERE)
        except DiagnosticError as error:
            unsupported = error.diagnostics[0].code == "UQ705"
            return response(415, *error.diagnostics) if unsupported else failed(error)
        return await _answered(request, service.perform(operation, body))

    return posted


async def _answered(request: Request, work: Coroutine[Any, Any, object]) -> Response:
    try:
        return JSONResponse(await unless_left(request, work))
    except ClientLeft:
        return Response(status_code=NOBODY_THERE)
    except DiagnosticError as error:
        return failed(error)
    except Exception as error:
        return internal(error)


async def _health(service: Service) -> dict[str, object]:
    """Asks the store something that costs nothing. Raises DiagnosticError where it does not answer."""
    await service.perform(service.operations["run"], _PROBE)
    return {"status": "ok", "version": __version__, "graph": list(service.bench.graph.sources)}


async def _no_such_address(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    message = {
        404: f"there is no address {request.url.path}",
        405: f"{request.url.path} does not take {request.method}",
    }.get(error.status_code, error.detail)
    found = response(error.status_code, Diagnostic("UQ705", message, hint="/openapi.json lists what there is"))
    found.headers.update(error.headers or {})
    return found


async def _fault_of_ours(_request: Request, error: Exception) -> Response:
    return internal(error)


class Doorkeeper:
    """Refuses a `Host` that is not this machine (a page of another site may have pointed its own name here)."""

    def __init__(self, app: ASGIApp, hosts: frozenset[str]) -> None:
        self._app = app
        self._hosts = hosts

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def guarded(message: dict[str, object]) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message.get("headers", ()), *_HEADERS]  # type: ignore[misc]
            await send(message)

        name = host_name(dict(scope["headers"]).get(b"host", b"").decode("latin-1"))
        if self._hosts and name not in self._hosts:
            refused = response(403, Diagnostic("UQ705", "the Host header names another machine than this one"))
            await refused(scope, receive, guarded)  # type: ignore[arg-type]
            return
        await self._app(scope, receive, guarded)  # type: ignore[arg-type]


def host_name(header: str) -> str:
    """The name in a `Host` header, without its port."""
    if header.startswith("["):
        return header[: header.find("]") + 1].lower()
    return header.rsplit(":", 1)[0].lower()
