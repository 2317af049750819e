"""When two runs of one gold query count as the same."""

from __future__ import annotations

import pytest

from uniqgen_ir.driver import read
from uniqgen_ir.evaluation.translate import compare
from uniqgen_ir.ir.codes import CODES
from uniqgen_ir.ir.protocols import Answers
from uniqgen_ir.ir.terms import IRI, BlankNode, Literal
from uniqgen_ir.ir.vocabulary import XSD_INTEGER

NS = "http://rdf.freebase.com/ns/"
A, B = IRI(f"{NS}m.a"), IRI(f"{NS}m.b")
ONE, ALSO_ONE = Literal.of(1), Literal("01", XSD_INTEGER)
BAG, SET, FIRST = ("SELECT ?x { ?x <urn:p> ?y }", "SELECT DISTINCT ?x { ?x <urn:p> ?y }",
                   "SELECT ?x { { SELECT ?x { ?x <urn:p> ?y } LIMIT 1 } }")  # fmt: skip


def answers(*terms: IRI | Literal | BlankNode | None) -> Answers:
    return Answers(("x",), tuple((one,) for one in terms))


@pytest.mark.parametrize(("text", "sparql", "cypher", "status"), [
    (SET, answers(A, B), answers(B, A), "same"),
    (SET, answers(A, A, B), answers(B, A), "same"),
    (BAG, answers(A, A), answers(A), "different"),
    (BAG, answers(A), answers(B), "different"),
    (BAG, answers(None), answers(A), "different"),
    (BAG, answers(BlankNode("r1")), answers(BlankNode("n7")), "same"),
    (BAG, answers(ONE), answers(ALSO_ONE), "same"),
    (FIRST, answers(A), answers(B), "tied"),
    (FIRST, answers(A), answers(), "different"),
    (BAG, answers(A), None, "failed"),
    (BAG, None, answers(A), "failed"),
])  # fmt: skip
def test_what_counts_as_the_same(text: str, sparql: Answers | None, cypher: Answers | None, status: str) -> None:
    line, errors = compare(read(text, "sparql").table, {"sparql": sparql, "cypher": cypher}, None)
    assert line["status"] == status
    assert line["gold"] is None
    assert [one["code"] for one in errors] == (["UQ672"] if status == "different" else [])
    assert "UQ672" in CODES


@pytest.mark.parametrize(("gold", "right"), [(("m.a", "m.b"), True), (("m.a",), False), ((), False), (None, None)])
def test_gold_answers_are_those_of_sparql(gold: tuple[str, ...] | None, right: bool | None) -> None:
    found: dict[str, Answers | None] = {"sparql": answers(A, B), "cypher": answers(A, B)}
    assert compare(read(SET, "sparql").table, found, gold)[0]["gold"] is right
