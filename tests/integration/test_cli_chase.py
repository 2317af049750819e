"""`uniqgen chase` on what people have: Cypher, files of answers that do not fit, no answers, odd lines."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from uniqgen_ir.cli.main import main

GRAPH = """CREATE (a:Person {name:'Ann', age:30}), (b:Person {name:'Bob', age:40}), (c:Person {name:'Cid', age:50}),
(m:Movie {title:'M1', year:2000}), (n:Movie {title:'M2', year:2010}),
(a)-[:ACTED_IN]->(m), (b)-[:ACTED_IN]->(m), (c)-[:ACTED_IN]->(n), (a)-[:KNOWS]->(b)
"""
ONE = "MATCH (p:Person)-[:ACTED_IN]->(m:Movie) WHERE p.age > 35 AND m.year = 2000{more} RETURN DISTINCT p.name AS name"
TABLE = """prefix ex: <http://example.org/>
ctable t {{
  select distinct ?x ?n
{rows}
}}
"""
FACTS = '<http://example.org/a> <http://example.org/name> "A" .\n<http://example.org/a> <http://example.org/in> "x" .\n'


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("UNIQGEN_CACHE", str(tmp_path / "cache"))
    (tmp_path / "m.cypher").write_text(GRAPH, encoding="utf-8")
    (tmp_path / "g.nt").write_text(FACTS, encoding="utf-8")
    (tmp_path / "known.txt").write_text("Ann\nBob\n", encoding="utf-8")
    return tmp_path


def _chase(folder: Path, capsys: pytest.CaptureFixture[str], query: str, *more: str, name: str = "q.cypher") -> str:
    """What the command says on standard error."""
    (folder / name).write_text(query, encoding="utf-8")
    capsys.readouterr()
    main(["chase", name, *more])
    return capsys.readouterr().err


def test_a_property_that_may_be_missing_is_told_how_to_be_asked_for(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    on = ("--graph", "m.cypher", "--answers", "known.txt")
    said = _chase(folder, capsys, ONE.format(more=""), *on)
    assert "q.cypher:1:92: error UQ411: " in said
    assert "?p_name is bound by the optional row c8 only" in said
    assert "help: say `WHERE p.name IS NOT NULL`" in said
    assert "UQ412" not in said
    assert "status: ok" in _chase(folder, capsys, ONE.format(more=" AND p.name IS NOT NULL"), *on)


def test_an_optional_row_of_a_table_likewise(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = "  place: ?y ex:in ?z\n  name: optional { ?y ex:name ?n . ?y ex:name ?x }"
    said = _chase(folder, capsys, TABLE.format(rows=rows), "--graph", "g.nt", name="t.ctable")
    assert "?x is bound by the optional row name only" in said
    assert "help: write row name without `optional`" in said


def test_one_match_for_each_relationship(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    end = "WHERE p.name IS NOT NULL RETURN DISTINCT p.name AS name"
    on = ("--graph", "m.cypher", "--answers", "known.txt")
    both = f"MATCH (p:Person)-[:ACTED_IN]->(m:Movie)<-[:ACTED_IN]-(q:Person) {end}"
    said = _chase(folder, capsys, both, *on)
    assert "q.cypher:1:10: error UQ410" in said
    assert "help: write one MATCH clause for each relationship" in said
    apart = f"MATCH (p:Person)-[:ACTED_IN]->(m:Movie) MATCH (m)<-[:ACTED_IN]-(q:Person) {end}"
    assert "status: ok" in _chase(folder, capsys, apart, *on)
    table = TABLE.format(rows="  match different relationships\n  name: ?x ex:name ?n")
    said = _chase(folder, capsys, table, "--graph", "g.nt", name="t.ctable")
    assert "help: leave out the clause `match different relationships`" in said


def test_answers_that_do_not_fit_are_told_once_with_their_lines(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table = TABLE.format(rows="  name: ?x ex:name ?n")
    (folder / "a.txt").write_text(
        '# known\nA\n["http://example.org/a", "A"]\n\nB\n["a", "b", "c"]\nC\n', encoding="utf-8"
    )
    said = _chase(folder, capsys, table, "--graph", "g.nt", "--answers", "a.txt", name="t.ctable")
    assert said.count("UQ412") == 2
    assert (
        "a.txt:2:1: error UQ412: 3 reference answers have 1 value where the answer is (?x, ?n): lines 2, 5 and 7"
        in said
    )
    assert 'help: an answer is a JSON list, ["value of ?x", "value of ?n"]' in said
    assert "a.txt:6:1: error UQ412: a reference answer has 3 values" in said
    assert "\n 2 | A\n" in said
    (folder / "b.txt").write_text('["_:b", "A"]\n["_:c", "A"]\n', encoding="utf-8")
    said = _chase(folder, capsys, table, "--graph", "g.nt", "--answers", "b.txt", name="t.ctable")
    assert (
        "b.txt:1:1: error UQ412: 2 reference answers are blank nodes, which no statement can name: lines 1 and 2"
        in said
    )
    optional = TABLE.format(rows='  in: ?x ex:in "x"\n  name: optional { ?x ex:name ?n }')
    (folder / "c.txt").write_text('["http://example.org/a", "A"]\n', encoding="utf-8")
    said = _chase(folder, capsys, optional, "--graph", "g.nt", "--answers", "c.txt", name="t.ctable")
    assert "?n takes no part, since only the optional row name binds it" in said


def test_a_name_of_nothing_is_told_with_its_line(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table = TABLE.format(rows="  name: ?x ex:name ?n").replace(" ?n\n", "\n", 1)
    (folder / "a.txt").write_text("http://example.org/a\nNobody\n", encoding="utf-8")
    said = _chase(folder, capsys, table, "--graph", "g.nt", "--answers", "a.txt", name="t.ctable")
    assert "a.txt:2:1: warning UQ663" in said


@pytest.mark.parametrize("explain", [False, True])
def test_that_there_is_no_reference_is_said(folder: Path, capsys: pytest.CaptureFixture[str], explain: bool) -> None:
    table, more = TABLE.format(rows="  name: ?x ex:name ?n"), ["--explain"] if explain else []
    (folder / "a.txt").write_text("# nothing yet\n\n", encoding="utf-8")
    for answers, told in (
        (["--answers", "a.txt"], "a.txt holds no reference answers"),
        ([], "no reference answers given"),
    ):
        said = _chase(folder, capsys, table, "--graph", "g.nt", *answers, *more, name="t.ctable")
        assert f"{told}: the tightest table with answers is kept" in said
        assert ("No reference answers were given" in said) is explain


def test_lines_of_a_batch_that_are_odd(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table = TABLE.format(rows="  name: ?x ex:name ?n")
    lines = [
        json.dumps({"id": 3, "table": table, "answers": [["http://example.org/a", "A"]]}),
        "",
        "no json",
        json.dumps({"id": "t", "table": 5}),
        json.dumps({"id": "q", "query": None}),
        json.dumps({"id": "n"}),
        json.dumps({"table": table}),
        json.dumps({"id": "w", "table": table, "answers": ["a", "b"]}),
        "[1]",
    ]
    (folder / "b.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
    assert main(["chase", "--graph", "g.nt", "--batch", "b.jsonl"]) == 0
    found = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [(one["id"], one.get("line")) for one in found] == [
        *((3, None), (3, 3), ("t", None), ("q", None), ("n", None), (7, 7), ("w", None), (9, 9))
    ]
    assert [one["status"] for one in found if "status" in one] == ["ok", "ok"]
    told = [one["error"]["message"] for one in found if "error" in one]
    assert told == [
        "line 3 is not JSON: Expecting value",
        '"table" is neither a text nor a table in JSON',
        '"query" is neither a text nor a table in JSON',
        'the line has neither "query" nor "table"',
        '2 reference answers have 1 value where the answer is (?x, ?n): "a" and 1 more',
        "line 9 is not a JSON object",
    ]
