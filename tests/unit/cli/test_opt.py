"""`uniqgen opt`: what passes found beside is told on standard error; bounds of options; files with several tables."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from uniqgen_ir.cli.main import main

PREFIX = "prefix ex: <http://example.org/>\n"
EX = "http://example.org/"
SCHEMAS = {
    "cycle": "rule parent: { ?x a ex:Person } => { ?x ex:child_of ?y . ?y a ex:Person }",
    "path": "rule near: { ?x ex:to{1,3} ?y } => { ?x ex:near ?y }",
    "functional": "relation ex:boss : ex:Person -> ex:Person functional",
}
TABLES = {
    "person": "a: ?x a ex:Person",
    "bosses": "a: ?x ex:boss ex:ann\n  b: ?x ex:boss ex:bo",
    "edges": "a: ?x ex:to ?y\n  b: ?x ex:to ?z",
}


@pytest.fixture
def files(tmp_path: Path) -> dict[str, str]:
    texts = {f"{name}.cts": PREFIX + f"schema s {{\n  {text}\n}}\n" for name, text in SCHEMAS.items()}
    texts |= {
        f"{name}.ctable": PREFIX + f"ctable {name} {{\n  select distinct ?x\n  {rows}\n}}\n"
        for name, rows in TABLES.items()
    }
    texts["two.ctable"] = texts["person.ctable"] + texts["edges.ctable"].replace(PREFIX, "")
    texts["two_bosses.nt"] = f"<{EX}x> <{EX}boss> <{EX}ann> .\n<{EX}x> <{EX}boss> <{EX}bo> .\n"
    for name, text in texts.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    return {name: str(tmp_path / name) for name in texts}


def test_a_chase_without_end_is_told(files: dict[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["opt", files["person.ctable"], "--passes", "saturate{steps=3}", "--schema", files["cycle.cts"]]) == 0
    printed = capsys.readouterr()
    assert "warning UQ404: the rules may make new values for ever: Person -[parent]-> Person" in printed.err
    assert "warning UQ404: stopped after 3 applications of rules; more may follow" in printed.err
    assert "UQ404" not in printed.out


def test_rules_that_are_left_out_are_told(files: dict[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["opt", files["person.ctable"], "--passes", "saturate", "--schema", files["path.cts"]]) == 0
    assert "warning UQ405: the rule near was not applied: the path of row" in capsys.readouterr().err


def test_a_graph_that_contradicts_its_schema_keeps_its_answers(
    files: dict[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    given = ["opt", files["bosses.ctable"], "--schema", files["functional.cts"], "--graph", files["two_bosses.nt"]]
    assert main([*given, "--passes", "saturate"]) == 1
    assert "error UQ403: rows a and b have no answer" in capsys.readouterr().err
    assert main([*given, "--passes", "saturate{admit=data}"]) == 0
    printed = capsys.readouterr()
    assert "warning UQ405: the graph violates functional:boss" in printed.err
    left_out = "range:boss is left out: the graph does not always have what it gives, and answers would be lost"
    assert printed.err.count(left_out) == 1  # one warning, although two rows lead to it
    assert ":5:3: row b" in printed.err
    assert "@schema" not in printed.out


def test_json_has_the_findings_as_diagnostics(files: dict[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    given = ["opt", files["person.ctable"], "--schema", files["cycle.cts"], "--format", "json"]
    assert main([*given, "--passes", "saturate{steps=3}"]) == 0
    printed = capsys.readouterr()
    found = json.loads(printed.out)["diagnostics"]
    assert {(one["code"], one["severity"]) for one in found} == {("UQ404", "warning")}
    assert main([*given, "--passes", "verify"]) == 0
    assert json.loads(capsys.readouterr().out)["diagnostics"] == []


def test_a_row_that_could_not_be_decided_is_told(files: dict[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["opt", files["edges.ctable"], "--passes", "minimize{budget=1}"]) == 0
    printed = capsys.readouterr()
    assert "warning UQ406: rows a and b may have no use: the search for a homomorphism took too long" in printed.err
    assert "b: ?x ex:to ?z" in printed.out


@pytest.mark.parametrize(
    ("passes", "name"),
    [
        ("saturate{steps=-1}", "steps"),
        ("saturate{steps=0}", "steps"),
        ("minimize{budget=0}", "budget"),
        ("normalize{max_blocks=0}", "max_blocks"),
        ("reformulate{budget=0}", "budget"),
    ],
)
def test_numbers_below_their_bound_are_refused(
    passes: str, name: str, files: dict[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["opt", files["person.ctable"], "--passes", passes, "--schema", files["cycle.cts"]]) == 1
    printed = capsys.readouterr()
    assert f"error UQ422: `{name}` of `{passes.partition('{')[0]}` must be at least 1, not " in printed.err
    assert printed.out == ""


@pytest.mark.parametrize(
    "command",
    [
        ["opt", "--passes", "normalize"],
        ["compile", "--to", "sparql"],
        ["run", "--graph", "two_bosses.nt"],
        ["diff", "person.ctable"],
        ["chase", "--graph", "two_bosses.nt"],
    ],
    ids=lambda words: words[0],
)
def test_of_several_tables_the_one_that_is_taken_is_named(
    command: list[str], files: dict[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    name, *rest = (files.get(word, word) for word in command)
    main([name, files["two.ctable"], *rest])
    assert "two.ctable:6:1: warning UQ658: the table person is taken; left out: edges" in capsys.readouterr().err
    main([name, files["person.ctable"], *rest])
    assert "UQ658" not in capsys.readouterr().err


@pytest.mark.parametrize("command", ["compile", "run", "chase", "diff"])
def test_a_line_of_a_batch_names_the_table_that_is_taken(
    command: str, files: dict[str, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    query = {"query": Path(files["two.ctable"]).read_text(encoding="utf-8"), "language": "ctable"}
    answers: dict[str, object] = {"answers": []} if command == "chase" else {}
    line = {"id": 1, "a": query, "b": query} if command == "diff" else {"id": 1, **query, **answers}
    batch = tmp_path / "batch.jsonl"
    batch.write_text(json.dumps(line) + "\n", encoding="utf-8")
    target = ["--to", "sparql"] if command == "compile" else []
    graph = ["--graph", files["two_bosses.nt"]] if command in ("run", "chase") else []
    assert main([command, "--batch", str(batch), *target, *graph]) == 0
    found = json.loads(capsys.readouterr().out)
    assert {one["code"] for one in found["diagnostics"]} == {"UQ658"}


def test_a_specification_in_a_file_of_several_tables_is_named(
    files: dict[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    main(["check", files["person.ctable"], "--against", files["two.ctable"]])
    assert "UQ658: the table person is taken; left out: edges" in capsys.readouterr().err
    assert main(["schema", "diff", files["cycle.cts"], files["cycle.cts"], files["two.ctable"]]) == 0
    assert "UQ658: the table person is taken; left out: edges" in capsys.readouterr().err


def test_all_tables_of_a_file_are_checked_and_formatted(
    files: dict[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["check", files["two.ctable"], "--schema", files["cycle.cts"]]) == 0
    assert main(["fmt", files["two.ctable"]]) == 0
    assert "UQ658" not in capsys.readouterr().err
    assert Path(files["two.ctable"]).read_text(encoding="utf-8").count("ctable ") == 2
