"""The five commands of docs/gate.md, as somebody types them who has a graph and has just installed this."""

from __future__ import annotations

import gzip
import re
import shlex
import shutil
from pathlib import Path

import pytest

from uniqgen_ir.cli.main import main

ROOT = Path(__file__).parents[2]
MOVIES = ROOT.parent / "shared" / "data" / "kg" / "movies.cypher.gz"


def section() -> str:
    page = (ROOT / "docs" / "gate.md").read_text(encoding="utf-8")
    return page.partition("## Five commands from nothing")[2].partition("\n## ")[0]


@pytest.mark.skipif(not MOVIES.is_file(), reason="../shared is absent")
def test_first_answer_and_first_caught_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    with gzip.open(MOVIES) as packed, Path("movies.cypher").open("wb") as file:
        shutil.copyfileobj(packed, file)
    (query,) = re.findall(r"```cypher\n(.*?)```", section(), re.DOTALL)
    Path("answer.cypher").write_text(query, encoding="utf-8")
    commands = re.findall(r"^\$ (.*)$", section(), re.MULTILINE)
    assert len(commands) <= 5
    install, *rest = map(shlex.split, commands)
    assert install[:2] == ["pip", "install"]
    said: list[tuple[str, str]] = []
    for command in rest:
        assert command[0] == "uniqgen"
        assert main(command[1:]) == 0, command
        found = capsys.readouterr()
        said.append((found.out, found.err))
    _, asked, checked, ran = said
    assert {"Lana Wachowski", "Lilly Wachowski"} <= {line.strip() for line in asked[0].splitlines()}
    assert "ACTED_IN points the wrong way" in checked[1]
    assert "<-[:ACTED_IN]-" in Path("answer.cypher").read_text(encoding="utf-8")
    assert {"Keanu Reeves", "Carrie-Anne Moss"} <= {line.strip() for line in ran[0].splitlines()}
