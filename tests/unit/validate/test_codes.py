"""Every code of the gate, and its page, by an example."""

from __future__ import annotations

import pytest

from tests.unit.validate.library import judged
from uniqgen_ir.ir.codes import gate
from uniqgen_ir.validate.gate import check

EXAMPLES = {
    "UQ440": "MATCH (a:author) RETURN a.name",
    "UQ441": "MATCH (a:Author)-[:wrote]->(b:Book) RETURN b.title",
    "UQ442": "MATCH (a:Author)-[:WROTE]->(b:Book) RETURN a.title",
    "UQ443": "MATCH (x:Author:Book) RETURN x",
    "UQ444": "MATCH (b:Book) WHERE b.pages > 9 AND b.pages < 8 RETURN b.title",
    "UQ445": "MATCH (b:Book) WHERE b.pages = null RETURN b.title",
    "UQ446": "MATCH (b:Book) WHERE b.pages <> 8 OR b.pages <> 9 RETURN b.title",
    "UQ447": "MATCH (a:Author) OPTIONAL MATCH (a)-[:WROTE]->(b) WITH a, b WHERE b.pages > 9 RETURN a.name, b.title",
    "UQ448": "MATCH (a:Author), (b:Book) RETURN a.name, b.title",
    "UQ449": "MATCH (s:Subject)-[:BROADER]-(t:Subject) RETURN t.name",
    "UQ450": "MATCH (a:Author) WHERE a.name =~ 'x.*' RETURN a.name",
    "UQ451": "MATCH (a:Author) RETURN a.name",
}


@pytest.mark.parametrize("code", EXAMPLES)
def test_examples(code: str) -> None:
    report = judged(EXAMPLES[code], dialect="neptune", parameters=frozenset({"x"}) if code == "UQ451" else None)
    assert {one.code for one in report.diagnostics} == {code}


def test_nothing_is_left_out() -> None:
    # UQ452 needs a specification (test_check_command.py), UQ453 a graph that is counted (test_cypher_costs.py)
    assert {one.code for one in gate.FAMILY} - set(EXAMPLES) == {"UQ452", "UQ453"}


def _movies() -> dict[str, object]:
    return {
        "nodes": {
            "Person": {"name": "STRING", "born": "INTEGER"},
            "Movie": {"title": "STRING", "released": "INTEGER"},
            "Account": {"id": "STRING"},
        },
        "rels": [
            {"type": "ACTED_IN", "from": "Person", "to": "Movie", "props": {}},
            {"type": "DIRECTED", "from": "Person", "to": "Movie", "props": {}},
            {"type": "KNOWS", "from": "Person", "to": "Person", "props": {}},
            {"type": "TRANSFER", "from": "Account", "to": "Account", "props": {}},
        ],
    }


@pytest.mark.parametrize("code", [one for one in gate.FAMILY if one.code < "UQ450"], ids=lambda code: code.code)
def test_the_pages_show_the_fault_and_its_repair(code: gate.Code) -> None:
    schema = _movies()
    assert code.code in {one.code for one in check(code.example, language="cypher", schema=schema).diagnostics}
    assert check(code.instead, language="cypher", schema=schema).diagnostics == ()
