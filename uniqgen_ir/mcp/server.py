"""Tools for language models over the Model Context Protocol, on standard input and output."""

from __future__ import annotations

import json
from typing import Any, Final

import anyio
import mcp_types as types
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel.server import Server
from mcp.server.stdio import stdio_server

from uniqgen_ir import __version__
from uniqgen_ir.ir.diagnostic_json import error_json
from uniqgen_ir.ir.diagnostics import Diagnostic, DiagnosticError, fail
from uniqgen_ir.mcp.incoming import ended_by_signals
from uniqgen_ir.service.service import Service

INSTRUCTIONS: Final = (
    "Tools on one knowledge graph, for reading only. `ask` answers a question; to write a query yourself, look at "
    "`schema` first, let `check` judge the query, then `run` it. Errors have codes; `explain` gives the page of one."
)
_READS: Final = types.ToolAnnotations(
    read_only_hint=True, destructive_hint=False, idempotent_hint=True, open_world_hint=False
)
Context = ServerRequestContext[Any, Any]


def make_server(service: Service) -> Server[Any]:
    """The server of a service's operations, each a tool. A cancelled call ends its work."""

    async def list_tools(_context: Context, _params: types.PaginatedRequestParams | None) -> types.ListToolsResult:
        return types.ListToolsResult(
            tools=[
                types.Tool(
                    name=one.name,
                    title=one.title,
                    description=one.description,
                    input_schema=one.takes,
                    output_schema=one.gives,
                    annotations=_READS,
                )
                for one in service.operations.values()
            ]
        )

    async def call_tool(_context: Context, params: types.CallToolRequestParams) -> types.CallToolResult:
        try:
            operation = service.operations.get(params.name)
            if operation is None:
                names = ", ".join(service.operations)
                raise fail("UQ705", f"there is no tool {params.name}", hint=f"the tools: {names}")
            return _result(await service.perform(operation, params.arguments or {}))
        except DiagnosticError as error:
            return _failed(error.diagnostics)
        except Exception as error:
            # the model gets a code for a fault of ours, too, and the server goes on
            return _failed((Diagnostic("UQ900", f"{type(error).__name__}: {error}"),))

    return Server(
        "uniqgen", version=__version__, instructions=INSTRUCTIONS, on_list_tools=list_tools, on_call_tool=call_tool
    )


def _result(found: dict[str, Any]) -> types.CallToolResult:
    return types.CallToolResult(content=[_text(found)], structured_content=found)


def _failed(diagnostics: tuple[Diagnostic, ...]) -> types.CallToolResult:
    return types.CallToolResult(content=[_text({"error": error_json(diagnostics)})], is_error=True)


def _text(value: dict[str, Any]) -> types.TextContent:
    return types.TextContent(text=json.dumps(value, ensure_ascii=False))


def serve(service: Service) -> None:
    """Answer until the client leaves, or the process is told to stop."""

    async def main() -> None:
        server = make_server(service)
        async with stdio_server() as (incoming, outgoing):
            await server.run(incoming, outgoing, server.create_initialization_options())

    with ended_by_signals():
        anyio.run(main)
