"""Questions about property graphs: nodes are named by their names, and both languages can say it."""

from __future__ import annotations

from pathlib import Path

import pytest

from uniqgen_ir.agents.ask import Asker, AskOptions
from uniqgen_ir.agents.by_name import nodes_by_name
from uniqgen_ir.driver import KnowledgeGraph
from uniqgen_ir.grammar.ctable import parse_table
from uniqgen_ir.ir.terms import IRI, Literal

SCRIPT = """
CREATE (hanks:Person {name: "Tom Hanks"}), (reeves:Person {name: "Keanu Reeves"}), (other:Person {name: "Sam Smith"}),
  (same:Person {name: "Sam Smith"}), (away:Movie {title: "Cast Away"}), (matrix:Movie {title: "The Matrix"}),
  (hanks)-[:ACTED_IN]->(away), (reeves)-[:ACTED_IN]->(matrix), (other)-[:ACTED_IN]->(matrix)
"""


@pytest.fixture
def graph(tmp_path: Path) -> KnowledgeGraph:
    (tmp_path / "films.cypher").write_text(SCRIPT)
    return KnowledgeGraph([str(tmp_path / "films.cypher")])


def test_both_languages_answer_a_question_about_a_property_graph(graph: KnowledgeGraph) -> None:
    with graph:
        asker = Asker(graph, AskOptions())
        outcome = asker.ask("Which movies did Tom Hanks act in?")
        assert [asker.name(row[0]) for row in outcome.rows] == ["Cast Away"]
        assert outcome.engines_agree
        assert set(outcome.answers) == {"cypher", "sparql"}
        assert "'Tom Hanks'" in outcome.queries["cypher"]
        assert "urn:pg:node" not in outcome.queries["sparql"]


def test_a_name_that_two_nodes_share_names_neither(graph: KnowledgeGraph) -> None:
    with graph:
        for name, replaced in (("Tom Hanks", True), ("Sam Smith", False)):
            called = graph.loaded.graph.match(None, IRI("urn:pg:property:name"), Literal(name))
            node = next(subject for subject, _, _ in called if isinstance(subject, IRI))
            table = parse_table(f"ctable t {{ select ?m\n<{node.value}> <urn:pg:type:ACTED_IN> ?m }}")
            assert (nodes_by_name(table, lambda: graph.loaded) != table) is replaced
