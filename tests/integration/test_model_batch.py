"""`uniqgen ask --batch --jobs` with a model: in order whatever comes first, one budget, an end when it is asked for."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from attrs import evolve

from tests.integration.test_model_ask import APPROVED, choosing, model, reading, tetany
from tests.servers.scripted_model import Answer, scripted_model
from uniqgen_ir.cli.exits import EXIT_INTERRUPTED, EXIT_USAGE
from uniqgen_ir.cli.main import main

QUESTION = "Which drugs treat tetany?"
Batch = Callable[..., list[dict[str, Any]]]


@pytest.fixture
def batch(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> Batch:
    """Answers questions in one batch; gives the lines."""

    def answered(questions: list[str], *options: str) -> list[dict[str, Any]]:
        file = tmp_path / "batch.jsonl"
        file.write_text(lines_of(questions), encoding="utf-8")
        common = ["--graph", "almanac", "--model", "scripted", "--no-model-cache", "--lang", "sparql"]
        assert main(["ask", "--batch", str(file), *common, "--format", "json", *options]) == 0
        return [json.loads(line) for line in capsys.readouterr().out.splitlines()]

    return answered


def lines_of(questions: list[str]) -> str:
    records = ({"id": number, "question": question} for number, question in enumerate(questions))
    return "".join(json.dumps(record) + "\n" for record in records)


def slow_at_first(body: dict[str, Any], number: int) -> Answer:
    """Answers every question, the first requests last."""
    known = "tetany" in body["messages"][1]["content"]
    said = model(tetany, choosing(*APPROVED))(body, number) if known else reading(missing="I do not know")
    return evolve(said, wait=0.6 if number <= 2 else 0.05)


def test_lines_keep_their_order_whatever_comes_first(batch: Batch, monkeypatch: pytest.MonkeyPatch) -> None:
    questions = [QUESTION, "Who opened the games in Moscow?", "", QUESTION, "Which Games were held in Oslo?", QUESTION]
    with scripted_model(slow_at_first) as server:
        monkeypatch.setenv("OPENAI_BASE_URL", server.url)
        one = batch(questions)
        several = batch(questions, "--jobs", "4")
    assert [line["id"] for line in several] == list(range(len(questions)))
    shown = [(line.get("answers"), line.get("abstained")) for line in several]
    assert shown == [(line.get("answers"), line.get("abstained")) for line in one]
    assert shown[0][0] == shown[5][0] != []


def test_a_batch_has_one_budget(batch: Batch, monkeypatch: pytest.MonkeyPatch) -> None:
    with scripted_model(model(tetany, choosing(*APPROVED))) as server:
        monkeypatch.setenv("OPENAI_BASE_URL", server.url)
        lines = batch([QUESTION] * 6, "--jobs", "3", "--batch-budget", "calls=5")
        assert len(server.requests) == 5
    errors = [line["error"] for line in lines if "error" in line]
    assert {one["code"] for one in errors} == {"UQ692"}
    assert all("batch's budget" in one["message"] for one in errors)
    assert 4 <= len(errors) <= 5  # each question takes two calls
    assert [line["id"] for line in lines] == list(range(6))


@pytest.mark.parametrize("options", [["--jobs", "2"], ["--batch-budget", "calls=2", "--model", "scripted"]])
def test_options_of_batches_need_one(options: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["ask", QUESTION, "--graph", "almanac", *options]) == EXIT_USAGE
    assert "UQ653" in capsys.readouterr().err


def test_an_interrupt_ends_it_at_once_and_keeps_what_was_printed(tmp_path: Path) -> None:
    def script(body: dict[str, Any], number: int) -> Answer:
        slow = "at night" in body["messages"][1]["content"]
        return evolve(model(tetany, choosing(*APPROVED))(body, number), wait=120.0 if slow else 0.0)

    file = tmp_path / "batch.jsonl"
    file.write_text(lines_of([QUESTION, *["Which drugs treat tetany at night?"] * 6]), encoding="utf-8")
    with scripted_model(script) as server:
        command = [sys.executable, "-m", "uniqgen_ir", "ask", "--batch", str(file), "--graph", "almanac", "--jobs", "3"]
        options = ["--model", "scripted", "--no-model-cache", "--lang", "sparql", "--format", "json"]
        environment = {**os.environ, "OPENAI_BASE_URL": server.url, "OPENAI_API_KEY": "none"}
        process = subprocess.Popen(
            [*command, *options],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=environment,
            # a run in the background ignores interrupts, and so would its children
            preexec_fn=partial(signal.signal, signal.SIGINT, signal.SIG_DFL),
        )
        assert process.stdout is not None
        first = process.stdout.readline()
        process.send_signal(signal.SIGINT)
        started = time.monotonic()
        rest, shown = process.communicate(timeout=100)
        passed = time.monotonic() - started
    assert json.loads(first)["answers"]
    assert shown.splitlines()[-1] == b"interrupted"
    assert b"Traceback" not in shown
    assert not rest
    assert process.returncode == EXIT_INTERRUPTED
    assert passed < 60  # the model would have taken 120
