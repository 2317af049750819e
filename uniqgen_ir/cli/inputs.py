"""What commands share when they read their input: tables, mappings, options with small languages of their own."""

from __future__ import annotations

from argparse import Namespace
from typing import TYPE_CHECKING, Any

from attrs import evolve

from uniqgen_ir.cli.output import AlreadyPrinted, print_diagnostics, read_input
from uniqgen_ir.driver import KnowledgeGraph, ReadOutcome, contradictions, language_of, read
from uniqgen_ir.ir.diagnostics import DiagnosticError, Severity, fail

if TYPE_CHECKING:
    from uniqgen_ir.passes.search.budget import Budget


def read_file(options: Namespace, what: str, language: str | None = None) -> ReadOutcome:
    """The table of `options.file`; warnings are printed on standard error. Raises DiagnosticError."""
    text, source = read_input(options.file, what)
    chosen = language or getattr(options, "source_language", None) or _by_ending(options.file)
    try:
        outcome = read(text, chosen, source, unbounded=getattr(options, "unbounded", None))
    except DiagnosticError as error:
        # the text is at hand only here; after this the error is just a code to exit with
        print_diagnostics(error.diagnostics, {source: text})
        raise AlreadyPrinted(error.diagnostics) from error
    print_diagnostics(outcome.diagnostics, {source: text})
    _refuse_contradiction(outcome, {source: text}, chosen)
    return outcome


def _refuse_contradiction(outcome: ReadOutcome, sources: dict[str, str], language: str) -> None:
    """A hand-written table that can never have an answer is an error; a query from elsewhere is only warned about."""
    found = contradictions(outcome.table)
    if language not in ("ctable", "json"):
        print_diagnostics((evolve(one, severity=Severity.WARNING) for one in found), sources)
    elif found:
        print_diagnostics(found, sources)
        raise AlreadyPrinted(found)


def _by_ending(name: str) -> str:
    return "ctable" if name == "-" else language_of(name)


def read_record(record: dict[str, Any], options: Namespace) -> ReadOutcome:
    """The table of a batch line: `query` or `table`, and `language`. Raises DiagnosticError."""
    text = record.get("query", record.get("table"))
    if isinstance(text, dict):
        import json

        return read(json.dumps(text), "json", "<table>")
    if not isinstance(text, str):
        raise fail("UQ651", 'the line has neither "query" nor "table"')
    language = record.get("language") or getattr(options, "source_language", None) or "ctable"
    if not isinstance(language, str):
        raise fail("UQ651", '"language" is not a string')
    return read(text, language, "<query>", unbounded=getattr(options, "unbounded", None))


def open_graph(options: Namespace) -> KnowledgeGraph:
    """The graphs and vocabulary of `--graph`, `--schema` and `--mapping`."""
    return KnowledgeGraph(options.graph or (), schemas=options.schema or (), mapping=options.mapping)


def parse_budget(text: str) -> Budget:
    """`calls=200,ms=5000` as a budget. Raises DiagnosticError (UQ653)."""
    from uniqgen_ir.passes.search.budget import Budget

    values: dict[str, float] = {}
    for part in (one.strip() for one in text.split(",") if one.strip()):
        name, _, value = part.partition("=")
        if name not in ("calls", "ms") or not value.isdigit() or int(value) <= 0:
            raise fail("UQ653", f"--budget does not take {part!r}", hint="calls=N and ms=N, both above 0")
        values[name] = int(value)
    calls = values.get("calls")
    return Budget(calls=None if calls is None else int(calls), ms=values.get("ms"))
