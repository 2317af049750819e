"""Classes, predicates and directions against the schema."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.unit.validate_sparql.sparql_gate import mended, said
from uniqgen_ir.validate.gate import check

CASES: list[tuple[str, set[str], str | None]] = [
    # the query, what is said of it, and the mended query
    (
        "SELECT ?n WHERE { ?p a ex:Person ; ex:nmae ?n }",
        {"error unknown_predicate"},
        "SELECT ?n WHERE { ?p a ex:Person ; ex:name ?n }",
    ),
    (
        "SELECT ?n WHERE { ?p a ex:Persn ; ex:name ?n }",
        {"error unknown_class"},
        "SELECT ?n WHERE { ?p a ex:Person ; ex:name ?n }",
    ),
    (
        "SELECT ?n WHERE { ?p a ex:person ; ex:name ?n }",
        {"error unknown_class"},
        "SELECT ?n WHERE { ?p a ex:Person ; ex:name ?n }",
    ),
    (
        "SELECT ?n WHERE { ?p a ex:Person ; foaf:name ?n }",
        {"error missing_prefix"},
        "PREFIX foaf: <http://xmlns.com/foaf/0.1/>\nPREFIX ex: <http://example.org/ns#>\nPREFIX xsd: <http://www.w3.org/2001/XMLSchema#>\n"
        "PREFIX rdfs: <http://www.w3.org/2000/01/rdf-schema#>\n"
        "SELECT ?n WHERE { ?p a ex:Person ; ex:name ?n }",
    ),
    (
        "SELECT ?n WHERE { ?p a ex:Person ; <http://schema.org/name> ?n }",
        {"error unknown_predicate"},
        "SELECT ?n WHERE { ?p a ex:Person ; ex:name ?n }",
    ),
    ("SELECT ?n WHERE { ?p a ex:Vehicle ; ex:name ?n }", {"error unknown_class"}, None),
    (
        "SELECT ?n WHERE { ?c a ex:Company ; ex:worksFor ?p . ?p ex:name ?n }",
        {"error wrong_direction"},
        "SELECT ?n WHERE { ?c a ex:Company ; ^ex:worksFor ?p . ?p ex:name ?n }",
    ),
    (
        "SELECT ?n WHERE { ?c ex:worksFor ?p . ?c a ex:Company . ?p ex:name ?n }",
        {"error wrong_direction"},
        "SELECT ?n WHERE { ?p ex:worksFor ?c . ?c a ex:Company . ?p ex:name ?n }",
    ),
    (
        "SELECT ?n WHERE { ?c a ex:Company . ?c ex:worksFor ?p ; ex:name ?n . }",
        {"error wrong_direction"},
        "SELECT ?n WHERE { ?c a ex:Company . ?c ^ex:worksFor ?p ; ex:name ?n . }",
    ),
    ("SELECT ?n WHERE { ?c a ex:Company ; ^ex:worksFor ?p . ?p ex:name ?n }", set(), None),
    (
        "SELECT ?n WHERE { ?p a ex:Person ; ^ex:worksFor ?c . ?c a ex:Company ; ex:name ?n }",
        {"error wrong_direction"},
        "SELECT ?n WHERE { ?p a ex:Person ; ex:worksFor ?c . ?c a ex:Company ; ex:name ?n }",
    ),
    ("SELECT ?a WHERE { ?c a ex:Company ; ex:age ?a }", {"error unknown_predicate"}, None),
    ("SELECT ?a WHERE { ?p a ex:Person ; ex:worksFor ?c . ?c ex:age ?a }", {"error unknown_predicate"}, None),
    ("SELECT ?a WHERE { ?p a ex:Person ; ex:worksFor/ex:age ?a }", {"error unknown_predicate"}, None),
    ("SELECT ?a WHERE { ?p a ex:Person ; ex:worksFor/ex:founded ?a }", set(), None),
    ("SELECT ?p WHERE { ?p a ex:Person ; ex:worksFor ?q . ?q a ex:Person }", {"error endpoint_mismatch"}, None),
    (
        "SELECT ?n WHERE { ?c a ex:Company ; ex:worksFor/ex:name ?n }",
        {"error wrong_direction"},
        "SELECT ?n WHERE { ?c a ex:Company ; ^ex:worksFor/ex:name ?n }",
    ),
    ("SELECT ?p WHERE { ?p ex:Person ?n }", {"error unknown_predicate"}, None),
    ("SELECT ?p WHERE { ?p a ex:name }", {"error unknown_class"}, None),
    (
        "SELECT ?n WHERE { ?p ex:name ?n . FILTER NOT EXISTS { ?p ex:wrksFor ?c } }",
        {"error unknown_predicate"},
        "SELECT ?n WHERE { ?p ex:name ?n . FILTER NOT EXISTS { ?p ex:worksFor ?c } }",
    ),
    (
        "SELECT ?n WHERE { ?p ex:name ?n . OPTIONAL { ?p ex:emial ?e } }",
        {"error unknown_predicate"},
        "SELECT ?n WHERE { ?p ex:name ?n . OPTIONAL { ?p ex:email ?e } }",
    ),
    ("SELECT ?n WHERE { ?p exx:name ?n }", {"error missing_prefix"}, "SELECT ?n WHERE { ?p ex:name ?n }"),
    (
        "SELECT ?p WHERE { ?p a <ex:Person> }",
        {"error prefixed_name_in_angle_brackets"},
        "SELECT ?p WHERE { ?p a ex:Person }",
    ),
    ("SELECT ?n WHERE { ?p a ex:Person, ex:Company ; ex:name ?n }", {"warning unsatisfiable"}, None),
    ("SELECT ?p WHERE { ?p ?any ?o . FILTER(?any = ex:name) }", set(), None),
    ("SELECT ?c WHERE { ?c rdfs:subClassOf ex:Person }", set(), None),
]


@pytest.mark.parametrize(("query", "expected", "fixed"), CASES)
def test_schema(query: str, expected: set[str], fixed: str | None) -> None:
    assert said(query) == expected
    assert mended(query) == fixed


@pytest.mark.parametrize("fixed", [fixed for _, _, fixed in CASES if fixed is not None])
def test_a_mended_query_has_no_error(fixed: str) -> None:
    assert not [one for one in said(fixed) if one.startswith("error")]


def test_names_outside_an_open_schema_are_warned_of(tmp_path: Path) -> None:
    ontology = tmp_path / "library.ttl"
    ontology.write_text(
        "@prefix ex: <http://example.org/> . @prefix owl: <http://www.w3.org/2002/07/owl#> .\n"
        "@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .\n"
        "ex:Author a owl:Class . ex:wrote a owl:ObjectProperty ; rdfs:domain ex:Author .\n"
    )
    prologue = "PREFIX dc: <http://purl.org/dc/terms/> PREFIX skos: <http://www.w3.org/2004/02/skos/core#> "
    query = (
        prologue + "SELECT ?n { ?a dc:wrote ?n ; a dc:Autor ; skos:prefLabel ?l ; <http://xmlns.com/foaf/0.1/made> ?k }"
    )
    report = check(query, language="sparql", schema=ontology)
    assert report.valid
    assert [(one.kind, one.severity.value, one.hint and one.hint[-12:]) for one in report.diagnostics] == [
        ("unknown_predicate", "warning", "an ex:wrote?"),
        ("unknown_class", "warning", "n ex:Author?"),
        ("unknown_predicate", "warning", None),
    ]
