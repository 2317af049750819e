"""Conditions, UNION, products and paths."""

from __future__ import annotations

import pytest

from tests.unit.validate_sparql.sparql_gate import mended, said

CASES: list[tuple[str, set[str], str | None]] = [
    # the query, what is said of it, and the mended query
    ("SELECT ?p WHERE { ?p ex:age ?a . FILTER(?a > 30 && ?a < 20) }", {"error unsatisfiable"}, None),
    ("SELECT ?p WHERE { ?p ex:age ?a . FILTER(?a > 30) FILTER(?a < 20) }", {"error unsatisfiable"}, None),
    ("SELECT ?p WHERE { ?p ex:age ?a . FILTER(?a > 20) FILTER(?a < 30) }", set(), None),
    ('SELECT ?p WHERE { ?p ex:name ?n . FILTER(?n = "A" && ?n = "B") }', {"error unsatisfiable"}, None),
    (
        "SELECT ?p WHERE { ?p ex:name ?n . OPTIONAL { ?p ex:age ?a . FILTER(?a > 30 && ?a < 20) } }",
        {"warning unsatisfiable"},
        None,
    ),
    ('SELECT ?p WHERE { ?p ex:name ?n . FILTER(?n != "A" || ?n != "B") }', {"warning tautology"}, None),
    ('SELECT ?p WHERE { ?p ex:name ?n . FILTER(?n != "A" && ?n != "B") }', set(), None),
    ("SELECT ?p WHERE { ?p ex:name ?n . FILTER(?n = ?n) }", {"warning tautology"}, None),
    ("SELECT ?p WHERE { ?p ex:name ?n . FILTER(1 = 1) }", {"warning tautology"}, None),
    ("SELECT ?p WHERE { ?p ex:name ?n . FILTER(false) }", {"error unsatisfiable"}, None),
    ("SELECT ?p WHERE { { ?p a ex:Person } UNION { ?c a ex:Company } }", {"warning union_columns"}, None),
    ("SELECT ?p ?c WHERE { { ?p a ex:Person } UNION { ?c a ex:Company } }", set(), None),
    ("SELECT (COUNT(*) AS ?n) WHERE { { ?p a ex:Person } UNION { ?c a ex:Company } }", set(), None),
    ("SELECT ?p ?c WHERE { ?p a ex:Person . ?c a ex:Company }", {"warning cartesian_product"}, None),
    ('SELECT ?p WHERE { ?p a ex:Person . ?c ex:name "ACME" }', {"warning cartesian_product"}, None),
    ("SELECT ?p ?q WHERE { ?p a ex:Person . ?q a ex:Person . FILTER(?p != ?q) }", set(), None),
    ("SELECT ?a ?b WHERE { ex:Ann ex:age ?a . ex:Bob ex:age ?b }", set(), None),
    ("SELECT ?p ?m WHERE { ?p a ex:Person . { SELECT (AVG(?a) AS ?m) WHERE { ?q ex:age ?a } } }", set(), None),
    ("ASK { ?p a ex:Person . ?c a ex:Company }", set(), None),
    ("SELECT ?a ?b WHERE { ?a ex:knows+ ?b }", {"warning unbounded_path"}, None),
    ('SELECT ?b WHERE { ?a ex:name "Ann" ; ex:knows+ ?b }', set(), None),
    ("SELECT ?b WHERE { ex:Ann ex:knows* ?b }", set(), None),
    ("SELECT ?a ?b WHERE { ?a (ex:knows|^ex:knows) ?b }", {"warning undirected_self_relation"}, None),
    ('SELECT ?b WHERE { ?a ex:name "Ann" . ?a (ex:knows|!ex:knows)* ?b }', {"warning unbounded_path"}, None),
    ("SELECT ?p WHERE { ?p a ex:Person } LIMIT 0", {"warning unsatisfiable"}, None),
]


@pytest.mark.parametrize(("query", "expected", "fixed"), CASES)
def test_conditions(query: str, expected: set[str], fixed: str | None) -> None:
    assert said(query) == expected
    assert mended(query) == fixed
