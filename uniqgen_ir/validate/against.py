"""A query against its specification, as a diagnostic beside the others."""

from __future__ import annotations

from attrs import frozen

from uniqgen_ir.grammar.result import ReadResult
from uniqgen_ir.ir.diagnostics import Diagnostic, errors
from uniqgen_ir.ir.mapping import Mapping
from uniqgen_ir.ir.schema import Schema
from uniqgen_ir.ir.spans import Span
from uniqgen_ir.ir.table import Table
from uniqgen_ir.passes.containment.against import AgainstSpecification, Judgement, compare_against


@frozen
class Specification:
    """What a query is proved against: a table, the mapping of the labels of a Cypher query, and the schema."""

    table: Table
    mapping: Mapping | None = None
    schema: Schema | None = None


@frozen
class Proved:
    """What came out: the judgement (None where the query cannot be read as a table), and what to say about it."""

    judgement: AgainstSpecification | None
    diagnostics: tuple[Diagnostic, ...]


_FINE = (Judgement.EQUIVALENT, Judgement.CONTAINED)


def prove(text: str, language: str, source: str, specification: Specification) -> Proved:
    """Judge a query that has no other fault. What is not proved to be right is an error."""
    read = _read(text, language, source, specification.mapping)
    span = Span.at(text, 0, len(text), source)
    if read.table is None:
        reasons = "; ".join(one.message for one in errors(read.diagnostics))
        message = f"the query cannot be compared with the specification: {reasons}"
        return Proved(None, (Diagnostic("UQ452", message, span),))
    found = compare_against(read.table, specification.table, specification.schema)
    if found.judgement in _FINE:
        return Proved(found, ())
    hint = None if found.judgement is not Judgement.UNKNOWN else "what is not proved does not pass"
    return Proved(found, (Diagnostic("UQ452", found.reason, span, hint=hint),))


def _read(text: str, language: str, source: str, mapping: Mapping | None) -> ReadResult:
    if language == "cypher":
        from uniqgen_ir.grammar.cypher import read_cypher

        return read_cypher(text, source, mapping=mapping)
    if language == "sparql":
        from uniqgen_ir.grammar.sparql import read_sparql

        result = read_sparql(text, source)
        return ReadResult(result.table, tuple(result.diagnostics))
    from uniqgen_ir.grammar.ctable import read_table

    found = read_table(text, source)
    return ReadResult(found.table, tuple(found.diagnostics))
