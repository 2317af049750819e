"""`uniqgen lsp`."""

from __future__ import annotations

from argparse import Namespace
from importlib.util import find_spec

from uniqgen_ir.cli.exits import EXIT_OK
from uniqgen_ir.ir.diagnostics import fail


def run(options: Namespace) -> int:  # noqa: ARG001 - the contract of every command
    """Serve an editor over standard input and output until it leaves."""
    if find_spec("pygls") is None:
        raise fail("UQ654", "the language server needs the package pygls", hint="pip install 'uniqgen-ir[lsp]'")
    from uniqgen_ir.lsp.server import main

    main()
    return EXIT_OK
