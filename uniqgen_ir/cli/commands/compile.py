"""`uniqgen compile`."""

from __future__ import annotations

from argparse import Namespace
from typing import Any

from uniqgen_ir.cli.batch import run_batch
from uniqgen_ir.cli.exits import EXIT_OK
from uniqgen_ir.cli.inputs import one_input, open_graph, read_file, read_record
from uniqgen_ir.cli.output import diagnostic_json, print_diagnostics, print_json
from uniqgen_ir.driver import KnowledgeGraph, ReadOutcome, check, compile_table
from uniqgen_ir.ir.diagnostics import fail
from uniqgen_ir.ir.printer import print_table


def run(options: Namespace) -> int:
    """Translate one file, or a batch."""
    from uniqgen_ir.backends.registry import is_cypher

    graph = open_graph(options)
    if options.unbounded is None and is_cypher(options.dialect or options.target or ""):
        # Cypher engines cut endless paths off, or never come back
        options.unbounded = "bound:8"
    if one_input(options):
        return run_batch(
            options.batch, lambda record: _one(read_record(record, options, graph), options, graph, record)
        )
    outcome = read_file(options, "table or query", graph)
    result = _one(outcome, options, graph, {})
    if options.format == "json":
        print_json(result)
    else:
        print(result["query"] if isinstance(result["query"], str) else _dumped(result["query"]), end="")
    return EXIT_OK


def _dumped(value: object) -> str:
    import json

    return json.dumps(value, ensure_ascii=False, indent=2) + "\n"


def _one(outcome: ReadOutcome, options: Namespace, graph: KnowledgeGraph, record: dict[str, Any]) -> dict[str, Any]:
    target = options.target or _target_of(options)
    warnings = check(outcome.table)
    diagnostics = [diagnostic_json(one) for one in (*outcome.diagnostics, *warnings)]
    if target == "ctable":
        return {"query": print_table(outcome.table), "diagnostics": diagnostics}
    if target == "json":
        from uniqgen_ir.ir.codec import to_json

        return {"query": to_json(outcome.table), "diagnostics": diagnostics}
    dialect = record.get("dialect") or options.dialect or target
    query = compile_table(outcome.table, dialect, graph, inline=options.inline, strict=options.strict)
    diagnostics += [diagnostic_json(one) for one in query.diagnostics]
    if not record and options.format != "json":
        print_diagnostics(query.diagnostics)
    return {**query.to_json(), "diagnostics": diagnostics}


def _target_of(options: Namespace) -> str:
    if options.dialect:
        from uniqgen_ir.backends.registry import LANGUAGES

        for language, dialects in LANGUAGES.items():
            if options.dialect in dialects:
                return language
    raise fail("UQ653", "no output language given", hint="--to sparql, --to cypher, --to ctable or --to json")
