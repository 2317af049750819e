"""`uniqgen diff` and the passes behind it from the command line: verdicts, exit codes, batches, bad input."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from uniqgen_ir.cli.main import main

TABLE = "prefix ex: <http://example.org/>\nctable t {{\n  select distinct ?x\n  {rows}\n}}\n"
SCHEMA = """prefix ex: <http://example.org/>
schema s {
  class ex:City < ex:Place
  class ex:Place
  relation ex:mayor : ex:City -> ex:Person
}
"""


@pytest.fixture
def files(tmp_path: Path) -> dict[str, str]:
    """The same question in three languages, a narrower one, and a schema."""
    texts = {
        "a.ctable": TABLE.format(rows="?x ex:mayor ?m"),
        "b.rq": "PREFIX ex: <http://example.org/> SELECT DISTINCT ?x WHERE { ?x ex:mayor ?m . ?x a ex:Place }",
        "c.cypher": "MATCH (x:City)-[:MAYOR]->(m) RETURN DISTINCT x",
        "d.cypher": "MATCH (x:City)-[:MAYOR]->(m), (x)-[:IN]->(land) RETURN DISTINCT x",
        "s.cts": SCHEMA,
        "broken.rq": "SELECT ?x WHERE { ?x",
    }
    for name, text in texts.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    return {name: str(tmp_path / name) for name in texts}


def verdict(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, Any]:
    assert main(["diff", *arguments, "--format", "json"]) == 0
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return found


def test_a_schema_makes_two_languages_equivalent(files: dict[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    found = verdict(capsys, files["b.rq"], files["a.ctable"])
    assert found["verdict"] == "A contained in B"
    assert found["witness"]["B in A"]["answer"] == ["urn:frozen:x"]
    found = verdict(capsys, files["b.rq"], files["a.ctable"], "--schema", files["s.cts"])
    assert found["verdict"] == "equivalent"
    assert set(found["proof"]) == {"A in B", "B in A"}


def test_cypher_against_cypher_in_words(files: dict[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["diff", files["c.cypher"], files["d.cypher"]]) == 0
    printed = capsys.readouterr().out
    assert printed.startswith("B contained in A\n")
    assert "witness, not A in B" in printed
    assert "<urn:pg:type:MAYOR>" in printed


def test_a_batch_answers_every_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    graph = {"nodes": {"P": {"name": "STRING"}}, "rels": [{"type": "K", "from": "P", "to": "P"}]}
    one, other = "MATCH (a:P)-[:K]->(b) RETURN DISTINCT a", "MATCH (a)-[:K]->(b:P) RETURN DISTINCT a"
    sides = {"a": {"query": one, "language": "cypher"}, "b": {"query": other, "language": "cypher"}}
    lines = [
        json.dumps({"id": "with", **sides, "schema": graph}),
        json.dumps({"id": "without", **sides}),
        "no json",
        json.dumps({"id": 4, "a": {"query": "MATCH (", "language": "cypher"}, "b": sides["b"]}),
        json.dumps({"id": 5, "b": sides["b"]}),
    ]
    (tmp_path / "batch.jsonl").write_text("\n".join(lines), encoding="utf-8")
    assert main(["diff", "--batch", str(tmp_path / "batch.jsonl")]) == 0
    answers = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [one["id"] for one in answers] == ["with", "without", 3, 4, 5]
    assert [one.get("verdict") for one in answers[:2]] == ["equivalent", "incomparable"]
    assert all("error" in one for one in answers[2:])


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (["a.ctable"], 2, "two queries are compared"),
        (["-", "-"], 2, "only one of the two"),
        (["a.ctable", "missing.rq"], 1, "cannot read"),
        (["a.ctable", "broken.rq"], 1, "error"),
        (["a.ctable", "b.rq", "--batch", "x"], 2, "two inputs"),
    ],
)
def test_bad_input_is_told(
    files: dict[str, str], capsys: pytest.CaptureFixture[str], arguments: list[str], code: int, said: str
) -> None:
    assert main(["diff", *(files.get(one, one) for one in arguments)]) == code
    assert said in capsys.readouterr().err


def test_saturate_normalize_minimize_from_the_command_line(
    files: dict[str, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = "place: ?x a ex:Place\n  led: ?x ex:mayor ?m\n  again: ?x ex:mayor ?n"
    (tmp_path / "t.ctable").write_text(TABLE.format(rows=rows), encoding="utf-8")
    passes = "saturate,normalize,minimize{evidence=schema}"
    arguments = ["opt", str(tmp_path / "t.ctable"), "--schema", files["s.cts"], "--passes", passes, "--format", "json"]
    assert main(arguments) == 0
    found = json.loads(capsys.readouterr().out)
    kept = [line for line in found["table"].splitlines() if "?x ex:" in line or "?x a" in line]
    assert len(kept) == 1
    assert "ex:mayor" in kept[0]
    removed = [step for step in found["steps"] if step["rule"] == "minimize.remove"]
    assert all("proof" in step["evidence"] or "homomorphism" in step["evidence"] for step in removed)
