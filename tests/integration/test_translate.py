"""`uniqgen translate`: gold queries in both languages, run on both engines, also after the run was killed."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from uniqgen_ir.cli.main import main

NS = "http://rdf.freebase.com/ns/"
PREFIX = f"PREFIX ns: <{NS}>\n"
FACTS = "".join(
    f"<{NS}{subject}> <{NS}{predicate}> {object_} .\n"
    for subject, predicate, object_ in (
        ("m.01", "people.person.parents", f"<{NS}m.02>"),
        ("m.01", "people.person.parents", f"<{NS}m.03>"),
        ("m.02", "people.person.parents", f"<{NS}m.04>"),
        ("m.01", "type.object.name", '"Ada"@en'),
        ("m.02", "people.person.height", '"1.7"^^<http://www.w3.org/2001/XMLSchema#double>'),
        ("m.03", "people.person.height", '"1.6"^^<http://www.w3.org/2001/XMLSchema#double>'),
    )
)
QUERIES: dict[str, tuple[str | None, list[str] | None]] = {
    "same": ("SELECT DISTINCT ?x WHERE { ns:m.01 ns:people.person.parents ?x }", ["m.02", "m.03"]),
    "idiom": ("SELECT ?x { ns:m.01 ns:people.person.parents ?x FILTER(?x = ns:m.02 OR ?x = ns:m.04) }", ["m.02"]),
    "other gold": ("SELECT DISTINCT ?x WHERE { ns:m.02 ns:people.person.parents ?x }", ["m.99"]),
    "number": ("SELECT ?h WHERE { ns:m.02 ns:people.person.height ?h }", ["1.70"]),
    "walk": ("SELECT DISTINCT ?x WHERE { ns:m.01 ns:people.person.parents+ ?x }", ["m.02", "m.03", "m.04"]),
    "ties": ("SELECT ?x WHERE { ns:m.01 ns:people.person.parents ?x } LIMIT 1", None),
    "broken": ("SELECT ?x WHERE { ns:m.01 ns:people.person.parents ", ["m.02"]),
    "service": ("SELECT ?x WHERE { SERVICE <http://example.org/> { ?x ?p ?o } }", None),
    "none": (None, ["m.02"]),
}  # fmt: skip


@pytest.fixture
def graph(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setenv("UNIQGEN_CACHE", str(tmp_path / "cache"))
    file = tmp_path / "graph.nt"
    file.write_text(FACTS, encoding="utf-8")
    return str(file)


def dataset(folder: Path, copies: int = 1) -> str:
    lines = [
        {"id": f"{name} {copy}", "question": f"{name}?", "answers": answers, "sparql": text and PREFIX + text}
        for copy in range(copies)
        for name, (text, answers) in QUERIES.items()
    ]
    file = folder / "gold.jsonl"
    file.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return str(file)


def by_name(lines: str) -> dict[str, dict[str, Any]]:
    return {line["question"].removesuffix("?"): line for line in map(json.loads, lines.splitlines())}


def test_every_record_has_a_line_that_says_what_became_of_it(
    graph: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["translate", dataset(tmp_path), "--graph", graph, "--mapping", "freebase"]) == 0
    out, words = capsys.readouterr()
    found = by_name(out)
    assert list(found) == list(QUERIES)
    assert {name: line["status"] for name, line in found.items() if name != "ties"} == {
        "same": "same", "idiom": "same", "other gold": "same", "number": "same", "walk": "same",
        "broken": "refused", "service": "refused", "none": "no query",
    }  # fmt: skip
    assert found["ties"]["status"] in ("same", "tied")
    assert {name: line.get("gold") for name, line in found.items()} == {
        "same": True, "idiom": True, "other gold": False, "number": True, "walk": True,
        "ties": None, "broken": None, "service": None, "none": None,
    }  # fmt: skip
    assert found["same"]["rows"] == {"sparql": 2, "cypher": 2}
    assert "||" in found["idiom"]["sparql"]
    assert "people.person.parents" in found["same"]["cypher"]["query"]
    assert NS + "m.01" not in found["same"]["cypher"]["query"]
    assert "+" in found["walk"]["sparql"]
    assert found["idiom"]["warnings"]
    assert [one["code"] for one in found["service"]["errors"]] == ["UQ147"]
    assert [one["code"] for one in found["none"]["errors"]] == ["UQ673"]
    assert all(one["stage"] == "read" for one in found["broken"]["errors"])
    assert "9 records" in words


def test_without_a_graph_nothing_is_run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["translate", dataset(tmp_path), "--limit", "2"]) == 0
    lines = list(map(json.loads, capsys.readouterr().out.splitlines()))
    assert [line["status"] for line in lines] == ["translated", "translated"]
    assert "rows" not in lines[0]


def test_the_cleaned_queries_stay_as_they_are(graph: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["translate", dataset(tmp_path), "--graph", graph])
    first = [line for line in map(json.loads, capsys.readouterr().out.splitlines()) if line["sparql"]]
    again = tmp_path / "again.jsonl"
    again.write_text("".join(json.dumps({**line, "answers": None}) + "\n" for line in first), encoding="utf-8")
    main(["translate", str(again), "--graph", graph])
    second = list(map(json.loads, capsys.readouterr().out.splitlines()))
    assert [line["sparql"] for line in second] == [line["sparql"] for line in first]
    assert [line["cypher"] for line in second] == [line["cypher"] for line in first]


def test_a_run_that_was_killed_goes_on_to_the_same_result(graph: str, tmp_path: Path) -> None:
    gold = dataset(tmp_path, copies=40)
    whole, cut = tmp_path / "whole.jsonl", tmp_path / "cut.jsonl"
    assert main(["translate", gold, "--graph", graph, "--out", str(whole)]) == 0
    command = [sys.executable, "-m", "uniqgen_ir.cli.main", "translate", gold, "--graph", graph, "--out", str(cut)]
    process = subprocess.Popen(command, stderr=subprocess.DEVNULL, start_new_session=True)
    end = time.monotonic() + 60
    while time.monotonic() < end and process.poll() is None and (not cut.exists() or cut.stat().st_size < 2000):
        time.sleep(0.005)
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    before = cut.read_bytes()
    assert 0 < len(before) < len(whole.read_bytes())
    # as if it had been killed in the middle of a line
    cut.write_bytes(before[: before.rfind(b"\n") + 1] + b'{"id": "half')
    assert main(["translate", gold, "--graph", graph, "--out", str(cut), "--format", "json"]) == 0
    assert cut.read_bytes() == whole.read_bytes()
    stamp = cut.stat().st_mtime_ns
    assert main(["translate", gold, "--graph", graph, "--out", str(cut)]) == 0
    assert cut.stat().st_mtime_ns == stamp


def test_the_file_of_another_run_is_not_touched(graph: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    gold, out = dataset(tmp_path), tmp_path / "out.jsonl"
    assert main(["translate", gold, "--graph", graph, "--out", str(out), "--limit", "2", "--format", "json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["records"], told["statuses"]) == (2, {"same": 2})
    before = out.read_bytes()
    assert main(["translate", gold, "--graph", graph, "--out", str(out), "--dialect", "ladybug"]) == 1
    assert "UQ671" in capsys.readouterr().err
    assert out.read_bytes() == before
