"""`uniqgen chase`."""

from __future__ import annotations

import json
import sys
from argparse import Namespace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from uniqgen_ir.cli.batch import run_batch
from uniqgen_ir.cli.cancelling import cancelled_by_interrupt
from uniqgen_ir.cli.exits import EXIT_BAD_INPUT, EXIT_OK, EXIT_UNREACHABLE
from uniqgen_ir.cli.inputs import one_input, open_graph, parse_budget, read_file, read_record
from uniqgen_ir.cli.output import diagnostic_json, print_diagnostics, print_json, read_input, write_output
from uniqgen_ir.driver import KnowledgeGraph, check, relax, schema_of_content
from uniqgen_ir.ir.diagnostics import fail
from uniqgen_ir.ir.printer import print_table
from uniqgen_ir.ir.references import references_from_json, references_from_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from uniqgen_ir.ir.diagnostics import Diagnostic
    from uniqgen_ir.ir.protocols import ReferenceAnswer
    from uniqgen_ir.ir.schema import Schema
    from uniqgen_ir.ir.table import Table
    from uniqgen_ir.ir.terms import GroundTerm
    from uniqgen_ir.passes.search.budget import Cancellation
    from uniqgen_ir.passes.search.result import ChaseReport

TIGHTEST: Final = "the tightest table with answers is kept"
"""what a chase without reference answers does"""

_PICTURES: Final = (".svg", ".dot", ".json")
_LINE_KEYS: Final = frozenset({"id", "query", "table", "language", "answers", "schema"})


def run(options: Namespace) -> int:
    """Relax and tighten one table, or a batch of them."""
    from uniqgen_ir.passes.search.budget import Cancellation

    if options.lattice and Path(options.lattice).suffix not in _PICTURES:
        raise fail(
            "UQ653", f"--lattice cannot write {options.lattice}", hint=f"a file ending in {', '.join(_PICTURES)}"
        )
    cancellation = Cancellation()
    with open_graph(options) as graph:
        if one_input(options):
            return run_batch(options.batch, partial(_record, graph=graph, options=options))
        outcome = read_file(options, "table", graph, relaxed=True)
        references, warnings = _named(_references(options.answers), outcome.table, graph, options)
        print_diagnostics(warnings)
        with cancelled_by_interrupt(cancellation):
            report = _relax(outcome.table, references, graph, options, cancellation=cancellation)
        if options.explain:
            print(_explained(report, outcome.table, graph, options), file=sys.stderr)
    if options.trace:
        _write_trace(options.trace, report)
    if options.lattice:
        _write_lattice(options.lattice, report, outcome.table)
    _print(report, outcome.table, options)
    return {"ok": EXIT_OK, "none": EXIT_BAD_INPUT, "stopped": EXIT_UNREACHABLE}[report.status.value]


def _print(report: ChaseReport, table: Table, options: Namespace) -> None:
    if options.format == "json":
        print_json(_json(report))
        return
    if not options.explain:
        from uniqgen_ir.cli.story import chase_story

        print(chase_story(report, table), file=sys.stderr)
    if report.table is not None:
        print(print_table(report.table), end="")


def _references(name: str | None) -> Sequence[ReferenceAnswer]:
    """The answers of the file; that there are none is said on standard error."""
    if name is None:
        print(f"no reference answers given: {TIGHTEST}", file=sys.stderr)
        return ()
    text, source = read_input(name, "answers file")
    found = references_from_text(text, source)
    if not found:
        print(f"{source} holds no reference answers: {TIGHTEST}", file=sys.stderr)
    return found


def _named(
    references: Sequence[ReferenceAnswer], table: Table, graph: KnowledgeGraph, options: Namespace
) -> tuple[Sequence[ReferenceAnswer], Sequence[Diagnostic]]:
    """The references with names resolved, and warnings. Raises DiagnosticError for what cannot be searched."""
    from uniqgen_ir.agents.naming import named_references
    from uniqgen_ir.passes.search.refusals import check_searchable

    check_searchable(table, references)  # before names are looked up: they are of no use in the wrong column
    return named_references(references, table, graph, options.engine)


def _record(record: dict[str, Any], graph: KnowledgeGraph, options: Namespace) -> dict[str, Any]:
    unknown = sorted(set(record) - _LINE_KEYS)
    if unknown:
        names = ", ".join(f'"{one}"' for one in unknown)
        raise fail("UQ651", f"a chase makes no use of {names}", hint='"table", "language", "answers", "schema"')
    outcome = read_record(record, options, graph)
    check(outcome.table)
    given: object = record.get("answers", [])
    if not isinstance(given, list):
        raise fail("UQ651", '"answers" is not a list')
    written = references_from_json(given)  # pyright: ignore[reportUnknownArgumentType]
    references, warnings = _named(written, outcome.table, graph, options)
    schema = None if record.get("schema") is None else schema_of_content(record["schema"])
    found = _json(_relax(outcome.table, references, graph, options, schema))
    warnings = (*outcome.diagnostics, *warnings)
    return found | ({"diagnostics": [diagnostic_json(one) for one in warnings]} if warnings else {})


def _relax(
    table: Table,
    references: Sequence[ReferenceAnswer],
    graph: KnowledgeGraph,
    options: Namespace,
    schema: Schema | None = None,
    *,
    cancellation: Cancellation | None = None,
) -> ChaseReport:
    from uniqgen_ir.passes.relaxation import RelaxationOptions, theta_options
    from uniqgen_ir.passes.search.budget import Cancellation

    settings = RelaxationOptions(
        strategy=options.strategy,
        objective=options.objective,
        evidence=options.evidence,
        **theta_options(options.theta),
        beam=options.beam,
        budget=parse_budget(options.budget),
        schema=schema or graph.vocabulary.schema,
        cancellation=cancellation or Cancellation(),
    )
    return relax(table, graph, options.engine, references, settings)


def _json(report: ChaseReport) -> dict[str, Any]:
    return dict(report.to_json(print_table(report.table) if report.table is not None else None))


def _explained(report: ChaseReport, table: Table, graph: KnowledgeGraph, options: Namespace) -> str:
    """The story of the search, with what an answer has where it does not have what a dropped row asks for."""
    from uniqgen_ir.cli.story import explained_story, plain_name
    from uniqgen_ir.passes.instead import values_instead

    name = plain_name
    if graph.endpoint is None:
        from uniqgen_ir.agents.ask import Asker

        asker = Asker(graph)

        def named(term: GroundTerm) -> str:
            number = asker.index.number(term)
            return plain_name(term) if number is None else str(asker.name(term))

        name = named
    stays = [*(kept.row for kept in report.kept), *(gone.row for gone in report.redundant)]
    store = graph.store(options.engine)
    instead = {one.row: values_instead(table, one.row, stays, one.lost[0], store) for one in report.dropped if one.lost}
    return explained_story(report, table, instead, name)


def _write_trace(name: str, report: ChaseReport) -> None:
    from uniqgen_ir.passes.trace import write_trace

    write_output(name, write_trace(report.steps))


def _write_lattice(name: str, report: ChaseReport, table: Table) -> None:
    from uniqgen_ir.passes.lattice import lattice_of, to_dot, to_json, to_svg

    lattice = lattice_of(report, [row.id for row in table.rows])
    match Path(name).suffix:
        case ".svg":
            text = to_svg(lattice)
        case ".dot":
            text = to_dot(lattice)
        case _:
            text = json.dumps(to_json(lattice), ensure_ascii=False, indent=1) + "\n"
    write_output(name, text)
