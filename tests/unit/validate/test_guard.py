"""The gate as one function, without a framework."""

from __future__ import annotations

import pytest

from tests.unit.validate.library import SCHEMA
from uniqgen_ir.ir.diagnostics import DiagnosticError
from uniqgen_ir.validate.adapters.guard import Guard, RefusedQueryError
from uniqgen_ir.validate.policy import Policy

RIGHT = "MATCH (a:Author)-[:WROTE]->(b:Book) RETURN a.name"
TURNED = "MATCH (a:Author)<-[:WROTE]-(b:Book) RETURN a.name"
WRONG = "MATCH (a:Author) RETURN a.nothing_of_the_kind"
WRITING = "MATCH (a:Author) SET a.name = 'x' RETURN a.name"


def test_what_passes_passes_as_it_is() -> None:
    assert Guard(SCHEMA).accept(RIGHT + " // the authors") == RIGHT + " // the authors"


def test_what_is_safe_is_mended() -> None:
    assert Guard(SCHEMA).accept(f"```cypher\n{TURNED}\n```").strip() == RIGHT


def test_the_refusal_says_what_is_wrong() -> None:
    with pytest.raises(RefusedQueryError, match="nothing_of_the_kind") as caught:
        Guard(SCHEMA).accept(WRONG)
    assert [one.kind for one in caught.value.report.diagnostics] == ["unknown_property"]


def test_policy_dialect_and_language() -> None:
    with pytest.raises(RefusedQueryError, match="SET changes the graph"):
        Guard(SCHEMA).accept(WRITING)
    assert Guard(SCHEMA, policy=Policy(read_only=False)).accept(WRITING) == WRITING
    path = "MATCH p = shortestPath((a:Author)-[:KNOWS*..3]->(b:Author)) RETURN length(p)"
    with pytest.raises(RefusedQueryError, match="shortestPath"):
        Guard(SCHEMA, dialect="neptune").accept(path)
    with pytest.raises(RefusedQueryError):
        Guard(language="sparql").accept("SELECT ?x WHERE { ?x <urn:p> }")


def test_a_schema_that_is_none() -> None:
    with pytest.raises(DiagnosticError):
        Guard({"nodes": 3})


def test_the_model_is_asked_again_with_what_was_wrong() -> None:
    said: list[str] = []

    def write(feedback: str) -> str:
        said.append(feedback)
        return RIGHT if feedback else WRONG

    assert Guard(SCHEMA).ask(write) == RIGHT
    assert said[0] == ""
    assert WRONG in said[1]
    assert "has no property" in said[1]


@pytest.mark.parametrize("retries", [0, 1, 3])
def test_the_model_is_asked_so_often_and_not_more(retries: int) -> None:
    said: list[str] = []

    def write(feedback: str) -> str:
        said.append(feedback)
        return WRONG

    with pytest.raises(RefusedQueryError):
        Guard(SCHEMA, retries=retries).ask(write)
    assert len(said) == retries + 1
