"""`uniqgen snapshot`."""

from __future__ import annotations

import sys
from argparse import Namespace
from pathlib import Path

from attrs import asdict

from uniqgen_ir.cli.exits import EXIT_OK
from uniqgen_ir.cli.inputs import open_graph
from uniqgen_ir.cli.output import print_json, read_input
from uniqgen_ir.driver import snapshot_graph
from uniqgen_ir.ir.diagnostics import fail
from uniqgen_ir.kg.snapshot.files import Manifest, read_snapshot


def run(options: Namespace) -> int:
    """Make a snapshot, or check one, and say what is in it."""
    folder = Path(options.folder)
    manifest = read_snapshot(folder) if options.check else _make(options, folder)
    if options.format == "json":
        print_json(asdict(manifest))
    else:
        print(
            f"{folder}: {manifest.facts:,} facts about {manifest.nodes:,} nodes, {manifest.predicates:,} predicates, "
            f"{manifest.classes:,} classes; {manifest.hops} hops around {', '.join(manifest.around)}"
        )
    return EXIT_OK


def _make(options: Namespace, folder: Path) -> Manifest:
    if not options.graph or not options.around:
        raise fail("UQ653", "a snapshot needs --graph and --around", hint="--check looks at one that is there already")
    if options.hops < 0 or options.hub_limit < 0:
        raise fail("UQ653", "--hops and --hub-limit are 0 or more")
    names = [name for one in options.around for name in _names(one)]
    with open_graph(options) as graph:
        return snapshot_graph(
            graph,
            folder,
            names,
            hops=options.hops,
            hub_limit=options.hub_limit,
            progress=_progress if sys.stderr.isatty() else None,
        )


def _names(given: str) -> list[str]:
    if not given.startswith("@"):
        return [given]
    return [line.strip() for line in read_input(given[1:], "list of names")[0].splitlines() if line.strip()]


def _progress(facts: int) -> None:
    print(f"\r{facts:,} facts written", end="", file=sys.stderr, flush=True)
