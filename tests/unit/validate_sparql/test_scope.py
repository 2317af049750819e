"""Scope, groups and OPTIONAL."""

from __future__ import annotations

import pytest

from tests.unit.validate_sparql.sparql_gate import mended, said

CASES: list[tuple[str, set[str], str | None]] = [
    # the query, what is said of it, and the mended query
    ("SELECT ?n ?x WHERE { ?p ex:name ?n }", {"error unbound_projection"}, "SELECT ?n  WHERE { ?p ex:name ?n }"),
    ("SELECT ?name WHERE { ?p ex:name ?nme }", {"error unbound_projection"}, "SELECT ?nme WHERE { ?p ex:name ?nme }"),
    (
        "SELECT ?Name WHERE { ?p ex:name ?name }",
        {"error unbound_projection"},
        "SELECT ?name WHERE { ?p ex:name ?name }",
    ),
    ("SELECT ?n WHERE { ?p ex:name ?n . FILTER(?x > 5) }", {"error undefined_variable"}, None),
    ("SELECT ?n WHERE { ?p ex:name ?n . FILTER(BOUND(?x)) }", {"error undefined_variable"}, None),
    ("SELECT ?n WHERE { ?p ex:name ?n } ORDER BY ?x", {"error undefined_variable"}, None),
    ("SELECT (COUNT(?x) AS ?c) WHERE { ?p ex:name ?n }", {"error undefined_variable"}, None),
    ('SELECT ?n WHERE { ?p ex:name ?n . { ?q ex:age ?a . FILTER(?n = "Ann") } }', {"error unbound_in_scope"}, None),
    (
        'SELECT ?n WHERE { { SELECT ?p WHERE { ?p a ex:Person . FILTER(?n = "x") } } ?p ex:name ?n }',
        {"error unbound_in_scope"},
        None,
    ),
    ("SELECT ?a WHERE { { SELECT ?p WHERE { ?p ex:age ?a } } ?p ex:name ?n }", {"error unbound_projection"}, None),
    (
        'SELECT ?n WHERE { { ?p ex:name ?n } UNION { ?p ex:name ?n . FILTER(?m = "A") } OPTIONAL { ?p ex:email ?m } }',
        {"warning unbound_in_scope"},
        None,
    ),
    ("SELECT ?n WHERE { ?p ex:name ?n . MINUS { ?q ex:age ?a } }", {"warning no_shared_variable"}, None),
    (
        'SELECT ?n WHERE { ?p ex:name ?n . MINUS { ?p ex:age ?a . FILTER(?n = "A") } }',
        {"warning unbound_in_scope"},
        None,
    ),
    ('SELECT ?n WHERE { ?p ex:name ?n . FILTER NOT EXISTS { ?p ex:age ?a . FILTER(?n = "A") } }', set(), None),
    ("SELECT ?n WHERE { ?p ex:name ?n . OPTIONAL { ?p ex:email ?e . FILTER(?e != ?n) } }", set(), None),
    ("SELECT ?n ?z WHERE { ?p ex:name ?n . OPTIONAL { BIND(?n AS ?z) } }", {"warning unbound_in_scope"}, None),
    ("SELECT ?y WHERE { BIND(?n AS ?y) ?p ex:name ?n }", {"warning unbound_in_scope"}, None),
    ("SELECT ?y WHERE { ?p ex:name ?n . BIND(UCASE(?n) AS ?y) }", set(), None),
    ("SELECT ?n WHERE { ?p ex:name ?n . BIND(?x AS ?y) }", {"error undefined_variable"}, None),
    (
        'SELECT ?n ?e WHERE { ?p ex:name ?n . OPTIONAL { ?p ex:email ?e } FILTER(CONTAINS(?e, "@")) }',
        {"warning optional_cancelled"},
        None,
    ),
    (
        'SELECT ?n WHERE { ?p ex:name ?n . OPTIONAL { ?p ex:email ?e } FILTER(!BOUND(?e) || CONTAINS(?e, "@")) }',
        set(),
        None,
    ),
    ('SELECT ?n WHERE { ?p ex:name ?n . OPTIONAL { ?p ex:email ?e } FILTER(COALESCE(?e, "") != "x") }', set(), None),
    ('SELECT ?n WHERE { ?p ex:name ?n . OPTIONAL { ?p ex:email ?e . FILTER(CONTAINS(?e, "@")) } }', set(), None),
    ("SELECT ?g ?n WHERE { GRAPH ?g { ?p ex:name ?n } }", set(), None),
    ("SELECT (COUNT(?p) AS ?c) WHERE { ?p a ex:Person } HAVING (COUNT(?p) > 2) ORDER BY ?c", set(), None),
    ("SELECT ?y (COUNT(?p) AS ?c) WHERE { ?p ex:born ?d } GROUP BY (YEAR(?d) AS ?y)", set(), None),
    ("SELECT ?n (STR(?n) AS ?n) WHERE { ?p ex:name ?n }", {"error alias_in_use"}, None),
    ('SELECT ?n WHERE { ?p ex:name ?n . BIND("x" AS ?n) }', {"error alias_in_use"}, None),
    (
        "SELECT ?p (COUNT(?q) AS ?c) WHERE { ?p ex:knows ?q }",
        {"error group_by"},
        "SELECT ?p (COUNT(?q) AS ?c) WHERE { ?p ex:knows ?q } GROUP BY ?p",
    ),
    (
        "SELECT ?p ?n (COUNT(?q) AS ?c) WHERE { ?p ex:knows ?q ; ex:name ?n } GROUP BY ?p",
        {"error group_by"},
        "SELECT ?p ?n (COUNT(?q) AS ?c) WHERE { ?p ex:knows ?q ; ex:name ?n } GROUP BY ?p ?n",
    ),
    (
        "SELECT ?p WHERE { ?p ex:knows ?q . FILTER(COUNT(?q) > 2) }",
        {"error aggregation"},
        "SELECT ?p WHERE { ?p ex:knows ?q  } GROUP BY ?p HAVING (COUNT(?q) > 2)",
    ),
    ("SELECT * WHERE { ?p ex:knows ?q } GROUP BY ?p", {"error group_by"}, None),
]


@pytest.mark.parametrize(("query", "expected", "fixed"), CASES)
def test_scope(query: str, expected: set[str], fixed: str | None) -> None:
    assert said(query) == expected
    assert mended(query) == fixed


@pytest.mark.parametrize("fixed", [fixed for _, _, fixed in CASES if fixed is not None])
def test_a_mended_query_has_no_error(fixed: str) -> None:
    assert not [one for one in said(fixed) if one.startswith("error")]
