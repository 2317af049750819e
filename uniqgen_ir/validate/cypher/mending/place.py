"""What a repair looks at."""

from __future__ import annotations

from collections.abc import Iterator

from attrs import frozen

from uniqgen_ir.grammar.cypher import CypherParse, ast
from uniqgen_ir.grammar.cypher import ast_expressions as expressions
from uniqgen_ir.grammar.cypher.walk import walk
from uniqgen_ir.ir.spans import Span
from uniqgen_ir.validate.cypher.kinds import KindIndex


@frozen
class Place:
    """The query, the schema, and the diagnostic that wants a repair."""

    parse: CypherParse
    index: KindIndex | None
    span: Span
    message: str

    @property
    def text(self) -> str:
        return self.parse.text

    def nodes(self) -> Iterator[expressions.Node]:
        """Every node of every statement."""
        for statement in (self.parse.statement, *self.parse.following):
            if statement is not None:
                yield from walk(statement)

    def at(self, kind: type[expressions.Node]) -> expressions.Node | None:
        """The node of a class that is exactly what the diagnostic points at."""
        return next(
            (
                one
                for one in self.nodes()
                if isinstance(one, kind) and one.start == self.span.start and one.end == self.span.end
            ),
            None,
        )

    def clause_of(self, node: expressions.Node) -> tuple[ast.SingleQuery, ast.Clause] | None:
        """The innermost clause that holds a node, and its query."""
        found: tuple[ast.SingleQuery, ast.Clause] | None = None
        for one in self.nodes():
            if isinstance(one, ast.SingleQuery):
                for clause in one.clauses:
                    if clause.start <= node.start and node.end <= clause.end:
                        found = (one, clause)
        return found
