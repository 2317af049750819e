"""What comes over Bolt as terms: values of the driver's types, and keys of nodes as the IRIs that they stand for."""

from __future__ import annotations

import datetime
import json
import re
from collections.abc import Callable
from typing import Any, Final, TypeAlias

from neo4j.graph import Node, Path, Relationship
from neo4j.time import Date, DateTime, Duration, Time

from uniqgen_ir.backends.cypher.layout import Layout, MappingLayout
from uniqgen_ir.backends.cypher.values import decode
from uniqgen_ir.backends.engines.cells import term_of_cell
from uniqgen_ir.ir.terms import IRI, GroundTerm, Literal
from uniqgen_ir.ir.vocabulary import RDF_JSON, XSD, XSD_DATE, XSD_DATE_TIME, XSD_DOUBLE, XSD_STRING, XSD_TIME

Restore: TypeAlias = Callable[[str], GroundTerm]
"""The term that a string in a column of terms stands for."""

_FREEBASE: Final = "http://rdf.freebase.com/ns/"
_ABSOLUTE: Final = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:[^\s<>\"{}|\\^`]*")
_FREEBASE_NAME: Final = re.compile(r"[a-z_0-9]+(?:\.[A-Za-z_0-9]+)+")


def restorer(layout: Layout) -> Restore:
    """How a layout's keys become terms again."""
    if layout.lossless:
        return decode
    freebase = isinstance(layout, MappingLayout) and layout.mapping.preset == "freebase"
    return lambda text: _from_key(text, freebase)


def _from_key(text: str, freebase: bool) -> GroundTerm:
    """A column of terms may hold values beside keys: what cannot be a key is a value."""
    if text.startswith("_:"):
        return decode(text)
    if _ABSOLUTE.fullmatch(text):
        return IRI(text)
    return IRI(_FREEBASE + text) if freebase and _FREEBASE_NAME.fullmatch(text) else Literal(text)


def term_of(cell: Any, kind: str, restore: Restore, key: str) -> GroundTerm:
    """The term in a cell that is not null. `key` is the property that names a node."""
    if kind == "term" and isinstance(cell, str):
        return restore(cell)
    if kind == XSD_DATE and isinstance(cell, Date | datetime.date):
        return term_of_cell(cell, kind)
    if isinstance(cell, str | int | float | bool):
        fits = kind in ("term", "plain", "average") or isinstance(cell, str) == (kind == XSD_STRING)
        return _number(cell) if isinstance(cell, float) else term_of_cell(cell, kind if fits and kind != "term" else "")
    return _native(cell, restore, key)


def _number(cell: float) -> Literal:
    special = {"nan": "NaN", "inf": "INF", "-inf": "-INF"}
    return Literal(special.get(repr(cell), repr(cell)), XSD_DOUBLE)


def _native(cell: Any, restore: Restore, key: str) -> GroundTerm:
    match cell:
        case DateTime() | datetime.datetime():
            return Literal(_clock(str(cell.isoformat())), XSD_DATE_TIME)  # pyright: ignore[reportUnknownMemberType, reportUnknownArgumentType]
        case Date() | datetime.date():
            return Literal(cell.isoformat(), XSD_DATE)
        case Time() | datetime.time():
            return Literal(_clock(cell.isoformat()), XSD_TIME)
        case Duration() | datetime.timedelta():
            text = (
                cell.iso_format() if isinstance(cell, Duration) else Duration(seconds=cell.total_seconds()).iso_format()
            )
            return Literal(text, XSD + "duration")
        case Node() if isinstance(cell.get(key), str) and isinstance(found := restore(cell[key]), IRI):
            return found
        case _:
            return Literal(json.dumps(_plain(cell), ensure_ascii=False, sort_keys=True), RDF_JSON)


def _clock(text: str) -> str:
    """Without the zeros that say nothing, as XML Schema writes moments."""
    return re.sub(r"(:\d\d)\.(\d*?)0+(?=$|[Z+-])", lambda found: found[1] + (f".{found[2]}" if found[2] else ""), text)


def _plain(cell: Any) -> Any:
    """A list, a map, or a part of the graph, as JSON can hold it."""
    match cell:
        case None | bool() | int() | str():
            return cell
        case float():
            return cell if cell == cell and abs(cell) != float("inf") else _number(cell).lexical
        case Node():
            return {"labels": sorted(cell.labels), "id": cell.element_id, "properties": _plain(dict(cell))}
        case Relationship():
            ends = [None if one is None else one.element_id for one in cell.nodes]
            shown = {"type": cell.type, "id": cell.element_id, "properties": _plain(dict(cell))}
            return {**shown, "start": ends[0], "end": ends[1]} if len(ends) == 2 else shown
        case Path():
            return {"nodes": _plain(list(cell.nodes)), "relationships": _plain(list(cell.relationships))}
        case dict():
            return {str(name): _plain(value) for name, value in cell.items()}  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]
        case list() | tuple():
            return [_plain(one) for one in cell]  # pyright: ignore[reportUnknownVariableType]
        case bytes() | bytearray():
            return cell.hex()
        case Date() | Time() | DateTime() | Duration():
            native = _native(cell, decode, "")
            return native.lexical if isinstance(native, Literal) else str(native)
        case _:
            return str(cell)
