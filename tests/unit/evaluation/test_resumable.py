"""Files of lines that a run can go on with."""

from __future__ import annotations

from pathlib import Path

import pytest

from uniqgen_ir.evaluation.resumable import ResumableLines
from uniqgen_ir.ir.diagnostics import DiagnosticError

SETTINGS = {"dataset": "abc", "dialect": "cypher"}


def test_whole_lines_stay_and_a_broken_last_one_goes(tmp_path: Path) -> None:
    path = tmp_path / "out.jsonl"
    with ResumableLines(str(path), SETTINGS) as lines:
        assert lines.done == []
        lines.write({"id": "1", "text": "Grüße\n"})
        lines.write({"id": "2"})
    whole = path.read_bytes()
    path.write_bytes(whole + b'{"id": "3", "te')
    with ResumableLines(str(path), SETTINGS) as lines:
        assert lines.done == [{"id": "1", "text": "Grüße\n"}, {"id": "2"}]
        assert lines.ids() == ["1", "2"]
    assert path.read_bytes() == whole


def test_a_file_of_another_run_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "out.jsonl"
    with ResumableLines(str(path), SETTINGS) as lines:
        lines.write({"id": "1"})
    with pytest.raises(DiagnosticError, match=r"UQ671.*another dialect"):
        ResumableLines(str(path), {**SETTINGS, "dialect": "ladybug"})
    (tmp_path / "out.jsonl.run.json").unlink()
    with pytest.raises(DiagnosticError, match="UQ671"):
        ResumableLines(str(path), SETTINGS)
    assert path.read_text() == '{"id": "1"}\n'


def test_lines_that_are_not_json_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "out.jsonl"
    ResumableLines(str(path), SETTINGS).__exit__(None, None, None)
    path.write_text("hello\n")
    with pytest.raises(DiagnosticError, match="UQ671"):
        ResumableLines(str(path), SETTINGS)
    assert path.read_text() == "hello\n"


def test_places_that_cannot_be_written(tmp_path: Path) -> None:
    with pytest.raises(DiagnosticError, match="UQ650"):
        ResumableLines(str(tmp_path / "no" / "folder" / "out.jsonl"), SETTINGS)
