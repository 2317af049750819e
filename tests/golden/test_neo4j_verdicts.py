"""What Neo4j's own parser and analyser say of rendered queries, as recorded by `python -m tools.neo4j_verdicts`."""

from __future__ import annotations

import json

from tests.golden.neo4j_texts import VERDICTS, queries
from tools.neo4j_verdicts import key_of


def test_neo4j_accepts_what_is_rendered_for_it() -> None:
    verdicts = json.loads(VERDICTS.read_text(encoding="utf-8"))
    found = {key_of(query): query.text for query in queries()}
    assert len(found) >= 40
    unknown = [text for key, text in found.items() if key not in verdicts]
    assert unknown == [], "the text changed: record the verdicts again"
    assert {text: verdicts[key] for key, text in found.items() if verdicts[key]} == {}


def test_every_verdict_is_of_a_query() -> None:
    assert set(json.loads(VERDICTS.read_text(encoding="utf-8"))) == {key_of(one) for one in queries()}
