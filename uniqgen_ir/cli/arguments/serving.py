"""The commands that serve editors, browsers, programs and models."""

from __future__ import annotations

import argparse

from uniqgen_ir.cli.arguments.kinds import above_zero, seconds, whole
from uniqgen_ir.cli.arguments.options import Commands, command, graph_option, mapping_options, model_options


def add_lsp(commands: Commands) -> None:
    """`uniqgen lsp`."""
    parser = command(commands, "lsp", "language server for editors, over standard input and output")
    parser.add_argument("--stdio", action="store_true", help="accepted because editors say it; there is no other way")


def add_serve(commands: Commands) -> None:
    """`uniqgen serve`."""
    parser = command(commands, "serve", "a playground in the browser, and the HTTP service behind it")
    parser.add_argument("--api", action="store_true", help="the service alone, without the playground")
    parser.add_argument("--host", default="127.0.0.1", metavar="H", help="address to listen on (default: 127.0.0.1)")
    parser.add_argument(
        "--port", type=whole(0, 65535), default=8808, metavar="N", help="port; 0: a free one (default: 8808)"
    )
    parser.add_argument(
        "--rate", type=above_zero, metavar="N", help="requests a second of one address (default: as many as it likes)"
    )
    _service(parser)


def add_mcp(commands: Commands) -> None:
    """`uniqgen mcp`."""
    _service(command(commands, "mcp", "tools for language models (MCP) over standard input and output"))


def _service(parser: argparse.ArgumentParser) -> None:
    graph_option(parser, required=True)
    mapping_options(parser)
    parser.add_argument(
        "--store", metavar="URL", help="SPARQL endpoint (sparql+http://…) with the same graph, which then answers"
    )
    parser.add_argument("--seconds", type=seconds, default=30.0, metavar="S", help="most of a request (default: 30)")
    parser.add_argument("--rows", type=whole(1), default=10_000, metavar="N", help="most rows (default: 10000)")
    parser.add_argument(
        "--concurrent", type=whole(1, 256), default=8, metavar="N", help="requests worked on at once (default: 8)"
    )
    parser.add_argument(
        "--waiting", type=whole(1), default=512, metavar="N", help="requests that may wait for that (default: 512)"
    )
    parser.add_argument("--model", metavar="M", help="read questions with this model of the server OPENAI_BASE_URL")
    model_options(parser, recording=False)
    parser.set_defaults(record=None, replay=None)
