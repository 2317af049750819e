"""Schemas as the text that tool chains put into prompts.

Two ways of writing are read, as LangChain and neo4j-graphrag make them: a list with a line for each property, and
braces with the properties of a label on one line. Both end in patterns such as `(:Person)-[:ACTED_IN]->(:Movie)`.
"""

from __future__ import annotations

import re
from typing import Any, Final

from uniqgen_ir.ir.diagnostics import fail

_HEADING: Final = re.compile(
    r"^\s*(?:the\s+)?(node|relationship)s?(\s+propert\w*)?(?:\s+are(?:\s+the\s+following)?)?\s*:?\s*$", re.IGNORECASE
)
_BULLET: Final = re.compile(r"^\s*-\s*\*\*`?(.+?)`?\*\*\s*$")
_PROPERTY: Final = re.compile(r"^\s*-\s*`([^`]+)`\s*:\s*([A-Za-z_]+(?:<[^>]*>)?(?:\s+NOT NULL)?)")
_INLINE: Final = re.compile(r"`?([^\s{},`:()\[\]]+)`?\s*\{([^{}]*)\}")
_PAIR: Final = re.compile(r"`?([^:,`]+?)`?\s*:\s*([A-Za-z_]+(?:<[^>]*>)?)")
_END: Final = r"\(\s*:\s*`?([^`()]+?)`?\s*\)"
_PATTERN: Final = re.compile(_END + r"\s*-\s*\[\s*:\s*`?([^`\]]+?)`?\s*\]\s*->\s*" + _END)


def schema_of_text(text: str) -> dict[str, Any]:
    """The schema as JSON with `node_props`, `rel_props` and `relationships`. Raises DiagnosticError (UQ682)."""
    nodes: dict[str, list[dict[str, str]]] = {}
    edges: dict[str, list[dict[str, str]]] = {}
    patterns: list[dict[str, str]] = []
    section, owner = nodes, ""
    for line in text.splitlines():
        heading = _HEADING.match(line)
        if heading is not None:
            section = nodes if heading[1].lower() == "node" else edges
            continue
        found = [{"start": start, "type": kind, "end": end} for start, kind, end in _PATTERN.findall(line)]
        if found:
            patterns += found
        elif (bullet := _BULLET.match(line)) is not None:
            owner = bullet[1]
            section.setdefault(owner, [])
        elif (described := _PROPERTY.match(line)) is not None and owner:
            section[owner].append({"property": described[1], "type": described[2].upper()})
        else:
            for name, inside in _INLINE.findall(line):
                listed = [{"property": key.strip(), "type": kind.upper()} for key, kind in _PAIR.findall(inside)]
                section.setdefault(name, []).extend(listed)
    if not nodes and not patterns:
        hint = "it has lines such as `- **Person**` and `(:Person)-[:ACTED_IN]->(:Movie)`"
        raise fail("UQ682", "the text holds no schema", hint=hint)
    for one in patterns:
        for end in (one["start"], one["end"]):
            nodes.setdefault(end, [])
    return {"node_props": nodes, "rel_props": edges, "relationships": patterns}


def text_of_schema(content: dict[str, Any]) -> str:
    """The text of a schema in the JSON shape that `schema_of_text` gives."""
    lines = ["Node properties:"]
    lines += _listed(content["node_props"])
    lines.append("Relationship properties:")
    lines += _listed(content["rel_props"])
    lines.append("The relationships:")
    for edge in content["relationships"]:
        start, kind, end = (_name(edge[key]) for key in ("start", "type", "end"))
        lines.append(f"(:{start})-[:{kind}]->(:{end})")
    return "\n".join(lines) + "\n"


def _listed(described: dict[str, list[dict[str, str]]]) -> list[str]:
    lines: list[str] = []
    for name, properties in described.items():
        lines.append(f"- **{name}**")
        lines += [f"  - `{one['property']}`: {one['type']}" for one in properties]
    return lines


def _name(name: str) -> str:
    return name if re.fullmatch(r"\w+", name) else f"`{name}`"
