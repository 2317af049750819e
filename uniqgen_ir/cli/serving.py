"""What `serve` and `mcp` share: the service that their options describe."""

from __future__ import annotations

import sys
from argparse import Namespace
from collections.abc import Generator
from contextlib import contextmanager
from importlib.util import find_spec
from typing import TYPE_CHECKING

from uniqgen_ir.cli.models import check_model_options, model_reader, open_model
from uniqgen_ir.ir.diagnostics import fail

if TYPE_CHECKING:
    from uniqgen_ir.service.service import Service


def need_packages(extra: str, *packages: str) -> None:
    """Raises DiagnosticError (UQ654) where an extra is not installed."""
    missing = [one for one in packages if find_spec(one) is None]
    if missing:
        hint = f"pip install 'uniqgen-ir[{extra}]'"
        raise fail("UQ654", f"`uniqgen {extra}` needs the package {missing[0]}", hint=hint)


@contextmanager
def open_service(options: Namespace) -> Generator[Service]:
    """The service, warm. Raises DiagnosticError."""
    from uniqgen_ir.backends.engines.remote import is_endpoint
    from uniqgen_ir.service.graph import ServedGraph
    from uniqgen_ir.service.service import Service
    from uniqgen_ir.service.workbench import Limits, Workbench

    check_model_options(options)
    if options.store is not None and not is_endpoint(options.store):
        hint = "sparql+http://host:port/path, holding the same graph as --graph"
        raise fail("UQ653", f"--store does not take {options.store}", hint=hint)
    graph = ServedGraph(
        options.graph or (),
        schemas=options.schema or (),
        mapping=options.mapping,
        label_property=getattr(options, "label_property", None),
        server=options.store,
    )
    limits = Limits(seconds=options.seconds, rows=options.rows, concurrent=options.concurrent, waiting=options.waiting)
    with graph, open_model(options, options.model) as model:
        graph.warm()
        reader = None if model is None else model_reader(graph, options, model)
        bench = Workbench(graph, limits, reader)
        if graph.endpoint is None and graph.bolt is None:
            bench.asker()
            bench.vocabulary()
        print(f"graph: {', '.join(graph.sources)}", file=sys.stderr)
        with Service(bench) as service:
            yield service
