"""Where in the source the things stand that a type error speaks of.

Rows have spans, the terms inside them do not. Where the source text is at hand, the term is looked for inside its row:
its place is used if it stands there exactly once.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

from attrs import field, frozen

from uniqgen_ir.ir.expressions import Expression
from uniqgen_ir.ir.print_names import Names
from uniqgen_ir.ir.printer import print_expression
from uniqgen_ir.ir.rows import Row
from uniqgen_ir.ir.spans import Span
from uniqgen_ir.ir.table import Table
from uniqgen_ir.ir.terms import IRI, Literal, Parameter, Variable

_TOKEN = re.compile(
    r"""\#[^\n]*
      | (?:[A-Za-z_]\w*\(\s*)?"(?:[^"\\\n]|\\.)*"(?:@[A-Za-z][A-Za-z0-9-]*|\^\^(?:<[^>\s]*>|[\w.-]*:[\w.-]*)|\s*\))?
      | <[^<>"{}|^`\\\s]*>
      | [?$]\w+
      | [A-Za-z_][\w.-]*:[\w.-]*
      | [+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?
      | [A-Za-z_]\w*
    """,
    re.VERBOSE,
)


@frozen
class Places:
    """Names and places for the messages about one table. `source` is the text that the spans count in."""

    table: Table
    source: str | None = None
    short: Callable[[str], str] = field(init=False)

    def __attrs_post_init__(self) -> None:
        object.__setattr__(self, "short", Names(self.table.prefixes).iri)

    def text(self, expression: Expression | str | None) -> str:
        """An expression as the message names it."""
        if expression is None or isinstance(expression, str):
            return expression or "the expression"
        return print_expression(expression, self.table.prefixes)

    def row_span(self, row: Row) -> Span | None:
        return row.span or self.table.span

    def span(self, row: Row, expression: Expression | None) -> Span | None:
        """The smallest span that is known: the term's, otherwise the row's."""
        found = self.token(row, expression)
        return found or self.row_span(row)

    def token(self, row: Row, expression: Expression | None) -> Span | None:
        """The span of the one place in the row where the term stands; None where that is not certain."""
        if self.source is None or row.span is None or expression is None:
            return None
        # sources with a first line of their own count from there: a span past the end belongs to another text
        if row.span.end > len(self.source):
            return None
        spellings = self._spellings(expression)
        found = [
            (match.start(), match.end())
            for match in _TOKEN.finditer(self.source, row.span.start, row.span.end)
            if re.sub(r"\s+", "", match[0]) in spellings
        ]
        return row.span.part(self.source, *found[0]) if len(found) == 1 else None

    def predicate_token(self, row: Row, predicate: Expression) -> Span | None:
        """The span of a row's predicate. Behind `;` a row's own span may begin after it."""
        found = self.token(row, predicate)
        if found is not None or self.source is None or row.span is None or row.span.end > len(self.source):
            return found
        line = self.source.rfind("\n", 0, row.span.start) + 1
        before = [(one.start(), one.end()) for one in _TOKEN.finditer(self.source, line, row.span.start)]
        if before and self.source[slice(*before[-1])] in self._spellings(predicate):
            return Span.at(self.source, *before[-1], row.span.source)
        return None

    def _spellings(self, expression: Expression) -> frozenset[str]:
        match expression:
            case IRI(value):
                names = {f"<{value}>", self.short(value)} | set(self._prefixed(value))
            case Literal(lexical, datatype, _):
                names = {
                    self.text(expression),
                    lexical,
                    f'"{lexical}"^^<{datatype}>',
                    f'"{lexical}"^^{self.short(datatype)}',
                }
            case Variable() | Parameter():
                names = {str(expression)}
            case _:
                names = set[str]()
        return frozenset(re.sub(r"\s+", "", name) for name in names)

    def _prefixed(self, iri: str) -> Iterable[str]:
        return (f"{prefix}:{iri[len(space) :]}" for prefix, space in self.table.prefixes if iri.startswith(space))
