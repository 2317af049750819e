"""The gate on constraint tables: every table of a file, with the schema that is given or used."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from uniqgen_ir.cli.main import main
from uniqgen_ir.grammar.schema import parse_document
from uniqgen_ir.validate.gate import check

PREFIX = "prefix ex: <http://example.org/>\n"
SCHEMA = PREFIX + "schema library {\n  class ex:Book\n  property ex:pages : ex:Book -> xsd:integer\n}\n"
RIGHT = "ctable right {\n  select ?b\n  ?b a ex:Book\n  ?b ex:pages ?n where ?n > 300\n}\n"
MISSPELT = "ctable misspelt {\n  select ?b\n  ?b a ex:Book\n  ?b ex:page ?n\n}\n"
MISTYPED = 'ctable mistyped {\n  select ?b\n  ?b ex:pages ?n where ?n = "many"\n}\n'
EMPTY = "ctable empty {\n  select ?b\n  ?b ex:pages ?n where ?n > 3 and ?n < 2\n}\n"
UNSAFE = "ctable unsafe {\n  select ?c\n  ?b a ex:Book\n}\n"


def codes(text: str, **given: object) -> list[str]:
    return [one.code for one in check(text, language="ctable", **given).diagnostics]  # type: ignore[arg-type]


def test_every_table_of_a_file_is_judged() -> None:
    schema = parse_document(SCHEMA).schemas[0]
    assert codes(PREFIX + RIGHT, schema=schema) == []
    found = check(PREFIX + RIGHT + MISSPELT + MISTYPED + EMPTY + UNSAFE, language="ctable", schema=schema).diagnostics
    assert [one.code for one in found] == ["UQ341", "UQ221", "UQ401", "UQ202"]
    assert [one.span.line for one in found if one.span] == [10, 14, 18, 20]


def test_without_a_schema_what_contradicts_itself_is_found() -> None:
    assert codes(PREFIX + MISSPELT) == []
    assert codes(PREFIX + EMPTY + UNSAFE) == ["UQ401", "UQ202"]


def test_a_text_does_not_make_the_gate_read_files(tmp_path: Path) -> None:
    (tmp_path / "library.cts").write_text(SCHEMA, encoding="utf-8")
    text = f'{PREFIX}use schema "{tmp_path / "library.cts"}"\n{MISSPELT}'
    assert codes(text) == ["UQ706"]
    assert codes(text, schema=parse_document(SCHEMA).schemas[0]) == ["UQ341"]


def test_the_command_reads_what_a_table_uses(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "library.cts").write_text(SCHEMA, encoding="utf-8")
    table = tmp_path / "books.ctable"
    table.write_text(f'{PREFIX}use schema "library.cts"\n{RIGHT}{MISSPELT}', encoding="utf-8")
    assert main(["check", str(table), "--format", "json"]) == 1
    assert [one["code"] for one in json.loads(capsys.readouterr().out)["diagnostics"]] == ["UQ341"]
    table.write_text(f'{PREFIX}use schema "lost.cts"\n{RIGHT}', encoding="utf-8")
    assert main(["check", str(table), "--format", "json"]) == 1
    assert [one["code"] for one in json.loads(capsys.readouterr().out)["diagnostics"]] == ["UQ306"]


def test_a_table_is_judged_beside_one_that_cannot_be_read() -> None:
    text = PREFIX + "ctable broken {\n  select ?b\n  ?b ex:pages\n}\n" + MISSPELT + UNSAFE
    assert codes(text, schema=parse_document(SCHEMA).schemas[0]) == ["UQ100", "UQ341", "UQ202"]
