"""The checks of Cypher: what the reader finds, and what only a schema, a dialect or the whole query shows."""

from __future__ import annotations

from uniqgen_ir.grammar.cypher import CypherParse, ast, check_cypher, parse_cypher
from uniqgen_ir.grammar.cypher.context import Context
from uniqgen_ir.ir.diagnostics import Diagnostic, errors
from uniqgen_ir.validate.cypher.costs import cost_hints
from uniqgen_ir.validate.cypher.dialects import Dialect, dialect_of
from uniqgen_ir.validate.cypher.flow import Flow
from uniqgen_ir.validate.cypher.kinds import KindIndex
from uniqgen_ir.validate.cypher.limits import old_forms, unbounded_paths
from uniqgen_ir.validate.cypher.limits import parameters as check_parameters
from uniqgen_ir.validate.cypher.mending import Mender
from uniqgen_ir.validate.cypher.slips import unslipped
from uniqgen_ir.validate.cypher.state import State
from uniqgen_ir.validate.cypher.support import unsupported
from uniqgen_ir.validate.policy import Policy
from uniqgen_ir.validate.statistics import Statistics
from uniqgen_ir.validate.vocabulary import Vocabulary

_HARMLESS = frozenset({"UQ195", "UQ196"})
"""Faults that leave the statements themselves readable."""


def check_query(
    text: str,
    source: str,
    vocabulary: Vocabulary | None,
    dialect: str | None,
    policy: Policy,
    parameters: frozenset[str] | None = None,
) -> tuple[Diagnostic, ...]:
    """Everything that there is to say about a query; places are those of `text`. Never raises for the text.

    Raises DiagnosticError (UQ502) for a dialect that is not known.
    """
    engine = dialect_of(dialect)
    graph = vocabulary.property_graph if vocabulary is not None else None
    parse = parse_cypher(text, source)
    found = [*parse.diagnostics, *check_cypher(parse)]
    if not policy.read_only:
        found = [one for one in found if one.code != "UQ184"]
    if parse.statement is None or any(one.code not in _HARMLESS for one in errors(parse.diagnostics)):
        return tuple(unslipped(text, one, graph) for one in found)
    index = KindIndex.of(graph) if graph is not None else None
    found += _beyond(parse, index, engine, parameters, vocabulary.statistics if vocabulary is not None else None)
    mender = Mender(parse, index)
    return tuple(map(mender.mended, _once(found)))


def _beyond(
    parse: CypherParse,
    index: KindIndex | None,
    engine: Dialect | None,
    given: frozenset[str] | None,
    statistics: Statistics | None,
) -> list[Diagnostic]:
    context = Context(parse.text, parse.source)
    for statement in (one for one in (parse.statement, *parse.following) if one is not None):
        if isinstance(statement.query, ast.Command):
            continue
        try:
            Flow(context, index).query(statement.query, State())
            unbounded_paths(context, statement)
            old_forms(context, statement)
            if engine is not None:
                unsupported(context, statement, engine)
            if statistics is not None:
                cost_hints(context, statement, statistics)
        except RecursionError:
            context.report("UQ182", "queries are nested too deeply", statement.start, statement.end)
        if given is not None and statement is parse.statement:
            check_parameters(context, statement, given)
    return context.diagnostics


def _once(diagnostics: list[Diagnostic]) -> list[Diagnostic]:
    """Of two reports of one kind about the same place only the first."""
    seen: set[tuple[str, int, int]] = set()
    kept: list[Diagnostic] = []
    for one in diagnostics:
        key = (one.kind, one.span.start if one.span else -1, one.span.end if one.span else -1)
        if key not in seen:
            seen.add(key)
            kept.append(one)
    return kept
