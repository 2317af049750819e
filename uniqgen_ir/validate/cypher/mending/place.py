"""What a repair looks at."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import TypeVar

from attrs import define, field, frozen

from uniqgen_ir.grammar.cypher import CypherParse, ast
from uniqgen_ir.grammar.cypher import ast_expressions as expressions
from uniqgen_ir.grammar.cypher.walk import walk
from uniqgen_ir.ir.spans import Span
from uniqgen_ir.validate.cypher.kinds import KindIndex

Wanted = TypeVar("Wanted", bound=expressions.Node)


@define(slots=False)
class Tree:
    """The nodes of every statement, looked through once for all repairs."""

    parse: CypherParse
    _by_kind: dict[type[expressions.Node], list[expressions.Node]] = field(
        factory=dict[type[expressions.Node], list[expressions.Node]]
    )

    _names: dict[int, frozenset[str]] = field(factory=dict[int, "frozenset[str]"])

    @cached_property
    def nodes(self) -> tuple[expressions.Node, ...]:
        """Every node, in the order of the text."""
        statements = (self.parse.statement, *self.parse.following)
        return tuple(node for one in statements if one is not None for node in walk(one))

    def of(self, kind: type[Wanted]) -> list[Wanted]:
        """Every node of a class."""
        found = self._by_kind.get(kind)
        if found is None:
            found = self._by_kind[kind] = [one for one in self.nodes if isinstance(one, kind)]
        return found  # type: ignore[return-value]  # pyright: ignore[reportReturnType]

    @cached_property
    def _by_place(self) -> dict[tuple[int, int], list[expressions.Node]]:
        found: dict[tuple[int, int], list[expressions.Node]] = {}
        for one in self.nodes:
            found.setdefault((one.start, one.end), []).append(one)
        return found

    def at(self, span: Span) -> list[expressions.Node]:
        """The nodes that are exactly a piece of the text, the outermost first."""
        return self._by_place.get((span.start, span.end), [])

    @cached_property
    def _accesses(self) -> dict[str, list[expressions.Property]]:
        found: dict[str, list[expressions.Property]] = {}
        for one in self.of(expressions.Property):
            if isinstance(one.operand, expressions.Variable):
                found.setdefault(one.operand.name, []).append(one)
        return found

    def accesses(self, variable: str) -> list[expressions.Property]:
        """Where a property of a variable is asked for."""
        return self._accesses.get(variable, [])

    @cached_property
    def projections(self) -> dict[int, ast.Projection]:
        """The projection that each of its columns belongs to, by the identity of the column."""
        return {id(item): one for one in self.of(ast.Projection) for item in one.items}

    def column_names(self, projection: ast.Projection) -> frozenset[str]:
        """How the columns of a projection are called."""
        found = self._names.get(id(projection))
        if found is None:
            names = frozenset(column_name(self.parse.text, one) for one in projection.items)
            found = self._names[id(projection)] = names
        return found


def column_name(text: str, item: ast.ProjectionItem) -> str:
    """The name that a column has in the result."""
    if item.alias is not None:
        return item.alias.text
    if isinstance(item.expression, expressions.Variable):
        return item.expression.name
    return text[item.start : item.end]


@frozen
class Place:
    """The query, the schema, and the diagnostic that wants a repair."""

    tree: Tree
    index: KindIndex | None
    span: Span
    message: str

    @property
    def parse(self) -> CypherParse:
        return self.tree.parse

    @property
    def text(self) -> str:
        return self.parse.text

    def nodes(self) -> Iterator[expressions.Node]:
        """Every node of every statement."""
        return iter(self.tree.nodes)

    def at(self, kind: type[Wanted]) -> Wanted | None:
        """The node of a class that is exactly what the diagnostic points at."""
        return next((one for one in self.tree.at(self.span) if isinstance(one, kind)), None)

    def clause_of(self, node: expressions.Node) -> tuple[ast.SingleQuery, ast.Clause] | None:
        """The innermost clause that holds a node, and its query."""
        found: tuple[ast.SingleQuery, ast.Clause] | None = None
        for one in self.tree.of(ast.SingleQuery):
            for clause in one.clauses:
                if clause.start <= node.start and node.end <= clause.end:
                    found = (one, clause)
        return found
