"""What commands share when they read their input: tables, mappings, options with small languages of their own."""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from attrs import evolve

from uniqgen_ir.cli.output import AlreadyPrinted, print_diagnostics, read_input
from uniqgen_ir.driver import KnowledgeGraph, ReadOutcome, check, inspect, language_of, read
from uniqgen_ir.ir.diagnostics import DiagnosticError, Severity, errors, fail

if TYPE_CHECKING:
    from uniqgen_ir.passes.search.budget import Budget


def one_input(options: Namespace) -> bool:
    """Whether the input is a batch. Raises DiagnosticError (UQ653) where a file is given as well."""
    if options.batch and options.file:
        raise fail("UQ653", f"{options.file} and --batch {options.batch} are two inputs", hint="give one of them")
    return bool(options.batch)


def read_file(
    options: Namespace, what: str, graph: KnowledgeGraph, *, relaxed: bool = False, inspected: bool = True
) -> ReadOutcome:
    """The table of `options.file`; warnings are printed on standard error. Raises DiagnosticError.

    The schemas that the table uses join the graph's. What can never have an answer is an error in a hand-written table,
    a warning in a query from elsewhere, and where `relaxed` says that a search will mend it; `inspected` False leaves
    that to the passes that follow.
    """
    text, source = read_input(options.file, what)
    chosen = getattr(options, "source_language", None) or _by_ending(options.file)
    try:
        outcome = _read(text, chosen, source, options, graph)
    except DiagnosticError as error:
        # the text is at hand only here; after this the error is just a code to exit with
        print_diagnostics(error.diagnostics, {source: text})
        raise AlreadyPrinted(error.diagnostics) from error
    print_diagnostics(outcome.diagnostics, {source: text})
    _checked(outcome, {source: text})
    graph.use_schemas(outcome.table.schemas, Path(options.file).parent)
    found = inspect(outcome.table, graph.vocabulary, text if chosen == "ctable" else None) if inspected else ()
    if relaxed or chosen not in ("ctable", "json"):
        found = tuple(evolve(one, severity=_at_most_warning(one.severity)) for one in found)
    print_diagnostics(found, {source: text})
    if errors(found):
        raise AlreadyPrinted(found)
    return outcome


def _checked(outcome: ReadOutcome, sources: dict[str, str]) -> None:
    try:
        print_diagnostics(check(outcome.table), sources)
    except DiagnosticError as error:
        print_diagnostics(error.diagnostics, sources)
        raise AlreadyPrinted(error.diagnostics) from error


def _at_most_warning(severity: Severity) -> Severity:
    return Severity.WARNING if severity is Severity.ERROR else severity


def _by_ending(name: str) -> str:
    return "ctable" if name == "-" else language_of(name)


def read_record(record: dict[str, Any], options: Namespace, graph: KnowledgeGraph) -> ReadOutcome:
    """The table of a batch line: `query` or `table`, and `language`. Raises DiagnosticError."""
    name = "query" if "query" in record else "table"
    if name not in record:
        raise fail("UQ651", 'the line has neither "query" nor "table"')
    text = record[name]
    if isinstance(text, dict):
        import json

        return read(json.dumps(text), "json", "<table>")
    if not isinstance(text, str):
        raise fail("UQ651", f'"{name}" is neither a text nor a table in JSON', hint=f"it is {json_kind(text)}")
    language = record.get("language") or getattr(options, "source_language", None) or "ctable"
    if not isinstance(language, str):
        raise fail("UQ651", '"language" is not a string')
    return _read(text, language, "<query>", options, graph)


def json_kind(value: object) -> str:
    """What a JSON value is, in words."""
    match value:
        case None:
            return "null"
        case bool():
            return "true or false"
        case int() | float():
            return "a number"
        case list():
            return "a list"
        case _:
            return "a text" if isinstance(value, str) else "an object"


def _read(text: str, language: str, source: str, options: Namespace, graph: KnowledgeGraph) -> ReadOutcome:
    mapping = graph.mapping if language == "cypher" else None
    engine = getattr(options, "engine", None)
    parallel = graph.parallel(engine) if language == "cypher" and engine is not None and graph.sources else None
    unbounded = getattr(options, "unbounded", None)
    return read(text, language, source, unbounded=unbounded, mapping=mapping, parallel=parallel)


def open_graph(options: Namespace) -> KnowledgeGraph:
    """The graphs and vocabulary of `--graph`, `--schema` and `--mapping`; the label property of the project file."""
    return KnowledgeGraph(
        options.graph or (),
        schemas=options.schema or (),
        mapping=options.mapping,
        label_property=getattr(options, "label_property", None),
    )


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
