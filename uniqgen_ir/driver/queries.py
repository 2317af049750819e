"""Tables judged, compiled and run; texts run as they are."""

from __future__ import annotations

from collections.abc import Callable
from collections.abc import Mapping as MappingOf
from typing import TYPE_CHECKING, Final

from attrs import evolve

from uniqgen_ir.driver.graph import KnowledgeGraph
from uniqgen_ir.driver.vocabulary import Vocabulary
from uniqgen_ir.ir.diagnostics import Diagnostic, DiagnosticError, Severity, errors, fail
from uniqgen_ir.ir.protocols import Answers
from uniqgen_ir.ir.rows import Row, Triple
from uniqgen_ir.ir.table import Column, Shell, Table
from uniqgen_ir.ir.terms import IRI, Variable
from uniqgen_ir.ir.terms import Literal as LiteralTerm
from uniqgen_ir.ir.vocabulary import RDF_TYPE

if TYPE_CHECKING:
    from uniqgen_ir.backends.base import RenderedQuery

LEGAL_IN_SPARQL: Final = frozenset({"UQ202", "UQ203", "UQ432"})
"""Faults of a table that mean something in SPARQL: an unbound column, an operand without a value, any OPTIONAL."""


def check(table: Table) -> tuple[Diagnostic, ...]:
    """Warnings about a table that can be compiled and run; only one read from SPARQL has any.

    Raises DiagnosticError with every fault of another.
    """
    from uniqgen_ir.passes.verify import verify

    found = verify(table)
    if table.permissive:
        found = tuple(evolve(one, severity=Severity.WARNING) if one.code in LEGAL_IN_SPARQL else one for one in found)
    if errors(found):
        raise DiagnosticError(found)
    return found


def inspect(table: Table, vocabulary: Vocabulary | None = None, source: str | None = None) -> tuple[Diagnostic, ...]:
    """What is wrong with a valid table: types against the schema, and rows that contradict each other.

    With the `source` text the spans are as small as they can be and fixes carry edits.
    """
    from uniqgen_ir.validate.tables import table_faults

    return tuple(table_faults(table, vocabulary.schema if vocabulary is not None else None, source=source))


def compile_table(
    table: Table, dialect: str, graph: KnowledgeGraph | None = None, *, inline: bool = False, strict: bool = False
) -> RenderedQuery:
    """The table as a query of a dialect, under the graph's mapping.

    With `strict`, a guess about the mapping is an error. Raises DiagnosticError.
    """
    from uniqgen_ir.backends.registry import LANGUAGES, is_cypher, renderer

    mapping = graph.mapping if graph is not None else None
    if graph is not None and graph.bolt is not None and is_cypher(dialect):
        query = graph.server_renderer(dialect).render(table, inline=inline)
    else:
        profiles = graph.profiles if graph is not None and graph.sources and is_cypher(dialect) else None
        query = renderer(dialect, mapping=mapping, profiles=profiles).render(table, inline=inline)
    if strict and query.diagnostics:
        raise DiagnosticError(evolve(one, severity=Severity.ERROR) for one in query.diagnostics)
    if query.unbound and query.dialect in LANGUAGES["sparql"]:
        # in SPARQL `$p` is the variable `?p`: the text would match anything
        names = ", ".join(f"${name}" for name in query.unbound)
        raise fail("UQ611", f"SPARQL has no parameters, and {names} has no value", hint="`run --param` gives one")
    if strict and query.assumptions:
        raise DiagnosticError(
            Diagnostic("UQ656", f"row {one.row}: {one.term} is taken for {one.as_}, and no mapping says so")
            for one in query.assumptions
        )
    return query


def run_table(
    table: Table,
    graph: KnowledgeGraph,
    engine: str,
    parameters: MappingOf[str, IRI | LiteralTerm] | None = None,
    *,
    timeout: float | None = None,
    limit: int | None = None,
) -> Answers:
    """The table's answers on one engine. Raises DiagnosticError, StoreError."""
    from uniqgen_ir.backends.parameters import bind_parameters, table_parameters

    check(table)
    unknown = sorted(set(parameters or {}) - set(table_parameters(table)))
    if unknown:
        raise fail("UQ653", f"the table has no parameter ${unknown[0]}")
    return graph.store(engine).select(bind_parameters(table, parameters or {}), limit=limit, timeout=timeout)


def missing_names(table: Table, graph: KnowledgeGraph, engine: str) -> tuple[Diagnostic, ...]:
    """A warning for every name of the table that the graph does not have: the usual reason for an empty answer.

    One statement for each name, so this is for a table that came back empty. Raises StoreError.
    """
    if graph.bolt is not None:
        from uniqgen_ir.backends.engines.bolt.store import occurs

        server = graph.engine_store(engine)
        return _missing(table, lambda name: occurs(server, name))
    # any engine of the graph knows its names; this one can say a predicate that varies
    store = graph.store("oxigraph" if engine in ("ladybug", "kglite") else engine)
    return _missing(table, lambda name: any(store.select(_occurrence(name, place), limit=1).rows for place in range(3)))


def _missing(table: Table, occurs: Callable[[IRI], bool]) -> tuple[Diagnostic, ...]:
    """A warning for each name of the table that does not occur."""
    from uniqgen_ir.ir.visitor import walk, walk_rows

    found: list[Diagnostic] = []
    asked: set[IRI] = {IRI(RDF_TYPE)}
    for row in walk_rows(table.rows):
        for name in (one for one in walk(row) if isinstance(one, IRI) and one not in asked):
            asked.add(name)
            if not occurs(name):
                found.append(
                    Diagnostic(
                        "UQ657",
                        f"row {row.id}: {name} does not occur in the graph, so the row matches nothing",
                        row.span,
                        Severity.WARNING,
                    )
                )
    return tuple(found)


def _occurrence(name: IRI, place: int) -> Table:
    """Whether the name is a subject (0), predicate (1) or object (2) of anything."""
    subject, predicate, object_ = Variable("s"), Variable("p"), Variable("o")
    atom = (Triple(name, predicate, object_), Triple(subject, name, object_), Triple(subject, predicate, name))[place]
    head = (Column((predicate, subject, subject)[place]),)
    return Table("occurs", head, (Row("c1", atom),), Shell(limit=1))


_NOT_READING: Final = frozenset({"write", "external_io", "multiple_statements", "syntax"})


def refuse_unless_it_reads(text: str, language: str) -> None:
    """Raises DiagnosticError for a text that writes, reaches outside the graph, or cannot be shown to do neither.

    By structure, with the language's own reader: a text that it cannot parse is refused, too.
    """
    from uniqgen_ir.grammar.cypher import check_cypher, parse_cypher
    from uniqgen_ir.grammar.sparql import read_sparql

    if language == "cypher":
        parse = parse_cypher(text, "<query>")
        found = (*parse.diagnostics, *check_cypher(parse))
    else:
        found = read_sparql(text, "<query>").diagnostics
    refused = tuple(one for one in errors(found) if one.kind in _NOT_READING)
    if refused:
        raise DiagnosticError(refused)


def run_raw(
    text: str, language: str, graph: KnowledgeGraph, engine: str, *, timeout: float | None, limit: int | None
) -> Answers:
    """The answers of a text that is sent to the engine as it is. Raises DiagnosticError, StoreError."""
    from uniqgen_ir.backends.base import RenderedQuery
    from uniqgen_ir.backends.registry import LANGUAGES

    refuse_unless_it_reads(text, language)
    store = graph.engine_store(engine)
    if language not in LANGUAGES or store.engine.dialects[0] not in LANGUAGES[language]:
        raise fail("UQ653", f"the engine {engine} does not read {language} as it is")
    query = RenderedQuery(text, {}, (), store.engine.dialects[0])
    return store.engine.select(query, timeout=timeout, limit=limit)
