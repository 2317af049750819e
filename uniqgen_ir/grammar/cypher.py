"""Reading Cypher: text to syntax tree (`parse_cypher`)."""

from __future__ import annotations

from attrs import field, frozen

from uniqgen_ir.grammar.cypher_ast import Statement
from uniqgen_ir.grammar.cypher_ast_expressions import Node
from uniqgen_ir.grammar.cypher_context import Context
from uniqgen_ir.grammar.cypher_statement import read_statement
from uniqgen_ir.ir.diagnostics import Diagnostic, Severity
from uniqgen_ir.ir.spans import Span


@frozen
class CypherParse:
    """What was read: the statement (also after a fault, as far as it could be read; None where nothing could), and what
    there is to say about it. Nodes know the characters they come from; `span` turns those into lines and columns."""

    text: str = field(repr=False)
    source: str
    statement: Statement | None
    diagnostics: tuple[Diagnostic, ...]

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
    statement = read_statement(context)
    order = sorted(context.diagnostics, key=lambda one: one.span.start if one.span else 0)
    return CypherParse(text, source, statement, tuple(order))
