"""`uniqgen opt`."""

from __future__ import annotations

import sys
from argparse import Namespace

from uniqgen_ir.cli.exits import EXIT_OK
from uniqgen_ir.cli.inputs import open_graph, read_file
from uniqgen_ir.cli.output import diagnostic_json, print_diagnostics, print_json, read_input
from uniqgen_ir.driver import PrintAfter, run_pipeline
from uniqgen_ir.ir.printer import print_table
from uniqgen_ir.ir.references import references_from_text


def run(options: Namespace) -> int:
    """Run the pipeline and print the table; what the passes found beside is a warning."""
    from uniqgen_ir.passes.findings import findings

    if options.list:
        return _list(options.format)
    with open_graph(options) as graph:
        table = read_file(options, "table", graph, inspected=False).table
        references = references_from_text(*read_input(options.answers, "answers file")) if options.answers else ()
        printing: PrintAfter = "all" if options.print_after_all else "change" if options.print_after_change else None
        outcome = run_pipeline(
            table,
            options.passes,
            graph,
            options.engine,
            references,
            print_after=printing,
            show=lambda text: print(text, file=sys.stderr),
        )
    if options.timing:
        for name, seconds in outcome.timings:
            print(f"{seconds * 1000:9.2f} ms  {name}", file=sys.stderr)
    found = findings(outcome.steps, table)
    if options.format == "json":
        print_json(
            {
                "table": print_table(outcome.table),
                "diagnostics": [diagnostic_json(one) for one in found],
                "steps": [step.to_json() for step in outcome.steps],
                "timing": {name: round(seconds * 1000, 3) for name, seconds in outcome.timings},
            }
        )
    else:
        print_diagnostics(found)
        print(print_table(outcome.table), end="")
    return EXIT_OK


def _list(form: str) -> int:
    from uniqgen_ir.passes.registry import describe

    listed = describe()
    if form == "json":
        print_json([{**one, "summary": f"{one['summary']}."} for one in listed])
        return EXIT_OK
    for one in listed:
        options = ", ".join(f"{name}={default}" for name, default in one["options"].items())
        print(f"{one['name']:<12} {one['summary']}." + (f"\n{'':<12} options: {options}" if options else ""))
    return EXIT_OK
