"""Values, canonical forms and answers in JSON: what the comparison with Oxigraph does not cover."""

from __future__ import annotations

import json

import pytest

from uniqgen_ir.ir.expressions import ComparisonOperator
from uniqgen_ir.ir.temporal import Duration, Temporal, civil_from_days, days_from_civil
from uniqgen_ir.ir.terms import IRI, BlankNode, GroundTerm, Literal
from uniqgen_ir.ir.values import (
    Single,
    TaggedString,
    canonical,
    compare,
    effective_boolean_value,
    order_key,
    to_json,
    value_of,
)
from uniqgen_ir.ir.vocabulary import XSD, XSD_INTEGER


def typed(text: str, name: str) -> Literal:
    return Literal(text, XSD + name)


BIG = "123456789012345678901234567890"


@pytest.mark.parametrize(
    ("term", "written"),
    [
        (None, None),
        (IRI("http://example.org/a"), "http://example.org/a"),
        (BlankNode("b0"), "_:b0"),
        (Literal.of("text"), "text"),
        (Literal.tagged("Text", "en"), "Text"),
        (Literal.of(True), True),
        (typed("0", "boolean"), False),
        (typed("007", "integer"), 7),
        (typed(BIG, "integer"), int(BIG)),
        (typed("2.50", "decimal"), 2.5),
        (typed("3.0", "decimal"), 3),
        (typed(BIG + ".0", "decimal"), int(BIG)),
        (typed("0.1234567890123456789", "decimal"), "0.1234567890123456789"),
        (typed("1.0E3", "double"), 1000),
        (typed("0.1", "double"), 0.1),
        (typed("0.1", "float"), 0.1),
        (typed("NaN", "double"), "NaN"),
        (typed("-INF", "float"), "-INF"),
        (typed("2001-02-03", "date"), "2001-02-03"),
        (typed("abc", "integer"), "abc"),
        (Literal("x", "http://example.org/unit"), "x"),
    ],
)
def test_answers_in_json(term: GroundTerm | None, written: object) -> None:
    found = to_json(term)
    assert found == written
    assert type(found) is type(written)
    assert json.loads(json.dumps(found)) == written


@pytest.mark.parametrize(
    ("text", "name", "form"),
    [
        ("+007", "integer", "7"),
        ("-0", "integer", "0"),
        ("05", "byte", "5"),
        ("2.500", "decimal", "2.5"),
        ("100", "decimal", "100"),
        ("1.0E0", "double", "1"),
        ("1e300", "double", "1E+300"),
        ("0.10000000149", "float", "0.1"),
        ("1", "boolean", "true"),
        ("2001-02-03+00:00", "date", "2001-02-03Z"),
        ("2001-12-31T24:00:00", "dateTime", "2002-01-01T00:00:00"),
        ("01:02:03.500", "time", "01:02:03.5"),
        ("-0044", "gYear", "-0044"),
        ("P13M", "duration", "P1Y1M"),
        ("-PT36H1.50S", "duration", "-P1DT12H1.5S"),
        ("P0D", "yearMonthDuration", "P0D"),
        ("P0Y", "yearMonthDuration", "P0M"),
        ("abc", "integer", "abc"),
    ],
)
def test_canonical_forms(text: str, name: str, form: str) -> None:
    assert canonical(typed(text, name)) == typed(form, name)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("2001-02-29", "date"),
        ("2001-13-01", "date"),
        ("01-01-01", "date"),
        ("2001-01-01T24:00:01", "dateTime"),
        ("25:00:00", "time"),
        ("12:00:60", "time"),
        ("2001-01-01+15:00", "date"),
        ("٢٠٠١", "gYear"),
        ("P", "duration"),
        ("P1DT", "duration"),
        ("P1M", "dayTimeDuration"),
        ("1e5", "integer"),
        ("1e5", "decimal"),
        ("", "double"),
        ("yes", "boolean"),
        ("2001-01-01\n", "date"),
    ],
)
def test_ill_formed_literals_have_no_value(text: str, name: str) -> None:
    assert value_of(typed(text, name)) is None
    assert effective_boolean_value(typed(text, name)) is None


def test_values_have_python_types() -> None:
    assert value_of(typed("5", "unsignedByte")) == 5
    assert value_of(Literal.tagged("a", "en")) == TaggedString("a", "en")
    assert isinstance(value_of(typed("1.5", "float")), Single)
    assert isinstance(value_of(typed("2001-01-01", "date")), Temporal)
    assert isinstance(value_of(typed("P1D", "duration")), Duration)
    assert value_of(IRI("http://example.org/a")) is None
    assert value_of(typed("9" * 5000, "integer")) == 10**5000 - 1


@pytest.mark.parametrize(
    ("left", "right", "expected"),
    [
        ("2000-01-01T00:00:00", "2000-01-01T14:00:00Z", None),
        ("2000-01-01T00:00:00", "2000-01-01T14:00:01Z", True),
        ("2000-01-01T14:00:01Z", "2000-01-01T00:00:00", False),
        ("2000-01-01T00:00:00Z", "2000-01-01T00:00:00+01:00", False),
        ("-0001-12-31T00:00:00Z", "0000-01-01T00:00:00Z", True),
    ],
)
def test_a_missing_zone_leaves_the_order_open(left: str, right: str, expected: bool | None) -> None:
    assert compare(ComparisonOperator.LESS, typed(left, "dateTime"), typed(right, "dateTime")) is expected


def test_big_numbers_compare_exactly() -> None:
    assert compare(ComparisonOperator.LESS, typed(BIG, "integer"), typed(BIG[:-1] + "1", "integer")) is True
    assert compare(ComparisonOperator.LESS, typed(BIG, "integer"), typed("1e400", "double")) is True


def test_kinds_of_terms_are_sorted_as_sparql_says() -> None:
    terms: list[GroundTerm | None] = [Literal.of("a"), IRI("http://example.org/a"), BlankNode("b"), None, Literal.of(1)]
    assert sorted(terms, key=order_key) == [
        None,
        BlankNode("b"),
        IRI("http://example.org/a"),
        Literal.of(1),
        Literal.of("a"),
    ]
    assert order_key(typed("1.0", "decimal")) == order_key(Literal.of(1)) == order_key(typed("1e0", "double"))
    assert order_key(typed("0.1", "decimal")) == order_key(typed("0.1", "double"))


def test_days_are_counted_in_the_proleptic_gregorian_calendar() -> None:
    assert days_from_civil(1970, 1, 1) == 0
    assert days_from_civil(2000, 3, 1) == 11017
    assert days_from_civil(0, 3, 1) - days_from_civil(0, 2, 28) == 2
    for day in range(-800_000, 800_000, 997):
        assert days_from_civil(*civil_from_days(day)) == day


def test_integers_beyond_all_doubles_are_compared() -> None:
    huge = Literal("9" * 400, XSD_INTEGER)
    assert compare(ComparisonOperator.GREATER, huge, Literal.of(1e300)) is True
    assert compare(ComparisonOperator.LESS, Literal("-" + huge.lexical, XSD_INTEGER), Literal.of(-1e300)) is True
