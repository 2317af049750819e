"""The casts: `integer("1")`, `date(?x)` (SPARQL 1.1, 17.5)."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from decimal import Decimal
from typing import Final

from attrs import evolve

from uniqgen_ir.ir.temporal import Duration, Temporal
from uniqgen_ir.ir.terms import GroundTerm, Literal
from uniqgen_ir.ir.values import Number, Single, Value, literal_of, to_double, value_of
from uniqgen_ir.ir.vocabulary import (
    XSD_BOOLEAN,
    XSD_DATE,
    XSD_DATE_TIME,
    XSD_DECIMAL,
    XSD_DOUBLE,
    XSD_DURATION,
    XSD_FLOAT,
    XSD_INTEGER,
    XSD_STRING,
    XSD_TIME,
)

BuiltIn = Callable[[Sequence[GroundTerm]], GroundTerm | None]


def plain_string(term: GroundTerm) -> str | None:
    """The characters of a string without a language tag, otherwise None."""
    return term.lexical if isinstance(term, Literal) and term.datatype == XSD_STRING else None


def _cast(datatype: str, convert: Callable[[Value], Value | None]) -> BuiltIn:
    """A string is read as a lexical form of the datatype, any other value is converted."""

    def built_in(arguments: Sequence[GroundTerm]) -> GroundTerm | None:
        text = plain_string(arguments[0])
        value = value_of(arguments[0] if text is None else Literal(text, datatype))
        result = value if text is not None or value is None else convert(value)
        return None if result is None else literal_of(result)

    return built_in


def _number(value: Value) -> Number | None:
    match value:
        case bool():
            return int(value)
        case int() | Decimal() | float() | Single():
            return value
        case _:
            return None


def _finite(value: Value) -> int | Decimal | float | None:
    number = _number(value)
    if isinstance(number, Single):
        number = number.number
    return None if number is None or not math.isfinite(number) else number


def _to_integer(value: Value) -> Value | None:
    number = _finite(value)
    return None if number is None else int(number)


def _to_decimal(value: Value) -> Value | None:
    number = _finite(value)
    if isinstance(number, float):
        # a float has an exact decimal expansion, but people mean its shortest form: 0.1e0 is 0.1
        return Decimal(repr(number))
    return None if number is None else Decimal(number)


def _to_double(value: Value) -> Value | None:
    number = _number(value)
    return None if number is None else to_double(number)


def _to_single(value: Value) -> Value | None:
    number = _number(value)
    return None if number is None else Single.rounded(to_double(number))


def _to_boolean(value: Value) -> Value | None:
    number = _number(value)
    if number is None:
        return None
    double = to_double(number)
    # an integer or decimal that is too small for a float is not zero
    return not math.isnan(double) and number not in (0, Single(0.0))


def _to_temporal(datatype: str) -> Callable[[Value], Value | None]:
    def convert(value: Value) -> Value | None:
        if not isinstance(value, Temporal) or value.datatype not in (datatype, XSD_DATE_TIME, XSD_DATE):
            return None
        if value.datatype == datatype:
            return value
        if datatype == XSD_DATE_TIME:
            return evolve(value, datatype=datatype, hour=0, minute=0, second=Decimal(0))
        if value.datatype != XSD_DATE_TIME:
            return None
        if datatype == XSD_DATE:
            return evolve(value, datatype=datatype, hour=None, minute=None, second=None)
        return evolve(value, datatype=datatype, year=None, month=None, day=None)

    return convert


def _to_duration(value: Value) -> Value | None:
    return evolve(value, datatype=XSD_DURATION) if isinstance(value, Duration) else None


CASTS: Final[dict[str, BuiltIn]] = {
    "integer": _cast(XSD_INTEGER, _to_integer),
    "decimal": _cast(XSD_DECIMAL, _to_decimal),
    "double": _cast(XSD_DOUBLE, _to_double),
    "float": _cast(XSD_FLOAT, _to_single),
    "boolean": _cast(XSD_BOOLEAN, _to_boolean),
    "date": _cast(XSD_DATE, _to_temporal(XSD_DATE)),
    "datetime": _cast(XSD_DATE_TIME, _to_temporal(XSD_DATE_TIME)),
    "time": _cast(XSD_TIME, _to_temporal(XSD_TIME)),
    "duration": _cast(XSD_DURATION, _to_duration),
}
"""The casts by name."""
