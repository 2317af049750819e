"""Questions as people would ask them, on graphs that nothing was tuned for: counts, dates, superlatives, negations.

Each line of `unseen/*.jsonl` has a question and the query that answers it, or none where the graph does not say. Faults
were mended with movies, Northwind and the university in view; the railway and the recipes were only measured.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

import pytest

from tests.integration.unseen import northwind
from uniqgen_ir.agents.ask import Asker, AskOptions
from uniqgen_ir.driver import KnowledgeGraph, read, run_table

SHARED = Path(__file__).parents[3] / "shared" / "data" / "kg"
QUESTIONS = Path(__file__).parent / "unseen"
FLOOR = 0.8
MADE_UP: Final[Mapping[str, str]] = {"university": "university.nt", "railway": "railway.nt", "recipes": "recipes.tsv"}
"""Name → the file of a graph that was made up for this test."""
GRAPHS = [
    "movies",
    "northwind",
    "university",
    pytest.param("railway", marks=pytest.mark.slow),
    pytest.param("recipes", marks=pytest.mark.slow),
]


def _place(name: str, folder: Path) -> Path:
    if name in MADE_UP:
        return QUESTIONS / MADE_UP[name]
    source = SHARED / {"movies": "movies.cypher.gz", "northwind": "northwind_csv"}[name]
    if not source.exists():
        pytest.skip(f"{source} is not there: the shared data lies beside the checkout")
    return northwind.prepare(source, folder) if name == "northwind" else source


@pytest.fixture(params=GRAPHS)
def case(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[tuple[list[dict[str, Any]], KnowledgeGraph]]:
    name: str = request.param
    lines = (QUESTIONS / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
    with KnowledgeGraph([str(_place(name, tmp_path))]) as graph:
        yield [json.loads(line) for line in lines], graph


def _shown(value: object) -> str:
    """A name or figure, however it is written: with underscores, with more decimals."""
    try:
        return f"{float(str(value)):.4g}"
    except ValueError:
        return str(value).replace("_", " ")


def test_most_are_answered_and_what_the_graph_does_not_say_is_refused(
    case: tuple[list[dict[str, Any]], KnowledgeGraph],
) -> None:
    records, graph = case
    asker = Asker(graph, AskOptions(languages=("sparql",)))
    scores: list[float] = []
    for record in records:
        outcome = asker.ask(record["question"])
        said = {_shown(asker.name(row[0])) for row in outcome.rows}
        language = "cypher" if "cypher" in record else "sparql"
        if record[language] is None:
            assert outcome.abstained is not None, record
            continue
        table = read(record[language], language, mapping=graph.mapping).table
        gold = {_shown(asker.name(row[0])) for row in run_table(table, graph, "oxigraph").rows}
        assert gold, record
        assert not said or said & gold, (record, said)  # answered in part or refused, never quite wrong
        scores.append(2 * len(said & gold) / (len(said) + len(gold)))
    assert sum(scores) / len(scores) >= FLOOR
