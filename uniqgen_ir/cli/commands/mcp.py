"""`uniqgen mcp`."""

from __future__ import annotations

from argparse import Namespace

from uniqgen_ir.cli.exits import EXIT_OK
from uniqgen_ir.cli.serving import need_packages, open_service


def run(options: Namespace) -> int:
    """Serve tools to a language model over standard input and output until the client leaves."""
    need_packages("mcp", "mcp")
    with open_service(options) as service:
        from uniqgen_ir.mcp.server import serve

        serve(service)
    return EXIT_OK
