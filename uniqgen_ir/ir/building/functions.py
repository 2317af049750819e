"""Functions, dates and aggregates for programs that build tables."""

from __future__ import annotations

from uniqgen_ir.ir.building.expressions import ExpressionLike, Term, call, expression
from uniqgen_ir.ir.diagnostics import fail
from uniqgen_ir.ir.expressions import AGGREGATE_FUNCTIONS, Aggregate, Exists
from uniqgen_ir.ir.rows import Row
from uniqgen_ir.ir.terms import Literal
from uniqgen_ir.ir.values import value_of
from uniqgen_ir.ir.vocabulary import XSD_DATE, XSD_DATE_TIME, XSD_DURATION, XSD_TIME


def year(value: ExpressionLike) -> Term:
    """The year of a date or time."""
    return call("year", value)


def month(value: ExpressionLike) -> Term:
    """The month of a date or time, 1 to 12."""
    return call("month", value)


def day(value: ExpressionLike) -> Term:
    """The day of the month."""
    return call("day", value)


def lang(value: ExpressionLike) -> Term:
    """The language tag of a text, empty where it has none."""
    return call("lang", value)


def lower(value: ExpressionLike) -> Term:
    """The text in lower case."""
    return call("lower", value)


def text_of(value: ExpressionLike) -> Term:
    """`str(…)`: the lexical form of a literal, or the text of an IRI."""
    return call("str", value)


def date(text: str) -> Term:
    """The xsd:date. Raises DiagnosticError UQ175 where there is no such day."""
    return _checked(Literal(text, XSD_DATE))


def date_time(text: str) -> Term:
    """A date and time, from its text: `date_time("2009-02-12T20:00:00Z")`."""
    return _checked(Literal(text, XSD_DATE_TIME))


def time(text: str) -> Term:
    return _checked(Literal(text, XSD_TIME))


def duration(text: str) -> Term:
    return _checked(Literal(text, XSD_DURATION))


def _checked(one: Literal) -> Term:
    if value_of(one) is None:
        raise fail("UQ175", f'"{one.lexical}" is not a valid {one.datatype.rpartition("#")[2]}')
    return Term(one)


def tagged(text: str, language: str) -> Term:
    """A string with a language tag."""
    return Term(Literal.tagged(text, language))


def exists(*rows: Row) -> Term:
    """Whether the rows have a solution."""
    return Term(Exists(rows))


def count(value: ExpressionLike | None = None, *, distinct: bool = False) -> Term:
    """How many values, or, without a value, how many solutions."""
    return Term(Aggregate("count", None if value is None else expression(value), distinct))


def aggregate(function: str, value: ExpressionLike, *, distinct: bool = False) -> Term:
    """`sum`, `avg`, `min`, `max`, `sample` or `group_concat` of an expression."""
    if function not in AGGREGATE_FUNCTIONS:
        raise fail("UQ175", f"there is no aggregate {function}")
    return Term(Aggregate(function, expression(value), distinct))
