"""The schema of a property graph behind Bolt, read from the server, in the JSON form that tool chains pass around."""

from __future__ import annotations

import datetime
from collections.abc import Iterable, Mapping
from typing import Any, Final

from attrs import frozen
from neo4j.time import Date, DateTime, Duration, Time

from uniqgen_ir.backends.cypher.quoting import quote_name
from uniqgen_ir.backends.engines.bolt.engine import BoltEngine
from uniqgen_ir.backends.engines.bolt.names import ServerNames

SAMPLE: Final = 1000
"""How many nodes of a label, and relationships of a type, are looked at."""


@frozen
class ServerSchema:
    """`content` has the keys `node_props`, `rel_props` and `relationships`; the counts say how many nodes have each
    label, and how many relationships each type. `sampled` names those of which not all were looked at.
    """

    content: dict[str, Any]
    label_counts: dict[str, int]
    type_counts: dict[str, int]

    @property
    def sampled(self) -> tuple[str, ...]:
        counts = {**self.label_counts, **self.type_counts}
        return tuple(name for name, count in counts.items() if count > SAMPLE)


def read_schema(engine: BoltEngine) -> ServerSchema:
    """The schema, from at most 1,000 nodes of each label and relationships of each type. Raises StoreError."""
    names = ServerNames(engine)
    labels, types = sorted(names.labels), sorted(names.types)
    nodes = {one: _properties(names, f"(n:{quote_name(one)})", "n") for one in labels}
    edges = {one: _properties(names, f"()-[n:{quote_name(one)}]->()", "n") for one in types}
    ends = [{"start": start, "type": one, "end": end} for one in types for start, end in _ends(names, one)]
    content = {
        "node_props": nodes,
        "rel_props": {one: found for one, found in edges.items() if found},
        "relationships": ends,
    }
    return ServerSchema(
        content,
        {one: _count(names, f"(n:{quote_name(one)})") for one in labels},
        {one: _count(names, f"()-[n:{quote_name(one)}]->()") for one in types},
    )


def _count(names: ServerNames, pattern: str) -> int:
    return int(names.rows(f"MATCH {pattern} RETURN count(n)")[0][0])


def _properties(names: ServerNames, pattern: str, variable: str) -> list[dict[str, str]]:
    rows = names.rows(f"MATCH {pattern} WITH {variable} LIMIT {SAMPLE} RETURN properties({variable})")
    kinds: dict[str, set[str]] = {}
    for (properties,) in rows:
        assert isinstance(properties, Mapping)
        for name, value in properties.items():  # pyright: ignore[reportUnknownVariableType]
            kinds.setdefault(str(name), set()).add(_kind(value))  # pyright: ignore[reportUnknownArgumentType]
    return [{"property": name, "type": _common(found)} for name, found in sorted(kinds.items())]


def _ends(names: ServerNames, kind: str) -> list[tuple[str, str]]:
    text = f"MATCH (a)-[r:{quote_name(kind)}]->(b) WITH a, b LIMIT {SAMPLE} RETURN DISTINCT labels(a), labels(b)"
    return sorted({(start, end) for starts, ends in names.rows(text) for start in starts for end in ends})


def _common(kinds: Iterable[str]) -> str:
    found = sorted(set(kinds))
    return found[0] if len(found) == 1 else "ANY"


def _kind(value: Any) -> str:
    match value:
        case bool():
            return "BOOLEAN"
        case int():
            return "INTEGER"
        case float():
            return "FLOAT"
        case str():
            return "STRING"
        case DateTime() | datetime.datetime():
            return "DATETIME"
        case Date() | datetime.date():
            return "DATE"
        case Time() | datetime.time():
            return "TIME"
        case Duration():
            return "DURATION"
        case list():
            return "LIST"
        case _:
            return "ANY"
