"""What literals are worth: typed values, `=` and `<`, truth, order, canonical forms, and answers in JSON.

Oxigraph is the referee (`tests/property/test_ir_values.py`). Where this module differs on purpose:

* integers and decimals have no upper bound here (Oxigraph: 64 bits, and 18 decimal places);
* a literal keeps its lexical form and datatype: `"01"^^xsd:integer` and `1` are equal, not the same term;
* adding a duration to a time or a month-end follows XML Schema where Oxigraph gives an error.
"""

from __future__ import annotations

import json
import math
import re
import struct
from decimal import Decimal
from typing import Final, TypeAlias

from attrs import frozen

from uniqgen_ir.ir.expressions import ComparisonOperator
from uniqgen_ir.ir.temporal import (
    DURATION_DATATYPES,
    Duration,
    Temporal,
    compare_durations,
    compare_temporals,
    duration_order,
    parse_duration,
    parse_temporal,
    plain_decimal,
)
from uniqgen_ir.ir.terms import IRI, BlankNode, GroundTerm, Literal
from uniqgen_ir.ir.vocabulary import (
    INTEGER_DATATYPES,
    RDF_JSON,
    RDF_LANG_STRING,
    TEMPORAL_DATATYPES,
    XSD_BOOLEAN,
    XSD_DECIMAL,
    XSD_DOUBLE,
    XSD_FLOAT,
    XSD_INTEGER,
    XSD_STRING,
)


@frozen
class Single:
    """A 32-bit float (xsd:float); Python's own float is xsd:double."""

    number: float

    @classmethod
    def rounded(cls, number: float) -> Single:
        """The nearest 32-bit float; what is too large becomes an infinity."""
        try:
            return cls(struct.unpack("f", struct.pack("f", number))[0])
        except OverflowError:
            return cls(math.copysign(math.inf, number))


@frozen
class TaggedString:
    """A string with a language tag."""

    text: str
    language: str


Number: TypeAlias = int | Decimal | Single | float
Value: TypeAlias = bool | Number | str | TaggedString | Temporal | Duration

_INTEGER: Final = re.compile(r"[+-]?\d+", re.ASCII)
_DECIMAL: Final = re.compile(r"[+-]?(?:\d+(?:\.\d*)?|\.\d+)", re.ASCII)
_DOUBLE: Final = re.compile(
    r"[+-]?(?:(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?|inf|infinity)|nan", re.ASCII | re.IGNORECASE
)


def value_of(term: GroundTerm) -> Value | None:
    """The typed value of a literal; None for other terms, unknown datatypes and ill-formed lexical forms."""
    if not isinstance(term, Literal):
        return None
    text, datatype = term.lexical, term.datatype
    if datatype == XSD_STRING:
        return text
    if datatype == RDF_LANG_STRING:
        return TaggedString(text, term.language or "")
    if datatype == XSD_BOOLEAN:
        return {"true": True, "1": True, "false": False, "0": False}.get(text)
    if datatype in TEMPORAL_DATATYPES:
        return parse_temporal(text, datatype)
    if datatype in DURATION_DATATYPES:
        return parse_duration(text, datatype)
    return parse_number(text, datatype)


def parse_number(text: str, datatype: str) -> Number | None:
    """The number that a lexical form stands for under a numeric datatype, otherwise None."""
    if datatype in INTEGER_DATATYPES:
        return _whole(text) if _INTEGER.fullmatch(text) else None
    if datatype == XSD_DECIMAL:
        return Decimal(text) if _DECIMAL.fullmatch(text) else None
    if datatype in (XSD_DOUBLE, XSD_FLOAT) and _DOUBLE.fullmatch(text):
        return float(text) if datatype == XSD_DOUBLE else Single.rounded(float(text))
    return None


def _whole(text: str) -> int:
    # Decimal has no limit on digits where int() refuses more than 4300 of them
    return int(text) if len(text) < 4000 else int(Decimal(text))


def literal_of(value: Value) -> Literal:
    """The literal with the canonical lexical form of a value."""
    match value:
        case bool() | str():
            return Literal.of(value)
        case int():
            return Literal(plain_decimal(Decimal(value)), XSD_INTEGER)
        case Decimal():
            return Literal(plain_decimal(value), XSD_DECIMAL)
        case float():
            return Literal(float_text(value), XSD_DOUBLE)
        case Single(number):
            return Literal(float_text(_shortest_single(number)), XSD_FLOAT)
        case TaggedString(text, language):
            return Literal.tagged(text, language)
        case Temporal() | Duration():
            return Literal(str(value), value.datatype)


def canonical(term: GroundTerm) -> GroundTerm:
    """The term with its value's canonical lexical form, datatype kept; a term without a value stands for itself."""
    value = value_of(term)
    if value is None or not isinstance(term, Literal) or isinstance(value, str | TaggedString):
        return term
    return Literal(literal_of(value).lexical, term.datatype)


def float_text(number: float) -> str:
    """The shortest form that reads back as the same number: `1`, `0.1`, `1E+21`, `INF`."""
    if math.isnan(number):
        return "NaN"
    if math.isinf(number):
        return "INF" if number > 0 else "-INF"
    text = repr(number).removesuffix(".0")
    return text.replace("e", "E")


def _shortest_single(number: float) -> float:
    for digits in range(6, 10):
        short = float(f"{number:.{digits}g}") if math.isfinite(number) else number
        if Single.rounded(short).number == number:
            return short
    return number


def is_number(value: object) -> bool:
    """Whether it is one of the `Number` types (a truth value is not)."""
    return isinstance(value, int | Decimal | Single | float) and not isinstance(value, bool)


def promote(left: Number, right: Number) -> tuple[Number, Number]:
    """Both numbers in the wider of their types: integer < decimal < float < double."""
    if isinstance(left, float) or isinstance(right, float):
        return to_double(left), to_double(right)
    if isinstance(left, Single) or isinstance(right, Single):
        return Single.rounded(to_double(left)), Single.rounded(to_double(right))
    if isinstance(left, Decimal) or isinstance(right, Decimal):
        return Decimal(left), Decimal(right)
    return left, right


def to_double(number: Number) -> float:
    """The nearest 64-bit float; what is too large becomes an infinity."""
    if isinstance(number, Single):
        return number.number
    try:
        return float(number)
    except OverflowError:
        return math.inf if number > 0 else -math.inf


def _order_numbers(left: Number, right: Number) -> int | None:
    first, second = (one.number if isinstance(one, Single) else one for one in promote(left, right))
    if first == second:
        return 0
    # NaN answers False to all three questions
    return -1 if first < second else 1 if first > second else None


def order(left: Value, right: Value) -> int | None:
    """-1, 0 or 1 where SPARQL's `<` is defined for the two values, otherwise None.

    Oxigraph orders true and false neither way, though SPARQL 1.1 would allow it; so does this.
    """
    match left, right:
        case (bool(), _) | (_, bool()):
            return 0 if isinstance(left, bool) and isinstance(right, bool) and left == right else None
        case (int() | Decimal() | float() | Single(), int() | Decimal() | float() | Single()):
            return _order_numbers(left, right)
        case (str(), str()):
            return (left > right) - (left < right)
        case (TaggedString(one, tag), TaggedString(other, same)) if tag == same:
            return (one > other) - (one < other)
        case (Temporal(), Temporal()):
            return compare_temporals(left, right)
        case (Duration(), Duration()):
            return compare_durations(left, right)
        case _:
            return None


def equal(left: GroundTerm, right: GroundTerm) -> bool | None:
    """SPARQL's `=`; None is its error: two different literals, one of which has no known value."""
    if left == right:
        value = value_of(left)
        return not (isinstance(value, float | Single) and math.isnan(to_double(value)))
    if not isinstance(left, Literal) or not isinstance(right, Literal):
        return False
    first, second = value_of(left), value_of(right)
    if isinstance(first, TaggedString) or isinstance(second, TaggedString):
        return False  # the same text under the same tag would be the same term
    if first is None or second is None:
        return None
    if isinstance(first, bool) or isinstance(second, bool):
        return isinstance(first, bool) and isinstance(second, bool) and first == second
    if isinstance(first, Duration) and isinstance(second, Duration):
        return (first.months, first.seconds) == (second.months, second.seconds)
    return order(first, second) == 0


def compare(operator: ComparisonOperator, left: GroundTerm, right: GroundTerm) -> bool | None:
    """Whether the comparison holds; None is SPARQL's error (operands that cannot be compared)."""
    if operator in (ComparisonOperator.EQUAL, ComparisonOperator.NOT_EQUAL):
        same = equal(left, right)
        return None if same is None else same == (operator is ComparisonOperator.EQUAL)
    sign = 0 if left == right else _order_terms(left, right)
    if sign is None:
        return None
    match operator:
        case ComparisonOperator.LESS:
            return sign < 0
        case ComparisonOperator.LESS_EQUAL:
            return sign <= 0
        case ComparisonOperator.GREATER:
            return sign > 0
        case _:
            return sign >= 0


def _order_terms(left: GroundTerm, right: GroundTerm) -> int | None:
    first, second = value_of(left), value_of(right)
    return None if first is None or second is None else order(first, second)


def effective_boolean_value(term: GroundTerm | None) -> bool | None:
    """SPARQL 1.1, 17.2.2; None is an error (no truth value, or an ill-formed literal)."""
    value = None if term is None else value_of(term)
    match value:
        case bool():
            return value
        case str():
            return value != ""
        case int() | Decimal():
            return value != 0
        case float() | Single():
            number = to_double(value)
            return not (math.isnan(number) or number == 0)
        case _:
            return None


_TEMPORAL_RANK: Final = {datatype: rank for rank, datatype in enumerate(sorted(TEMPORAL_DATATYPES))}

OrderKey: TypeAlias = tuple[int, int, object, str, str]
"""What `order_key` gives: rank of the kind of term, rank of the kind of value, the value, text, qualifier."""


def order_key(term: GroundTerm | None) -> OrderKey:
    """A key for ORDER BY: unbound < blank nodes < IRIs < literals; equal values tie.

    Among literals: numbers, booleans, strings, tagged strings, times by datatype, durations, then all that has no value
    by datatype and text. Whatever `compare` puts before something else stands before it. A time without a zone
    counts as UTC, NaN stands before all numbers.
    """
    match term:
        case None:
            return 0, 0, 0, "", ""
        case BlankNode(label):
            return 1, 0, 0, label, ""
        case IRI(text):
            return 2, 0, 0, text, ""
        case Literal():
            return _literal_key(term)


def _literal_key(term: Literal) -> OrderKey:
    value = value_of(term)
    match value:
        case None:
            return 3, 30, 0, term.datatype, term.lexical
        case bool():
            return 3, 2, value, "", ""
        case str():
            return 3, 3, 0, value, ""
        case TaggedString(text, language):
            return 3, 4, 0, text, language
        case Temporal():
            return 3, 5 + _TEMPORAL_RANK[value.datatype], value.seconds(), "", ""
        case Duration():
            return 3, 20, duration_order(value), "", ""
        case int() | Decimal():
            return 3, 1, value, "", ""
        case _:
            return _float_key(to_double(value))


def _float_key(number: float) -> OrderKey:
    if math.isnan(number):
        return 3, 0, 0, "", ""
    # the shortest decimal, not the exact one, so that 0.1 and 0.1e0 tie as they do under `=`
    return 3, 1, Decimal(repr(number)) if math.isfinite(number) else number, "", ""


Json: TypeAlias = "str | int | float | bool | list[Json] | dict[str, Json] | None"


def to_json(term: GroundTerm | None) -> Json:
    """The JSON form of an answer's cell.

    An entity is its full IRI, a blank node `_:label`; a number or boolean a JSON number or boolean, integral doubles
    without `.0`; NaN and infinities are strings; other literals their lexical form; unbound is None. A decimal is a
    JSON number only where that number keeps its value exactly in 64 bits, otherwise its lexical form: never rounded.
    """
    match term:
        case None:
            return None
        case IRI(text):
            return text
        case BlankNode(label):
            return f"_:{label}"
        case Literal():
            return _literal_json(term)


def _json_inside(text: str) -> Json:
    """The value behind an rdf:JSON literal; the text itself where it is no JSON."""
    try:
        value: Json = json.loads(text)
    except ValueError:
        return text
    return value


def _literal_json(term: Literal) -> Json:
    if term.datatype == RDF_JSON:
        return _json_inside(term.lexical)
    value = value_of(term)
    match value:
        case bool() | int():
            return value
        case Decimal():
            if value == value.to_integral_value():
                return int(value)
            number = float(value)
            # repr gives the shortest decimal that reads back as this float: equal means nothing was lost
            return number if Decimal(repr(number)) == value else term.lexical
        case float() | Single():
            number = to_double(value) if isinstance(value, float) else _shortest_single(value.number)
            if not math.isfinite(number):
                return float_text(number)
            return int(number) if number == int(number) else number
        case _:
            return term.lexical
