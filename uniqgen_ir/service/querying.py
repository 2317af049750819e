"""Operations on queries: compile, check, run, chase."""

from __future__ import annotations

from typing import Any

from uniqgen_ir.driver import ReadOutcome, check, compile_table, inspect, missing_names, read, relax, run_table
from uniqgen_ir.ir.diagnostic_json import diagnostic_json
from uniqgen_ir.ir.diagnostics import DiagnosticError, errors, fail
from uniqgen_ir.ir.terms import IRI, Literal
from uniqgen_ir.service.deadline import current_deadline
from uniqgen_ir.service.workbench import Workbench

Arguments = dict[str, Any]
UNBOUNDED = "bound:8"
"""What a path without an end becomes where a graph database runs it."""


def compile_query(bench: Workbench, arguments: Arguments) -> dict[str, Any]:
    """The query in another language. Raises DiagnosticError."""
    from uniqgen_ir.backends.registry import is_cypher

    target: str = arguments.get("dialect") or arguments["to"]
    _fitting(arguments["to"], arguments.get("dialect"))
    outcome = _read(bench, arguments, unbounded=UNBOUNDED if is_cypher(target) else None)
    diagnostics = [diagnostic_json(one) for one in (*outcome.diagnostics, *check(outcome.table))]
    match arguments["to"]:
        case "ctable":
            from uniqgen_ir.ir.printer import print_table

            return {"query": print_table(outcome.table), "diagnostics": diagnostics}
        case "json":
            from uniqgen_ir.ir.codec import to_json

            return {"query": to_json(outcome.table), "diagnostics": diagnostics}
        case _:
            pass
    query = compile_table(
        outcome.table,
        target,
        bench.graph,
        inline=arguments.get("inline", False),
        strict=arguments.get("strict", False),
    )
    diagnostics += [diagnostic_json(one) for one in query.diagnostics]
    return {**query.to_json(), "diagnostics": diagnostics}


def _fitting(language: str, dialect: str | None) -> None:
    from uniqgen_ir.backends.registry import LANGUAGES

    if dialect is not None and dialect not in LANGUAGES.get(language, ()):
        raise fail(
            "UQ502",
            f"{dialect} is no dialect of {language}",
            hint=f"the dialects of {language}: {', '.join(LANGUAGES.get(language, ())) or 'none'}",
        )


def check_query(bench: Workbench, arguments: Arguments) -> dict[str, Any]:
    """What is wrong with a query, as `uniqgen check` says it, and in words for a model."""
    from uniqgen_ir.validate.gate import check as judge
    from uniqgen_ir.validate.report import Report

    text: str = arguments["query"]
    if arguments.get("language") == "ctable":
        from uniqgen_ir.api import diagnose

        report = Report(text, "ctable", diagnose(text, bench.graph.vocabulary.schema, source="<query>"))
    else:
        report = judge(
            text,
            language=arguments.get("language"),
            schema=bench.vocabulary(),
            dialect=arguments.get("dialect"),
        )
    return {**report.to_json(), "for_model": report.for_model()}


def run_query(bench: Workbench, arguments: Arguments) -> dict[str, Any]:
    """The answers of a query. Raises DiagnosticError, StoreError."""
    from uniqgen_ir.ir.codec import answers_to_json

    engine = arguments.get("engine", "oxigraph")
    outcome = _read(bench, arguments, unbounded=None, engine=engine)
    limit = min(arguments.get("rows", bench.limits.rows), bench.limits.rows)
    answers = run_table(
        outcome.table,
        bench.graph,
        engine,
        _parameters(arguments.get("params", {})),
        timeout=_seconds_left(),
        limit=limit,
    )
    warnings = (*outcome.diagnostics, *answers.diagnostics)
    if not answers.rows:
        warnings += missing_names(outcome.table, bench.graph, engine)
    found = answers_to_json(answers, typed=arguments.get("typed", False))
    return found | {"complete": answers.complete, "diagnostics": [diagnostic_json(one) for one in warnings]}


def chase(bench: Workbench, arguments: Arguments) -> dict[str, Any]:
    """Relax and tighten a table. Raises DiagnosticError, StoreError."""
    from uniqgen_ir.agents.naming import named_references
    from uniqgen_ir.ir.printer import print_table
    from uniqgen_ir.ir.references import references_from_json
    from uniqgen_ir.passes.relaxation import RelaxationOptions
    from uniqgen_ir.passes.search.budget import Budget, Cancellation

    outcome = _read(bench, arguments, unbounded=None)
    check(outcome.table)
    given = references_from_json(arguments["answers"])
    references, warnings = named_references(given, outcome.table, bench.graph, "oxigraph")
    deadline = current_deadline()
    left = _seconds_left()
    options = RelaxationOptions(
        strategy=arguments.get("strategy", "exact"),
        schema=bench.graph.vocabulary.schema,
        budget=Budget(ms=None if left is None else max(1.0, left * 1000.0)),
        cancellation=Cancellation() if deadline is None else deadline.cancellation,
    )
    report = relax(outcome.table, bench.graph, "oxigraph", references, options)
    found = dict(report.to_json(print_table(report.table) if report.table is not None else None))
    return found | {"diagnostics": [diagnostic_json(one) for one in (*outcome.diagnostics, *warnings)]}


def _read(bench: Workbench, arguments: Arguments, *, unbounded: str | None, engine: str | None = None) -> ReadOutcome:
    """The table of a request. Raises DiagnosticError; nothing that a request says makes the service read a file."""
    language = arguments["language"]
    mapping = bench.graph.mapping if language == "cypher" else None
    parallel = bench.graph.parallel(engine) if language == "cypher" and engine is not None else None
    outcome = read(arguments["query"], language, "<query>", unbounded=unbounded, mapping=mapping, parallel=parallel)
    if outcome.table.schemas:
        raise fail(
            "UQ706",
            f"the table uses {outcome.table.schemas[0]}, and the service reads no files for its callers",
            hint="leave `use` out: the schema of the service's graph holds",
        )
    if language == "ctable":
        found = inspect(outcome.table, bench.graph.vocabulary, arguments["query"])
        if errors(found):
            raise DiagnosticError(found)
        return ReadOutcome(outcome.table, (*outcome.diagnostics, *found))
    return outcome


def _seconds_left() -> float | None:
    deadline = current_deadline()
    return None if deadline is None else max(deadline.left, 0.001)


def _parameters(given: dict[str, Any]) -> dict[str, IRI | Literal]:
    from uniqgen_ir.ir.references import term_from_json

    values: dict[str, IRI | Literal] = {}
    for name, value in given.items():
        term = term_from_json(value)
        if not isinstance(term, IRI | Literal):
            raise fail("UQ701", f"the value of ${name} is a blank node, which a query cannot name")
        values[name] = term
    return values
