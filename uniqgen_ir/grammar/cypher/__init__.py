"""Reading Cypher: text to syntax tree (`parse_cypher`), and what a tree must obey beyond grammar (`check_cypher`)."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from attrs import field, frozen

from uniqgen_ir.grammar.cypher.ast import Statement
from uniqgen_ir.grammar.cypher.ast_expressions import Node
from uniqgen_ir.grammar.cypher.checking.statements import check_statement
from uniqgen_ir.grammar.cypher.context import Context
from uniqgen_ir.grammar.cypher.statement import read_statements
from uniqgen_ir.grammar.result import ReadResult
from uniqgen_ir.ir.diagnostics import Diagnostic, Severity, errors
from uniqgen_ir.ir.mapping import Mapping
from uniqgen_ir.ir.spans import Span


@frozen
class CypherParse:
    """What was read: the statement (also after a fault, as far as it could be read; None where nothing could), and what
    there is to say about it. Nodes know the characters they come from; `span` turns those into lines and columns."""

    text: str = field(repr=False)
    source: str
    statement: Statement | None
    diagnostics: tuple[Diagnostic, ...]
    following: tuple[Statement, ...] = ()
    """statements after a semicolon, which make the text as a whole invalid"""

    @property
    def valid(self) -> bool:
        """Whether there is a statement and no error."""
        return self.statement is not None and not any(one.severity is Severity.ERROR for one in self.diagnostics)

    def span(self, node: Node) -> Span:
        """Where the node stands."""
        return Span.at(self.text, node.start, node.end, self.source)

    def text_of(self, node: Node) -> str:
        """The characters that the node was read from."""
        return self.text[node.start : node.end]


def parse_cypher(text: str, source: str = "<cypher>") -> CypherParse:
    """The syntax tree of one Cypher statement, with every fault of syntax. Never raises."""
    context = Context(text, source)
    statements = read_statements(context)
    order = sorted(context.diagnostics, key=lambda one: one.span.start if one.span else 0)
    return CypherParse(text, source, statements[0] if statements else None, tuple(order), tuple(statements[1:]))


_UNBOUNDED: Final = re.compile(r"refuse|allow|bound:[1-9]\d*")
_HARMLESS: Final = frozenset({"UQ195", "UQ196"})
"""Faults that leave the statements themselves readable."""


def check_cypher(parse: CypherParse) -> tuple[Diagnostic, ...]:
    """The faults of scope, kinds, aggregation and columns in what was read; writing and outside access count as such.

    Empty where the text has faults of syntax: what could be read then is no basis for more.
    """
    if parse.statement is None or any(one.code not in _HARMLESS for one in errors(parse.diagnostics)):
        return ()
    context = Context(parse.text, parse.source)
    for statement in (parse.statement, *parse.following):
        try:
            check_statement(context, statement)
        except RecursionError:
            context.report("UQ182", "queries are nested too deeply", statement.start, statement.end)
    return tuple(sorted(context.diagnostics, key=lambda one: one.span.start if one.span else 0))


def read_cypher(
    text: str,
    source: str = "<cypher>",
    *,
    mapping: Mapping | None = None,
    unbounded: str = "refuse",
    parallel: Callable[[str], bool] | None = None,
) -> ReadResult:
    """Read one query as a table. Never raises for what is wrong with the text.

    Names become IRIs through `mapping`; without one they stand in the namespace `urn:pg:` (`cypher_names.py`).
    `unbounded`: `refuse` reports paths without an upper bound, `allow` takes them where counts do not matter, `bound:8`
    follows them for at most 8 steps. Raises ValueError for another `unbounded`.

    `parallel` is given where the table is for a store in which relationships are facts, which are a set: it says
    whether relationships of a type run in parallel between the same nodes. Those are then read as things, each by
    itself; a path of several steps over them is refused.
    """
    if _UNBOUNDED.fullmatch(unbounded) is None:
        raise ValueError(f"unbounded must be `refuse`, `allow` or `bound:N`, not {unbounded!r}")
    parse = parse_cypher(text, source)
    found = [*parse.diagnostics, *check_cypher(parse)]
    if parse.statement is None or errors(found):
        return ReadResult(None, tuple(found))
    # imported here: whoever only parses should not wait for it
    from uniqgen_ir.grammar.cypher.lowering.reading import lower_statement

    context = Context(text, source)
    try:
        table = lower_statement(context, parse.statement, mapping, unbounded, parallel)
    except RecursionError:
        table = None
        context.report("UQ182", "queries are nested too deeply", 0, len(text))
    found += context.diagnostics
    found.sort(key=lambda one: one.span.start if one.span else 0)
    return ReadResult(None if errors(found) else table, tuple(found))
