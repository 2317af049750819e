"""Cells of a property graph's results as terms, by the kind that the renderer gave their column."""

from __future__ import annotations

from typing import Any

from uniqgen_ir.backends.cypher.values import decode
from uniqgen_ir.ir.terms import GroundTerm, Literal
from uniqgen_ir.ir.values import literal_of
from uniqgen_ir.ir.vocabulary import XSD_BOOLEAN, XSD_DATE, XSD_DOUBLE, XSD_INTEGER, XSD_STRING


def term_of_cell(cell: Any, kind: str) -> GroundTerm:
    """The term in a cell that is not null: an encoded term, a value of one datatype, or a plain value."""
    match kind:
        case "term":
            return decode(str(cell))
        case _ if kind == XSD_STRING:
            return Literal(str(cell))
        case _ if kind == XSD_INTEGER:
            return Literal(str(int(cell)), XSD_INTEGER)
        case _ if kind == XSD_DOUBLE:
            return literal_of(float(cell))
        case _ if kind == XSD_BOOLEAN:
            return Literal("true" if cell else "false", XSD_BOOLEAN)
        case _ if kind == XSD_DATE:
            return Literal(f"{cell.year:04d}-{cell.month:02d}-{cell.day:02d}", XSD_DATE)
        case _:
            return Literal.of(cell if isinstance(cell, bool | int | float) else str(cell))
