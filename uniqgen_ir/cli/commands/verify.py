"""`uniqgen verify`."""

from __future__ import annotations

from argparse import Namespace

from uniqgen_ir.cli.exits import EXIT_BAD_INPUT, EXIT_OK
from uniqgen_ir.cli.inputs import open_graph
from uniqgen_ir.cli.output import diagnostic_json, print_diagnostics, print_json, read_input
from uniqgen_ir.driver import verify_trace_text


def run(options: Namespace) -> int:
    """Replay every claim of the trace; exit 1 where one does not hold."""
    text, source = read_input(options.file, "trace")
    with open_graph(options) as graph:
        verdict = verify_trace_text(text, graph, options.engine)
    if options.format == "json":
        print_json(
            {
                "valid": not verdict.diagnostics,
                "claims": verdict.claims,
                "calls": verdict.calls,
                "diagnostics": [diagnostic_json(one) for one in verdict.diagnostics],
            }
        )
    else:
        print_diagnostics(verdict.diagnostics)
        held = "every claim holds" if not verdict.diagnostics else f"{len(verdict.diagnostics)} do not hold"
        print(f"{source}: {verdict.claims} claims replayed with {verdict.calls} calls, {held}")
    return EXIT_BAD_INPUT if verdict.diagnostics else EXIT_OK
