"""A property graph as a Cypher script: statements that end in `;`, each of at most so many nodes or relationships."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator
from itertools import count
from pathlib import Path
from typing import Any, Final, TypeAlias, TypeVar

from uniqgen_ir.kg.export.properties import Property
from uniqgen_ir.kg.export.property_graph import ExportedGraph, Node
from uniqgen_ir.kg.export.text_files import written
from uniqgen_ir.kg.export.things import Relationship
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
    """The statements, without their semicolons: a constraint on the key, nodes, relationships.

    Nodes that are written as they are, without a key, get one while the script runs, under a label of its own.
    """
    own_key, own_label = graph.naming.key, graph.naming.common_label
    lent = own_key is None or own_label is None
    key = name_of(_free("import_id", graph.columns()) if own_key is None else own_key)
    label = name_of(_free("Imported", graph.labels) if own_label is None else own_label)
    more = [label] if lent else []
    constraint = "import_id_is_unique" if lent else ""
    yield f"CREATE CONSTRAINT {constraint} IF NOT EXISTS FOR (n:{label}) REQUIRE n.{key} IS UNIQUE".replace("  ", " ")
    for labels, nodes in _batches(graph.nodes(), lambda node: node.labels):
        rows = ", ".join(_node(node, key, name_of, text_of) for node in nodes)
        yield f"UNWIND [{rows}] AS row CREATE (n:{':'.join([*more, *map(name_of, labels)])}) SET n = row"
    for (type_, full), edges in _batches(graph.relationships(), lambda edge: (edge.type, bool(edge.properties))):
        rows = ", ".join(_edge(edge, name_of, text_of) for edge in edges)
        ends = f"MATCH (a:{label} {{{key}: row[0]}}), (b:{label} {{{key}: row[1]}})"
        made = f"(a)-[r:{name_of(type_)}]->(b) SET r = row[2]" if full else f"(a)-[:{name_of(type_)}]->(b)"
        yield f"UNWIND [{rows}] AS row {ends} CREATE {made}"
    if lent:
        for _, keys in _batches(graph.keys(), lambda _: None):
            rows = ", ".join(map(text_of, keys))
            yield f"UNWIND [{rows}] AS row MATCH (n:{label} {{{key}: row}}) REMOVE n:{label}, n.{key}"
        yield f"DROP CONSTRAINT {constraint} IF EXISTS"


def _free(name: str, taken: Container[str]) -> str:
    """The name, numbered where it is taken."""
    numbered = (f"{name}_{number}" for number in count(2))
    return name if name not in taken else next(one for one in numbered if one not in taken)


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
    return _map([f"{key}: {text_of(node.key)}"], node.properties, name_of, text_of)


def _edge(edge: Relationship, name_of: Quote, text_of: Quote) -> str:
    more = f", {_map([], edge.properties, name_of, text_of)}" if edge.properties else ""
    return f"[{text_of(edge.start)}, {text_of(edge.end)}{more}]"


def _map(first: list[str], properties: dict[str, Property], name_of: Quote, text_of: Quote) -> str:
    parts = [*first, *(f"{name_of(name)}: {_literal(value, text_of)}" for name, value in properties.items())]
    return "{" + ", ".join(parts) + "}"


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
