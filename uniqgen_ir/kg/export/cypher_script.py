"""A property graph as a Cypher script: statements that end in `;`, each of at most so many nodes or relationships."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, Final, TypeAlias, TypeVar

from uniqgen_ir.kg.export.property_graph import ExportedGraph, Node, Property, Relationship
from uniqgen_ir.kg.export.text_files import written
from uniqgen_ir.kg.export.values import Moment, Value

_BATCH: Final = 500
_WAITING: Final = 50_000
Quote: TypeAlias = Callable[[str], str]
Item = TypeVar("Item")


def write_cypher(graph: ExportedGraph, folder: Path, name_of: Quote, text_of: Quote) -> list[str]:
    """Write `graph.cypher`; `name_of` and `text_of` quote names and texts. The names of the files written."""
    with written(folder, "graph.cypher") as stream:
        for statement in statements(graph, name_of, text_of):
            stream.write(statement + ";\n")
    return ["graph.cypher"]


def statements(graph: ExportedGraph, name_of: Quote, text_of: Quote) -> Iterator[str]:
    """The statements, without their semicolons: a constraint on the key, nodes, relationships."""
    key, label = name_of(graph.naming.key), name_of(graph.naming.common_label)
    yield f"CREATE CONSTRAINT IF NOT EXISTS FOR (n:{label}) REQUIRE n.{key} IS UNIQUE"
    for labels, nodes in _batches(graph.nodes(), lambda node: node.labels):
        rows = ", ".join(_node(node, key, name_of, text_of) for node in nodes)
        yield f"UNWIND [{rows}] AS row CREATE (n:{':'.join(map(name_of, labels))}) SET n = row"
    for type_, edges in _batches(graph.relationships(), lambda edge: edge.type):
        rows = ", ".join(_edge(edge, text_of) for edge in edges)
        ends = f"MATCH (a:{label} {{{key}: row[0]}}), (b:{label} {{{key}: row[1]}})"
        yield f"UNWIND [{rows}] AS row {ends} CREATE (a)-[:{name_of(type_)}]->(b)"


def _batches(items: Iterable[Item], kind: Callable[[Item], Any]) -> Iterator[tuple[Any, list[Item]]]:
    """Items of one kind together, in lists of at most so many; of all kinds together only so many wait."""
    waiting: dict[Any, list[Item]] = {}
    count = 0
    for item in items:
        batch = waiting.setdefault(kind(item), [])
        batch.append(item)
        count += 1
        if len(batch) == _BATCH:
            yield kind(item), waiting.pop(kind(item))
            count -= _BATCH
        elif count > _WAITING:
            yield from waiting.items()
            waiting, count = {}, 0
    yield from waiting.items()


def _node(node: Node, key: str, name_of: Quote, text_of: Quote) -> str:
    parts = [f"{key}: {text_of(node.key)}"]
    parts += [f"{name_of(name)}: {_literal(value, text_of)}" for name, value in node.properties.items()]
    return "{" + ", ".join(parts) + "}"


def _edge(edge: Relationship, text_of: Quote) -> str:
    return f"[{text_of(edge.start)}, {text_of(edge.end)}]"


def _literal(value: Property, text_of: Quote) -> str:
    if isinstance(value, list):
        return "[" + ", ".join(_scalar(one, text_of) for one in value) + "]"
    return _scalar(value, text_of)


def _scalar(value: Value, text_of: Quote) -> str:
    match value:
        case bool():
            return "true" if value else "false"
        case str():
            return text_of(value)
        case Moment(kind, text):
            return f"{kind}({text_of(text)})"
        case float():
            special = {"nan": "0.0/0.0", "inf": "1.0/0.0", "-inf": "-1.0/0.0"}
            return special.get(repr(value), repr(value))
        case _:
            return str(value)
