"""One reading of a query, with all that it leaves behind: for checks that look at the text as written."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Final

from attrs import frozen

from uniqgen_ir.grammar.sparql.context import SparqlContext
from uniqgen_ir.grammar.sparql.groups import Group
from uniqgen_ir.grammar.sparql.lexer import Token, decode, depth, tokenize
from uniqgen_ir.grammar.sparql.numbering import number_rows
from uniqgen_ir.grammar.sparql.parser import CompiledRule, SparqlParser
from uniqgen_ir.grammar.sparql.patterns import Unbounded
from uniqgen_ir.grammar.sparql.queries import QueryActions, QueryParts
from uniqgen_ir.grammar.sparql.recovery import PatternRecovery
from uniqgen_ir.grammar.sparql.tables import parse_table
from uniqgen_ir.ir.diagnostics import Diagnostic, errors
from uniqgen_ir.ir.rows import Row
from uniqgen_ir.ir.table import Table
from uniqgen_ir.ir.terms import Variable

_DEEPEST: Final = 100
BEYOND_TABLES: Final = frozenset({"UQ147", "UQ148", "UQ149"})
"""Codes of what is good SPARQL but has no place in a table; a lenient reading goes on past it."""


@frozen
class Reading:
    """What one reading found.

    `table` is None where there are errors; a lenient reading gives it also for a query that no table stands for, and it
    is then good for checks only. Offsets in `queries`, `exists_groups` and `tokens` count in `context.text`, where
    escapes of characters are decoded; `context.span` and `context.fix` lead back to the text as written.
    """

    context: SparqlContext
    table: Table | None = None
    queries: tuple[QueryParts, ...] = ()
    exists_groups: tuple[Group, ...] = ()
    tokens: tuple[Token, ...] = ()
    prefixes: tuple[tuple[str, str], ...] = ()
    blank_variables: frozenset[Variable] = frozenset()

    @property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        """Everything that was reported, once, in the order of the text."""
        found = dict.fromkeys(self.context.diagnostics)
        return tuple(sorted(found, key=lambda one: one.span.start if one.span else 0))


def read_fully(
    text: str,
    source: str = "<input>",
    *,
    unbounded: Unbounded = Unbounded(),  # noqa: B008 - frozen
    base: str | None = None,
    strict: bool = False,
    lenient: bool = False,
    offered: Mapping[str, str] | None = None,
) -> Reading:
    """Read one query. Never raises for what is wrong with the text. The options are those of `read_sparql`.

    `lenient`: what is SPARQL but has no place in a table (`BEYOND_TABLES`) does not keep the table back.
    `offered`: prefixes of the schema, proposed where the query does not declare them.
    """
    decoded = decode(text)
    context = SparqlContext(decoded.text, text, source, decoded.places, strict=strict, lenient=lenient, offered=offered)
    for start, end in decoded.bad:
        span = SparqlContext(text, text, source, None, strict=strict).span(start, end)
        context.diagnostics.append(Diagnostic("UQ142", f"`{text[start:end]}` is no character", span))
    if decoded.bad:
        return Reading(context)
    try:
        return _read(context, unbounded, base)
    except RecursionError:
        context.report("UQ179", "the query is nested too deeply", 0, len(decoded.text))
        return Reading(context)


def _read(context: SparqlContext, policy: Unbounded, base: str | None) -> Reading:
    table = parse_table()
    tokens = tokenize(context.text, table)
    deep = depth(tokens, _DEEPEST)
    if deep is not None:
        context.report("UQ179", f"this is nested in more than {_DEEPEST} brackets", deep[2], deep[3])
        return Reading(context)
    builder = QueryActions(context, base, policy)
    parser = SparqlParser(table, _compiled(), builder)
    read: Table | None = parser.parse(context.text, tokens, PatternRecovery(context))
    if read is not None and not _stops(context):
        builder.check_labels()
        read = _named(builder, read)
    return Reading(
        context,
        None if read is None or _stops(context) else read,
        tuple(builder.queries),
        tuple(builder.exists_groups),
        tuple(parser.tokens),
        tuple(builder.prefixes.items()),
        frozenset(builder.blank_variables),
    )


def _stops(context: SparqlContext) -> bool:
    """Whether what was reported keeps the table back."""
    passed = BEYOND_TABLES if context.lenient else frozenset[str]()
    return any(one.code not in passed for one in errors(context.diagnostics))


def _named(builder: QueryActions, read: Table) -> Table:
    """The table with names for its rows."""
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
