"""`uniqgen chase`."""

from __future__ import annotations

import sys
from argparse import Namespace
from typing import TYPE_CHECKING, Any

from uniqgen_ir.cli.batch import run_batch
from uniqgen_ir.cli.exits import EXIT_BAD_INPUT, EXIT_OK, EXIT_UNREACHABLE
from uniqgen_ir.cli.inputs import one_input, open_graph, parse_budget, read_file, read_record
from uniqgen_ir.cli.output import print_json, read_input, write_output
from uniqgen_ir.driver import KnowledgeGraph, check, relax
from uniqgen_ir.ir.diagnostics import fail
from uniqgen_ir.ir.printer import print_table
from uniqgen_ir.ir.references import references_from_json, references_from_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from uniqgen_ir.ir.protocols import ReferenceAnswer
    from uniqgen_ir.ir.table import Table
    from uniqgen_ir.passes.search.result import ChaseReport


def run(options: Namespace) -> int:
    """Relax and tighten one table, or a batch of them."""
    with open_graph(options) as graph:
        if one_input(options):
            return run_batch(options.batch, lambda record: _record(record, graph, options))
        outcome = read_file(options, "table", graph, relaxed=True)
        references = _references(options.answers)
        report = _relax(outcome.table, references, graph, options)
    if options.trace:
        _write_trace(options.trace, report)
    if options.format == "json":
        print_json(_json(report))
    else:
        from uniqgen_ir.cli.story import chase_story

        print(chase_story(report, outcome.table), file=sys.stderr)
        if report.table is not None:
            print(print_table(report.table), end="")
    return {"ok": EXIT_OK, "none": EXIT_BAD_INPUT, "stopped": EXIT_UNREACHABLE}[report.status.value]


def _references(name: str | None) -> Sequence[ReferenceAnswer]:
    if name is None:
        print("no reference answers given: the tightest table with answers is kept", file=sys.stderr)
        return ()
    text, source = read_input(name, "answers file")
    return references_from_text(text, source)


def _record(record: dict[str, Any], graph: KnowledgeGraph, options: Namespace) -> dict[str, Any]:
    outcome = read_record(record, options, graph)
    given: object = record.get("answers", [])
    if not isinstance(given, list):
        raise fail("UQ651", '"answers" is not a list')
    references = references_from_json(given)  # pyright: ignore[reportUnknownArgumentType]
    return _json(_relax(outcome.table, references, graph, options))


def _relax(
    table: Table, references: Sequence[ReferenceAnswer], graph: KnowledgeGraph, options: Namespace
) -> ChaseReport:
    from uniqgen_ir.passes.relaxation import RelaxationOptions

    check(table)
    settings = RelaxationOptions(
        strategy=options.strategy,
        objective=options.objective,
        evidence=options.evidence,
        theta=options.theta,
        beam=options.beam,
        budget=parse_budget(options.budget),
        schema=graph.vocabulary.schema,
    )
    return relax(table, graph, options.engine, references, settings)


def _json(report: ChaseReport) -> dict[str, Any]:
    return dict(report.to_json(print_table(report.table) if report.table is not None else None))


def _write_trace(name: str, report: ChaseReport) -> None:
    from uniqgen_ir.passes.trace import write_trace

    write_output(name, write_trace(report.steps))
