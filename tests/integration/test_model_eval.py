"""`uniqgen eval`: models and the offline reader side by side, resumed, in processes; the experiments."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from tests.integration.test_model_ask import Ids, choosing, model, reading, row, tetany
from tests.servers.scripted_model import Answer, error, says, scripted_model
from uniqgen_ir.cli.main import main
from uniqgen_ir.evaluation.datasets import GoldQuestion
from uniqgen_ir.evaluation.questions import _template, _without_marks  # pyright: ignore[reportPrivateUsage]

ALMANAC = "http://almanac.example/"
QUESTIONS: list[dict[str, Any]] = [
    {"id": "t1", "question": "Which drugs treat tetany?", "answers": ["calcium gluconate", "calcium chloride"],
     "level": "easy", "chain": ["treats"]},
    {"id": "t2", "question": "Where were the 1998 Winter Olympics held?", "answers": ["Nagano"], "level": "easy",
     "chain": ["host"]},
    {"id": "t3", "question": "Which drugs treat dragon fever?", "answers": ["dragonwort"], "level": "hard",
     "chain": ["treats", "part of"]},
    {"id": "t4", "question": "Who?", "answers": []},
    {"id": "t5", "question": "What?", "answers": ["x"], "kg_exact": False},
]  # fmt: skip


@pytest.fixture
def dataset(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setenv("OPENAI_API_KEY", "none")
    file = tmp_path / "questions.jsonl"
    file.write_text("".join(json.dumps(one) + "\n" for one in QUESTIONS), encoding="utf-8")
    return str(file)


def evaluate(dataset: str, capsys: pytest.CaptureFixture[str], *options: str) -> tuple[int, dict[str, Any], str]:
    code = main(["eval", dataset, "--graph", "almanac", "--no-model-cache", "--format", "json", *options])
    printed = capsys.readouterr()
    return code, json.loads(printed.out) if printed.out.strip() else {}, printed.err


def script(body: dict[str, Any], _: int) -> Answer:
    """A model that knows one question and says that it cannot answer the others."""
    if "tetany" in body["messages"][1]["content"]:
        return model(tetany, choosing("calcium gluconate", "calcium chloride"))(body, 1)
    return reading(missing="I do not know")


def test_two_models_in_one_table(
    dataset: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    folder = tmp_path / "report"
    with scripted_model(script) as server:
        monkeypatch.setenv("OPENAI_BASE_URL", server.url)
        code, found, _ = evaluate(
            dataset, capsys, "--model", "offline", "--model", "scripted", "--report", str(folder), "--price", "1,10"
        )
    assert code == 0
    assert (found["questions"], found["without_answers"], found["inexact"]) == (3, 1, 1)
    offline, scripted = found["models"]["offline"], found["models"]["scripted"]
    assert offline["f1"]["mean"] == pytest.approx(2 / 3, abs=1e-3)
    assert scripted["f1"]["mean"] == pytest.approx(1 / 3, abs=1e-3)
    assert scripted["f1_universal"] == pytest.approx(1 / 3, abs=1e-3)
    assert scripted["f1"]["low"] <= scripted["f1"]["mean"] <= scripted["f1"]["high"]
    assert scripted["abstained"] == {"UQ697": 2}
    assert (offline["model_calls"], scripted["model_calls"]) == (0, 4)
    assert (scripted["input_tokens"], scripted["output_tokens"]) == (400, 80)
    assert scripted["cost"] == pytest.approx((400 + 800) / 1e6)
    assert scripted["groups"]["level"]["each"]["easy"] == {"questions": 2, "f1": 0.5, "hits1": 0.5, "exact": 0.5}
    assert set(offline["groups"]["hops"]["each"]) == {"1", "2"}
    text = (folder / "report.md").read_text(encoding="utf-8")
    assert "| offline | 0.667 [" in text
    assert "## By level" in text
    picture = ElementTree.parse(folder / "report.svg").getroot()
    assert picture.tag == "{http://www.w3.org/2000/svg}svg"
    assert len(picture.findall("{http://www.w3.org/2000/svg}circle")) == 6
    assert json.loads((folder / "report.json").read_text(encoding="utf-8")) == found


def test_a_stopped_run_goes_on(dataset: str, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    out = tmp_path / "answers.jsonl"
    _, whole, _ = evaluate(dataset, capsys, "--out", str(out))
    lines = out.read_bytes().splitlines(keepends=True)
    assert len(lines) == 3
    marked = json.loads(lines[0]) | {"f1": 0.25}
    out.write_bytes(json.dumps(marked).encode() + b"\n" + lines[1][:20])
    code, again, shown = evaluate(dataset, capsys, "--out", str(out))
    assert code == 0
    assert "1 answers are there already" in shown
    assert [json.loads(line)["id"] for line in out.read_bytes().splitlines()] == [
        json.loads(one)["id"] for one in lines
    ]
    # the line that was there counts as it stands
    assert again["models"]["offline"]["f1"]["mean"] == pytest.approx(whole["models"]["offline"]["f1"]["mean"] - 0.25)
    code, _, shown = evaluate(dataset, capsys, "--out", str(out), "--k", "3")
    assert code == 1
    assert "UQ671" in shown


def test_processes_give_what_one_gives(dataset: str, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    one, two = tmp_path / "one.jsonl", tmp_path / "two.jsonl"
    evaluate(dataset, capsys, "--out", str(one))
    code, _, _ = evaluate(dataset, capsys, "--out", str(two), "--jobs", "2")
    assert code == 0

    def bare(file: Path) -> list[dict[str, Any]]:
        lines = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
        return [{name: value for name, value in line.items() if name != "ms"} for line in lines]

    assert bare(one) == bare(two)


@pytest.mark.parametrize("jobs", ["1", pytest.param("2", marks=pytest.mark.slow)])
def test_a_server_that_fails_ends_the_run_and_keeps_what_is_there(
    jobs: str, dataset: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    out = tmp_path / "answers.jsonl"

    def failing(body: dict[str, Any], _: int) -> Answer:
        return script(body, 1) if "tetany" in body["messages"][1]["content"] else error(401, "no")

    with scripted_model(failing) as server:
        monkeypatch.setenv("OPENAI_BASE_URL", server.url)
        code, _, shown = evaluate(dataset, capsys, "--model", "scripted", "--out", str(out), "--jobs", jobs)
    assert code == 3
    assert "UQ691" in shown
    assert len(out.read_bytes().splitlines()) == 1


def test_a_question_over_its_budget_is_one_without_an_answer(
    dataset: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    with scripted_model(script) as server:
        monkeypatch.setenv("OPENAI_BASE_URL", server.url)
        code, found, _ = evaluate(dataset, capsys, "--model", "scripted", "--model-budget", "calls=1")
    assert code == 0
    assert found["models"]["scripted"]["errors"] == {"UQ692": 1}
    assert found["models"]["scripted"]["f1"]["mean"] == 0


def test_only_some_questions_and_without_marks(
    dataset: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    ids = tmp_path / "ids.json"
    ids.write_text('["t2"]', encoding="utf-8")
    code, found, _ = evaluate(dataset, capsys, "--ids", str(ids), "--plain")
    assert (code, found["questions"]) == (0, 1)
    assert found["models"]["offline"]["exact"]["mean"] == 1.0
    ids.write_text("nobody\n", encoding="utf-8")
    code, _, shown = evaluate(dataset, capsys, "--ids", str(ids))
    assert code == 1
    assert "UQ670" in shown


def test_templates_are_questions_without_their_names() -> None:
    gold = GoldQuestion("1", "how old is Tim_HOWARD ?", "SELECT ?x { <urn:e:Tim_HOWARD> <urn:r:age> ?x }", ("35",))
    assert _template(gold) == (("template", "how old is … ?"),)
    assert _template(GoldQuestion("1", "who acted in [Heat]", None, ("x",))) == (("template", "who acted in […]"),)
    assert _without_marks("Who's “Tim_HOWARD”, then?") == "who s tim howard then"


def test_a_confused_model_costs_a_question_and_no_run(
    dataset: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def confused(_: Ids) -> Answer:
        return reading(row("?answer", "r999", "e999"))

    with scripted_model(model(confused, lambda _: says({}))) as server:
        monkeypatch.setenv("OPENAI_BASE_URL", server.url)
        code, found, _ = evaluate(dataset, capsys, "--model", "scripted", "--limit", "1")
    assert code == 0
    assert found["models"]["scripted"]["abstained"] == {"UQ693": 1}


GOLD = [
    f"SELECT DISTINCT ?x {{ ?x <{ALMANAC}medicine/treats> <{ALMANAC}medicine/Tetany> . "
    f"?x <{ALMANAC}medicine/status> 'approved' }}",
    f"SELECT DISTINCT ?c {{ ?g <{ALMANAC}olympics/hostCity> ?c . ?g <{ALMANAC}olympics/season> 'Winter' }}",
    f"SELECT (COUNT(?g) AS ?n) {{ ?g <{ALMANAC}olympics/hostCity> ?c }}",
    f"SELECT ?g {{ ?g <{ALMANAC}olympics/hostCity> <{ALMANAC}nowhere> }}",
    "SELECT ?x {",
]


@pytest.fixture
def gold(tmp_path: Path) -> str:
    file = tmp_path / "gold.jsonl"
    lines = [{"id": number, "question": "?", "sparql": text} for number, text in enumerate(GOLD)]
    file.write_text("".join(json.dumps(one) + "\n" for one in lines), encoding="utf-8")
    return str(file)


def test_a_perfect_oracle_gives_exactly_the_gold_answers(gold: str, capsys: pytest.CaptureFixture[str]) -> None:
    code, found, _ = evaluate(gold, capsys, "--experiment", "perfect-oracle")
    assert code == 0
    assert found["skipped"] == {"not a core query": 1, "no answer on this graph": 1, "UQ143": 1}
    assert found["trials"] == 2
    assert found["exact"]["mean"] == 1.0
    assert found["rows"] == pytest.approx(5.0)  # two of the query, three that distract


def test_orders_of_the_search_are_compared_on_the_same_trials(
    gold: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    code, found, _ = evaluate(gold, capsys, "--experiment", "search-order", "--report", str(tmp_path / "r"))
    assert code == 0
    assert set(found["orders"]) == {"greedy by u", "greedy at random", "beam by u", "beam at random"}
    assert all(one["calls"] > 0 for one in found["orders"].values())
    assert "random order" in (tmp_path / "r" / "report.md").read_text(encoding="utf-8")


def test_minimal_queries_are_timed_on_both_engines(
    gold: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    code, found, _ = evaluate(gold, capsys, "--experiment", "plan-latency", "--report", str(tmp_path / "r"))
    assert code == 0
    assert found["trials"] == 2
    assert found["agree"] == 1.0
    assert all(0.0 < one["p50"] <= one["p95"] <= one["slowest"] for one in found["ms"].values())
    assert "ladybug" in (tmp_path / "r" / "report.md").read_text(encoding="utf-8")


def test_options_of_an_experiment(gold: str, capsys: pytest.CaptureFixture[str]) -> None:
    code, _, shown = evaluate(gold, capsys, "--experiment", "search-order", "--model", "m")
    assert code == 2
    assert "UQ653" in shown


def test_a_language_that_there_is_none(dataset: str, capsys: pytest.CaptureFixture[str]) -> None:
    code, _, shown = evaluate(dataset, capsys, "--lang", "klingon")
    assert code == 2
    assert "UQ653" in shown


@pytest.mark.slow
def test_a_killed_run_leaves_no_process_and_goes_on(dataset: str, tmp_path: Path) -> None:
    out = tmp_path / "answers.jsonl"
    records = [{**QUESTIONS[0], "id": f"q{number}"} for number in range(40)]
    Path(dataset).write_text("".join(json.dumps(one) + "\n" for one in records), encoding="utf-8")
    command = [sys.executable, "-m", "uniqgen_ir", "eval", dataset, "--graph", "almanac", "--lang", "sparql"]
    command += ["--out", str(out), "--jobs", "2", "--format", "json"]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _wait(lambda: out.exists() and len(out.read_bytes().splitlines()) > 4)
    workers = _children(process.pid)
    assert len(workers) >= 2
    process.kill()
    process.wait(timeout=10)
    _wait(lambda: not any(Path(f"/proc/{one}").exists() for one in workers))
    finished = subprocess.run(command, capture_output=True, text=True, timeout=120, check=True)
    assert "answers are there already" in finished.stderr
    assert json.loads(finished.stdout)["models"]["offline"]["questions"] == 40


def _wait(done: Callable[[], bool], seconds: float = 60.0) -> None:
    end = time.monotonic() + seconds
    while not done():
        assert time.monotonic() < end
        time.sleep(0.1)


def _children(pid: int) -> list[int]:
    """The processes that a process started, as the kernel lists them."""
    listed = Path(f"/proc/{pid}/task").glob("*/children")
    return [int(one) for file in listed for one in file.read_text(encoding="ascii").split()]
