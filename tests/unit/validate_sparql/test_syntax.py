"""Syntax, habits of other languages, writes and stores of their own."""

from __future__ import annotations

import pytest

from tests.unit.validate_sparql.sparql_gate import PROLOGUE, judge, mended, said

CASES: list[tuple[str, set[str], str | None]] = [
    # the query, what is said of it, and the mended query
    (
        "SELECT COUNT(?p) WHERE { ?p a ex:Person }",
        {"error syntax"},
        "SELECT (COUNT(?p) AS ?count) WHERE { ?p a ex:Person }",
    ),
    (
        "SELECT COUNT(DISTINCT ?p) AS ?c WHERE { ?p a ex:Person }",
        {"error syntax"},
        "SELECT (COUNT(DISTINCT ?p) AS ?c) WHERE { ?p a ex:Person }",
    ),
    (
        "SELECT COUNT DISTINCT ?p WHERE { ?p a ex:Person }",
        {"error syntax"},
        "SELECT (COUNT(DISTINCT ?p) AS ?count) WHERE { ?p a ex:Person }",
    ),
    (
        "SELECT (COUNT DISTINCT ?p AS ?c) WHERE { ?p a ex:Person }",
        {"error syntax"},
        "SELECT (COUNT(DISTINCT ?p) AS ?c) WHERE { ?p a ex:Person }",
    ),
    (
        "SELECT (COUNT(?p)) WHERE { ?p a ex:Person }",
        {"error syntax"},
        "SELECT (COUNT(?p) AS ?count) WHERE { ?p a ex:Person }",
    ),
    (
        "SELECT ?n WHERE { ?p ex:name ?n } ORDER BY ?n DESC",
        {"error syntax"},
        "SELECT ?n WHERE { ?p ex:name ?n } ORDER BY DESC(?n)",
    ),
    (
        "SELECT ?n WHERE { ?p ex:name ?n ; ex:age ?a } ORDER BY ?a DESC ?n LIMIT 5",
        {"error syntax"},
        "SELECT ?n WHERE { ?p ex:name ?n ; ex:age ?a } ORDER BY ?a DESC(?n) LIMIT 5",
    ),
    (
        "SELECT ?n WHERE { ?p ex:name ?n } LIMIT 5, 10",
        {"error syntax"},
        "SELECT ?n WHERE { ?p ex:name ?n } LIMIT 10 OFFSET 5",
    ),
    ("SELECT TOP 5 ?n WHERE { ?p ex:name ?n }", {"error syntax"}, "SELECT ?n WHERE { ?p ex:name ?n } LIMIT 5"),
    (
        "SELECT ?p WHERE { ?p ex:age ?a . FILTER(?a BETWEEN 5 AND 10) }",
        {"error syntax"},
        "SELECT ?p WHERE { ?p ex:age ?a . FILTER(?a >= 5 && ?a <= 10) }",
    ),
    (
        'SELECT ?p WHERE { ?p ex:name ?n . FILTER(LOWER(?n) = "ann") }',
        {"error syntax"},
        'SELECT ?p WHERE { ?p ex:name ?n . FILTER(LCASE(?n) = "ann") }',
    ),
    ('SELECT ?p WHERE { ?p ex:name ?n . FILTER(TRIM(?n) = "ann") }', {"error syntax"}, None),
    (
        "SELECT ?p WHERE { ?p a ex:Person . OPTIONAL { ?p ex:email ?e } FILTER(?e = NULL) }",
        {"error syntax"},
        "SELECT ?p WHERE { ?p a ex:Person . OPTIONAL { ?p ex:email ?e } FILTER(!BOUND(?e)) }",
    ),
    (
        "SELECT ?p WHERE { ?p a ex:Person . OPTIONAL { ?p ex:email ?e } FILTER(?e IS NULL) }",
        {"error syntax"},
        "SELECT ?p WHERE { ?p a ex:Person . OPTIONAL { ?p ex:email ?e } FILTER(!BOUND(?e)) }",
    ),
    (
        "SELECT ?p WHERE { ?p a ex:Person . OPTIONAL { ?p ex:email ?e } FILTER(NOT BOUND(?e)) }",
        {"error syntax"},
        "SELECT ?p WHERE { ?p a ex:Person . OPTIONAL { ?p ex:email ?e } FILTER(!BOUND(?e)) }",
    ),
    (
        'SELECT ?p WHERE { ?p ex:name ?n . FILTER ?n = "Ann" }',
        {"error syntax"},
        'SELECT ?p WHERE { ?p ex:name ?n . FILTER (?n = "Ann") }',
    ),
    (
        'SELECT ?p WHERE { ?p ex:name ?n . FILTER(?n == "Ann") }',
        {"error syntax"},
        'SELECT ?p WHERE { ?p ex:name ?n . FILTER(?n = "Ann") }',
    ),
    (
        'SELECT ?p WHERE { ?p ex:name ?n . FILTER(?n LIKE "Ann%") }',
        {"error syntax"},
        'SELECT ?p WHERE { ?p ex:name ?n . FILTER(STRSTARTS(?n, "Ann")) }',
    ),
    (
        'SELECT ?p WHERE { ?p ex:name ?n . FILTER(?n = "Ann" OR ?n = "B") }',
        {"error syntax"},
        'SELECT ?p WHERE { ?p ex:name ?n . FILTER(?n = "Ann" || ?n = "B") }',
    ),
    ("SELECT ?p WHERE { ?p ex:name ?n", {"error syntax"}, "SELECT ?p WHERE { ?p ex:name ?n }"),
    ("SELECT ?p WHERE { ?p ex:name ?n }}", {"error syntax"}, "SELECT ?p WHERE { ?p ex:name ?n }"),
    ("SELECT ?p WHERE ?p ex:name ?n", {"error syntax"}, "SELECT ?p WHERE { ?p ex:name ?n }"),
    (
        "SELECT ?p WHERE { ?p ex:name ?n ?p ex:age ?a }",
        {"error syntax"},
        "SELECT ?p WHERE { ?p ex:name ?n . ?p ex:age ?a }",
    ),
    ("SELECT ?p, ?n WHERE { ?p ex:name ?n }", {"error syntax"}, "SELECT ?p ?n WHERE { ?p ex:name ?n }"),
    ("SELECT ?p WHERE { ?p ex:name 'O'Neil' }", {"error syntax"}, 'SELECT ?p WHERE { ?p ex:name "O\'Neil" }'),
    (
        "SELECT ?y WHERE { ?p ex:age ?a . LET (?y := ?a + 1) }",
        {"error syntax"},
        "SELECT ?y WHERE { ?p ex:age ?a . BIND(?a + 1 AS ?y) }",
    ),
    (
        "SELECT ?n WHERE { ?p ex:knows ?q OPTION (TRANSITIVE) . ?q ex:name ?n }",
        {"error dialect_unsupported"},
        "SELECT ?n WHERE { ?p ex:knows ?q . ?q ex:name ?n }",
    ),
    (
        "SELECT ?n WHERE { ?p ex:name ?n . ?n bif:contains \"'Ann'\" }",
        {"error dialect_unsupported"},
        'SELECT ?n WHERE { ?p ex:name ?n . FILTER(CONTAINS(LCASE(STR(?n)), "ann")) }',
    ),
    ('INSERT DATA { ex:a ex:name "x" }', {"error write"}, None),
    ("DELETE WHERE { ?p ex:name ?n }", {"error write"}, None),
    ("DROP GRAPH <http://example.org/g>", {"error write"}, None),
    ("LOAD <http://example.org/data.ttl>", {"error write"}, None),
    ("SELECT ?n WHERE { ?p ex:name ?n } ; DELETE WHERE { ?p ex:name ?n }", {"error write"}, None),
    (
        "SELECT ?n WHERE { ?p ex:name ?n } SELECT ?m WHERE { ?p ex:name ?m }",
        {"error multiple_statements"},
        "SELECT ?n WHERE { ?p ex:name ?n }",
    ),
    ("SELECT ?n FROM <http://example.org/g> WHERE { ?p ex:name ?n }", {"warning external_io"}, None),
    ("SELECT ?n WHERE { SERVICE <http://example.org/sparql> { ?p ex:name ?n } }", {"error external_io"}, None),
    ('SELECT ?n WHERE { ?p ex:name ?n . FILTER(?n != "DELETE") } # INSERT later', set(), None),
    ("SELECT ?n WHERE { ?p ex:name ?n . FILTER(ex:soundsLike(?n)) }", {"error unknown_function"}, None),
    (
        'SELECT ?n WHERE { ?p ex:name ?n . FILTER(<http://www.w3.org/2005/xpath-functions#lower-case>(?n) = "a") }',
        {"warning dialect_unsupported"},
        None,
    ),
    ("CONSTRUCT { ?p ex:name ?n } WHERE { ?p ex:name ?n }", set(), None),
    ("DESCRIBE ex:Ann", set(), None),
]


@pytest.mark.parametrize(("query", "expected", "fixed"), CASES)
def test_syntax(query: str, expected: set[str], fixed: str | None) -> None:
    assert said(query) == expected
    assert mended(query) == fixed


@pytest.mark.parametrize("fixed", [fixed for _, _, fixed in CASES if fixed is not None])
def test_a_mended_query_has_no_error(fixed: str) -> None:
    assert not [one for one in said(fixed) if one.startswith("error")]


def test_a_name_in_another_case_with_no_bracket_behind_it() -> None:
    # the place of the name was sought at a bracket that is not there
    query = "SELECT ?p WHERE { ?p ex:age ?a . FILTER(xsd:Integer\n?a) > 3) }"
    found = [one for one in judge(query).diagnostics if one.code == "UQ152"]
    assert [one.span and (one.span.start, one.span.end) for one in found] == [
        (len(PROLOGUE) + query.index("xsd:"), len(PROLOGUE) + query.index("\n"))
    ]
    assert mended("SELECT ?p WHERE { ?p ex:age ?a . FILTER(xsd:Integer  (?a) > 3) }") == (
        "SELECT ?p WHERE { ?p ex:age ?a . FILTER(xsd:integer  (?a) > 3) }"
    )
