"""Datatypes, language tags and what functions take."""

from __future__ import annotations

import pytest

from tests.unit.validate_sparql.sparql_gate import mended, said

CASES: list[tuple[str, set[str], str | None]] = [
    # the query, what is said of it, and the mended query
    (
        'SELECT ?p WHERE { ?p ex:worksFor "Acme" }',
        {"error type_mismatch"},
        'SELECT ?p WHERE { ?p ex:worksFor/ex:name "Acme" }',
    ),
    (
        'SELECT ?p WHERE { ?p ex:worksFor ?c . FILTER(?c = "Acme") }',
        {"error type_mismatch"},
        'SELECT ?p WHERE { ?p ex:worksFor ?c . ?c ex:name ?c_name . FILTER(?c_name = "Acme") }',
    ),
    ('SELECT ?p WHERE { ?p ex:age "30" }', {"error datatype_mismatch"}, "SELECT ?p WHERE { ?p ex:age 30 }"),
    ("SELECT ?p WHERE { ?p ex:age 30 }", set(), None),
    (
        'SELECT ?p WHERE { ?p ex:age ?a . FILTER(?a > "30") }',
        {"error datatype_mismatch"},
        "SELECT ?p WHERE { ?p ex:age ?a . FILTER(?a > 30) }",
    ),
    (
        'SELECT ?p WHERE { ?p ex:age ?a . FILTER(?a != "30") }',
        {"error datatype_mismatch"},
        "SELECT ?p WHERE { ?p ex:age ?a . FILTER(?a != 30) }",
    ),
    (
        'SELECT ?p WHERE { ?p ex:age ?a . FILTER(?a IN ("30", "31")) }',
        {"error datatype_mismatch"},
        "SELECT ?p WHERE { ?p ex:age ?a . FILTER(?a IN (30, 31)) }",
    ),
    ("SELECT ?p WHERE { ?p ex:age ?a . FILTER(?a > 30.5) }", set(), None),
    (
        'SELECT ?p WHERE { ?p ex:born ?d . FILTER(?d > "2000-01-01") }',
        {"error datatype_mismatch"},
        'SELECT ?p WHERE { ?p ex:born ?d . FILTER(?d > "2000-01-01"^^xsd:date) }',
    ),
    (
        'SELECT ?p WHERE { ?p ex:born ?d . FILTER(?d > "2000-01-01T00:00:00"^^xsd:dateTime) }',
        {"error datatype_mismatch"},
        'SELECT ?p WHERE { ?p ex:born ?d . FILTER(?d > "2000-01-01"^^xsd:date) }',
    ),
    (
        "SELECT ?p WHERE { ?p ex:born ?d . FILTER(?d > 2000) }",
        {"error datatype_mismatch"},
        "SELECT ?p WHERE { ?p ex:born ?d . FILTER(YEAR(?d) > 2000) }",
    ),
    ("SELECT ?p WHERE { ?p ex:born ?d . FILTER(YEAR(?d) = 2000) }", set(), None),
    (
        'SELECT ?p WHERE { ?p ex:born ?d . FILTER(YEAR(?d) = "2000") }',
        {"error datatype_mismatch"},
        "SELECT ?p WHERE { ?p ex:born ?d . FILTER(YEAR(?d) = 2000) }",
    ),
    ('SELECT ?p WHERE { ?p ex:born ?d . FILTER(STR(?d) > "2000") }', set(), None),
    (
        'SELECT ?c WHERE { ?c ex:founded ?d . FILTER(?d <= "2021-01-19"^^xsd:date) }',
        {"error datatype_mismatch"},
        'SELECT ?c WHERE { ?c ex:founded ?d . FILTER(?d <= "2021-01-19T23:59:59"^^xsd:dateTime) }',
    ),
    (
        'SELECT ?c WHERE { ?c ex:founded ?d . FILTER(?d < "2021-01-19"^^xsd:date) }',
        {"error datatype_mismatch"},
        'SELECT ?c WHERE { ?c ex:founded ?d . FILTER(?d < "2021-01-19T00:00:00"^^xsd:dateTime) }',
    ),
    (
        'SELECT ?c WHERE { ?c ex:founded ?d . FILTER("2021-01-19"^^xsd:date < ?d) }',
        {"error datatype_mismatch"},
        'SELECT ?c WHERE { ?c ex:founded ?d . FILTER("2021-01-19T23:59:59"^^xsd:dateTime < ?d) }',
    ),
    (
        'SELECT ?c WHERE { ?c ex:founded ?d . FILTER(?d = "2021-01-19"^^xsd:date) }',
        {"error datatype_mismatch"},
        'SELECT ?c WHERE { ?c ex:founded ?d . FILTER((?d >= "2021-01-19T00:00:00"^^xsd:dateTime'
        ' && ?d <= "2021-01-19T23:59:59"^^xsd:dateTime)) }',
    ),
    (
        'SELECT ?c WHERE { ?c ex:founded "2021-01-19"^^xsd:date }',
        {"error datatype_mismatch"},
        'SELECT ?c WHERE { ?c ex:founded "2021-01-19T00:00:00"^^xsd:dateTime }',
    ),
    ('SELECT ?p WHERE { ?p ex:name "Ann"@en }', {"error language_tag"}, 'SELECT ?p WHERE { ?p ex:name "Ann" }'),
    (
        'SELECT ?p WHERE { ?p rdfs:label "Ann" }',
        {"error language_tag"},
        'SELECT ?p WHERE { ?p rdfs:label ?l . FILTER(STR(?l) = "Ann") }',
    ),
    ('SELECT ?p WHERE { ?p rdfs:label "Ann"@en }', set(), None),
    (
        'SELECT ?p WHERE { ?p rdfs:label ?l . FILTER(?l = "Ann") }',
        {"error language_tag"},
        'SELECT ?p WHERE { ?p rdfs:label ?l . FILTER(STR(?l) = "Ann") }',
    ),
    ('SELECT ?p WHERE { ?p rdfs:label ?l . FILTER(STR(?l) = "Ann") }', set(), None),
    (
        'SELECT ?p WHERE { ?p rdfs:label ?l . FILTER(?l IN ("Ann", "Bob")) }',
        {"error language_tag"},
        'SELECT ?p WHERE { ?p rdfs:label ?l . FILTER(STR(?l) IN ("Ann", "Bob")) }',
    ),
    (
        'SELECT ?p WHERE { ?p rdfs:label "Ann" ; ex:age ?a . ?p ex:name ?n }',
        {"error language_tag"},
        'SELECT ?p WHERE { ?p rdfs:label ?l ; ex:age ?a . FILTER(STR(?l) = "Ann") . ?p ex:name ?n }',
    ),
    ('SELECT ?p WHERE { ?p ex:name ?n . FILTER(LANG(?n) = "en") }', {"error language_tag"}, None),
    ('SELECT ?p WHERE { ?p rdfs:label ?n . FILTER(LANG(?n) = "en") }', set(), None),
    (
        "SELECT ?p WHERE { ?p ex:name ?n . FILTER(?n > 5) }",
        {"error datatype_mismatch"},
        "SELECT ?p WHERE { ?p ex:name ?n . FILTER(xsd:integer(?n) > 5) }",
    ),
    (
        'SELECT ?p WHERE { ?p ex:name ?n . FILTER(REGEX(?p, "Ann")) }',
        {"error type_mismatch"},
        'SELECT ?p WHERE { ?p ex:name ?n . FILTER(REGEX(STR(?p), "Ann")) }',
    ),
    (
        'SELECT ?p WHERE { ?p ex:age ?a . FILTER(CONTAINS(?a, "3")) }',
        {"error datatype_mismatch"},
        'SELECT ?p WHERE { ?p ex:age ?a . FILTER(CONTAINS(STR(?a), "3")) }',
    ),
    ('SELECT ?p WHERE { ?p rdfs:label ?n . FILTER(CONTAINS(LCASE(?n), "ann")) }', set(), None),
    ("SELECT (SUM(?n) AS ?s) WHERE { ?p ex:name ?n }", {"error datatype_mismatch"}, None),
    ("SELECT (AVG(?a) AS ?s) WHERE { ?p ex:age ?a }", set(), None),
    (
        'SELECT ?n WHERE { VALUES ?a { "30" } ?p ex:age ?a ; ex:name ?n }',
        {"error datatype_mismatch"},
        "SELECT ?n WHERE { VALUES ?a { 30 } ?p ex:age ?a ; ex:name ?n }",
    ),
    (
        'SELECT ?n WHERE { ?p ex:name ?n . FILTER EXISTS { ?p ex:age ?a . FILTER(?a > "30") } }',
        {"error datatype_mismatch"},
        "SELECT ?n WHERE { ?p ex:name ?n . FILTER EXISTS { ?p ex:age ?a . FILTER(?a > 30) } }",
    ),
    ('SELECT ?p WHERE { ?p ex:born ?d . FILTER(?d > "2000-13-45"^^xsd:date) }', {"error datatype_mismatch"}, None),
    (
        "SELECT ?p WHERE { ?p ex:age ?a . FILTER(xsd:Integer(?a) > 3) }",
        {"error datatype_mismatch"},
        "SELECT ?p WHERE { ?p ex:age ?a . FILTER(xsd:integer(?a) > 3) }",
    ),
    ("SELECT ?p WHERE { ?p ex:age ?a . FILTER(xsd:int(?a) > 3) }", {"warning dialect_unsupported"}, None),
    ("SELECT DISTINCT ?n WHERE { ?p ex:name ?n } ORDER BY ?p", set(), None),
]


@pytest.mark.parametrize(("query", "expected", "fixed"), CASES)
def test_values(query: str, expected: set[str], fixed: str | None) -> None:
    assert said(query) == expected
    assert mended(query) == fixed


@pytest.mark.parametrize("fixed", [fixed for _, _, fixed in CASES if fixed is not None])
def test_a_mended_query_has_no_error(fixed: str) -> None:
    assert not [one for one in said(fixed) if one.startswith("error")]
