"""A property graph as the files that bulk loaders read: those of `neo4j-admin database import` and of Neptune."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Final

from attrs import frozen

from uniqgen_ir.ir.diagnostics import fail
from uniqgen_ir.kg.export.properties import Property
from uniqgen_ir.kg.export.property_graph import ExportedGraph
from uniqgen_ir.kg.export.text_files import written
from uniqgen_ir.kg.export.values import Value, text_of


@frozen
class BulkFormat:
    """How a loader wants its files. `separator` stands between the items of a list, `escape` before one inside an item
    (None: it cannot occur there). `types` are the names of the kinds of values; what is not listed is a text.
    """

    node_head: tuple[str, str]
    edge_head: tuple[str, ...]
    separator: str
    escape: str | None
    types: dict[str, str]
    text: str
    notes: str
    key_notes: str
    """what else there is to say where nodes have a key"""
    mark: str | None = None
    """the head of an empty column that shows readers what separates labels where `;` stands inside one"""


NEO4J: Final = BulkFormat(
    ("{key}:ID", ":LABEL"),
    (":START_ID", ":TYPE", ":END_ID"),
    "\x1f",
    None,
    {
        one: one
        for one in ("boolean", "long", "double", "date", "localdatetime", "datetime", "localtime", "time", "duration")
    },
    "string",
    """Load these files into a new database, with the server stopped:

neo4j-admin database import full neo4j --array-delimiter=U+001F --multiline-fields=true \\
  --nodes=nodes.csv --relationships=relationships.csv
""",
    """
Afterwards, so that nodes are found by their key:

CREATE CONSTRAINT FOR (n:{label}) REQUIRE n.{key} IS UNIQUE
""",
    "\x1f:IGNORE",
)
NEPTUNE: Final = BulkFormat(
    ("~id", "~label"),
    ("~id", "~from", "~label", "~to"),
    ";",
    "\\",
    {
        "boolean": "Bool",
        "long": "Long",
        "double": "Double",
        "date": "Date",
        "localdatetime": "Date",
        "datetime": "Date",
    },
    "String",
    """Copy these files to a bucket and start the loader with "format": "opencypher" or "csv"; nodes.csv first.
""",
    "",
)


def write_bulk_csv(graph: ExportedGraph, folder: Path, style: BulkFormat) -> list[str]:
    """Write `nodes.csv`, `relationships.csv` and `README.txt`. The names of the files written."""
    _write_nodes(graph, folder, style)
    _write_relationships(graph, folder, style)
    with written(folder, "README.txt") as stream:
        stream.write(style.notes)
        key, label = graph.naming.key, graph.naming.common_label
        if key is not None and label is not None:
            stream.write(style.key_notes.replace("{key}", key).replace("{label}", label))
    return ["nodes.csv", "relationships.csv", "README.txt"]


def _write_nodes(graph: ExportedGraph, folder: Path, style: BulkFormat) -> None:
    columns = graph.columns()
    with written(folder, "nodes.csv") as stream:
        head = [one.replace("{key}", graph.naming.key or "") for one in style.node_head]
        marks = [style.mark] if style.mark is not None and any(";" in one for one in graph.labels) else []
        stream.write(_line([*head, *_heads(columns, graph.lists, style), *marks]))
        for node in graph.nodes():
            labels = style.separator.join(_item(one, style) for one in node.labels)
            cells = [_property(node.properties.get(name), style) for name in columns]
            stream.write(_line([_quoted(node.key), _quoted(labels) if labels else "", *cells, *("" for _ in marks)]))


def _write_relationships(graph: ExportedGraph, folder: Path, style: BulkFormat) -> None:
    columns = graph.relationship_columns()
    with written(folder, "relationships.csv") as stream:
        stream.write(_line([*style.edge_head, *_heads(columns, graph.relationship_lists, style)]))
        numbered = len(style.edge_head) == 4
        for number, one in enumerate(graph.relationships()):
            cells = [_quoted(one.start), _quoted(one.type), _quoted(one.end)]
            cells += [_property(one.properties.get(name), style) for name in columns]
            stream.write(_line([f"e{number}", *cells] if numbered else cells))


def _heads(columns: dict[str, str], lists: frozenset[str], style: BulkFormat) -> list[str]:
    return [_head(name, kind, style, many=name in lists) for name, kind in columns.items()]


def _line(cells: Iterable[str]) -> str:
    return ",".join(cells) + "\n"


def _head(name: str, kind: str, style: BulkFormat, *, many: bool) -> str:
    text = f"{name}:{style.types.get(kind, style.text)}{'[]' * many}"
    return text if not set('",\n\r') & set(text) else _quoted(text)


def _property(value: Property | None, style: BulkFormat) -> str:
    if value is None:
        return ""
    if isinstance(value, list):
        return _quoted(style.separator.join(_item(text_of(one), style) for one in value))
    return _cell(value)


def _cell(value: Value) -> str:
    # an empty cell is no value, an empty text is one: texts are always quoted
    return _quoted(value) if isinstance(value, str) else text_of(value)


def _item(text: str, style: BulkFormat) -> str:
    if style.separator not in text:
        return text
    if style.escape is None:
        raise fail("UQ686", f"{text!a} holds the character that separates the items of lists in these files")
    return text.replace(style.separator, style.escape + style.separator)


def _quoted(text: str) -> str:
    return '"' + text.replace('"', '""') + '"'
