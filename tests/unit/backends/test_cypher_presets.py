"""How presets name things, what they refuse, and what renderers report about their guesses."""

from __future__ import annotations

import pytest

from uniqgen_ir.backends.base import RenderedQuery
from uniqgen_ir.backends.registry import renderer
from uniqgen_ir.driver import KnowledgeGraph, compile_table
from uniqgen_ir.grammar.ctable import parse_table
from uniqgen_ir.ir.diagnostics import DiagnosticError, Severity
from uniqgen_ir.ir.graph import Graph
from uniqgen_ir.ir.mapping import Mapping, PropertyMapping
from uniqgen_ir.ir.terms import IRI, Literal
from uniqgen_ir.kg.profile import profile

HEADER = """
prefix e: <http://e.org/>
prefix f: <http://f.org/v#>
prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#>
prefix xsd: <http://www.w3.org/2001/XMLSchema#>
ctable t {
"""
CITY = "select ?a ?n\n ?a a e:city\n ?a rdfs:label ?n\n ?a f:near.to e:b\n ?a e:size 3\n"


def rendered(rows: str, mapping: Mapping | None = None) -> RenderedQuery:
    return renderer("neo4j", mapping=mapping).render(parse_table(f"{HEADER}{rows}}}\n"))


def refused(rows: str, mapping: Mapping | None = None) -> str:
    with pytest.raises(DiagnosticError) as caught:
        rendered(rows, mapping)
    return str(caught.value)


@pytest.mark.parametrize(
    ("preset", "pattern", "returned"),
    [
        ("plain", "(a:City {size: $p0})-[:`NEAR.TO`]->({id: $p1})", "a.id AS a, a.name AS n"),
        ("freebase", "(a:city {size: $p0})-[:`near.to`]->({id: $p1})", "a.id AS a, a.name AS n"),
        (
            "n10s",
            "(a:Resource:ns0__city {ns0__size: $p0})-[:`ns1__near.to`]->(:Resource {uri: $p1})",
            "a.uri AS a, a.rdfs__label AS n",
        ),
        ("neptune", "(a:city {size: $p0})-[:`near.to`]->({`~id`: $p1})", "a.`~id` AS a, a.name AS n"),
        ("ladybug", "(a:city {size: $p0})-[:near_dot_to]->({id: $p1})", "a.id AS a, a.name AS n"),
    ],
)
def test_a_preset_names_what_the_mapping_does_not(preset: str, pattern: str, returned: str) -> None:
    text = rendered(CITY, Mapping("m", preset=preset)).text
    assert f"MATCH {pattern}\n" in text
    assert f"RETURN {returned}\n" in text


def test_n10s_learns_prefixes_from_the_entries_of_the_mapping() -> None:
    entry = PropertyMapping(IRI("http://e.org/other"), "ns7__other")
    text = rendered(CITY, Mapping("m", preset="n10s", properties=(entry,))).text
    assert "ns7__city" in text
    assert "ns0__near.to" in text


def test_an_unknown_preset_is_refused_with_the_nearest() -> None:
    with pytest.raises(DiagnosticError) as caught:
        rendered(CITY, Mapping("m", preset="neptun"))
    (found,) = caught.value.diagnostics
    assert found.code == "UQ307"
    assert found.hint == "did you mean neptune?"


def test_two_predicates_with_one_name_are_reported() -> None:
    query = rendered('select ?a\n ?a rdfs:label "x"\n ?a e:name "y"\n')
    (found,) = query.diagnostics
    assert found.code == "UQ507"
    assert found.severity is Severity.WARNING
    assert "rdf-schema#label" in found.message
    assert "http://e.org/name" in found.message
    mapping = Mapping("m", properties=(PropertyMapping(IRI("http://e.org/name"), "full_name"),))
    assert not rendered('select ?a\n ?a rdfs:label "x"\n ?a e:name "y"\n', mapping).diagnostics


def test_a_graph_tells_edges_from_properties() -> None:
    graph = Graph([(IRI("http://e.org/a"), IRI("http://e.org/size"), Literal.of(3))])
    table = parse_table(f"{HEADER}select ?a ?x\n ?a e:size ?x\n}}\n")
    guessed = renderer("neo4j").render(table)
    known = renderer("neo4j", profiles=profile(graph)).render(table)
    assert "[:SIZE]" in guessed.text
    assert len(guessed.assumptions) == 1
    assert "a.size AS x" in known.text
    assert not known.assumptions


@pytest.mark.parametrize(
    ("rows", "written", "assumed"),
    [
        (
            'select ?x\n e:a e:p ?x\n not is_literal(?x) or lang(?x) = "" or lang_matches(lang(?x), "en")\n',
            "MATCH ({id: $p0})-[:P]->(x)\nRETURN",
            ["edge"],
        ),
        ('select ?x\n ?x e:n ?n\n lang(?n) = "en"\n', "WHERE x.n IS NOT NULL\n", ["property", "a text in 'en'"]),
        (
            'select ?x\n ?x e:d ?d\n ?d < "1962-11-06"^^xsd:dateTime\n',
            "x.d < localdatetime($p0)",
            ["property", "1962-11-06T00:00:00"],
        ),
        (
            'select ?x\n ?x e:d ?d\n datetime(?d) > datetime("2001-02-03T00:00:00")\n',
            "localdatetime(toString(x.d))",
            None,
        ),
    ],
)
def test_what_the_mapping_settles_is_folded_and_noted(rows: str, written: str, assumed: list[str] | None) -> None:
    query = rendered(rows)
    assert written in query.text
    if assumed is not None:
        assert [one.as_ for one in query.assumptions] == assumed


@pytest.mark.parametrize(
    ("rows", "says"),
    [
        ("select lang(?n) as ?l\n ?x e:n ?n\n", "holds no language tag"),
        ('select ?x\n ?x e:n ?n\n replace(?n, "a", "b") = "c"\n', "the function replace has no counterpart"),
        ("select ?x ?y\n ?x ?p ?y\n", "UQ509"),
        ("select ?y\n ?x !(e:p) ?y\n", "UQ500"),
        ("select ?y\n ?x (e:p / e:q){1,3} ?y\n", "counts pairs once"),
    ],
)
def test_what_cannot_be_said_is_refused_by_name(rows: str, says: str) -> None:
    assert says in refused(rows)


def test_compiling_for_a_graph_uses_what_it_shows() -> None:
    """Over the bundled graph nothing has to be guessed, so that `strict` has nothing against it."""
    text = (
        "prefix ol: <http://almanac.example/olympics/>\n"
        "ctable t {\n select ?g ?c ?y\n ?g ol:hostCity ?c\n ?g ol:year ?y\n}\n"
    )
    with KnowledgeGraph(["almanac"]) as graph:
        query = compile_table(parse_table(text), "cypher", graph, strict=True)
    assert "-[:" in query.text
    with pytest.raises(DiagnosticError):
        compile_table(parse_table(text), "cypher", strict=True)
