"""RDF terms in stores of property graphs: the lines of literals that have nodes of their own, and answers as terms."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final

from uniqgen_ir.backends.cypher.operands import NUMBER, TAGGED, TEXT, TIME, TRUTH
from uniqgen_ir.backends.cypher.values import encode, is_exact, literal_category, moment
from uniqgen_ir.backends.engines.cells import term_of_cell
from uniqgen_ir.ir.protocols import AnswerRow
from uniqgen_ir.ir.temporal import Temporal
from uniqgen_ir.ir.terms import Literal
from uniqgen_ir.ir.values import order_key, to_double, value_of

LITERAL_COLUMNS: Final = {
    "id": "STRING",
    "lexical": "STRING",
    "datatype": "STRING",
    "tag": "STRING",
    "text": "STRING",
    "number": "DOUBLE",
    "truth": "BOOL",
    "clock": "STRING",
    "moment": "INT64",
    "year": "INT64",
    "month": "INT64",
    "day": "INT64",
    "numeric": "BOOL",
    "known": "BOOL",
    "place": "INT64",
}
"""The columns of a literal's node, and their types."""


def literal_places(literals: Iterable[Literal]) -> dict[Literal, int]:
    """The place of every literal in SPARQL's order, equal ones in the same place: what sorts and superlatives go by."""
    keyed = sorted(((order_key(one), one) for one in literals), key=lambda pair: pair[0])
    places: dict[Literal, int] = {}
    place, before = -1, None
    for key, literal in keyed:
        if key != before:
            place, before = place + 1, key
        places[literal] = place
    return places


def literal_line(literal: Literal) -> dict[str, Any]:
    """What the node of a literal holds, but for its place."""
    value, category = value_of(literal), literal_category(literal)
    number = to_double(value) if category == NUMBER else None  # type: ignore[arg-type]
    line: dict[str, Any] = dict.fromkeys(LITERAL_COLUMNS)
    line.update(id=encode(literal), lexical=literal.lexical, datatype=literal.datatype, tag=literal.language)
    line.update(known=value is not None, numeric=category == NUMBER)
    # NaN equals nothing, not even itself: without a number it never does
    line["number"] = number if number is None or number == number else None
    line["text"] = literal.lexical if category == TEXT else None
    line["truth"] = value if category == TRUTH else None
    if category == TAGGED:
        line["tag"] = literal.language
    if category == TIME and isinstance(value, Temporal):
        line["clock"], line["moment"] = moment(value) if is_exact(literal) else (None, None)
        line.update(year=value.year, month=value.month, day=value.day)
    return line


def answer_row(row: Sequence[Any], kinds: tuple[str, ...]) -> AnswerRow:
    """One line of an engine as terms; `kinds` as in `RenderedQuery.column_kinds`."""
    return tuple(None if cell is None else term_of_cell(cell, kind) for cell, kind in zip(row, kinds, strict=True))
