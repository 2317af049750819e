"""SARIF as its schema has it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from tests.unit.validate.library import VOCABULARY
from uniqgen_ir.validate.gate import check
from uniqgen_ir.validate.sarif import sarif

QUERIES = (
    "MATCH (a:Author) RETURN a.name",
    "MATCH (b:book)-[:WROTE]->(a:Author)\nWHERE b.pages > '300' RETURN a.nam",
    "MATCH (a:Author), (b:Book)\nRETURN a, id(b)",
    "```cypher\nMATCH (n) WHERE n.x = null DETACH DELETE n\n```",
    "",
    "MATCH (",
)


def validator() -> jsonschema.Draft202012Validator:
    schema: dict[str, Any] = json.loads(Path(__file__).with_name("sarif_schema.json").read_text(encoding="utf-8"))
    return jsonschema.Draft202012Validator(schema)


@pytest.mark.parametrize("name", ["books.cypher", "queries of ann/für alle.cypher", "<stdin>"])
def test_what_is_written_is_sarif(name: str) -> None:
    written = sarif([(name, check(query, language="cypher", schema=VOCABULARY)) for query in QUERIES], "1.0")
    validator().validate(json.loads(json.dumps(written)))
    results = written["runs"][0]["results"]
    assert len(results) > 5
    assert {one["ruleId"] for one in results} == {one["id"] for one in written["runs"][0]["tool"]["driver"]["rules"]}


def test_the_schema_refuses_what_is_none() -> None:
    written = sarif([("a b.cypher", check(QUERIES[1], language="cypher", schema=VOCABULARY))], "1.0")
    written["runs"][0]["results"][0]["locations"][0]["physicalLocation"]["region"]["startLine"] = 0
    with pytest.raises(jsonschema.ValidationError):
        validator().validate(written)
