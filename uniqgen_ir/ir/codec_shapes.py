"""Shapes: small declarations, each of which writes a value as JSON, reads it back, and gives its JSON Schema.

One declaration with three uses cannot disagree with itself. Reading names the place of a fault (`rows[0].atom.subject`)
and refuses what it does not know, so that nothing is lost.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from difflib import get_close_matches
from enum import StrEnum
from typing import Any, TypeAlias, cast

import attrs
from attrs import frozen

from uniqgen_ir.ir.diagnostics import DiagnosticError, fail

Json: TypeAlias = Any
"""What `json.loads` gives."""


@frozen
class Shape:
    """How one kind of value is written, read and described."""

    write: Callable[[Any], Json]
    read: Callable[[Json, str], Any]
    schema: Callable[[], dict[str, Any]]


def wrong(place: str, message: str) -> DiagnosticError:
    """The error for JSON that does not fit, naming the place."""
    return fail("UQ171", f"{place or 'the table'}: {message}")


def kind_of(value: Json) -> str:
    """The JSON name of a value's type."""
    match value:
        case dict():
            return "an object"
        case list():
            return "an array"
        case str():
            return "a text"
        case bool():
            return "a truth value"
        case None:
            return "null"
        case _:
            return "a number"


def key_of(value: Json, key: str) -> object:
    """The value of a key, None where the value is no object or has no such key."""
    return cast("dict[str, object]", value).get(key) if isinstance(value, dict) else None


def _scalar(name: str, types: tuple[type, ...], schema: dict[str, Any]) -> Shape:
    def read(value: Json, place: str) -> Any:
        if not isinstance(value, types) or (isinstance(value, bool) and bool not in types):
            raise wrong(place, f"expected {name}, found {kind_of(value)}")
        return value

    return Shape(lambda value: value, read, lambda: schema)


TEXT = _scalar("a text", (str,), {"type": "string"})
BOOLEAN = _scalar("a truth value", (bool,), {"type": "boolean"})
INTEGER = _scalar("a whole number", (int,), {"type": "integer"})
NUMBER = _scalar("a number", (int, float), {"type": "number"})


def at_least(low: int) -> Shape:
    """A whole number with a lower bound."""

    def read(value: Json, place: str) -> int:
        number: int = INTEGER.read(value, place)
        if number < low:
            raise wrong(place, f"expected at least {low}, found {number}")
        return number

    return Shape(INTEGER.write, read, lambda: {"type": "integer", "minimum": low})


def one_of(values: tuple[str, ...], convert: Callable[[str], Any] = str) -> Shape:
    """A text out of a fixed list, converted to what it stands for."""

    def read(value: Json, place: str) -> Any:
        if not isinstance(value, str) or value not in values:
            raise wrong(place, f"{value!r} is not one of {', '.join(values)}" + _suggest(value, values))
        return convert(value)

    return Shape(str, read, lambda: {"enum": list(values)})


def enumeration(members: type[StrEnum]) -> Shape:
    """A member of an enumeration, written as its value."""
    return one_of(tuple(member.value for member in members), members)


def _suggest(value: object, known: tuple[str, ...]) -> str:
    near = get_close_matches(str(value), known, n=1)
    return f"; did you mean {near[0]}?" if near else ""


def nullable(shape: Shape) -> Shape:
    """The shape, or null for None."""
    return Shape(
        lambda value: None if value is None else shape.write(value),
        lambda value, place: None if value is None else shape.read(value, place),
        lambda: {"anyOf": [shape.schema(), {"type": "null"}]},
    )


def array(shape: Shape, least: int = 0) -> Shape:
    """A tuple, written as an array of at least so many items."""

    def read(value: Json, place: str) -> tuple[Any, ...]:
        if not isinstance(value, list):
            raise wrong(place, f"expected an array, found {kind_of(value)}")
        items = cast("list[object]", value)
        if len(items) < least:
            raise wrong(place, f"expected at least {least} items, found {len(items)}")
        return tuple(shape.read(item, f"{place}[{number}]") for number, item in enumerate(items))

    def schema() -> dict[str, Any]:
        return {"type": "array", "items": shape.schema()} | ({"minItems": least} if least else {})

    return Shape(lambda value: [shape.write(item) for item in value], read, schema)


def reference(name: str, shapes: Mapping[str, Shape]) -> Shape:
    """A shape that is declared elsewhere under this name, so that shapes may be recursive."""
    return Shape(
        lambda value: shapes[name].write(value),
        lambda value, place: shapes[name].read(value, place),
        lambda: {"$ref": f"#/$defs/{name}"},
    )


def read_object(value: Json, place: str, known: tuple[str, ...], needed: tuple[str, ...]) -> dict[str, object]:
    """The object with all needed keys and none but the known. Raises DiagnosticError UQ171."""
    if not isinstance(value, dict):
        raise wrong(place, f"expected an object, found {kind_of(value)}")
    found = cast("dict[str, object]", value)
    for key in found:
        if key not in known:
            raise wrong(place, f"unknown key {key}{_suggest(key, known)}")
    for key in needed:
        if key not in found:
            raise wrong(place, f"the key {key} is missing")
    return found


def record(node: type, keys: Mapping[str, tuple[str, Shape]], kind: str | None = None) -> Shape:
    """An attrs class as an object: JSON key → field and shape. A field that holds its default is left out.

    `kind`: the value of the key `kind`, for classes that are told apart by it.
    """
    defaults = {one.name: one.default for one in attrs.fields(node)}
    needed = tuple(key for key, (field, _) in keys.items() if defaults[field] is attrs.NOTHING)
    known = (*(("kind",) if kind else ()), *keys)

    def write(value: Any) -> Json:
        pairs = ((key, getattr(value, field), defaults[field], shape) for key, (field, shape) in keys.items())
        body = {key: shape.write(one) for key, one, default, shape in pairs if one != default}
        return ({"kind": kind} if kind else {}) | body

    def read(value: Json, place: str) -> Any:
        found = read_object(value, place, known, needed)
        dot = f"{place}." if place else ""
        fields = {field: shape.read(found[key], f"{dot}{key}") for key, (field, shape) in keys.items() if key in found}
        try:
            return node(**fields)
        except ValueError as error:
            raise wrong(place, str(error)) from error

    def schema() -> dict[str, Any]:
        properties = {key: shape.schema() for key, (_, shape) in keys.items()}
        head = {"kind": {"const": kind}} if kind else {}
        required = [*head, *needed]
        return {
            "type": "object",
            "properties": head | properties,
            "required": required,
            "additionalProperties": False,
        }

    return Shape(write, read, schema)


def tagged(tag: str, cases: Mapping[str, tuple[type, Shape]]) -> Shape:
    """One of several objects, told apart by the value of the key `tag`."""
    names = {node: name for name, (node, _) in cases.items()}

    def write(value: Any) -> Json:
        return cases[names[type(value)]][1].write(value)

    def read(value: Json, place: str) -> Any:
        if not isinstance(value, dict):
            raise wrong(place, f"expected an object, found {kind_of(value)}")
        name = key_of(value, tag)
        if not isinstance(name, str) or name not in cases:
            raise wrong(place, f"{tag} {name!r} is not one of {', '.join(cases)}{_suggest(name, tuple(cases))}")
        return cases[name][1].read(value, place)

    return Shape(write, read, lambda: {"anyOf": [shape.schema() for _, shape in cases.values()]})
