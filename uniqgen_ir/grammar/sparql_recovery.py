"""Going on after a syntax error."""

from __future__ import annotations

from attrs import frozen

from uniqgen_ir.grammar.sparql_context import SparqlContext
from uniqgen_ir.grammar.sparql_parser import SparqlParser


@frozen
class PatternRecovery:
    context: SparqlContext

    def recover(self, parser: SparqlParser, place: int) -> int | None:
        kind, text, start, end = parser.tokens[place]
        self.context.report("UQ140", f"unexpected {text!r} {kind}, expected {parser.expected()}", start, end)
        return None
