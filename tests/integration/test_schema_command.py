"""`uniqgen schema export` and `uniqgen schema diff` as they are typed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from uniqgen_ir.cli.main import main

SCHEMA = """prefix ex: <http://example.org/>

schema geo {
  class ex:City "city"
  class ex:Country "country"
  relation ex:in "in" : ex:City -> ex:Country
  property ex:people "people" : ex:City -> xsd:integer
}
"""
QUERY = "PREFIX ex: <http://example.org/>\nSELECT ?c WHERE { ?c a ex:City ; ex:people ?n . FILTER(?n > 1000) }\n"
TABLE = """prefix ex: <http://example.org/>
ctable cities {
  select ?c
  ?c a ex:City
  ?c ex:in ?land
}
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "old.cts").write_text(SCHEMA, encoding="utf-8")
    (tmp_path / "new.cts").write_text(SCHEMA.replace("xsd:integer", "xsd:string"), encoding="utf-8")
    (tmp_path / "large.rq").write_text(QUERY, encoding="utf-8")
    (tmp_path / "cities.ctable").write_text(TABLE, encoding="utf-8")
    return tmp_path


def test_export_and_import_go_round(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    shapes = folder / "shapes.ttl"
    assert main(["schema", "export", str(folder / "old.cts"), "--to", "shacl", "--out", str(shapes)]) == 0
    assert main(["schema", "import", str(shapes), "--name", "geo"]) == 0
    assert capsys.readouterr().out == SCHEMA


def test_export_says_what_is_lost(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "old.cts").write_text(SCHEMA.replace("xsd:integer", "xsd:integer functional"), encoding="utf-8")
    assert main(["schema", "export", str(folder / "old.cts"), "--to", "langchain-text"]) == 0
    captured = capsys.readouterr()
    assert "(:City)-[:in]->(:Country)" in captured.out
    assert "UQ683" in captured.err


def test_a_file_is_not_written_over(folder: Path) -> None:
    assert main(["schema", "export", str(folder / "old.cts"), "--to", "rdfs", "--out", str(folder / "new.cts")]) == 1


def test_diff_names_the_specification_that_breaks(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    files = [str(folder / name) for name in ("old.cts", "new.cts", "large.rq", "cities.ctable")]
    assert main(["schema", "diff", *files]) == 1
    captured = capsys.readouterr()
    assert "~ ex:people: datatype xsd:integer -> xsd:string" in captured.out
    assert "large.rq: breaks" in captured.out
    assert "cities.ctable: still holds" in captured.out
    assert "UQ221" in captured.err


def test_diff_as_json(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    files = [str(folder / name) for name in ("old.cts", "new.cts", "cities.ctable")]
    assert main(["schema", "diff", *files, "--format", "json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert [one["what"] for one in found["changes"]] == ["datatype"]
    assert [one["breaks"] for one in found["specifications"]] == [False]


def test_diff_the_other_way_round_mends(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    files = [str(folder / name) for name in ("new.cts", "old.cts", "large.rq")]
    assert main(["schema", "diff", *files, "--format", "json"]) == 0
    (one,) = json.loads(capsys.readouterr().out)["specifications"]
    assert [found["code"] for found in one["mended"]] == ["UQ221"]
    assert one["found"] == []


def test_a_schema_that_is_not_there(folder: Path) -> None:
    assert main(["schema", "diff", str(folder / "old.cts"), str(folder / "gone.cts")]) == 1
