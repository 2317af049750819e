"""The reader of SPARQL: the query side of SPARQL 1.1, as tables."""

from __future__ import annotations

import re
from functools import cache
from typing import Final

from uniqgen_ir.grammar.result import ReadResult
from uniqgen_ir.grammar.sparql.context import SparqlContext
from uniqgen_ir.grammar.sparql.lexer import decode, depth, tokenize
from uniqgen_ir.grammar.sparql.numbering import number_rows
from uniqgen_ir.grammar.sparql.parser import CompiledRule, SparqlParser
from uniqgen_ir.grammar.sparql.patterns import Unbounded
from uniqgen_ir.grammar.sparql.queries import QueryActions
from uniqgen_ir.grammar.sparql.recovery import PatternRecovery
from uniqgen_ir.grammar.sparql.tables import parse_table
from uniqgen_ir.ir.diagnostics import Diagnostic, DiagnosticError, errors
from uniqgen_ir.ir.rows import Row
from uniqgen_ir.ir.table import Table

_DEEPEST: Final = 100
_BOUND: Final = re.compile(r"bound:([1-9][0-9]*)")


def read_sparql(
    text: str, source: str = "<input>", *, unbounded: str = "allow", base: str | None = None, strict: bool = False
) -> ReadResult:
    """Read one query. Never raises for what is wrong with the text.

    `unbounded`: `allow` keeps `p*` and `p+`, `refuse` reports them, `bound:8` follows them for at most 8 steps.
    `base` is what relative IRIs are resolved against, unless the query says. `strict` refuses what is not SPARQL 1.1,
    though people write it (UQ150 to UQ158). Raises ValueError for another `unbounded`.
    """
    policy = _policy(unbounded)
    decoded = decode(text)
    context = SparqlContext(decoded.text, text, source, decoded.places, strict=strict)
    for start, end in decoded.bad:
        span = SparqlContext(text, text, source, None, strict=strict).span(start, end)
        context.diagnostics.append(Diagnostic("UQ142", f"`{text[start:end]}` is no character", span))
    if decoded.bad:
        return ReadResult(None, tuple(context.diagnostics))
    table = None
    try:
        table = _read(context, policy, base)
    except RecursionError:
        context.report("UQ179", "the query is nested too deeply", 0, len(decoded.text))
    diagnostics = tuple(sorted(dict.fromkeys(context.diagnostics), key=lambda one: one.span.start if one.span else 0))
    return ReadResult(None if errors(diagnostics) else table, diagnostics)


def parse_sparql(text: str, source: str = "<input>", *, unbounded: str = "allow", base: str | None = None) -> Table:
    """The table of a query. Raises DiagnosticError with everything that is wrong with it."""
    result = read_sparql(text, source, unbounded=unbounded, base=base)
    if result.table is None:
        raise DiagnosticError(result.diagnostics)
    return result.table


def _read(context: SparqlContext, policy: Unbounded, base: str | None) -> Table | None:
    table = parse_table()
    tokens = tokenize(context.text, table)
    deep = depth(tokens, _DEEPEST)
    if deep is not None:
        context.report("UQ179", f"this is nested in more than {_DEEPEST} brackets", deep[2], deep[3])
        return None
    builder = QueryActions(context, base, policy)
    parser = SparqlParser(table, _compiled(), builder)
    read: Table | None = parser.parse(context.text, tokens, PatternRecovery(context))
    if read is None or errors(context.diagnostics):
        return None
    builder.check_labels()
    if builder.has_inner_rows or builder.converter.nests:
        return number_rows(read)
    rows = tuple(Row(f"c{place}", row.atom, None, row.note, row.span) for place, row in enumerate(read.rows, 1))
    return Table(read.name, read.head, rows, read.shell, prefixes=read.prefixes, span=read.span, permissive=True)


@cache
def _compiled() -> tuple[CompiledRule, ...]:
    """The rules with the methods that build their parts."""
    return tuple(
        (rule.origin, rule.size, getattr(QueryActions, rule.action) if rule.action else None)
        for rule in parse_table().rules
    )


def _policy(unbounded: str) -> Unbounded:
    if unbounded == "allow":
        return Unbounded()
    if unbounded == "refuse":
        return Unbounded(allowed=False)
    match = _BOUND.fullmatch(unbounded)
    if match is None:
        raise ValueError(f"unbounded is `allow`, `refuse` or `bound:N`, not {unbounded!r}")
    return Unbounded(most=int(match[1]))
