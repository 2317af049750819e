"""Questions as people would ask them, on graphs that nothing was tuned for: counts, dates, superlatives, conjunctions.

Each line of `unseen/*.jsonl` has a question and the Cypher that answers it, or none where the graph does not say.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.integration.unseen import northwind
from uniqgen_ir.agents.ask import Asker, AskOptions
from uniqgen_ir.driver import KnowledgeGraph, read, run_table
from uniqgen_ir.ir.values import to_json

SHARED = Path(__file__).parents[3] / "shared" / "data" / "kg"
QUESTIONS = Path(__file__).parent / "unseen"
FLOOR = 0.8


@pytest.fixture(params=["movies", "northwind"])
def case(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[tuple[list[dict[str, Any]], KnowledgeGraph]]:
    name: str = request.param
    source = SHARED / {"movies": "movies.cypher.gz", "northwind": "northwind_csv"}[name]
    if not source.exists():
        pytest.skip(f"{source} is not there: the shared data lies beside the checkout")
    place = northwind.prepare(source, tmp_path) if name == "northwind" else source
    lines = (QUESTIONS / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
    with KnowledgeGraph([str(place)]) as graph:
        yield [json.loads(line) for line in lines], graph


def test_most_are_answered_and_what_the_graph_does_not_say_is_refused(
    case: tuple[list[dict[str, Any]], KnowledgeGraph],
) -> None:
    records, graph = case
    asker = Asker(graph, AskOptions(languages=("sparql",)))
    scores: list[float] = []
    for record in records:
        outcome = asker.ask(record["question"])
        said = {str(asker.name(row[0])) for row in outcome.rows}
        if record["cypher"] is None:
            assert outcome.abstained is not None, record
            continue
        table = read(record["cypher"], "cypher", mapping=graph.mapping).table
        gold = {str(to_json(row[0])) for row in run_table(table, graph, "oxigraph").rows}
        assert gold, record
        assert not said or said & gold, (record, said)  # answered in part or refused, never quite wrong
        scores.append(2 * len(said & gold) / (len(said) + len(gold)))
    assert sum(scores) / len(scores) >= FLOOR
