"""Literals as values of a property graph, and terms as strings that keep everything."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from decimal import Decimal
from typing import Final

from uniqgen_ir.backends.base import ParameterValue
from uniqgen_ir.backends.cypher.dialects import CypherDialect
from uniqgen_ir.backends.cypher.operands import NUMBER, OTHER, TAGGED, TEXT, TIME, TRUTH, Operand
from uniqgen_ir.ir.diagnostics import fail
from uniqgen_ir.ir.temporal import Duration, Temporal
from uniqgen_ir.ir.terms import IRI, BlankNode, GroundTerm, Literal
from uniqgen_ir.ir.values import Single, TaggedString, to_double, value_of
from uniqgen_ir.ir.vocabulary import (
    RDF_LANG_STRING,
    XSD_BOOLEAN,
    XSD_DATE,
    XSD_DATE_TIME,
    XSD_INTEGER,
    XSD_STRING,
    XSD_TIME,
)

EXACT_DIGITS: Final = 15
"""Numbers of up to so many digits are equal, and ordered, as 64-bit floats exactly when they are as decimals."""
_INT64: Final = 2**63
PROPERTY_DATATYPES: Final = frozenset({XSD_STRING, XSD_INTEGER, XSD_BOOLEAN, XSD_DATE})
"""Datatypes that a property column holds exactly in a store that we build."""


def encode(term: GroundTerm) -> str:
    """A string from which `decode` makes the same term: an IRI as it is, `_:label`, `"datatype or @tag"lexical`."""
    match term:
        case IRI(value):
            return value
        case BlankNode(label):
            return f"_:{label}"
        case Literal(lexical, datatype, language):
            return f'"{datatype if language is None else "@" + language}"{lexical}'


def decode(text: str) -> GroundTerm:
    """The term behind a string of `encode`."""
    if text.startswith('"'):
        qualifier, _, lexical = text[1:].partition('"')
        if qualifier.startswith("@"):
            return Literal(lexical, RDF_LANG_STRING, qualifier[1:])
        return Literal(lexical, qualifier)
    return BlankNode(text[2:]) if text.startswith("_:") else IRI(text)


def constant_text(literal: Literal, add: Callable[[ParameterValue], str], times: Mapping[str, str]) -> str:
    """The literal as a plain value: a parameter, or a parameter made a date or time by one of the constructors."""
    value = value_of(literal)
    match value:
        case bool() | str():
            return add(value)
        case TaggedString(text, _):
            return add(text)
        case int() if abs(value) < _INT64:
            return add(value)
        case int() | Decimal() | float() | Single():
            return add(to_double(value))
        case Temporal():
            return _temporal_text(value, add, times)
        case _:
            raise fail("UQ506", f"the value {literal} has no form in a property graph")


def _temporal_text(value: Temporal, add: Callable[[ParameterValue], str], times: Mapping[str, str]) -> str:
    functions = {XSD_DATE: "date", XSD_DATE_TIME: "localdatetime" if value.zone is None else "datetime"}
    functions[XSD_TIME] = "localtime" if value.zone is None else "time"
    if value.datatype not in functions or (value.datatype == XSD_DATE and value.zone is not None):
        # years alone are plain numbers in property graphs
        if value.month is None and value.year is not None:
            return add(value.year)
        raise fail("UQ506", f"the value {value} of {value.datatype} has no form in a property graph")
    template = times.get(functions[value.datatype])
    if template is None:
        raise fail("UQ500", f"there is no {functions[value.datatype]} in this dialect of Cypher")
    return template.format(add(str(value)))


def term_key(operand: Operand, add: Callable[[ParameterValue], str], dialect: CypherDialect) -> str:
    """An expression for the string that encodes the operand's term (see `encode`)."""
    if operand.kind == "literal":
        return f"{operand.text}.id"
    if operand.kind in ("term", "iri"):
        return operand.text
    if operand.kind == "node":
        return f"{operand.text}.id"
    if operand.constant is not None:
        return add(encode(operand.constant))
    prefix = add(f'"{operand.datatype}"')
    if operand.datatype == XSD_STRING:
        return dialect.joined.format(prefix, operand.text)
    if operand.datatype == XSD_BOOLEAN:
        return dialect.joined.format(prefix, f"CASE WHEN {operand.text} THEN 'true' ELSE 'false' END")
    if operand.datatype in (XSD_INTEGER, XSD_DATE):
        return dialect.joined.format(prefix, dialect.casts["string"][0].format(operand.text))
    raise fail("UQ500", f"values of {operand.datatype} cannot be joined with other forms here")


def moment(value: Temporal) -> tuple[str, int]:
    """The kind of clock (datatype, with a zone or without) and microseconds on its time line."""
    return value.datatype + ("" if value.zone is None else " zoned"), int(value.seconds() * 1_000_000)


def is_exact(literal: Literal) -> bool:
    """Whether a number or time fits its column exactly."""
    value = value_of(literal)
    match value:
        case bool():
            return True
        case int() | Decimal():
            return len(Decimal(value).normalize().as_tuple().digits) <= EXACT_DIGITS and math.isfinite(to_double(value))
        case Single(number):
            # compared with a decimal, the decimal is rounded to 32 bits: only then are the columns no measure
            return math.isfinite(number) and Decimal(repr(number)) == Decimal(number) and number == int(number)
        case Temporal():
            place = value.seconds() * 1_000_000
            return place == int(place) and abs(place) < _INT64
        case _:
            return True


def literal_category(literal: Literal) -> str:
    """The category of the literal's value; `other` where it has none that compares with others."""
    value = value_of(literal)
    match value:
        case bool():
            return TRUTH
        case int() | Decimal() | float() | Single():
            return NUMBER
        case str():
            return TEXT
        case TaggedString():
            return TAGGED
        case Temporal():
            return TIME
        case Duration() | None:
            return OTHER
