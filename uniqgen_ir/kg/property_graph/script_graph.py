"""The property graph that a script of Cypher builds while it is read."""

from __future__ import annotations

from collections.abc import Mapping

from attrs import define, field

from uniqgen_ir.kg.property_graph.facts import Value


@define
class Node:
    """A node: its number, labels and properties."""

    key: int
    labels: dict[str, None] = field(factory=dict[str, None])
    properties: dict[str, Value] = field(factory=dict[str, Value])


@define
class Edge:
    """A relationship between two nodes."""

    kind: str
    source: Node
    target: Node
    properties: dict[str, Value] = field(factory=dict[str, Value])


@define
class ScriptGraph:
    """The nodes and relationships that a script has created so far, in the order of their creation."""

    nodes: list[Node] = field(factory=list[Node])
    edges: list[Edge] = field(factory=list[Edge])
    _places: dict[tuple[str, str], list[Node]] = field(factory=dict[tuple[str, str], "list[Node]"])
    """nodes that have, or had, a value in a property"""

    def create(self, labels: list[str], properties: Mapping[str, Value]) -> Node:
        """Add a node."""
        node = Node(len(self.nodes), dict.fromkeys(labels))
        self.nodes.append(node)
        self.change(node, properties)
        return node

    def change(self, thing: Node | Edge, properties: Mapping[str, Value]) -> None:
        """Give a node or relationship these properties in place of its own."""
        thing.properties = without_nulls(properties)
        if isinstance(thing, Node):
            for name, value in thing.properties.items():
                self._places.setdefault((name, repr(value)), []).append(thing)

    def find(self, labels: list[str], properties: Mapping[str, Value]) -> list[Node]:
        """The nodes with these labels and properties; a property that is null equals nothing."""
        if any(value is None for value in properties.values()):
            return []
        wanted = list(properties.items())
        places = [(name, repr(value)) for name, value in wanted]
        candidates = self._places.get(places[0], []) if places else self.nodes
        return [
            one
            for one in dict(zip(map(id, candidates), candidates, strict=True)).values()
            if all(label in one.labels for label in labels)
            and all(one.properties.get(name) == value for name, value in wanted)
        ]


def without_nulls(properties: Mapping[str, Value]) -> dict[str, Value]:
    """The properties that have a value: null is none."""
    return {name: value for name, value in properties.items() if value is not None}


def is_same(one: Edge, other: Edge) -> bool:
    """Whether a MERGE finds its relationship in another: the same ends and type, and at least its properties."""
    same = one.kind == other.kind and one.source is other.source and one.target is other.target
    return same and other.properties.items() <= one.properties.items()
