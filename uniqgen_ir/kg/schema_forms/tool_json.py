"""Schemas as JSON from Neo4j's procedures and from neo4j-graphrag, in a shape that `schema_of_json` reads.

| what | recognised by |
|---|---|
| rows of `db.schema.nodeTypeProperties()`, `db.schema.relTypeProperties()` | `nodeLabels`, `relType`, in a list |
| the results of several procedures | their names as keys |
| `db.schema.visualization()` | `nodes` and `relationships` as lists |
| `apoc.meta.schema()` | labels and types with `type: "node"` or `"relationship"`, alone or under `value` |
| `GraphSchema` of neo4j-graphrag | `node_types`, `relationship_types`, `patterns` |

Rows say which properties there are, not which labels a type leads between: for that the visualisation is needed beside.
"""

from __future__ import annotations

import re
from typing import Any, Final, TypeAlias, cast

from attrs import define, field

Json: TypeAlias = Any

_ENDS: Final = re.compile(r":?`?([^`]+)`?")
_TYPES: Final = {
    "string": "STRING",
    "long": "INTEGER",
    "integer": "INTEGER",
    "double": "FLOAT",
    "float": "FLOAT",
    "boolean": "BOOLEAN",
    "date": "DATE",
    "datetime": "DATETIME",
    "localdatetime": "LOCAL DATETIME",
    "zoneddatetime": "DATETIME",
    "time": "TIME",
    "localtime": "LOCAL TIME",
    "duration": "DURATION",
    "point": "POINT",
}
_ROWS: Final = ("nodeTypeProperties", "relTypeProperties", "visualization")


def known_shape(content: Json) -> Json:
    """The content in one of the shapes of `schema_of_json`; what is in none of these forms is returned as it is.

    Raises KeyError, TypeError or AttributeError for content that only looks like one of them.
    """
    collected = _Collected()
    if isinstance(content, list):
        _rows(collected, cast("Json", content))
    elif isinstance(content, dict):
        _read(collected, cast("Json", content))
    return collected.shape() if collected.nodes or collected.edges else cast("Json", content)


def _read(collected: _Collected, content: Json) -> None:
    if {"node_types", "relationship_types"} & content.keys():
        _graphrag(collected, content)
    elif any(_procedure(content, name) is not None for name in _ROWS):
        for name in _ROWS[:2]:
            _rows(collected, _procedure(content, name) or [])
        _visualization(collected, _procedure(content, "visualization") or {})
    elif isinstance(content.get("nodes"), list) and isinstance(content.get("relationships"), list):
        _visualization(collected, content)
    elif _is_meta(content.get("value", content)):
        _meta(collected, content.get("value", content))


@define
class _Collected:
    """Labels with their properties, types with theirs, and the patterns."""

    nodes: dict[str, dict[str, str]] = field(factory=dict[str, "dict[str, str]"])
    edges: dict[str, dict[str, str]] = field(factory=dict[str, "dict[str, str]"])
    patterns: dict[tuple[str, str, str], None] = field(factory=dict["tuple[str, str, str]", None])

    def shape(self) -> Json:
        for start, _, end in self.patterns:
            self.nodes.setdefault(start, {})
            self.nodes.setdefault(end, {})
        content: dict[str, Any] = {
            "node_props": {name: _listed(properties) for name, properties in self.nodes.items()},
            "rel_props": {name: _listed(properties) for name, properties in self.edges.items()},
            "relationships": [{"start": start, "type": kind, "end": end} for start, kind, end in self.patterns],
        }
        return content


def _listed(properties: dict[str, str]) -> list[dict[str, str]]:
    return [{"property": name, "type": kind} for name, kind in properties.items()]


def _procedure(content: dict[str, Any], name: str) -> Json:
    """The result of a procedure, under its own name or its full one."""
    return next((content[key] for key in (name, f"db.schema.{name}", f"db.schema.{name}()") if key in content), None)


def _rows(collected: _Collected, rows: Json) -> None:
    for row in rows:
        kinds: Json = row.get("propertyTypes") or ["Any"]
        kind = _type(kinds if isinstance(kinds, list) else [kinds])
        if "nodeLabels" in row:
            for label in row["nodeLabels"]:
                _add(collected.nodes.setdefault(label, {}), row.get("propertyName"), kind)
        elif "relType" in row:
            found = _ENDS.fullmatch(row["relType"])
            _add(collected.edges.setdefault(found[1] if found else row["relType"], {}), row.get("propertyName"), kind)


def _add(properties: dict[str, str], name: str | None, kind: str) -> None:
    # a label without properties is one row without a name
    if name is not None:
        properties[name] = kind if properties.get(name, kind) == kind else "ANY"


def _type(kinds: Json) -> str:
    found = {_type_name(str(one)) for one in kinds}
    return found.pop() if len(found) == 1 else "ANY"


def _type_name(kind: str) -> str:
    """The name of a property's type: procedures say `Long` and `StringArray`, others `INTEGER`."""
    return "LIST" if kind.lower().endswith("array") else _TYPES.get(kind.lower(), kind.upper())


def _visualization(collected: _Collected, content: Json) -> None:
    """Nodes carry their label as `name`, relationships their type; ends are ids, names or nodes."""
    names: dict[str, str] = {}
    for node in content.get("nodes", []):
        label = str(node.get("name") or (node.get("labels") or [None])[0] or node.get("properties", {}).get("name"))
        collected.nodes.setdefault(label, {})
        for key in ("id", "identity", "elementId"):
            if key in node:
                names[str(node[key])] = label
        names[label] = label
    for edge in content.get("relationships", []):
        kind = str(edge.get("type") or edge.get("name") or edge.get("properties", {}).get("name"))
        start, end = (_end(edge, key, names) for key in ("start", "end"))
        collected.patterns[(start, kind, end)] = None


def _end(edge: dict[str, Any], key: str, names: dict[str, str]) -> str:
    for name in (f"{key}Node", f"{key}NodeElementId", f"{key}_node", key):
        value: Json = edge.get(name)
        if isinstance(value, dict):
            node = cast("dict[str, Any]", value)
            return str(node.get("name") or node["labels"][0])
        if value is not None:
            return names[str(value)]
    raise KeyError(key)


def _is_meta(content: Json) -> bool:
    if not isinstance(content, dict):
        return False
    described: list[Json] = list(cast("dict[str, Any]", content).values())
    kinds = [cast("dict[str, Any]", one).get("type") if isinstance(one, dict) else None for one in described]
    return bool(kinds) and set(kinds) <= {"node", "relationship"}


def _meta(collected: _Collected, content: Json) -> None:
    for name, described in content.items():
        properties = {key: _meta_type(one) for key, one in described.get("properties", {}).items()}
        if described["type"] == "relationship":
            collected.edges.setdefault(name, {}).update(properties)
            continue
        collected.nodes.setdefault(name, {}).update(properties)
        for kind, one in described.get("relationships", {}).items():
            if one.get("direction", "out") == "out":
                for label in one.get("labels", []):
                    collected.patterns[(name, kind, label)] = None


def _meta_type(described: Json) -> str:
    return "LIST" if described.get("array") else str(described.get("type", "ANY")).upper().replace("_", " ")


def _graphrag(collected: _Collected, content: Json) -> None:
    for key, into in (("node_types", collected.nodes), ("relationship_types", collected.edges)):
        kinds: list[Json] = content.get(key) or []
        for one in kinds:
            if isinstance(one, str):
                into[one] = {}
                continue
            listed: list[Json] = one.get("properties") or []
            into[one["label"]] = {two["name"]: str(two["type"]).upper().replace("_", " ") for two in listed}
    patterns: list[tuple[str, str, str]] = content.get("patterns") or []
    for start, kind, end in patterns:
        collected.patterns[(start, kind, end)] = None
