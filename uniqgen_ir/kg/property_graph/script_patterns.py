"""The patterns of a script of Cypher: read, and matched or created for a row."""

from __future__ import annotations

from collections.abc import Callable

from attrs import frozen

from uniqgen_ir.kg.property_graph.script_constants import Binding, Constants
from uniqgen_ir.kg.property_graph.script_graph import Edge, Node, ScriptGraph, is_same, without_nulls


@frozen
class NodeText:
    """A node as written: its name, labels and the place of its properties."""

    name: str | None
    labels: list[str]
    properties: object


@frozen
class EdgeText:
    name: str | None
    kinds: list[str]
    properties: object
    left: bool
    right: bool


class Patterns(Constants):
    """Reads patterns and does with them what their clause says."""

    def __init__(self, text: str, source: str) -> None:
        super().__init__(text, source)
        self.graph = ScriptGraph()

    def for_each(self, rows: list[Binding], read: Callable[[Binding], list[Binding]]) -> list[Binding]:
        """Read the same text once for every row; for no row at all, once without doing anything."""
        start, found = self.place, list[Binding]()
        before, self.reading_only = self.reading_only, self.reading_only or not rows
        for row in rows or [{}]:
            self.place = start
            found += read(row)
        self.reading_only, nothing = before, self.reading_only
        return [] if nothing else found

    def patterns(self, word: str, row: Binding) -> list[Binding]:
        rows = self.pattern(word, row)
        while self.take(","):
            rows = self.for_each(rows, lambda one: self.pattern(word, one))
        return rows

    def pattern(self, word: str, row: Binding) -> list[Binding]:
        """Read one path and do with it what the clause says."""
        nodes, edges = [self.node(row)], list[EdgeText]()
        while self.at("-") or self.at("<"):
            edges.append(self.edge(row))
            nodes.append(self.node(row))
        if self.reading_only:
            return []
        if word == "MATCH":
            return self.matched(row, nodes, edges)
        return [self.created(word, row, nodes, edges)]

    def node(self, row: Binding) -> NodeText:
        self.need("(")
        name = self.name() if self.token.kind in ("word", "quoted") else None
        labels = self.labels()
        properties = self.expression(row) if self.at("{") else None
        self.need(")")
        return NodeText(name, labels, properties)

    def labels(self) -> list[str]:
        found: list[str] = []
        while self.take(":") or (found and self.take("&")):
            found.append(self.name())
        return found

    def edge(self, row: Binding) -> EdgeText:
        left = self.take("<")
        self.need("-")
        name, kinds, properties = None, list[str](), None
        if self.take("["):
            name = self.name() if self.token.kind in ("word", "quoted") else None
            if self.take(":"):
                kinds.append(self.name())
            properties = self.expression(row) if self.at("{") else None
            self.need("]")
        self.need("-")
        return EdgeText(name, kinds, properties, left, self.take(">"))

    def matched(self, row: Binding, nodes: list[NodeText], edges: list[EdgeText]) -> list[Binding]:
        if edges:
            raise self.fault("UQ628", "a MATCH of relationships does more than create data", "match the nodes")
        written = nodes[0]
        found = self.graph.find(written.labels, self.properties(written.properties))
        known = row.get(written.name) if written.name else None
        return [{**row, written.name: one} if written.name else row for one in found if known is None or one is known]

    def created(self, word: str, row: Binding, nodes: list[NodeText], edges: list[EdgeText]) -> Binding:
        row = dict(row)
        alone = not edges
        ends = [self.end(word if alone else "CREATE", row, one, word) for one in nodes]
        for written, left, right in zip(edges, ends, ends[1:], strict=False):
            self.relationship(word, row, written, left, right)
        return row

    def end(self, how: str, row: Binding, written: NodeText, word: str) -> Node:
        known = row.get(written.name) if written.name else None
        if known is not None:
            if not isinstance(known, Node) or written.labels or written.properties is not None:
                raise self.fault("UQ625", f"{written.name} is there already and cannot be created again")
            return known
        if word == "MERGE" and how == "CREATE":
            raise self.fault(
                "UQ628", "MERGE of a path with new nodes does more than create data", "merge its nodes first"
            )
        properties = self.properties(written.properties)
        found = self.graph.find(written.labels, properties) if how == "MERGE" else []
        node = found[0] if found else self.graph.create(written.labels, properties)
        if written.name:
            row[written.name] = node
        return node

    def relationship(self, word: str, row: Binding, written: EdgeText, left: Node, right: Node) -> None:
        if written.left == written.right or len(written.kinds) != 1:
            raise self.fault("UQ625", "a relationship that is created has one type and one direction")
        source, target = (right, left) if written.left else (left, right)
        properties = without_nulls(self.properties(written.properties))
        edge = Edge(written.kinds[0], source, target, properties)
        same = [one for one in self.graph.edges if is_same(one, edge)] if word == "MERGE" else []
        if same:
            edge = same[0]
        else:
            self.graph.edges.append(edge)
        if written.name:
            row[written.name] = edge
