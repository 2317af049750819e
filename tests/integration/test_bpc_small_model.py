"""The study with a real, small model: that every prompt of every arm is understood, and the run ends and resumes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.servers.small_model import MISSING, NAME, REASON, small_model
from uniqgen_ir.cli.main import main

pytestmark = [pytest.mark.slow, pytest.mark.skipif(MISSING, reason=REASON)]

NEAR = [
    {
        "id": "q1",
        "question": "what is the nationality of anna's spouse?",
        "q_entity": ["anna"],
        "answer": ["norland"],
        "graph": [["anna", "spouse", "bert"], ["bert", "nationality", "norland"], ["anna", "profession", "baker"]],
    },
    {
        "id": "q2",
        "question": "who are the children of bert?",
        "q_entity": ["bert"],
        "answer": ["cora"],
        "graph": [["bert", "children", "cora"], ["bert", "spouse", "anna"]],
    },
]
ARMS = ["K=0", "K=1", "K=full", "random relations", "no graph", "think on graph"]


def test_every_arm_runs_is_marked_and_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("near.jsonl").write_text("".join(json.dumps(one) + "\n" for one in NEAR), encoding="utf-8")
    options = ["--model", NAME, "--synthetic", "--history", "0,1,full", "--depth", "2", "--width", "1", "--beams", "1"]

    def studied() -> dict[str, Any]:
        arguments = ["eval", "bpc", "near.jsonl", "--own-graphs", *options, "--no-model-cache", "--out", "lines.jsonl"]
        assert main([*arguments, "--format", "json"]) == 0
        report: dict[str, Any] = json.loads(capsys.readouterr().out)
        for arm in report["arms"].values():
            del arm["seconds"], arm["ms"]
        return report

    with small_model() as address:
        monkeypatch.setenv("OPENAI_BASE_URL", address)
        monkeypatch.setenv("OPENAI_API_KEY", "none")
        whole = studied()
        lines = Path("lines.jsonl").read_bytes().splitlines(keepends=True)
        Path("lines.jsonl").write_bytes(b"".join(lines[:10]) + lines[10][:30])
        assert studied() == whole  # at temperature 0
    assert list(whole["arms"]) == [f"{NAME}, {one}" for one in ARMS]
    assert whole["synthetic"] == [NAME]
    for name, arm in whole["arms"].items():
        assert arm["synthetic"]
        assert arm["questions"] == len(NEAR)
        assert arm["input_tokens"] > 0, name
        assert arm["calls"] >= 1
