"""What an expression can be, as far as query and schema tell."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, TypeAlias, Union

from attrs import frozen


@frozen
class NodeType:
    """A node of one of the kinds of a mask. `declared`: some pattern names its label."""

    mask: int
    declared: bool = False


@frozen
class EdgeType:
    """A relationship of one of the types; None where they are not known."""

    types: frozenset[str] | None


@frozen
class ListType:
    item: Type


@frozen
class MapType:
    """A map; `fields` None where its keys are not known."""

    fields: Mapping[str, Type] | None = None


@frozen
class Scalar:
    """A value that is no node, list or map. `name` as in `INTEGER`."""

    name: str


@frozen
class PathType:
    pass


@frozen
class UnknownType:
    pass


Type: TypeAlias = Union[NodeType, EdgeType, ListType, MapType, Scalar, PathType, UnknownType]  # noqa: UP007

UNKNOWN: Final = UnknownType()
STRING: Final = Scalar("STRING")
INTEGER: Final = Scalar("INTEGER")
FLOAT: Final = Scalar("FLOAT")
BOOLEAN: Final = Scalar("BOOLEAN")
PATH: Final = PathType()

_FAMILIES: Final = {
    **dict.fromkeys(("STRING", "TEXT", "VARCHAR"), "string"),
    **dict.fromkeys(("INTEGER", "INT", "LONG", "INT64", "INT32", "INT16", "INT8", "SHORT"), "number"),
    **dict.fromkeys(("FLOAT", "DOUBLE", "DECIMAL", "NUMBER", "FLOAT32", "FLOAT64"), "number"),
    **dict.fromkeys(("BOOLEAN", "BOOL"), "boolean"),
    "DATE": "date",
    **dict.fromkeys(
        ("DATETIME", "DATE_TIME", "ZONED DATETIME", "LOCAL DATETIME", "LOCALDATETIME", "LOCAL_DATE_TIME", "TIMESTAMP"),
        "date and time",
    ),
    **dict.fromkeys(("TIME", "ZONED TIME", "LOCAL TIME", "LOCALTIME", "LOCAL_TIME"), "time"),
    "DURATION": "duration",
    "POINT": "point",
}
WHOLE: Final = frozenset({"INTEGER", "INT", "LONG", "INT64", "INT32", "INT16", "INT8", "SHORT"})


def of_declaration(name: str) -> Type:
    """The type of a property that a schema declares in these words, as in `LIST<STRING NOT NULL>`."""
    plain = name.removesuffix(" NOT NULL").strip()
    if plain.startswith(("LIST", "ARRAY")) or plain.endswith(("[]", "ARRAY", "LIST")):
        inner = plain[plain.find("<") + 1 : -1] if plain.endswith(">") else plain.removesuffix("[]")
        return ListType(of_declaration(inner) if inner != plain else UNKNOWN)
    return Scalar(plain) if plain in _FAMILIES else UNKNOWN


def family(type_: Type) -> str | None:
    """The word for things that can be compared with each other; None where it is not known."""
    match type_:
        case Scalar(name=name):
            return _FAMILIES.get(name)
        case ListType():
            return "list"
        case MapType():
            return "map"
        case NodeType():
            return "node"
        case EdgeType():
            return "relationship"
        case PathType():
            return "path"
        case _:
            return None


def joined(left: Type, right: Type) -> Type:
    """What is one or the other."""
    if left == right:
        return left
    if isinstance(left, NodeType) and isinstance(right, NodeType):
        return NodeType(left.mask | right.mask, left.declared and right.declared)
    if family(left) == family(right) == "number":
        return FLOAT
    return UNKNOWN
