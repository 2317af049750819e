"""`uniqgen verify`."""

from __future__ import annotations

from argparse import Namespace

from uniqgen_ir.cli.exits import EXIT_BAD_INPUT, EXIT_OK
from uniqgen_ir.cli.inputs import open_graph
from uniqgen_ir.cli.output import diagnostic_json, print_diagnostics, print_json, read_input
from uniqgen_ir.driver import verify_trace_text


def run(options: Namespace) -> int:
    """Replay every claim of the trace; exit 1 where one is false or missing. Unproved ones are named."""
    text, source = read_input(options.file, "trace")
    with open_graph(options) as graph:
        schema = graph.vocabulary.schema if options.schema else None
        verdict = verify_trace_text(text, graph, options.engine, schema, timeout=options.timeout)
    if options.format == "json":
        print_json(
            {
                "valid": verdict.valid,
                "claims": verdict.claims,
                "unproved": list(verdict.unproved),
                "history": verdict.history,
                "calls": verdict.calls,
                "diagnostics": [diagnostic_json(one) for one in verdict.diagnostics],
            }
        )
    else:
        print_diagnostics(verdict.diagnostics)
        for one in verdict.unproved:
            print(f"  not proved: {one}")
        false = f", {len(verdict.diagnostics)} are false or missing" if verdict.diagnostics else ""
        unproved = f", {len(verdict.unproved)} are not proved by this trace" if verdict.unproved else ""
        whole = "" if false or unproved else ": every claim that it must make"
        print(f"{source}: {verdict.claims} claims hold{unproved}{false}{whole} ({verdict.calls} calls)")
        print(f"  {verdict.history} steps tell how the search went; they are compared with the claims, not certified")
    return EXIT_BAD_INPUT if verdict.diagnostics else EXIT_OK
