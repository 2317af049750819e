"""The MCP server as a client meets it: a real process, driven by the official SDK."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from mcp import Client, StdioServerParameters, stdio_client
from mcp.types import CallToolResult, TextContent

TOOLS = ["ask", "compile", "check", "run", "chase", "explain", "schema"]
USES_A_FILE = 'use schema "x.cts"\nctable t {\n  select ?a\n  r1: ?a a <urn:x>\n}'
SLOW = "SELECT (COUNT(*) AS ?n) WHERE { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i }"


@asynccontextmanager
async def client(*options: str) -> AsyncIterator[Client]:
    """A client with a server of its own on the bundled graph."""
    arguments = ["-m", "uniqgen_ir", "mcp", "--graph", "almanac", *options]
    async with Client(stdio_client(StdioServerParameters(command=sys.executable, args=arguments))) as one:
        yield one


def driven(script: Callable[[Client], Awaitable[None]], *options: str) -> None:
    """Run a script with a client, within four minutes."""

    async def main() -> None:
        async with asyncio.timeout(240.0), client(*options) as one:
            await script(one)

    asyncio.run(main())


def error_of(result: CallToolResult) -> dict[str, Any]:
    """The error that a tool gave."""
    assert result.is_error
    assert isinstance(result.content[0], TextContent)
    found: dict[str, Any] = json.loads(result.content[0].text)["error"]
    return found


async def tools_with_schemas_answer(one: Client) -> None:
    tools = {tool.name: tool for tool in (await one.list_tools()).tools}
    assert list(tools) == TOOLS
    for tool in tools.values():
        assert tool.input_schema["additionalProperties"] is False
        assert tool.annotations is not None
        assert tool.annotations.read_only_hint
    asked = await one.call_tool("ask", {"question": "Which drugs treat tetany?"})
    assert set(asked.structured_content["answers"]) == {"calcium gluconate", "calcium chloride"}
    checked = await one.call_tool("check", {"query": "MATCH (d:Drugg) RETURN d", "language": "cypher"})
    assert checked.structured_content["valid"] is False
    query = asked.structured_content["queries"]["sparql"]
    ran = await one.call_tool("run", {"query": query, "language": "sparql"})
    assert len(ran.structured_content["rows"]) == 2
    compiled = await one.call_tool("compile", {"query": query, "language": "sparql", "to": "cypher"})
    assert compiled.structured_content["query"].startswith("MATCH")
    page = await one.call_tool("explain", {"code": "UQ704"})
    assert page.structured_content["kind"] == "request_timeout"
    schema = await one.call_tool("schema", {})
    assert "relation" in schema.structured_content["schema"]


WRONG: list[tuple[str, dict[str, Any], str]] = [
    ("ask", {}, "UQ701"),
    ("ask", {"question": "Who?", "graph": "/etc/passwd"}, "UQ701"),
    ("run", {"query": "MATCH (n) DETACH DELETE n", "language": "cypher"}, "UQ184"),
    ("run", {"query": "LOAD CSV FROM 'file:///etc/passwd' AS l RETURN l", "language": "cypher"}, "UQ185"),
    ("run", {"query": "SELECT * { SERVICE <http://localhost/> { ?s ?p ?o } }", "language": "sparql"}, "UQ147"),
    ("run", {"query": "SELECT ?s WHERE { ?s ?p", "language": "sparql"}, "UQ140"),
    ("run", {"query": USES_A_FILE, "language": "ctable"}, "UQ706"),
    ("compile", {"query": "ASK {}", "language": "sparql", "to": "cypher", "dialect": "oxigraph"}, "UQ502"),
    ("explain", {"code": "UQ20"}, "UQ652"),
    ("drop_everything", {}, "UQ705"),
]


async def errors_have_codes(one: Client) -> None:
    found = [error_of(await one.call_tool(tool, arguments))["code"] for tool, arguments, _ in WRONG]
    assert found == [code for _, _, code in WRONG]


async def a_call_ends_in_its_seconds(one: Client) -> None:
    started = time.monotonic()
    result = await one.call_tool("run", {"query": SLOW, "language": "sparql", "seconds": 1.0})
    # the statement was stopped, or the whole call was, whichever was noticed first
    assert error_of(result)["code"] in {"UQ601", "UQ704"}
    assert time.monotonic() - started < 60.0


class Workers:
    """The processes in which this test's server runs statements."""

    @staticmethod
    def times() -> dict[int, float]:
        """Process → seconds of processor time that it has used."""
        parents, commands, used = dict[int, int](), dict[int, str](), dict[int, float]()
        for folder in Path("/proc").iterdir():
            if folder.name.isdigit():
                try:
                    fields = (folder / "stat").read_text().rsplit(")", 1)[1].split()
                    commands[int(folder.name)] = (folder / "cmdline").read_text()
                except OSError:
                    continue  # it ended meanwhile
                parents[int(folder.name)] = int(fields[1])
                used[int(folder.name)] = (int(fields[11]) + int(fields[12])) / 100.0
        ours = {number for number, parent in parents.items() if parent == os.getpid()}
        return {
            number: used[number]
            for number, parent in parents.items()
            if parent in ours and "oxigraph_worker" in commands[number]
        }

    async def all_busy(self, many: int) -> set[int]:
        """So many of them, once each really works: it took processor time while this looked on."""
        before = self.times()
        while True:
            busy = {number for number, used in self.times().items() if used - before.get(number, 0.0) > 0.5}
            if len(busy) == many:
                return busy
            await asyncio.sleep(0.05)

    async def all_idle(self) -> None:
        """For a second none takes processor time; a process that starts takes some first."""
        while True:
            before = self.times()
            await asyncio.sleep(1.0)
            if not any(used - before.get(number, 0.0) > 0.2 for number, used in self.times().items()):
                return

    async def ended(self, numbers: set[int]) -> None:
        while numbers & self.times().keys():
            await asyncio.sleep(0.05)


async def cancelling_a_call_ends_its_statement(one: Client) -> None:
    workers = Workers()
    slow = [asyncio.create_task(one.call_tool("run", {"query": SLOW, "language": "sparql"})) for _ in range(8)]
    busy = await workers.all_busy(4)
    for task in slow:
        task.cancel()
    await asyncio.gather(*slow, return_exceptions=True)
    assert all(task.cancelled() for task in slow)
    # the four that ran are killed, and the four that waited never begin: only then is there room for the next call
    await workers.ended(busy)
    quick = await one.call_tool("run", {"query": "ASK {}", "language": "sparql"})
    assert quick.structured_content["rows"] == [[True]]
    # what is left, and what has been started since, becomes idle: a statement that ran on would take hours
    await workers.all_idle()


def test_rows_are_limited() -> None:
    async def script(one: Client) -> None:
        everything = {"query": "SELECT ?s WHERE { ?s ?p ?o }", "language": "sparql", "rows": 1000}
        answers = (await one.call_tool("run", everything)).structured_content
        assert len(answers["rows"]) == 7
        assert answers["complete"] is False

    driven(script, "--rows", "7")


def test_one_session_from_the_first_call_to_the_last() -> None:
    async def script(one: Client) -> None:
        # a server takes seconds to start on a busy machine, and a client keeps it for all of its work, too
        await tools_with_schemas_answer(one)
        await errors_have_codes(one)
        await a_call_ends_in_its_seconds(one)
        await cancelling_a_call_ends_its_statement(one)

    # with 300 seconds nothing but the cancellation can end a statement within the time that a script has
    driven(script, "--seconds", "300")


@pytest.mark.parametrize(("number", "at_work"), [(signal.SIGINT, True), (signal.SIGTERM, False)])
def test_a_signal_ends_the_server_as_a_client_does_that_leaves(number: int, at_work: bool) -> None:
    hello = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}
    sent: list[dict[str, Any]] = [
        {"id": 1, "method": "initialize", "params": hello},
        {"method": "notifications/initialized"},
    ]
    if at_work:
        arguments = {"query": SLOW, "language": "sparql"}
        sent.append({"id": 2, "method": "tools/call", "params": {"name": "run", "arguments": arguments}})
    command = [sys.executable, "-m", "uniqgen_ir", "mcp", "--graph", "almanac", "--seconds", "300"]
    pipes: dict[str, Any] = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
    # a run in the background ignores interrupts, and so would its children
    usual = partial(signal.signal, signal.SIGINT, signal.SIG_DFL)
    with subprocess.Popen(command, **pipes, preexec_fn=usual) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        for one in sent:
            process.stdin.write(json.dumps({"jsonrpc": "2.0", **one}).encode() + b"\n")
        process.stdin.flush()
        assert json.loads(process.stdout.readline())["id"] == 1
        process.send_signal(number)
        assert process.wait(120.0) == 0
        assert process.stderr is not None
        assert b"Traceback" not in process.stderr.read()
