"""`uniqgen export`."""

from __future__ import annotations

import sys
from argparse import Namespace
from pathlib import Path

from uniqgen_ir.cli.exits import EXIT_OK
from uniqgen_ir.cli.inputs import open_graph
from uniqgen_ir.cli.output import print_json
from uniqgen_ir.driver import export_graph


def run(options: Namespace) -> int:
    """Write the graph into a folder and say what was written."""
    folder = Path(options.folder)
    watched = options.verbose or sys.stderr.isatty()
    with open_graph(options) as graph:
        files = export_graph(graph, options.target, folder, _progress if watched else None)
    if watched:
        print(file=sys.stderr)
    sizes = {name: (folder / name).stat().st_size for name in files}
    if options.format == "json":
        print_json({"files": [{"name": str(folder / name), "bytes": size} for name, size in sizes.items()]})
    else:
        for name, size in sizes.items():
            print(f"{folder / name}  {size:,} bytes")
    return EXIT_OK


def _progress(facts: int) -> None:
    print(f"\r{facts:,} facts read", end="", file=sys.stderr, flush=True)
