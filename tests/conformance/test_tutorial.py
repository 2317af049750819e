"""Every file, command and snippet of `docs/tutorial.md`, in order, in one folder."""

from __future__ import annotations

import contextlib
import io
import re
import shlex
from pathlib import Path

import pytest

from uniqgen_ir.cli.main import main

ROOT = Path(__file__).resolve().parents[2]
TUTORIAL = ROOT / "docs" / "tutorial.md"
BLOCK = re.compile(r"^```(?P<info>[^\n`]+)\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL)
ANY_LINES = object()


def _fits(expected: str, found: str) -> bool:
    """Line by line; `…` alone stands for any lines, inside a line for any text."""
    lines = expected.rstrip("\n").split("\n")
    patterns = [r"(?:.*\n)*" if line == "…" else re.escape(line).replace("…", ".*") + r"\n" for line in lines]
    return re.fullmatch("".join(patterns), found.rstrip("\n") + "\n") is not None


def _run(command: str) -> str:
    words = shlex.split(command)
    assert words[0] == "uniqgen"
    out = io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(out):
        main(words[1:])
    return re.sub(r"\n{2,}\Z", "\n", out.getvalue())


def _check_console(text: str) -> None:
    for session in re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]:
        command, _, expected = session.partition("\n")
        found = _run(command)
        assert _fits(expected, found), f"$ {command}\n{found}\ndoes not look like\n\n{expected}"


def test_the_tutorial_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kinds = run_page(TUTORIAL, tmp_path, monkeypatch)
    assert kinds.count("console") >= 6
    assert kinds.count("python") == kinds.count("output") == 2


def test_the_page_on_chase_and_backchase_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kinds = run_page(ROOT / "docs" / "chase.md", tmp_path, monkeypatch)
    assert kinds.count("console") >= 2
    assert kinds.count("python") == kinds.count("output") >= 3


def test_the_page_on_schemas_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kinds = run_page(ROOT / "docs" / "schemas.md", tmp_path, monkeypatch)
    assert kinds.count("console") >= 2
    assert kinds.count("python") == kinds.count("output") == 1


def test_the_page_on_passes_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kinds = run_page(ROOT / "spec" / "passes.md", tmp_path, monkeypatch)
    assert kinds.count("python") == kinds.count("output") == 1


def run_page(page: Path, folder: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Run the blocks of a page in a folder of their own, and return their kinds."""
    monkeypatch.chdir(folder)
    monkeypatch.setenv("UNIQGEN_CACHE", str(folder / "cache"))
    names: dict[str, object] = {}
    printed = ""
    kinds: list[str] = []
    for block in BLOCK.finditer(page.read_text(encoding="utf-8")):
        kind, *file = block["info"].split()
        kinds.append(kind)
        if file:
            Path(file[0]).write_text(block["text"], encoding="utf-8")
        elif kind == "console":
            _check_console(block["text"])
        elif kind == "python":
            out = io.StringIO()
            with contextlib.redirect_stdout(out):
                exec(compile(block["text"], str(page), "exec"), names)
            printed = out.getvalue()
        elif kind == "output":
            assert _fits(block["text"], printed), printed
        else:
            pytest.fail(f"a block that no test looks at: {block['info']}")
    return kinds


def test_the_program_of_the_readme_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("UNIQGEN_CACHE", str(tmp_path / "cache"))
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    (table,) = re.findall(r"^```\n(prefix .*?^\}\n)```$", text, re.MULTILINE | re.DOTALL)
    Path("hosts.ctable").write_text(table, encoding="utf-8")
    (program,) = re.findall(r"^```python\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    exec(compile(program, "README.md", "exec"), {})
    shown = capsys.readouterr().out
    assert "MATCH" in shown
    assert "LakePlacid" in shown


def test_a_wrong_output_is_noticed() -> None:
    assert _fits("a\n…\nb 12…\n", "a\nx\ny\nb 123\n")
    assert not _fits("a\nb\n", "a\nc\n")
    assert not _fits("a\n", "a\nb\n")


@pytest.mark.parametrize(
    "page",
    [*ROOT.glob("*.md"), *ROOT.glob("docs/*.md"), *ROOT.glob("examples/*.md"), *ROOT.glob("spec/**/*.md")],
    ids=lambda page: page.relative_to(ROOT).as_posix(),
)
def test_links_between_pages_lead_somewhere(page: Path) -> None:
    text = re.sub(r"^```.*?^```$", "", page.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
    links = [one.split("#")[0] for one in re.findall(r"\]\((?!https?:)([^)\s]+)\)", text)]
    assert [one for one in links if one and not (page.parent / one).exists()] == []


def test_the_glossary_is_in_order() -> None:
    words = re.findall(r"^\| \*\*(.+?)\*\*", (ROOT / "docs" / "glossary.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert len(words) > 40
    assert [word.lower() for word in words] == sorted(word.lower() for word in words)
