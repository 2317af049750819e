"""The hook for pre-commit, run by pre-commit itself in a repository of its own."""

from __future__ import annotations

import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.unit.validate.library import SCHEMA

ROOT = Path(__file__).parents[2]
pytestmark = [
    pytest.mark.skipif(importlib.util.find_spec("pre_commit") is None, reason="pre-commit is not installed"),
    pytest.mark.skipif(shutil.which("git") is None, reason="there is no git"),
]


def run(folder: Path, *command: str) -> subprocess.CompletedProcess[str]:
    environment = {
        **{name: value for name, value in os.environ.items() if not name.startswith(("GIT_", "PRE_COMMIT"))},
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        "HOME": str(folder.parent),
        "PRE_COMMIT_HOME": str(folder.parent / "hooks"),
    }
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A repository with the hook as this project publishes it, run from this installation and not from a new one."""
    folder = tmp_path / "repository"
    folder.mkdir()
    published = (ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8")
    here = re.sub(r"language: python", "language: system\n  args: [--schema, library.json]", published)
    hooks = "".join(f"    {line}\n" for line in here.splitlines())
    (folder / ".pre-commit-config.yaml").write_text(f"repos:\n- repo: local\n  hooks:\n{hooks}", encoding="utf-8")
    (folder / "library.json").write_text(json.dumps(SCHEMA), encoding="utf-8")
    (folder / "right.cypher").write_text("MATCH (a:Author)-[:WROTE]->(b:Book) RETURN b.title\n", encoding="utf-8")
    (folder / "notes.txt").write_text("MATCH (x:Nothing) RETURN x\n", encoding="utf-8")
    run(folder, "git", "init", "--quiet")
    run(folder, "git", "add", ".")
    return folder


def test_a_commit_is_refused_for_a_query_that_is_wrong(repository: Path) -> None:
    clean = run(repository, sys.executable, "-m", "pre_commit", "run", "--all-files")
    assert clean.returncode == 0, clean.stdout + clean.stderr
    (repository / "wrong.cypher").write_text("MATCH (a:Author)-[:WROTE]->(b:Bok) RETURN b.title\n", encoding="utf-8")
    run(repository, "git", "add", ".")
    refused = run(repository, sys.executable, "-m", "pre_commit", "run", "--all-files")
    assert refused.returncode == 1, refused.stdout + refused.stderr
    assert "there is no label `Bok`" in refused.stdout
    assert "notes.txt" not in refused.stdout
