"""How tables are printed, and that what is odd survives it."""

from __future__ import annotations

import pytest

from uniqgen_ir.grammar.ctable import parse_table, read_table
from uniqgen_ir.ir.expressions import Call, Comparison, ComparisonOperator, Exists, Expression, Negative, Not
from uniqgen_ir.ir.printer import print_expression, print_row, print_rows, print_table, print_tables
from uniqgen_ir.ir.rows import Filter, Origin, Row, RowNote, SubTable, Triple, TypeAtom
from uniqgen_ir.ir.table import Column, Table
from uniqgen_ir.ir.terms import IRI, Literal, Parameter, Variable
from uniqgen_ir.ir.vocabulary import RDF_LANG_STRING, XSD_DATE, XSD_INTEGER

X = Variable("x")
EX = (("ex", "http://example.org/"),)

PRINTED = """prefix ex: <http://example.org/>
use schema "a.cts"

ctable t "why?" {
  select distinct ?x count(*) as ?n
  match different relationships

  one: ?x a ex:C @pragmatic(u = 0.4, "because", support = 12) @required @from(c1, c2)
  two: optional { ?x ex:p{1,3} ?y . own: ?y > 3 }
  three: either { ?x a ex:A } or {
    ?x <http://other.org/a-rather-long-name-that-makes-the-block-too-wide-for-one-line> "text"@en
    ?x ex:q date("2000-01-01")
  }
  four: table { select ?x . ?x ex:p ?z }

  group by ?x
  having count(*) > 1
  order by desc(?n) ?x
  limit 10
}
"""


def test_the_layout_of_a_table() -> None:
    text = PRINTED.replace(
        "four: table { select ?x . ?x ex:p ?z }", "four: table {\n    select ?x\n\n    c1: ?x ex:p ?z\n  }"
    )
    assert print_table(parse_table(PRINTED)) == text


def round_trip(table: Table) -> None:
    text = print_table(table)
    result = read_table(text)
    assert not result.diagnostics, text
    assert result.table == table, text


ODD_NAMES = ["two words", "a`b", "back\\slash", "line\nend", "limit", "a", "true", "1", "é", "x.y", "x-", "ctable"]


@pytest.mark.parametrize("name", ODD_NAMES)
def test_odd_names_survive(name: str) -> None:
    subject = Variable(name)
    row = Row(name, Triple(subject, Parameter(name), X), note=RowNote(sources=(name, "c1")))
    inner = Table(name, (Column(X),), (Row("c1", TypeAtom(X, X)),))
    round_trip(Table(name, (Column(subject),), (row, Row("inner", SubTable(inner))), question=name))


@pytest.mark.parametrize(
    "iri",
    ["urn:x:y", "http://e.org/a b", 'http://e.org/<">', "no scheme", "ex:not-prefixed", "http://example.org/a/", "é:x"],
)
def test_odd_iris_survive(iri: str) -> None:
    round_trip(Table("t", (), (Row("c1", TypeAtom(X, IRI(iri))),), prefixes=EX))


@pytest.mark.parametrize(
    "literal",
    [
        Literal("007", XSD_INTEGER),
        Literal("+5", XSD_INTEGER),
        Literal("x", XSD_INTEGER),
        Literal("2009-02-30", XSD_DATE),
        Literal("required", RDF_LANG_STRING, "required"),
        Literal('tab\tquote"back\\ \x00 \u2028'),
    ],
)
def test_odd_literals_survive(literal: Literal) -> None:
    round_trip(Table("t", (), (Row("c1", Triple(literal, IRI("http://example.org/p"), literal)),)))


@pytest.mark.parametrize(
    ("expression", "text"),
    [
        (Negative(Literal("5", XSD_INTEGER)), "-(5)"),
        (Literal("-5", XSD_INTEGER), "-5"),
        (Not(Exists((Row("c1.1", TypeAtom(X, X)),))), "not (exists { c1.1: ?x a ?x })"),
        (Call("date", (Literal("2000-01-01"),)), 'xsd:date("2000-01-01")'),
        (Comparison(ComparisonOperator.LESS, Not(X), Negative(Negative(X))), "(not ?x) < --?x"),
    ],
)
def test_expressions(expression: Expression, text: str) -> None:
    assert print_expression(expression) == text
    round_trip(Table("t", (), (Row("c1", Filter(expression)),)))


def test_rows_and_files() -> None:
    row = Row("a", TypeAtom(X, IRI("http://example.org/C")), note=RowNote(Origin.STRUCTURAL))
    assert print_row(row, EX) == "a: ?x a ex:C @structural"
    assert print_rows((row, row), indent="  ") == "\n".join(["  a: ?x a <http://example.org/C> @structural"] * 2)
    several = (Table("one", (), (row,), prefixes=EX), Table("two", (), (row,)))
    result = read_table(print_tables(several))
    assert result.tables == several


def test_prefixes_that_the_language_cannot_write_are_left_out() -> None:
    prefixes = (("bad prefix", "http://example.org/"), ("_", "http://example.org/"), ("ok", "no scheme"))
    table = Table("t", (), (Row("c1", TypeAtom(X, IRI("http://example.org/C"))),), prefixes=prefixes)
    assert print_table(table).startswith("ctable t {")
    round_trip(table)
