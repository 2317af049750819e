"""`uniqgen run`."""

from __future__ import annotations

import csv
import sys
from argparse import Namespace
from collections.abc import Mapping
from typing import Any

from attrs import evolve

from uniqgen_ir.cli.batch import run_batch
from uniqgen_ir.cli.exits import EXIT_OK
from uniqgen_ir.cli.inputs import one_input, open_graph, read_file, read_record
from uniqgen_ir.cli.output import diagnostic_json, print_diagnostics, print_json, read_input
from uniqgen_ir.driver import KnowledgeGraph, language_of, missing_names, run_raw, run_table
from uniqgen_ir.ir.diagnostics import fail
from uniqgen_ir.ir.protocols import Answers
from uniqgen_ir.ir.references import term_from_json, term_from_text
from uniqgen_ir.ir.terms import IRI, GroundTerm, Literal
from uniqgen_ir.ir.values import to_json


def run(options: Namespace) -> int:
    """Run one file, or a batch, on one engine of the graph."""
    with open_graph(options) as graph:
        if one_input(options):
            return run_batch(options.batch, lambda record: _record(record, graph, options))
        if options.raw:
            text, _ = read_input(options.file, "query")
            language = options.source_language or language_of(options.file)
            answers = run_raw(text, language, graph, options.engine, timeout=options.timeout, limit=options.limit)
        else:
            outcome = read_file(options, "table or query", graph)
            parameters = _parameters(options.param or ())
            answers = run_table(
                outcome.table, graph, options.engine, parameters, timeout=options.timeout, limit=options.limit
            )
            if not answers.rows:
                print_diagnostics(missing_names(outcome.table, graph, options.engine))
    _print(answers, options)
    return EXIT_OK


def _record(record: dict[str, Any], graph: KnowledgeGraph, options: Namespace) -> dict[str, Any]:
    if options.raw:
        text, language = str(record.get("query")), str(record.get("language", "sparql"))
        answers = run_raw(text, language, graph, options.engine, timeout=options.timeout, limit=options.limit)
    else:
        outcome = read_record(record, options, graph)
        given: object = record.get("params") or {}
        if not isinstance(given, dict):
            raise fail("UQ651", '"params" is not an object')
        parameters = {str(name): _constant(term_from_json(value), str(name)) for name, value in given.items()}  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]
        answers = run_table(
            outcome.table, graph, options.engine, parameters, timeout=options.timeout, limit=options.limit
        )
        answers = evolve(answers, diagnostics=(*outcome.diagnostics, *answers.diagnostics))
    return _json(answers, typed=options.typed)


def _parameters(given: list[str] | tuple[str, ...]) -> Mapping[str, IRI | Literal]:
    values: dict[str, IRI | Literal] = {}
    for one in given:
        name, equals, text = one.partition("=")
        if not equals or not name:
            raise fail("UQ653", f"--param does not take {one!r}", hint="--param NAME=VALUE")
        values[name.removeprefix("$")] = _constant(_typed(text), name)
    return values


def _typed(text: str) -> GroundTerm:
    """Numbers and truth values as they are written in JSON; everything else as text or IRI."""
    if text in ("true", "false"):
        return Literal.of(text == "true")
    number = text.removeprefix("-")
    if number.isdigit():
        return Literal.of(int(text))
    if number.count(".") == 1 and number.replace(".", "").isdigit():
        return Literal.decimal(text)
    return term_from_text(text)


def _constant(term: GroundTerm, name: str) -> IRI | Literal:
    if isinstance(term, IRI | Literal):
        return term
    raise fail("UQ653", f"the value of ${name} is a blank node, which a query cannot name")


def _json(answers: Answers, *, typed: bool) -> dict[str, Any]:
    from uniqgen_ir.ir.codec import answers_to_json

    warned = {"diagnostics": [diagnostic_json(one) for one in answers.diagnostics]} if answers.diagnostics else {}
    return answers_to_json(answers, typed=typed) | warned


def _print(answers: Answers, options: Namespace) -> None:
    print_diagnostics(answers.diagnostics)
    if options.format == "json":
        print_json(_json(answers, typed=options.typed))
        return
    rows = [["" if term is None else _text(to_json(term)) for term in row] for row in answers.rows]
    if options.format == "csv":
        writer = csv.writer(sys.stdout, lineterminator="\n")
        writer.writerow(answers.columns)
        writer.writerows(rows)
    else:
        print_aligned(answers.columns, rows)
    if not answers.complete:
        print(f"there are more answers; only the first {len(rows)} are shown", file=sys.stderr)


def _text(value: object) -> str:
    return {True: "true", False: "false"}[value] if isinstance(value, bool) else str(value)


def print_aligned(columns: tuple[str, ...], rows: list[list[str]]) -> None:
    """The rows under their column names, in columns of equal width."""
    widths = [max(len(name), *(len(row[place]) for row in rows), 0) for place, name in enumerate(columns)]
    for line in [list(columns), ["-" * width for width in widths], *rows]:
        print("  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip())
    print(f"({len(rows)} {'answer' if len(rows) == 1 else 'answers'})", file=sys.stderr)
