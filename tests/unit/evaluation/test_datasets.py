"""The published forms of the data sets, on records that are written here."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from uniqgen_ir.evaluation.datasets import GoldQuestion, read_dataset
from uniqgen_ir.ir.diagnostics import DiagnosticError

QUERY = "PREFIX ns: <http://rdf.freebase.com/ns/>\nSELECT DISTINCT ?x WHERE { ns:m.01 ns:people.person.parents ?x }"
NESTED = "SELECT (?x0 AS ?value) WHERE {\nSELECT DISTINCT ?x0  WHERE { ?x0 :p ?x1 } }"

PARSE: dict[str, Any] = {
    "ParseId": "Q-1.P0",
    "AnnotatorId": 3,
    "AnnotatorComment": {"ParseQuality": "Complete", "QuestionQuality": "Good", "Confidence": "Normal"},
    "Sparql": QUERY,
    "PotentialTopicEntityMention": "ada",
    "TopicEntityName": "Ada",
    "TopicEntityMid": "m.01",
    "InferentialChain": ["people.person.parents"],
    "Constraints": [],
    "Time": None,
    "Order": None,
    "Answers": [
        {"AnswerType": "Entity", "AnswerArgument": "m.02", "EntityName": "Byron"},
        {"AnswerType": "Value", "AnswerArgument": "1815-12-10", "EntityName": None},
    ],
}
WEBQSP: dict[str, Any] = {
    "Version": "1.0",
    "FreebaseVersion": "2015-08-09",
    "Questions": [
        {"QuestionId": "Q-1", "RawQuestion": "who are ada's parents?", "ProcessedQuestion": "who are ada 's parents",
         "Parses": [PARSE, {**PARSE, "ParseId": "Q-1.P1", "Answers": []}]},
        {"QuestionId": "Q-2", "RawQuestion": "why?", "ProcessedQuestion": "why", "Parses": []},
    ],
}  # fmt: skip
CWQ: list[dict[str, Any]] = [
    {"ID": "Q-1_ab12", "question": "Who is it?", "machine_question": "who it is", "sparql": QUERY,
     "created": "2018-02-12", "compositionality_type": "conjunction", "composition_answer": "x",
     "webqsp_ID": "Q-1", "webqsp_question": "who?",
     "answers": [{"answer": "Byron", "answer_id": "m.02", "aliases": ["Lord Byron"]}]},
    {"ID": "Q-2_cd34", "question": "And who?", "machine_question": "who", "sparql": QUERY, "created": "2018-02-12",
     "compositionality_type": "composition", "composition_answer": "x", "webqsp_ID": "Q-1", "webqsp_question": "who?"},
]  # fmt: skip
GRAPH_QUERY: dict[str, Any] = {
    "nodes": [
        {"nid": 0, "node_type": "class", "id": "people.person", "friendly_name": "Person", "question_node": 1},
        {"nid": 1, "node_type": "entity", "id": "m.01", "friendly_name": "Ada", "question_node": 0},
    ],
    "edges": [{"start": 1, "end": 0, "relation": "people.person.parents", "friendly_name": "parents"}],
}
GRAILQA: list[dict[str, Any]] = [
    {"qid": 2100000000001, "question": "who are the parents of ada?", "function": "none", "num_node": 2, "num_edge": 1,
     "answer": [{"answer_type": "Entity", "answer_argument": "m.02", "entity_name": "Byron"}], "level": "i.i.d.",
     "graph_query": GRAPH_QUERY, "sparql_query": NESTED, "domains": ["people"],
     "s_expression": "(AND people.person (JOIN people.person.parents m.01))"},
]  # fmt: skip
GRAPHQUESTIONS: list[dict[str, Any]] = [
    {"qid": 251000100, "question": "who are the parents of ada ?", "answer": ["Byron", "Anne"], "function": "none",
     "commonness": -22.2, "num_node": 2, "num_edge": 1, "graph_query": GRAPH_QUERY, "sparql_query": NESTED},
]  # fmt: skip


def written(folder: Path, name: str, value: object) -> str:
    path = folder / name
    text = value if isinstance(value, str) else json.dumps(value)
    path.write_bytes(gzip.compress(text.encode()) if name.endswith(".gz") else text.encode())
    return str(path)


@pytest.mark.parametrize("ending", [".json", ".json.gz"])
def test_webqsp_gives_a_record_for_each_parse(tmp_path: Path, ending: str) -> None:
    dataset = read_dataset(written(tmp_path, f"webqsp{ending}", WEBQSP))
    assert dataset.form == "webqsp"
    assert dataset.questions == (
        GoldQuestion("Q-1.P0", "who are ada's parents?", QUERY, ("m.02", "1815-12-10")),
        GoldQuestion("Q-1.P1", "who are ada's parents?", QUERY, ()),
        GoldQuestion("Q-2", "why?", None),
    )


def test_cwq_with_and_without_answers(tmp_path: Path) -> None:
    dataset = read_dataset(written(tmp_path, "cwq.json", CWQ))
    assert dataset.form == "cwq"
    assert dataset.questions == (
        GoldQuestion("Q-1_ab12", "Who is it?", QUERY, ("m.02",)),
        GoldQuestion("Q-2_cd34", "And who?", QUERY, None),
    )


def test_grailqa(tmp_path: Path) -> None:
    dataset = read_dataset(written(tmp_path, "grailqa.json", GRAILQA))
    assert dataset.form == "grailqa"
    groups = (("level", "i.i.d."), ("function", "none"))
    assert dataset.questions == (
        GoldQuestion("2100000000001", "who are the parents of ada?", NESTED, ("m.02",), groups),
    )


def test_graphquestions(tmp_path: Path) -> None:
    dataset = read_dataset(written(tmp_path, "graphquestions.json", GRAPHQUESTIONS))
    assert dataset.form == "graphquestions"
    groups = (("function", "none"),)
    assert dataset.questions == (
        GoldQuestion("251000100", "who are the parents of ada ?", NESTED, ("Byron", "Anne"), groups),
    )


@pytest.mark.parametrize("ending", [".jsonl", ".jsonl.gz"])
def test_json_lines(tmp_path: Path, ending: str) -> None:
    lines = [{"id": 7, "question": "a?", "sparql": QUERY, "answers": ["m.1", 3]}, {"id": "b", "question": "b?"}]
    dataset = read_dataset(written(tmp_path, f"own{ending}", "\n\n".join(map(json.dumps, lines)) + "\n"))
    assert dataset.form == "lines"
    assert dataset.questions == (GoldQuestion("7", "a?", QUERY, ("m.1", "3")), GoldQuestion("b", "b?", None))


def test_what_a_line_says_of_its_kind(tmp_path: Path) -> None:
    line = {"id": 1, "question": "a?", "answers": ["x"], "level": "easy", "type": "one hop", "chain": ["r", "s"],
            "topic_entities": {"m.1": "Ada"}, "kg_exact": False}  # fmt: skip
    (one,) = read_dataset(written(tmp_path, "own.jsonl", json.dumps(line))).questions
    assert one.groups == (("level", "easy"), ("type", "one hop"), ("hops", "2"))
    assert (one.names, one.exact) == (("Ada",), False)


def test_the_content_counts_not_the_packing(tmp_path: Path) -> None:
    plain, packed, other = (
        read_dataset(written(tmp_path, name, value)).content_hash
        for name, value in (("a.json", CWQ), ("b.json.gz", CWQ), ("c.json", CWQ[:1]))
    )
    assert plain == packed != other


@pytest.mark.parametrize(("name", "value", "words"), [
    ("a.json", "{", "not JSON"),
    ("a.json", {"data": []}, "not a data set that is known"),
    ("a.json", [], "not a data set that is known"),
    ("a.json", [*CWQ, {"ID": "x"}], "record 3 of .* has no 'question'"),
    ("a.json", [*CWQ, 5], "record 3 of .* does not have the form"),
    ("a.json", [*CWQ, CWQ[0]], "two records with the id Q-1_ab12"),
    ("a.json", {"Questions": [{"RawQuestion": "x"}]}, "record 1 of .* has no 'Parses'"),
    ("a.jsonl", '{"id": 1, "sparql": "x"}\n{"id": ', "line 2 of .* is not JSON"),
    ("a.jsonl", "\n", "holds no record"),
])  # fmt: skip
def test_other_files_are_refused_by_name(tmp_path: Path, name: str, value: object, words: str) -> None:
    with pytest.raises(DiagnosticError, match=f"(?s)UQ670.*{words}"):
        read_dataset(written(tmp_path, name, value))


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    broken = tmp_path / "broken.jsonl.gz"
    broken.write_bytes(gzip.compress(b"x" * 1000)[:-10])
    latin = tmp_path / "latin.jsonl"
    latin.write_bytes(b'{"id": "\xe9"}')
    for path in (broken, latin, tmp_path / "nothing.json"):
        with pytest.raises(DiagnosticError, match="UQ650"):
            read_dataset(str(path))
