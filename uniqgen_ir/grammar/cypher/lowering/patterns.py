"""Patterns as rows: nodes, labels, inline properties, paths. Relationships are in `cypher_lower_edges.py`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from attrs import define, field

from uniqgen_ir.grammar.cypher import ast
from uniqgen_ir.grammar.cypher import ast_expressions as syntax
from uniqgen_ir.grammar.cypher.lowering.edges import EdgeLowering, may_be_empty
from uniqgen_ir.grammar.cypher.lowering.group import (
    Builder,
    Group,
    NodeBinding,
    PathBinding,
    Scope,
    UnsupportedError,
)
from uniqgen_ir.grammar.cypher.lowering.labels import label_rows
from uniqgen_ir.grammar.cypher.names import NODE
from uniqgen_ir.ir.expressions import Call, Comparison, ComparisonOperator
from uniqgen_ir.ir.rows import Filter, Triple, TypeAtom
from uniqgen_ir.ir.terms import Literal, Variable

if TYPE_CHECKING:
    from uniqgen_ir.grammar.cypher.lowering.expressions import ExpressionLowering


@define
class PatternLowering:
    """Lowers the patterns of one clause into a group. `scope` is the clause's own: in it nothing is null.

    `insensitive`: how often a solution occurs does not matter.
    """

    builder: Builder
    group: Group
    scope: Scope
    expressions: ExpressionLowering
    insensitive: bool = False
    used: dict[str, Variable] = field(factory=dict[str, Variable])
    """the nodes of this clause, by name"""
    described: set[Variable] = field(factory=set[Variable])
    """nodes that some row says something about"""

    def patterns(self, patterns: Sequence[ast.Pattern]) -> None:
        """Every pattern. Nodes of which nothing is said become instances of `urn:pg:Node`."""
        edges = EdgeLowering(self.builder, self.group, self.scope, self.expressions, self.insensitive)
        edges.prepare(patterns)
        nodes: list[tuple[Variable, ast.NodePattern]] = []
        for pattern in patterns:
            if pattern.selector is not None:
                raise UnsupportedError(f"the path selector {pattern.selector}", pattern)
            nodes += self.path(pattern, edges)
        for variable, node in nodes:
            if variable not in self.described:
                self.group.add(TypeAtom(variable, NODE), node)
                self.described.add(variable)
        edges.keep_apart()

    def path(self, pattern: ast.Pattern, edges: EdgeLowering) -> list[tuple[Variable, ast.NodePattern]]:
        nodes: list[tuple[Variable, ast.NodePattern]] = []
        previous: Variable | None = None
        waiting: ast.RelationshipPattern | None = None
        length: int | None = 0
        for element in pattern.elements:
            match element:
                case ast.NodePattern():
                    new = self.is_new(element)
                    variable = self.node(element)
                    if new:
                        nodes.append((variable, element))
                    if waiting is not None and previous is not None:
                        edges.relationship(waiting, previous, variable, new)
                        if not may_be_empty(waiting):
                            self.described.update((previous, variable))
                    previous, waiting = variable, None
                case ast.RelationshipPattern():
                    waiting = element
                    one_step = element.length is None and element.repetition is None
                    length = length + 1 if one_step and length is not None else None
                case ast.ShortestPath():
                    raise UnsupportedError("shortestPath()", element)
                case ast.GroupPattern():
                    raise UnsupportedError("a quantified group of patterns", element, "write the steps out")
        if pattern.variable is not None:
            self.scope[pattern.variable.text] = PathBinding("a path", length)
        return nodes

    def is_new(self, node: ast.NodePattern) -> bool:
        """Whether nothing before this place binds the node."""
        if node.variable is None:
            return True
        known = self.scope.get(node.variable.text)
        return node.variable.text not in self.used and (
            known is None or (isinstance(known, NodeBinding) and known.nullable)
        )

    def node(self, node: ast.NodePattern) -> Variable:
        variable = self.node_variable(node)
        if node.labels is not None:
            for content in label_rows(self.builder, variable, node.labels):
                self.group.add(content, node.labels)
            self.described.add(variable)
        if isinstance(node.properties, syntax.MapLiteral):
            self.properties(variable, node.properties)
        if node.where is not None:
            self.expressions.condition(node.where, self.group, self.scope)
        return variable

    def node_variable(self, node: ast.NodePattern) -> Variable:
        """The node's variable in the table."""
        if node.variable is None:
            return self.builder.fresh("node")
        name = node.variable.text
        if name not in self.used:
            self.used[name] = self._first_use(name, node)
        return self.used[name]

    def _first_use(self, name: str, node: ast.NodePattern) -> Variable:
        known = self.scope.get(name)
        if known is None:
            variable = self.builder.fresh(name)
            self.scope[name] = NodeBinding(variable)
            return variable
        if not isinstance(known, NodeBinding):
            raise UnsupportedError(f"`{name}` as a node, as it comes from an expression", node)
        if not known.nullable:
            self.described.add(known.variable)
            return known.variable
        # null matches nothing, but an unbound variable would match anything: the match is made with another variable,
        # which must then be the same node
        twin = self.builder.fresh(name)
        self.group.add(Filter(Call("same_term", (twin, known.variable))), node)
        self.scope[name] = NodeBinding(twin)
        return twin

    def properties(self, subject: Variable, entries: syntax.MapLiteral) -> None:
        """`{name: 'Ann'}`: each entry is an equality."""
        for entry in entries.entries:
            attribute = self.builder.names.property(entry.key.text)
            self.described.add(subject)
            if isinstance(entry.value, syntax.StringLiteral | syntax.BooleanLiteral) and not attribute.key:
                self.group.add(Triple(subject, attribute.iri, Literal.of(entry.value.value)), entry)
                continue
            value = self.expressions.lower(entry.value, self.group, self.scope)
            wanted = self.expressions.fetch(subject, attribute, entry.key.text, entry, self.group, required=True)
            self.group.add(Filter(Comparison(ComparisonOperator.EQUAL, wanted, value)), entry)
