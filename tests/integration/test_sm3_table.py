"""The SPARQL and the Cypher of one question: both are read and run, and each difference has a cause that is shown."""

from __future__ import annotations

import pytest

from tools.sm3_causes import UNEXPLAINED, Pair, cause
from tools.sm3_table import OWN_FAULT, PAGE, SAME, SHEETS, outcomes, page
from uniqgen_ir.grammar.cypher import read_cypher
from uniqgen_ir.grammar.sparql import read_sparql
from uniqgen_ir.ir.graph import Graph
from uniqgen_ir.ir.terms import IRI, Literal
from uniqgen_ir.ir.vocabulary import RDF_TYPE

FACTS = (
    ("a", RDF_TYPE, IRI("urn:s#Patient")),
    ("a", "urn:s#id", Literal("1")),
    ("a", "urn:s#first", Literal("Ann")),
    ("b", RDF_TYPE, IRI("urn:s#Payer")),
    ("b", "urn:s#id", Literal("2")),
)
CYPHER = "MATCH (p:Patient) RETURN p.first"


@pytest.mark.parametrize(
    ("where", "cypher", "expected"),
    [
        ("?p a s:Patient; s:id ?x.", CYPHER, "returns a variable that no row binds"),
        ("?p a s:Patient; s:first ?first; s:id ?id. ?q s:id ?ID.", CYPHER, "differ in the case of a letter"),
        ("?p a s:Patient; s:first ?first. ?q a s:Payer.", CYPHER, "two parts that share no variable"),
        ("?p a s:Doctor; s:first ?first.", CYPHER, "a class that no line belongs to"),
        ("?p a s:Payer; s:first ?first.", CYPHER, "a predicate that no line of the class has"),
        ("?p a s:Patient; s:id '7'; s:first ?first.", CYPHER, "a value, or a datatype of it, that no line has"),
        ("?p a s:Patient; s:first ?first; s:id ?i. ?q a s:Payer; s:id ?i.", CYPHER, "no value in common"),
        ("?p a s:Patient; s:first ?first.", "MATCH (p:Patient) RETURN p.frist", "the Cypher asks for a property"),
        ("?p a s:Patient; s:first ?first.", CYPHER, UNEXPLAINED),
    ],
)
def test_a_difference_has_its_cause(where: str, cypher: str, expected: str) -> None:
    graph = Graph((IRI(f"urn:n:{one}"), IRI(predicate), object_) for one, predicate, object_ in FACTS)
    sparql = read_sparql(f"PREFIX s: <urn:s#> SELECT ?first WHERE {{ {where} }}").table
    table = read_cypher(cypher).table
    assert sparql is not None
    assert table is not None
    words, evidence = cause(Pair(sparql, table, graph, lambda _, name: int(name in ("first", "id"))))
    assert expected in words
    assert bool(evidence) == (expected != UNEXPLAINED)


@pytest.mark.slow
@pytest.mark.skipif(not SHEETS.is_dir(), reason="../shared/data is not there")
def test_all_questions_and_the_page_of_them() -> None:
    found = outcomes()
    assert [one.id for one in found if one.kind == OWN_FAULT or one.kind.startswith("not run")] == []
    assert [one.id for one in found if one.kind not in SAME and one.cause in ("", UNEXPLAINED)] == []
    assert PAGE.read_text(encoding="utf-8") == page(found)
