"""Places, severities, policies and schemas of the SPARQL gate."""

from __future__ import annotations

import pytest

from tests.unit.validate_sparql.sparql_gate import PROLOGUE, SCHEMA, judge, mended, said
from uniqgen_ir.grammar.schema import parse_document
from uniqgen_ir.ir.diagnostics import Diagnostic, DiagnosticError
from uniqgen_ir.validate.gate import check
from uniqgen_ir.validate.policy import Policy


def marked(query: str) -> list[str]:
    """The pieces of the text that the diagnostics point at."""
    report = judge(query)
    return [report.query[one.span.start : one.span.end] for one in report.diagnostics if one.span]


@pytest.mark.parametrize(
    ("query", "pieces"),
    [
        ("SELECT ?n WHERE { ?p a ex:Persn ; ex:nmae ?n }", ["ex:Persn", "ex:nmae"]),
        ("SELECT ?n WHERE { ?p ex:name ?n . FILTER(?x > 5) }", ["?x"]),
        ('SELECT ?p WHERE { ?p ex:age ?a . FILTER(?a > "30") }', ['"30"']),
        ("SELECT ?n WHERE { ?c a ex:Company ; ex:worksFor ?p . ?p ex:name ?n }", ["ex:worksFor"]),
        ("SELECT ?a WHERE { ?c a ex:Company ; ex:age ?a }", ["ex:age"]),
        ("SELECT ?p ?c WHERE { ?p a ex:Person . ?c a ex:Company }", ["?c a ex:Company"]),
    ],
)
def test_a_diagnostic_points_at_the_smallest_piece(query: str, pieces: list[str]) -> None:
    assert marked(query) == pieces


def test_places_are_right_behind_escaped_characters() -> None:
    text = PROLOGUE + 'SELECT ?p WHERE { ?p ex:name "\\u00e9" ; ex:nmae ?n . FILTER(?x > 5) }'
    (first, *others) = check(text, language="sparql", schema=SCHEMA).diagnostics
    assert "ex:nmae" in first.message
    assert [text[one.span.start : one.span.end] for one in others if one.span] == ["?x"]


def test_all_missing_prefixes_are_declared_at_once() -> None:
    query = "SELECT ?l WHERE { ?p a ex:Person ; rdfs:label ?l ; foaf:nick ?o . FILTER(xsd:integer(?o) > 3) }"
    fixed = check(query, language="sparql").fixed_query
    assert fixed is None  # without a schema nobody knows what `ex:` is
    report = check(query, language="sparql", schema=SCHEMA)
    edits = {one.fix.edits for one in report.diagnostics if one.fix and one.kind == "missing_prefix"}
    assert len(edits) == 1
    ((edit,),) = edits
    assert edit.text.count("PREFIX") == 4


def test_a_namespace_that_differs_from_the_schema_is_mended_where_it_is_declared() -> None:
    query = "PREFIX ex: <http://example.org/>\nSELECT ?n WHERE { ?p a ex:Person ; ex:name ?n }"
    assert check(query, language="sparql", schema=SCHEMA).fixed_query == query.replace("org/>", "org/ns#>")


def test_without_a_schema_only_the_query_itself_is_judged() -> None:
    assert said("SELECT ?n WHERE { ?p a ex:Persn ; ex:nmae ?n }", schema=None) == set()
    assert said("SELECT ?m WHERE { ?p ex:name ?n }", schema=None) == {"error unbound_projection"}


def test_what_a_schema_does_not_close_is_left_alone() -> None:
    # a `.cts` schema says what it knows of a predicate, not that there is no other
    schema = {"prefixes": SCHEMA["prefixes"], "classes": {}}
    assert said("SELECT ?n WHERE { ?p a ex:Robot ; foaf:name ?n }", schema=schema) == {"error missing_prefix"}


def test_a_write_is_no_error_where_writing_is_allowed() -> None:
    query = 'INSERT DATA { ex:a ex:name "x" }'
    assert not judge(query).valid
    assert judge(query, policy=Policy(read_only=False)).valid


def test_a_contradiction_inside_optional_is_a_warning() -> None:
    query = 'SELECT ?n WHERE { ?p ex:name ?n . OPTIONAL { ?p ex:age "old" } }'
    assert said(query) == {"warning datatype_mismatch"}


def kinds(found: tuple[Diagnostic, ...]) -> list[str]:
    return [one.kind for one in found]


def test_several_faults_are_all_reported() -> None:
    query = 'SELECT ?n ?x WHERE { ?p a ex:Persn ; ex:age "30" ; ex:name ?n . FILTER(?y = 1) }'
    found = set(kinds(judge(query).diagnostics))
    assert found == {"unbound_projection", "unknown_class", "datatype_mismatch", "undefined_variable"}


def test_a_query_may_be_empty_or_nonsense() -> None:
    for text in ("", " ", "{", "SELECT", "}}}", "\\u0000", "SELECT ?x WHERE {" + "{" * 200):
        assert not judge(text).valid


NAMESPACE = "http://example.org/ns#"


@pytest.mark.parametrize(
    "line",
    [
        f"PREFIX ex: <{NAMESPACE}> .",
        f"PREFIX ex: <{NAMESPACE}>;",
        f"PREFIX ex <{NAMESPACE}>",
        f"PREFIX ex: {NAMESPACE}",
    ],
)
def test_slips_of_the_prologue_are_mended(line: str) -> None:
    pattern = "\nSELECT ?n WHERE { ?p ex:name ?n }"
    report = check(line + pattern, language="sparql", schema=SCHEMA)
    assert kinds(report.diagnostics) == ["syntax"]
    assert report.fixed_query == f"PREFIX ex: <{NAMESPACE}>{pattern}"


def test_a_variable_without_its_question_mark() -> None:
    assert mended("SELECT n WHERE { ?p ex:name ?n }") == "SELECT ?n WHERE { ?p ex:name ?n }"
    assert mended("SELECT m WHERE { ?p ex:name ?n }") is None


def test_an_open_schema_makes_unrelated_classes_a_warning() -> None:
    schema = parse_document(
        "prefix ex: <http://example.org/ns#>\nschema s {\n  class ex:Person\n  class ex:Company\n"
        "  property ex:age : ex:Person -> xsd:integer\n}\n"
    ).schemas[0]
    report = check(PROLOGUE + "SELECT ?a WHERE { ?c a ex:Company ; ex:age ?a }", language="sparql", schema=schema)
    assert [(one.kind, one.severity.value) for one in report.diagnostics] == [("unknown_predicate", "warning")]


def test_services_that_the_policy_allows() -> None:
    policy = Policy.of_json({"services": ["https://example.org/sparql"]})
    allowed = "SELECT ?s { SERVICE SILENT <https://example.org/sparql> { ?s ex:name ?n } }"
    other = "SELECT ?s { SERVICE <https://example.org/sparql2> { ?s ex:name ?n } }"
    unknown = "SELECT ?s { ?x ex:name ?e SERVICE ?e { ?s ex:name ?n } }"
    assert judge(allowed, policy=policy).valid
    assert not judge(allowed).valid
    assert [one.kind for one in judge(other, policy=policy).diagnostics] == ["external_io"]
    assert "external_io" in {one.kind for one in judge(unknown, policy=policy).diagnostics}


@pytest.mark.parametrize("services", ["https://example.org/sparql", [1], ["a", None]])
def test_services_are_a_list_of_iris(services: object) -> None:
    with pytest.raises(DiagnosticError, match="UQ651"):
        Policy.of_json({"services": services})
