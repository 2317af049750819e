"""Checks a value against a JSON schema, as far as our own schemas go.

`type`, `enum`, `properties`, `required`, `additionalProperties: false`, `items`, `minItems`, `maxItems`, `minimum`,
`maximum`, `maxLength`, `anyOf`. Servers say that they enforce the schema, and some do not.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Final, cast

from uniqgen_ir.agents.llm.messages import Json

_SHOWN: Final = 60


def fault(value: Json, schema: Mapping[str, Json], path: str = "") -> str | None:
    """The first thing that is wrong with the value, as a sentence that names its place; None if it fits."""
    where = path or "the answer"
    if "anyOf" in schema:
        found = [fault(value, one, path) for one in schema["anyOf"]]
        return None if None in found else found[0]
    allowed = schema.get("enum")
    if allowed is not None and not any(type(value) is type(one) and value == one for one in allowed):
        return f"{where} is {_shown(value)}, which is none of the {len(allowed)} values allowed"
    kind = schema.get("type")
    if kind is not None and not _is(value, kind):
        return f"{where} is {_shown(value)}, and it must be {_article(kind)}"
    if isinstance(value, dict):
        return _object_fault(cast("dict[str, Json]", value), schema, path)
    if isinstance(value, list):
        return _list_fault(value, schema, path)  # pyright: ignore[reportUnknownArgumentType]
    return _scalar_fault(value, schema, where)


def _is(value: Json, kind: str) -> bool:
    match kind:
        case "object":
            return isinstance(value, dict)
        case "array":
            return isinstance(value, list)
        case "string":
            return isinstance(value, str)
        case "boolean":
            return isinstance(value, bool)
        case "integer":
            return isinstance(value, int) and not isinstance(value, bool)
        case "number":
            return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)
        case "null":
            return value is None
        case _:
            raise ValueError(f"the schema speaks of the type {kind}")


def _article(kind: str) -> str:
    return "null" if kind == "null" else f"an {kind}" if kind[0] in "aeiou" else f"a {kind}"


def _object_fault(value: Mapping[str, Json], schema: Mapping[str, Json], path: str) -> str | None:
    where = path or "the answer"
    properties: Mapping[str, Json] = schema.get("properties", {})
    for name in schema.get("required", ()):
        if name not in value:
            return f'{where} has no "{name}"'
    for name, inner in value.items():
        if name in properties:
            found = fault(inner, properties[name], f"{path}.{name}" if path else name)
            if found is not None:
                return found
        elif schema.get("additionalProperties") is False:
            return f'{where} has "{name[:_SHOWN]}", which was not asked for'
    return None


def _list_fault(value: Sequence[Json], schema: Mapping[str, Json], path: str) -> str | None:
    where = path or "the answer"
    least, most = schema.get("minItems", 0), schema.get("maxItems", math.inf)
    if not least <= len(value) <= most:
        return f"{where} has {len(value)} entries; there must be " + (
            f"at least {least}" if len(value) < least else f"at most {most}"
        )
    inner = schema.get("items")
    if inner is None:
        return None
    return next((one for n, each in enumerate(value) if (one := fault(each, inner, f"{path}[{n}]"))), None)


def _scalar_fault(value: Json, schema: Mapping[str, Json], where: str) -> str | None:
    if isinstance(value, str) and len(value) > schema.get("maxLength", math.inf):
        return f"{where} is longer than {schema['maxLength']} characters"
    if isinstance(value, int | float) and not isinstance(value, bool):
        low, high = schema.get("minimum", -math.inf), schema.get("maximum", math.inf)
        if not low <= value <= high:
            return f"{where} is {value}, which is not between {low} and {high}"
    return None


def _shown(value: Json) -> str:
    text = repr(value) if not isinstance(value, str) else f'"{value}"'
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"
