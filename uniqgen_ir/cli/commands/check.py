"""`uniqgen check`."""

from __future__ import annotations

import json
import sys
from argparse import Namespace
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from uniqgen_ir.cli.batch import Record, run_batch
from uniqgen_ir.cli.exits import EXIT_BAD_INPUT, EXIT_OK
from uniqgen_ir.cli.inputs import json_kind, one_input, open_graph
from uniqgen_ir.cli.output import print_diagnostics, print_json, read_input, write_output
from uniqgen_ir.driver import KnowledgeGraph, language_of
from uniqgen_ir.ir.diagnostics import DiagnosticError, fail
from uniqgen_ir.ir.schema import Schema
from uniqgen_ir.validate.gate import check, vocabulary_of
from uniqgen_ir.validate.policy import Policy
from uniqgen_ir.validate.repair import repair_safely
from uniqgen_ir.validate.report import Report
from uniqgen_ir.validate.vocabulary import Vocabulary

if TYPE_CHECKING:
    from uniqgen_ir.validate.against import Specification


def run(options: Namespace) -> int:
    """Judge queries in files, or a batch; exit code 1 where a query has an error."""
    given = _vocabulary(options)
    if one_input(options):
        return run_batch(options.batch, _Lines(options, given).answer)
    specification = _specification(options)
    reports = [_judged(options, file, given, specification) for file in (options.file, *options.more)]
    _print(options, reports)
    return EXIT_OK if all(report.valid for _, report in reports) else EXIT_BAD_INPUT


def _judged(
    options: Namespace, file: str | None, given: Vocabulary | None, specification: Specification | None
) -> tuple[str, Report]:
    """The name to show for a file, and the report on it, after the repair where that is asked for."""
    text, source = read_input(file, "query")
    named = file if file is not None and file != "-" else None
    language = options.source_language or (language_of(named) if named else None)

    def judge(text: str) -> Report:
        return check(
            text,
            language=language,
            schema=given,
            dialect=options.dialect,
            specification=specification,
            source=source,
            folder=Path(named).parent if named else Path.cwd(),
        )

    try:
        report = judge(text)
    except DiagnosticError as error:
        if error.diagnostics[0].code == "UQ502":
            # here the name is a word of the command line, so it is used wrongly
            raise fail("UQ653", error.diagnostics[0].message, hint=error.diagnostics[0].hint) from error
        raise
    return source, _fixed(named, report, source, judge) if options.fix else report


def _vocabulary(options: Namespace) -> Vocabulary | None:
    """What `--schema` or `--graph` says; None where neither is given. Raises DiagnosticError."""
    from uniqgen_ir.validate.schema_sources import (
        vocabulary_of_declarations,
        vocabulary_of_file,
        vocabulary_of_graph,
    )

    if options.schema:
        files = tuple(map(Path, options.schema))
        if len(files) == 1:
            return vocabulary_of_file(files[0])
        if any(file.suffix != ".cts" for file in files):
            raise fail("UQ653", "--schema is given twice", hint="several files may be given where all are .cts")
        return vocabulary_of_declarations(files)
    if not options.graph:
        return None
    with open_graph(options) as graph:
        schema, prefixes = graph.vocabulary.schema, dict(graph.vocabulary.prefixes)
        return vocabulary_of_graph(graph.loaded.graph, schema, prefixes)


def _specification(options: Namespace) -> Specification | None:
    """What `--against` names. Raises DiagnosticError."""
    if options.against is None:
        return None
    from uniqgen_ir.driver import read
    from uniqgen_ir.validate.against import Specification

    text, source = read_input(options.against, "specification")
    outcome = read(text, language_of(options.against), source)
    print_diagnostics(outcome.diagnostics, {source: text})
    with open_graph(options) as graph:
        return Specification(outcome.table, graph.mapping, _declared_schema(options, graph))


def _declared_schema(options: Namespace, graph: KnowledgeGraph) -> Schema | None:
    """The schema in the language of tables; a JSON schema or an ontology is imported."""
    if options.schema and not options.schema[0].endswith(".cts"):
        from uniqgen_ir.kg.inference.imported import import_schema

        return import_schema(Path(options.schema[0])).schema
    return graph.vocabulary.schema


class _Lines:
    """Answers the lines of a batch; equal schemas are read once."""

    def __init__(self, options: Namespace, given: Vocabulary | None) -> None:
        self.options = options
        self.given = given
        self.known: dict[str, Vocabulary | None] = {}
        self.specification = _specification(options)

    def answer(self, record: Record) -> Record:
        """The report of one line. Raises DiagnosticError."""
        name = "query" if "query" in record else "table"
        if name not in record:
            raise fail("UQ651", 'the line has neither "query" nor "table"')
        text = record[name]
        if not isinstance(text, str):
            raise fail("UQ651", f'"{name}" is not a text', hint=f"it is {json_kind(text)}")
        language = record.get("language") or self.options.source_language
        dialect = record.get("dialect") or self.options.dialect
        for name, value in (("language", language), ("dialect", dialect)):
            if value is not None and not isinstance(value, str):
                raise fail("UQ651", f'"{name}" is not a string')
        report = check(
            text,
            language=language,
            schema=self.schema(record.get("schema")),
            dialect=dialect,
            policy=Policy.of_json(record.get("policy")),
            parameters=_parameters(record.get("params")),
            specification=self.specification,
        )
        return report.to_json()

    def schema(self, content: Any) -> Vocabulary | None:
        """The vocabulary of a line's schema, or that of the command line."""
        if content is None:
            return self.given
        key = json.dumps(content)
        if key not in self.known:
            self.known[key] = vocabulary_of(content)
        return self.known[key]


def _parameters(content: object) -> frozenset[str] | None:
    if content is None:
        return None
    if not isinstance(content, dict):
        raise fail("UQ651", '"params" is not an object', hint='{"name": value}')
    return frozenset(str(name) for name in content)  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]


def _fixed(file: str | None, report: Report, source: str, judge: Callable[[str], Report]) -> Report:
    """Apply the repairs that are safe, and judge what comes out. What was wrong goes to standard error."""
    whole = report.fixed_query if report.fix_is_safe else None
    mended = whole or repair_safely(report.query, report.diagnostics, lambda text: judge(text).diagnostics)
    if mended == report.query:
        return report
    print_diagnostics(report.diagnostics, {source: report.query})
    if file is not None:
        write_output(file, mended)
        rest = "" if whole else ", as far as it is safe; what is left:"
        print(f"mended {file}{rest}", file=sys.stderr)
    return judge(mended)


def _print(options: Namespace, reports: Sequence[tuple[str, Report]]) -> None:
    if options.format == "sarif":
        from uniqgen_ir import __version__
        from uniqgen_ir.validate.sarif import sarif

        print_json(sarif(reports, __version__))
    elif options.format == "github":
        from uniqgen_ir.validate.workflow_commands import workflow_commands

        for line in workflow_commands(reports):
            print(line)
    elif options.format == "json":
        for source, report in reports:
            print_json(report.to_json() if len(reports) == 1 else {"file": source, **report.to_json()})
    else:
        for source, report in reports:
            _show(options, source, report)


def _show(options: Namespace, source: str, report: Report) -> None:
    if options.fix and source == "<stdin>":
        print(report.query.rstrip("\n"))
        return
    for one in report.diagnostics:
        print(one.render({source: report.query}))
    _say_verdict(report)


def _say_verdict(report: Report) -> None:
    if report.valid:
        print("no errors" if report.diagnostics else "clean", file=sys.stderr)
    elif report.fixed_query is not None:
        check_it = "" if report.fix_is_safe else " (check that it still means what you want)"
        print(f"mended{check_it}:\n{report.fixed_query}")
