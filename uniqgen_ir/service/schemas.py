"""JSON schemas of what operations take and give; the same for OpenAPI and for the tools of MCP."""

from __future__ import annotations

from typing import Any, Final

from uniqgen_ir.backends.registry import LANGUAGES

Schema = dict[str, Any]

TEXT_LIMIT: Final = 100_000
"""Characters of one query or table."""
QUESTION_LIMIT: Final = 2_000
ENGINES: Final = ("oxigraph", "ladybug", "kglite", "reference")
DIALECTS: Final = tuple(dict.fromkeys(one for names in LANGUAGES.values() for one in names))


def text(description: str, most: int = TEXT_LIMIT) -> Schema:
    return {"type": "string", "description": description, "maxLength": most}


def choice(description: str, *values: str) -> Schema:
    return {"type": "string", "description": description, "enum": list(values)}


def whole(description: str, least: int, most: int) -> Schema:
    return {"type": "integer", "description": description, "minimum": least, "maximum": most}


def flag(description: str) -> Schema:
    return {"type": "boolean", "description": description}


def listed(description: str, items: Schema, most: int) -> Schema:
    return {"type": "array", "description": description, "items": items, "maxItems": most}


def taken(properties: dict[str, Schema], *required: str) -> Schema:
    """An object with these properties and no others."""
    return {
        "type": "object",
        "properties": properties,
        "required": list(required),
        "additionalProperties": False,
    }


def given(properties: dict[str, Schema], *required: str) -> Schema:
    """An object with these properties, and perhaps others in later versions."""
    return {"type": "object", "properties": properties, "required": list(required)}


def nullable(schema: Schema) -> Schema:
    return {"anyOf": [schema, {"type": "null"}]}


TEXT: Final[Schema] = {"type": "string"}
TEXTS: Final[Schema] = {"type": "array", "items": TEXT}
TEXTS_BY_NAME: Final[Schema] = {"type": "object", "additionalProperties": TEXT}
ANYTHING: Final[Schema] = {}
OBJECT: Final[Schema] = {"type": "object"}
OBJECTS: Final[Schema] = {"type": "array", "items": OBJECT}
BOOLEAN: Final[Schema] = {"type": "boolean"}

QUERY: Final = text("a constraint table, a SPARQL query, or a Cypher query")
LANGUAGE: Final = choice("the language of `query`", "ctable", "sparql", "cypher")
TEXT_IN_LANGUAGE: Final = {"query": QUERY, "language": LANGUAGE}
"""What every operation on a query takes."""
ENGINE: Final = choice("the engine that runs it (default: oxigraph)", *ENGINES)
ROWS: Final = "the most rows that are given back; a limit of the service holds besides"
SECONDS: Final = {
    "type": "number",
    "description": "the most seconds to work; a limit of the service holds besides",
    "minimum": 0.1,
    "maximum": 3600,
}

_POSITION: Final = nullable({"type": "integer"})
DIAGNOSTIC: Final = given(
    {
        "code": {"type": "string", "description": "stable; `explain` gives its page"},
        "kind": TEXT,
        "severity": choice("how bad it is", "error", "warning", "information"),
        "message": TEXT,
        "line": _POSITION,
        "column": _POSITION,
        "end_line": _POSITION,
        "end_column": _POSITION,
        "hint": nullable(TEXT),
        "fix": nullable(OBJECT),
    },
    "code",
    "severity",
    "message",
)
DIAGNOSTICS: Final[Schema] = {"type": "array", "items": DIAGNOSTIC}
ERROR: Final = given(
    {
        "error": given(
            {"code": TEXT, "message": TEXT, "diagnostics": DIAGNOSTICS},
            "code",
            "message",
            "diagnostics",
        )
    },
    "error",
)
ANSWERS: Final = given(
    {
        "columns": TEXTS,
        "rows": {"type": "array", "items": {"type": "array", "items": ANYTHING}},
        "complete": flag("false where a limit cut the rows off"),
        "diagnostics": DIAGNOSTICS,
    },
    "columns",
    "rows",
)
