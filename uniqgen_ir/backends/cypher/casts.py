"""Casts in Cypher, and date-times that are written as something shorter."""

from __future__ import annotations

import re
from typing import Final

from uniqgen_ir.backends.cypher.dialects.base import Casts
from uniqgen_ir.backends.cypher.operands import NOTHING, NUMBER, TEXT, TIME, TRUTH, Operand
from uniqgen_ir.ir.diagnostics import fail
from uniqgen_ir.ir.evaluation.casts import CASTS
from uniqgen_ir.ir.terms import Literal
from uniqgen_ir.ir.values import value_of
from uniqgen_ir.ir.vocabulary import (
    XSD_DATE,
    XSD_DATE_TIME,
    XSD_DOUBLE,
    XSD_INTEGER,
)

_SHORT: Final = re.compile(r"(?P<year>-?\d{4,})(?:-(?P<month>\d\d)(?:-(?P<day>\d\d))?)?(?P<zone>Z|[+-]\d\d:\d\d)?")


def mended_time(literal: Literal) -> Literal | None:
    """What an ill-formed or odd date or date-time must mean in a property graph; None where it is fine or hopeless.

    A date-time that is only a year, month or day is where that starts (`1962-11-06` → `1962-11-06T00:00:00`); a date
    loses its time zone, which property graphs do not keep.
    """
    value, found = value_of(literal), _SHORT.fullmatch(literal.lexical.strip())
    if found is None or (value is not None and not (literal.datatype == XSD_DATE and found["zone"])):
        return None
    text = f"{found['year']}-{found['month'] or '01'}-{found['day'] or '01'}"
    text += f"T00:00:00{found['zone'] or ''}" if literal.datatype == XSD_DATE_TIME else ""
    mended = Literal(text, literal.datatype)
    return mended if value_of(mended) is not None else None


CAST_NAMES: Final = frozenset({*CASTS, "string"})

_DAY: Final = 86_400_000_000
_LARGEST: Final = "1.7976931348623157e308"
_WHOLE: Final = "'^[+-]?[0-9]+$'"
_NUMBER: Final = "'^[+-]?([0-9]+([.][0-9]*)?|[.][0-9]+)([eE][+-]?[0-9]+)?$'"


def cast_plain(name: str, table: Casts, operand: Operand, text: str) -> Operand:
    """A cast of a property whose type is not known; `text` is its value. Raises DiagnosticError UQ500."""
    if name not in table:
        raise fail("UQ500", f"the cast {name} has no counterpart in this dialect of Cypher")
    if operand.is_entity:
        return NOTHING
    template, datatype = table[name]
    return Operand("value", template.format(text), datatype, nullable=True)


def cast_constant(name: str, literal: Literal) -> Operand:
    """The cast of a constant, done now."""
    result = CASTS[name]([literal])
    assert result is None or isinstance(result, Literal)
    return NOTHING if result is None else Operand("constant", "", result.datatype, constant=result)


def cast_exact(name: str, operand: Operand) -> Operand:
    """A cast over a store that keeps datatypes. Raises DiagnosticError UQ500 where it would not be exact."""
    if operand.is_entity:
        return NOTHING
    if operand.kind in ("value", "literal"):
        match name:
            case "integer":
                return _integer(operand)
            case "double" | "float":
                return _double(operand, single=name == "float")
            case "datetime" | "date":
                return _temporal(name, operand)
            case _:
                pass
    raise fail("UQ500", f"the cast {name} of these values cannot be calculated exactly here")


def _numeric_parts(operand: Operand) -> tuple[str | None, str | None, str | None]:
    """The expressions that hold the value as a number, a text and a truth, where it can be one."""
    if operand.kind == "literal":
        if NUMBER in operand.categories and not operand.exact:
            raise fail("UQ500", "these values have more digits than this engine calculates with exactly")
        places = ((NUMBER, "number"), (TEXT, "text"), (TRUTH, "truth"))
        number, text, truth = (f"{operand.text}.{name}" if one in operand.categories else None for one, name in places)
        return number, text, truth
    texts = {NUMBER: 0, TEXT: 1, TRUTH: 2}
    parts: list[str | None] = [None, None, None]
    if operand.category in texts:
        parts[texts[operand.category]] = operand.text
    return parts[0], parts[1], parts[2]


def _first(parts: list[str], datatype: str) -> Operand:
    if not parts:
        return NOTHING
    text = parts[0] if len(parts) == 1 else f"coalesce({', '.join(parts)})"
    # no number is kept for NaN
    return Operand("value", text, datatype, nullable=True, exact=datatype != XSD_DOUBLE)


def _integer(operand: Operand) -> Operand:
    if operand.kind == "value" and operand.datatype == XSD_INTEGER:
        return operand
    number, text, truth = _numeric_parts(operand)
    parts: list[str] = []
    if number is not None:
        cut = f"CASE WHEN {number} < 0 THEN ceil({number}) ELSE floor({number}) END"
        parts.append(f"cast(CASE WHEN abs({number}) <= {_LARGEST} THEN {cut} END AS INT128)")
    if text is not None:
        parts.append(f"cast(CASE WHEN regexp_matches({text}, {_WHOLE}) THEN {text} END AS INT128)")
    if truth is not None:
        parts.append(f"cast(CASE WHEN {truth} THEN 1 WHEN NOT {truth} THEN 0 END AS INT128)")
    return _first(parts, XSD_INTEGER)


def _double(operand: Operand, single: bool) -> Operand:
    number, text, truth = _numeric_parts(operand)
    parts = [] if number is None else [f"cast({number} AS DOUBLE)"]
    if text is not None:
        infinite = f"WHEN {text} = 'INF' THEN 'inf' WHEN {text} = '-INF' THEN '-inf'"
        parts.append(f"cast(CASE {infinite} WHEN regexp_matches({text}, {_NUMBER}) THEN {text} END AS DOUBLE)")
    if truth is not None:
        parts.append(f"cast(CASE WHEN {truth} THEN 1 WHEN NOT {truth} THEN 0 END AS DOUBLE)")
    made = _first(parts, XSD_DOUBLE)
    if not single or made.kind == "null":
        return made
    return Operand("value", f"cast(cast({made.text} AS FLOAT) AS DOUBLE)", XSD_DOUBLE, nullable=True, exact=False)


def _temporal(name: str, operand: Operand) -> Operand:
    if operand.kind == "value" and operand.datatype == XSD_DATE:
        if name == "date":
            return operand
        text = f"(({operand.text} - date('1970-01-01')) * {_DAY})"
        return Operand("moment", text, XSD_DATE_TIME, operand.nullable, clocks=frozenset({XSD_DATE_TIME}))
    if operand.category == TEXT or TEXT in operand.categories:
        raise fail("UQ500", f"this engine cannot read texts as {name}")
    if operand.kind != "literal" or TIME not in operand.categories:
        return NOTHING
    wanted = XSD_DATE_TIME if name == "datetime" else XSD_DATE
    sources = {clock for clock in operand.clocks if clock.split(" ")[0] in (XSD_DATE, XSD_DATE_TIME)}
    if name == "date" and any(clock.startswith(XSD_DATE_TIME) for clock in sources):
        raise fail("UQ500", "this engine cannot cut a date-time to its date exactly")
    zones = {clock.endswith(" zoned") for clock in sources}
    if not operand.exact or len(zones) > 1:
        raise fail("UQ500", "these times have more digits, or other time zones, than this engine compares exactly")
    if not sources:
        return NOTHING
    listed = ", ".join(f"'{clock}'" for clock in sorted(sources))
    text = f"CASE WHEN {operand.text}.clock IN [{listed}] THEN {operand.text}.moment END"
    clocks = frozenset({wanted + (" zoned" if True in zones else "")})
    return Operand("moment", text, wanted, nullable=True, clocks=clocks)
