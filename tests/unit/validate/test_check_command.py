"""`uniqgen check` as people and programs call it."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tests.unit.validate.library import SCHEMA
from uniqgen_ir.cli.main import main
from uniqgen_ir.ir.diagnostics import Diagnostic, Severity
from uniqgen_ir.ir.spans import Span
from uniqgen_ir.validate.report import Report
from uniqgen_ir.validate.workflow_commands import workflow_commands

WRONG = "MATCH (b:Book)-[:WROTE]->(a:Author) RETURN a.name\n"
RIGHT = "MATCH (b:Book)<-[:WROTE]-(a:Author) RETURN a.name\n"
GUESSED = "MATCH (b:Book) WHERE b.title LIKE '%x%' RETURN b\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "library.json").write_text(json.dumps(SCHEMA), encoding="utf-8")
    for name, text in (("wrong", WRONG), ("right", RIGHT), ("guessed", GUESSED)):
        (tmp_path / f"{name}.cypher").write_text(text, encoding="utf-8")
    return tmp_path


@pytest.mark.usefixtures("folder")
def test_exit_codes_and_text(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "right.cypher", "--schema", "library.json"]) == 0
    assert capsys.readouterr().out == ""
    assert main(["check", "wrong.cypher", "--schema", "library.json"]) == 1
    shown = capsys.readouterr().out
    assert "wrong.cypher:1:15: error UQ343" in shown
    assert RIGHT.strip() in shown


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["nothing.cypher"], 1),
        (["right.cypher", "--schema", "nothing.json"], 1),
        (["right.cypher", "--dialect", "dbase"], 2),
        (["right.cypher", "--schema", "library.json", "--schema", "library.json"], 2),
        ([], 2),
    ],
)
def test_bad_input_ends_with_a_message(arguments: list[str], code: int, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", *arguments]) == code
    assert "error UQ" in capsys.readouterr().err


def test_fix_writes_what_is_safe(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "wrong.cypher", "--schema", "library.json", "--fix"]) == 0
    assert (folder / "wrong.cypher").read_text(encoding="utf-8") == RIGHT
    assert "mended wrong.cypher" in capsys.readouterr().err


def test_fix_leaves_what_needs_a_look(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "guessed.cypher", "--schema", "library.json", "--fix"]) == 1
    assert (folder / "guessed.cypher").read_text(encoding="utf-8") == GUESSED
    assert "CONTAINS 'x'" in capsys.readouterr().out


def test_fix_applies_the_safe_ones_beside_others(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    both = "MATCH (b:Book) WHERE b.pages == 3 AND b.title LIKE '%x%' RETURN b.title\n"
    (folder / "both.cypher").write_text(both, encoding="utf-8")
    assert main(["check", "both.cypher", "--schema", "library.json", "--fix"]) == 1
    assert (folder / "both.cypher").read_text(encoding="utf-8") == both.replace("==", "=")
    shown = capsys.readouterr()
    assert "`==`" in shown.err
    assert "`==`" not in shown.out
    assert "LIKE is no operator" in shown.out


def test_fix_finds_the_schema_that_a_table_uses(folder: Path) -> None:
    schema = "schema s {\n  class ex:Book\n  property ex:pages : ex:Book -> xsd:integer\n}\n"
    prefixes = "prefix ex: <http://e.example/>\nprefix xsd: <http://www.w3.org/2001/XMLSchema#>\n"
    (folder / "books").mkdir()
    (folder / "books" / "s.cts").write_text(prefixes + schema, encoding="utf-8")
    table = 'use schema "s.cts"\n' + prefixes + "ctable t {\n  select ?b\n  ?b ex:pages ?n\n  ?n == 3\n}\n"
    (folder / "books" / "t.ctable").write_text(table, encoding="utf-8")
    assert main(["check", "books/t.ctable", "--fix"]) == 0
    assert (folder / "books" / "t.ctable").read_text(encoding="utf-8") == table.replace("==", "=")


@pytest.mark.usefixtures("folder")
def test_sarif(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "wrong.cypher", "--schema", "library.json", "--format", "sarif"]) == 1
    assert json.loads(capsys.readouterr().out)["version"] == "2.1.0"


def test_batch_lines_carry_schema_dialect_parameters_and_policy(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    base = {"language": "cypher", "schema": SCHEMA}
    lines = [
        {"id": 1, "query": RIGHT, **base},
        {"id": 2, "query": WRONG, **base},
        {"id": 3, "query": "MATCH (a:Author) RETURN COUNT { (a)-->() } AS n", "dialect": "neptune", **base},
        {"id": 4, "query": "MATCH (a:Author) SET a.born = 3", "policy": {"read_only": False}, **base},
        {"id": 5, "query": "MATCH (a:Author {name: $who}) RETURN a", "params": {"name": "x"}, **base},
        {"id": 6, "language": "cypher"},
        {"id": 7, "query": RIGHT, "policy": 3},
        {"id": 8, "query": RIGHT, "language": "cypher"},
        {"id": 9, "query": "SELECT ?x WHERE { ?x a <http://example.org/Book> }", "language": "sparql"},
    ]
    file = folder / "lines.jsonl"
    file.write_text("".join(json.dumps(one) + "\n" for one in lines) + "no json\n", encoding="utf-8")
    assert main(["check", "--batch", str(file), "--format", "json"]) == 0
    answers = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [one.get("valid") for one in answers] == [True, False, False, True, False, None, None, True, True, None]
    assert [one["id"] for one in answers[:9]] == list(range(1, 10))
    assert answers[1]["fixed_query"] == RIGHT
    assert {one["kind"] for one in answers[2]["diagnostics"]} == {"dialect_unsupported"}
    assert all(one["error"]["code"] == "UQ651" for one in (answers[5], answers[6], answers[9]))


def test_against_a_specification(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    heading = "prefix ex: <http://example.org/>\n"
    (folder / "spec.ctable").write_text(
        heading + "ctable long_books {\n  select ?b\n  ?b a ex:Book\n  ?b ex:pages ?n where ?n > 300\n}\n",
        encoding="utf-8",
    )
    prefix = "PREFIX ex: <http://example.org/> "
    (folder / "same.rq").write_text(prefix + "SELECT ?x { ?x ex:pages ?p ; a ex:Book FILTER(?p > 300) }")
    (folder / "wide.rq").write_text(prefix + "SELECT ?x { ?x ex:pages ?p FILTER(?p > 300) }")
    assert main(["check", "same.rq", "--against", "spec.ctable", "--format", "json"]) == 0
    assert json.loads(capsys.readouterr().out)["against"]["verdict"] == "equivalent"
    assert main(["check", "wide.rq", "--against", "spec.ctable", "--format", "json"]) == 1
    found = json.loads(capsys.readouterr().out)
    assert found["against"]["verdict"] == "too wide"
    assert {one["kind"] for one in found["diagnostics"]} == {"against_specification"}


@pytest.mark.usefixtures("folder")
def test_the_schema_may_come_from_a_graph(capsys: pytest.CaptureFixture[str]) -> None:
    Path("q.rq").write_text("SELECT ?x WHERE { ?x a <http://example.org/Nothing> }", encoding="utf-8")
    Path("q.cypher").write_text("MATCH (m:Medicin) RETURN m.name", encoding="utf-8")
    assert main(["check", "q.cypher", "--graph", "almanac"]) == 1
    assert "Medicine" in capsys.readouterr().out
    assert main(["check", "q.rq", "--graph", "almanac"]) in (0, 1)


@pytest.mark.usefixtures("folder")
def test_annotations(capsys: pytest.CaptureFixture[str]) -> None:
    files = ["right.cypher", "wrong.cypher", "guessed.cypher"]
    assert main(["check", "--schema", "library.json", "--format", "github", *files]) == 1
    first, *others = capsys.readouterr().out.splitlines()
    assert first.startswith(
        "::error file=wrong.cypher,line=1,endLine=1,col=15,endColumn=26,title=UQ343 wrong_direction::"
    )
    assert all(line.startswith("::error file=guessed.cypher,line=1") for line in others)


def test_annotations_encode_what_would_end_them() -> None:
    span = Span.at("RETURN 1\nRETURN 2", 0, 12)
    one = Diagnostic("UQ180", "100 % of\r\nit: a, b", span, Severity.WARNING, "x")
    report = Report("RETURN 1\nRETURN 2", "cypher", (one,))
    assert list(workflow_commands([("a,b:c%.cypher", report)])) == [
        f"::warning file=a%2Cb%3Ac%25.cypher,line=1,endLine=2,title=UQ180 {one.kind}::100 %25 of%0D%0Ait: a, b (x)"
    ]


@pytest.mark.usefixtures("folder")
def test_several_files(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "--schema", "library.json", "--format", "json", "right.cypher", "wrong.cypher"]) == 1
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [(line["file"], line["valid"]) for line in lines] == [("right.cypher", True), ("wrong.cypher", False)]
    assert main(["check", "--schema", "library.json", "--fix", "wrong.cypher", "right.cypher"]) == 0
    assert main(["check", "--schema", "library.json", "wrong.cypher", "nothing.cypher"]) == 1
    assert "cannot read nothing.cypher" in capsys.readouterr().err


def test_the_hook_calls_what_there_is() -> None:
    hooks = (Path(__file__).parents[3] / ".pre-commit-hooks.yaml").read_text(encoding="utf-8")
    (entry,) = re.findall(r"^  entry: uniqgen (.*)$", hooks, re.MULTILINE)
    (pattern,) = re.findall(r"^  files: (.*)$", hooks, re.MULTILINE)
    with pytest.raises(SystemExit, match="0"):
        main([entry, "--help"])
    assert [bool(re.search(pattern, name)) for name in ("a.cypher", "b/c.rq", "d.sparql", "e.py")] == [1, 1, 1, 0]


@pytest.mark.parametrize(("name", "text"), [("q.rq", "SELECT * { ?s ?p ?o }"), ("q.cypher", "MATCH (n) RETURN n")])
def test_a_dialect_that_is_none_is_wrong_usage(
    name: str, text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / name
    file.write_text(text)
    assert main(["check", str(file), "--dialect", "nonsense"]) == 2
    assert "there is no dialect nonsense of" in capsys.readouterr().err
    assert main(["check", str(file), "--dialect", "neptune"]) == 0


def test_words_that_are_unknown_are_said_with_the_usage_of_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        main(["schema", "infer", "--graph", "almanac", "--nonsense"])
    assert "usage: uniqgen schema infer" in capsys.readouterr().err
