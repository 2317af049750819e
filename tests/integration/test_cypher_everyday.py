"""Shapes of Cypher that everybody writes, on a graph that everybody knows: the same answers on every engine."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from uniqgen_ir.driver import KnowledgeGraph, read, run_table

SCRIPT = """
CREATE (a:Person {name: "Ann", born: 1950}), (b:Person {name: "Bo"}), (c:Person {name: "Cy", born: 1980}),
  (m:Movie {title: "The Matrix", released: 1999}), (n:Movie {title: "Matrix Again", released: 2003}),
  (o:Movie {released: 2010}),
  (a)-[:DIRECTED]->(m), (a)-[:DIRECTED]->(n), (c)-[:DIRECTED]->(o), (b)-[:ACTED_IN]->(m)
"""
DIRECTORS = "MATCH (p:Person) OPTIONAL MATCH (p)-[:DIRECTED]->(m:Movie)"
CASES = {
    f"{DIRECTORS} RETURN p.name, m.title": [
        ("Ann", "Matrix Again"),
        ("Ann", "The Matrix"),
        ("Bo", None),
        ("Cy", None),
    ],
    f"{DIRECTORS} WHERE m.released > 2000 RETURN p.name, m.title, m.released": [
        ("Ann", "Matrix Again", 2003),
        ("Bo", None, None),
        ("Cy", None, 2010),
    ],
    f"{DIRECTORS} WITH p, m WHERE m.title IS NULL RETURN p.name, m.released": [
        ("Bo", None),
        ("Cy", 2010),
    ],
    f"{DIRECTORS} RETURN p.name, count(m.title)": [
        ("Ann", 2),
        ("Bo", 0),
        ("Cy", 0),
    ],
    "MATCH (m:Movie) WHERE m.title =~ '(?i).*matrix' RETURN m.title": [("The Matrix",)],
    "MATCH (m:Movie) WHERE m.title =~ '.*matrix' RETURN m.title": [],
}


@pytest.fixture(scope="module")
def graph(tmp_path_factory: pytest.TempPathFactory) -> Iterator[KnowledgeGraph]:
    path = Path(tmp_path_factory.mktemp("films")) / "films.cypher"
    path.write_text(SCRIPT)
    with KnowledgeGraph([str(path)]) as opened:
        yield opened


@pytest.mark.parametrize("engine", ["reference", "oxigraph", "kglite", "ladybug"])
@pytest.mark.parametrize("query", CASES)
def test_every_engine_gives_the_answers(graph: KnowledgeGraph, engine: str, query: str) -> None:
    answers = run_table(read(query, "cypher").table, graph, engine)
    assert sorted(map(str, (tuple(map(_plain, row)) for row in answers.rows))) == sorted(map(str, CASES[query]))


def _plain(term: object) -> object:
    lexical = getattr(term, "lexical", None)
    return int(lexical) if isinstance(lexical, str) and lexical.isdigit() else lexical
