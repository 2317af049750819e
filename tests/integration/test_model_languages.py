"""Questions in German and French: a model reads them, the graph's labels of that language name the answers."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.integration.test_model_ask import Ids, choosing, model, reading, row
from tests.servers.scripted_model import Answer, scripted_model
from uniqgen_ir.cli.main import main
from uniqgen_ir.kg.languages import language_of

GRAPH = """\
@prefix : <http://atlas.example/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:ch rdfs:label "Switzerland"@en, "Schweiz"@de, "Suisse"@fr ; :largestCity :zh .
:it rdfs:label "Italy"@en, "Italien"@de, "Italie"@fr ; :largestCity :ro .
:zh rdfs:label "Zurich"@en, "Zürich"@de ; a :City .
:ro rdfs:label "Rome"@en, "Rom"@de ; a :City .
"""


def largest_city(ids: Ids) -> Answer:
    return reading(row(ids.of("Switzerland", "e"), ids.of("largest City", "r"), "?answer"))


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Welche Stadt ist die größte der Schweiz?", "Zürich"),
        ("Quelle est la plus grande ville de Suisse ?", "Zurich"),  # no French label
        ("What is the largest city of Switzerland?", "Zurich"),
    ],
)
def test_answers_are_called_as_the_question_calls_them(
    question: str, answer: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    graph = tmp_path / "atlas.ttl"
    graph.write_text(GRAPH, encoding="utf-8")
    monkeypatch.setenv("OPENAI_API_KEY", "none")
    with scripted_model(model(largest_city, choosing("Zurich"))) as server:
        monkeypatch.setenv("OPENAI_BASE_URL", server.url)
        options = ["--model", "scripted", "--no-model-cache", "--lang", "sparql", "--format", "json"]
        assert main(["ask", question, "--graph", str(graph), *options]) == 0
    assert json.loads(capsys.readouterr().out)["answers"] == [answer]


@pytest.mark.parametrize(
    ("question", "language"),
    [
        ("Which cities are in France?", "en"),
        ("What is the capital of El Salvador?", "en"),
        ("Welche Medikamente behandeln Gicht?", "de"),
        ("Quel médicament traite la goutte ?", "fr"),
        ("¿Qué ciudades están en España?", "es"),
        ("Quali città sono in Italia?", "it"),
        ("tetany", "en"),
        ("", "en"),
    ],
)
def test_the_language_of_a_question(question: str, language: str) -> None:
    assert language_of(question) == language
