"""The page of claims names only what exists."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "claims.md"


def test_every_file_that_a_claim_names_exists() -> None:
    named = set(re.findall(r"`((?:tests|benchmarks|tools|spec|docs)/[\w./-]+)", PAGE.read_text(encoding="utf-8")))
    assert len(named) > 30
    assert sorted(name for name in named if not (ROOT / name).exists()) == []


def test_every_test_that_a_claim_names_exists() -> None:
    text = "\n".join(path.read_text(encoding="utf-8") for path in (ROOT / "tests").rglob("test_*.py"))
    named = set(re.findall(r"\b(test_\w+)\b(?!\.py)", PAGE.read_text(encoding="utf-8")))
    assert sorted(name for name in named if f"def {name}(" not in text) == []
