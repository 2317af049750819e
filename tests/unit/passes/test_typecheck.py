"""`typecheck`: messages, places, fixes, severity; and the cases that properties found."""

from __future__ import annotations

import pytest

from uniqgen_ir.grammar.ctable import parse_table
from uniqgen_ir.grammar.schema import parse_document
from uniqgen_ir.ir.diagnostics import Diagnostic, DiagnosticError, Severity, errors
from uniqgen_ir.ir.expressions import Comparison, ComparisonOperator, Not
from uniqgen_ir.ir.inference import infer_types
from uniqgen_ir.ir.rows import Filter, Row, Triple
from uniqgen_ir.ir.schema import Schema
from uniqgen_ir.ir.schema_index import SchemaIndex
from uniqgen_ir.ir.table import Column, Table
from uniqgen_ir.ir.terms import IRI, Variable
from uniqgen_ir.ir.types import INTEGER, NODE, LiteralType, NodeType, derives, describe
from uniqgen_ir.ir.vocabulary import XSD_DATE, XSD_INTEGER
from uniqgen_ir.passes.base import PassContext, Unchanged
from uniqgen_ir.passes.pipelines import parse_pipeline
from uniqgen_ir.passes.typecheck import Typecheck, typecheck

_PREFIXES = "prefix ol: <http://example.org/olympics/>\nprefix pl: <http://example.org/place/>\n"


def _schema() -> Schema:
    text = """
schema example {
  class    pl:Place
  class    pl:City < pl:Place
  class    ol:Games
  class    ol:Sport disjoint pl:Place
  relation ol:hostCity "host city" : ol:Games -> pl:City
  relation ol:sport : ol:Games -> ol:Sport
  relation pl:containedIn : pl:Place -> pl:Place
  property ol:season : ol:Games -> xsd:string functional
  property ol:year : ol:Games -> xsd:integer
  property ol:length : ol:Games -> xsd:double
  property ol:opening : ol:Games -> xsd:date
  property ol:at : ol:Games -> xsd:dateTime
}
"""
    (schema,) = parse_document(_PREFIXES + text, "example.cts").schemas
    return schema


def _text(rows: str) -> str:
    return f"{_PREFIXES}ctable t {{\n  select *\n{rows}\n}}\n"


def _check(rows: str, *, with_schema: bool = True) -> tuple[Diagnostic, ...]:
    text = _text(rows)
    return typecheck(parse_table(text, "t.ctable"), _schema() if with_schema else None, source=text)


def _only(rows: str, *, with_schema: bool = True) -> Diagnostic:
    found = _check(rows, with_schema=with_schema)
    assert len(found) == 1, "\n".join(one.render() for one in found)
    return found[0]


def _marked(rows: str, found: Diagnostic) -> str:
    assert found.span is not None
    return _text(rows)[found.span.start : found.span.end]


@pytest.mark.parametrize(
    ("rows", "fixed"),
    [
        ('?g ol:opening ?d where ?d > "2009"', '?g ol:opening ?d where ?d > date("2009-01-01")'),
        ('?g ol:opening ?d where ?d > "2009-05-03"', '?g ol:opening ?d where ?d > date("2009-05-03")'),
        ("?g ol:opening ?d\n?d >= 2009", "?g ol:opening ?d\nyear(?d) >= 2009"),
        ('?g ol:at ?d where ?d > date("2009-05-03")', '?g ol:at ?d where ?d > datetime("2009-05-03T00:00:00")'),
        ('?g ol:year "1936"', "?g ol:year 1936"),
        ("?g ol:season 5", '?g ol:season "5"'),
        ('?g ol:season "Winter"@en', '?g ol:season "Winter"'),
        ("?g ol:hostCty ?c", "?g ol:hostCity ?c"),
        ("?g ol:host_city ?c", "?g ol:hostCity ?c"),
        ("?g a ol:Game", "?g a ol:Games"),
        ('?g ol:at "2009-05-03"^^xsd:dateTime', '?g ol:at datetime("2009-05-03T00:00:00")'),
        ("?c a pl:City\n?c ol:hostCity ?g", "?c a pl:City\n?g ol:hostCity ?c"),
        ("?c a pl:City ; ol:hostCity ?g", "?c a pl:City ; ^ol:hostCity ?g"),
    ],
)
def test_fixes_mend_the_text(rows: str, fixed: str) -> None:
    found = _only(rows)
    assert found.fix is not None
    text = found.fix.apply(_text(rows))
    assert text == _text(fixed)
    assert not typecheck(parse_table(text), _schema())


def test_a_date_against_a_string_names_both_places_and_the_declaration() -> None:
    rows = '?g ol:opening ?d\n?d > "2009"'
    found = _only(rows)
    assert found.kind == "datatype_mismatch"
    assert _marked(rows, found) == '"2009"'
    first, declared = found.related
    assert _text(rows)[first.span.start : first.span.end] == "?d"
    assert declared.span.source == "example.cts"
    assert found.message == (
        '?d is an xsd:date as the object of ol:opening, but has to be a string to be compared with "2009"'
    )


def test_two_variables_of_unlike_types_are_reported_once_with_both_origins() -> None:
    found = _only("?g ol:opening ?a\n?g ol:year ?b\n?a < ?b")
    assert found.code == "UQ221"
    assert sorted(one.span.line for one in found.related if one.span.source == "t.ctable") == [5, 6]


@pytest.mark.parametrize(
    ("rows", "severity"),
    [
        ("?g ol:season ?s where ?s > 4", Severity.ERROR),
        ("?g a ol:Games\noptional { ?g ol:season ?s where ?s > 4 }", Severity.WARNING),
        ("?g a ol:Games\nnot { ?g ol:season ?s where ?s > 4 }", Severity.WARNING),
        ('?g ol:season ?s\neither { ?s > 4 } or { ?s = "Winter" }', Severity.WARNING),
        ('?g ol:season ?s\n?s > 4 or ?s = "Winter"', Severity.WARNING),
        ("?g ol:season ?s\nexists { ?g ol:season ?t where ?t > 4 }", Severity.ERROR),
        ("?g ol:season ?s\nnot (?s > 4)", Severity.ERROR),
        ("?g ol:season ?s\ncoalesce(?s > 4, true)", Severity.WARNING),
        ("?g ol:length 5", Severity.WARNING),
        ("?g ol:year 5.0", Severity.WARNING),
    ],
)
def test_severity_says_whether_the_rows_can_have_a_solution(rows: str, severity: Severity) -> None:
    assert _only(rows).severity is severity


def test_all_branches_of_an_either_against_the_rows_outside_are_errors() -> None:
    found = _check("?g ol:season ?s\neither { ?s > 4 } or { ?s < 3 }")
    assert [one.severity for one in found] == [Severity.ERROR] * 2
    assert {one.span.line for one in found if one.span} == {6}


@pytest.mark.parametrize(
    "rows",
    [
        "?g ol:year ?y where ?y > 1900.5",
        "?g ol:length ?y where ?y > 5",
        "?g ol:year ?y where year(?d) = ?y\n?g ol:opening ?d",
        '?g ol:opening ?d where ?d - date("2000-01-01") > duration("P1D")',
        "?g <http://elsewhere.example/p> ?x where ?x > 5",
        "?g a <http://elsewhere.example/Class>",
        "?c pl:containedIn{0,2} ?x where is_literal(?x)",
        "?g ?p ?o where ?p = ol:hostCity",
        '?g ol:season "Winter" ; ol:season "Winter"',
        '?g a ol:Games\nnot is_literal(?g) or lang(?g) = "en"',
        "?g ol:year ?y ; ol:hostCity ?c\n?g != ?y and ?c != ?y",
        '?g rdfs:label ?l where lang(?l) = "en"',
    ],
)
def test_what_is_right_is_left_alone(rows: str) -> None:
    assert not _check(rows)


def test_a_table_disagrees_with_itself_without_a_schema() -> None:
    found = _only("?g ol:p ?x\n?x ol:q ?y\n?x > 5", with_schema=False)
    assert (found.code, found.severity) == ("UQ220", Severity.ERROR)
    assert [one.span.line for one in found.related] == [6]
    assert not _check("?g a ol:Gmes ; ol:hstCity ?c", with_schema=False)


def test_exclusive_classes_turn_the_wrong_way_round_into_an_error() -> None:
    text = _text("?c a pl:City\n?c ol:hostCity ?g")
    table = parse_table(text)
    open_, exclusive = typecheck(table, _schema()), typecheck(table, SchemaIndex.of(_schema(), exclusive_classes=True))
    assert [(one.code, one.severity) for one in open_] == [("UQ343", Severity.WARNING)]
    assert [(one.code, one.severity) for one in exclusive] == [("UQ343", Severity.ERROR)]


def test_inner_tables_and_having_are_checked() -> None:
    text = _text('table { select ?c (sum(?c) as ?n)\n ?g ol:hostCity ?c\n group by ?c }\n?n = "x"')
    codes = {one.code for one in typecheck(parse_table(text), _schema())}
    assert codes == {"UQ228", "UQ221"}


def test_the_same_term_is_at_most_itself() -> None:
    """Found by the property: `?x <= ?x` holds for a node too, and `not (?x < ?x)` with it."""
    node, x = IRI("http://example.org/n"), Variable("x")
    for condition in (
        Comparison(ComparisonOperator.LESS_EQUAL, node, node),
        Not(Comparison(ComparisonOperator.LESS, node, node)),
        Not(Not(Comparison(ComparisonOperator.GREATER_EQUAL, node, node))),
    ):
        table = Table("t", (Column(x),), (Row("c1", Triple(x, node, x)), Row("c2", Filter(condition))))
        assert not typecheck(table)
    before = Table("t", (), (Row("c1", Filter(Comparison(ComparisonOperator.LESS, node, node))),))
    assert errors(typecheck(before))


def test_the_pass_raises_for_errors_and_keeps_warnings_as_findings() -> None:
    (only,) = parse_pipeline("typecheck{exclusive=true}")
    assert only == Typecheck(exclusive=True)
    context = PassContext(schema=_schema())
    with pytest.raises(DiagnosticError) as caught:
        Typecheck().run(parse_table(_text("?g ol:season ?s where ?s > 4")), context)
    assert [one.code for one in caught.value.diagnostics] == ["UQ221"]
    outcome = Typecheck().run(parse_table(_text("?x a pl:City\n?x a ol:Games")), context)
    assert isinstance(outcome, Unchanged)
    assert [dict(one.evidence)["code"] for one in outcome.steps] == ["UQ353"]


def test_infer_types_names_every_variable_and_column() -> None:
    text = _text("?g ol:hostCity ?c ; ol:opening ?d ; ?p ?o\nlet ?m = month(?d)").replace(
        "select *", "select ?c (count(?g) as ?n)\n group by ?c"
    )
    types = infer_types(parse_table(text), _schema())
    assert types[Variable("c")] == NodeType(frozenset({IRI("http://example.org/place/City")}))
    assert types[Variable("d")] == LiteralType(frozenset({XSD_DATE}))
    assert types[Variable("p")] == NODE
    assert types[Variable("m")] == types[Variable("n")] == LiteralType(frozenset({XSD_INTEGER}))
    assert describe(INTEGER) == "an integer"
    assert derives("http://www.w3.org/2001/XMLSchema#byte", XSD_INTEGER)
