"""Literals as values of property graphs: what a property holds natively, everything else as its text."""

from __future__ import annotations

from decimal import Decimal
from typing import Final, TypeAlias

from attrs import frozen

from uniqgen_ir.ir.temporal import Duration, Temporal
from uniqgen_ir.ir.terms import Literal
from uniqgen_ir.ir.values import Single, TaggedString, to_double, value_of
from uniqgen_ir.ir.vocabulary import XSD_DATE, XSD_DATE_TIME, XSD_TIME

_LARGEST: Final = 2**63 - 1


@frozen
class Moment:
    """A date, time or duration; `kind` is the name of the type, which is also Cypher's function for it."""

    kind: str
    text: str


Value: TypeAlias = bool | int | float | str | Moment


def native(literal: Literal) -> Value:
    """The value of a property.

    Decimals become 64-bit floats, years alone numbers, languages of texts are dropped; literals that have no native
    form keep their lexical form.
    """
    value = value_of(literal)
    match value:
        case bool() | str():
            return value
        case TaggedString(text, _):
            return text
        case int() if abs(value) <= _LARGEST:
            return value
        case int() | Decimal() | float() | Single():
            return to_double(value)
        case Temporal():
            return _moment(value, literal)
        case Duration():
            return Moment("duration", literal.lexical)
        case None:
            return literal.lexical


def _moment(value: Temporal, literal: Literal) -> Value:
    zoned = value.zone is not None
    if value.datatype == XSD_DATE_TIME:
        return Moment("datetime" if zoned else "localdatetime", str(value))
    if value.datatype == XSD_TIME:
        return Moment("time" if zoned else "localtime", str(value))
    if value.datatype == XSD_DATE and not zoned:
        return Moment("date", str(value))
    # years alone are plain numbers in property graphs
    return value.year if value.month is None and value.year is not None else literal.lexical


def kind_of(value: Value) -> str:
    """`boolean`, `long`, `double`, `string`, or the kind of a moment."""
    match value:
        case bool():
            return "boolean"
        case int():
            return "long"
        case float():
            return "double"
        case str():
            return "string"
        case Moment(kind):
            return kind


def text_of(value: Value) -> str:
    """The value as bulk loaders read it."""
    match value:
        case bool():
            return "true" if value else "false"
        case Moment(_, text):
            return text
        case float():
            return {"nan": "NaN", "inf": "Infinity", "-inf": "-Infinity"}.get(repr(value), repr(value))
        case _:
            return str(value)
