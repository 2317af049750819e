"""Runs the application on a socket."""

from __future__ import annotations

import asyncio
import socket
import sys
from typing import Final

import uvicorn
from starlette.routing import BaseRoute

from uniqgen_ir.backends.engines.sparql.exchange import is_loopback
from uniqgen_ir.ir.diagnostics import fail
from uniqgen_ir.service.service import Service
from uniqgen_ir.web.app import make_app

LOOPBACK: Final = ("localhost", "127.0.0.1", "[::1]")
KEEP_ALIVE_SECONDS: Final = 5
STOP_SECONDS: Final = 5


def serve(service: Service, *, host: str, port: int, playground: bool, rate: float | None = None) -> None:
    """Answer until interrupted. Raises DiagnosticError (UQ653) where the address cannot be used."""
    open_to_all = not is_loopback(host)
    if open_to_all:
        print(
            f"warning: {host} can be reached from other machines, and the service asks nobody who they are",
            file=sys.stderr,
        )
    listening = _listen(host, port)
    pages: tuple[BaseRoute, ...] = ()
    if playground:
        from uniqgen_ir.web.playground import playground_routes

        pages = playground_routes(service)
    app = make_app(service, hosts=() if open_to_all else (*LOOPBACK, host), pages=pages, rate=rate)
    shown = f"[{host}]" if ":" in host else host
    print(f"listening on http://{shown}:{listening.getsockname()[1]}", file=sys.stderr, flush=True)
    config = uvicorn.Config(
        app,
        log_level="warning",
        access_log=False,
        server_header=False,
        timeout_keep_alive=KEEP_ALIVE_SECONDS,
        timeout_graceful_shutdown=STOP_SECONDS,
        # a connection that sends nothing must not cost more than the requests that the service admits
        limit_concurrency=service.limits.concurrent + service.limits.waiting + 100,
    )
    _Server(config, service).run(sockets=[listening])


class _Server(uvicorn.Server):
    """Ends what is under way before it waits for connections to end, so that their callers hear why."""

    def __init__(self, config: uvicorn.Config, service: Service) -> None:
        super().__init__(config)
        self._service = service

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """See `uvicorn.Server.shutdown`."""
        await asyncio.to_thread(self._service.stop)
        await super().shutdown(sockets)


def _listen(host: str, port: int) -> socket.socket:
    try:
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        return socket.create_server((host, port), family=family, backlog=2048)
    except (OSError, OverflowError) as error:
        words = getattr(error, "strerror", None) or str(error)
        raise fail("UQ653", f"cannot listen on {host}, port {port}: {words}", hint="--host and --port") from error
