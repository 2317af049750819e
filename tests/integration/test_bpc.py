"""Walks and their studies through the command line: offline, with scripts, and against a scripted model."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.servers.scripted_model import Answer, ScriptedModel, says, scripted_model
from uniqgen_ir.cli.main import main

FACTS = [
    ("anna", "spouse", "bert"),
    ("bert", "nationality", "norland"),
    ("anna", "nationality", "sudland"),
    ("bert", "children", "cora"),
    ("cora", "children", "dora"),
    ("dora", "nationality", "norland"),
    ("cora", "spouse", "emil"),
    ("emil", "profession", "baker"),
    ("bert", "profession", "smith"),
]
QUESTIONS = [
    ("what is the nationality of anna 's spouse ?", "anna", ["spouse", "nationality"], ["norland"]),
    ("who are the children of bert ?", "bert", ["children"], ["cora"]),
    ("who are the children of the children of bert ?", "bert", ["children", "children"], ["dora"]),
    ("what is the profession of cora 's spouse ?", "cora", ["spouse", "profession"], ["baker"]),
]
ASK = "what is the nationality of anna's spouse?"


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a graph and a data set; the current one."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("OPENAI_API_KEY", "sk-test")
    (tmp_path / "family.tsv").write_text("".join("\t".join(fact) + "\n" for fact in FACTS))
    (tmp_path / "questions.jsonl").write_text("".join(json.dumps(_record(*one)) + "\n" for one in QUESTIONS))
    return tmp_path


def _record(question: str, topic: str, chain: list[str], answers: list[str]) -> dict[str, Any]:
    names = [f"<urn:e:{topic}>", *(f"?v{place}" for place in range(1, len(chain))), "?x"]
    body = " . ".join(f"{names[n]} <urn:r:{name}> {names[n + 1]}" for n, name in enumerate(chain))
    sparql = f"SELECT DISTINCT ?x WHERE {{ {body} }}"
    return {
        "id": question,
        "question": question,
        "sparql": sparql,
        "answers": answers,
        "topic_entities": {topic: topic},
    }


Ran = tuple[int, Any, str]
Run = Callable[..., Ran]


@pytest.fixture
def run(place: Path, capsys: pytest.CaptureFixture[str]) -> Run:  # noqa: ARG001
    """Runs a command; gives the exit code, the JSON and standard error."""

    def ran(*arguments: str) -> Ran:
        code = main([*arguments, "--graph", "family.tsv", "--format", "json"])
        printed = capsys.readouterr()
        return code, json.loads(printed.out) if printed.out.strip() else None, printed.err

    return ran


def bpc(run: Run, *more: str) -> dict[str, Any]:
    code, report, _ = run("eval", "bpc", "questions.jsonl", *more)
    assert code == 0
    found: dict[str, Any] = report
    return found


def without_times(report: dict[str, Any]) -> dict[str, Any]:
    """The report less what clocks say."""
    arms = {
        name: {key: value for key, value in arm.items() if key not in ("seconds", "ms")}
        for name, arm in report["arms"].items()
    }
    return report | {"arms": arms}


def test_a_walk_answers_and_its_trace_holds(run: Run, place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, found, _ = run("ask", ASK, "--method", "traverse", "--history", "2", "--trace", "walk.jsonl")
    assert code == 0
    assert found["answers"] == ["norland"]
    assert found["engines_agree"]
    walks = [step for step in found["trace"] if step["rule"] == "walk"]
    assert [step["evidence"]["hops_shown"] for step in walks][:1] == [[]]
    assert all(step["evidence"]["prompt_tokens"] > 0 for step in walks)
    assert any("spouse" in path for step in found["trace"] if step["rule"] == "walk.end"
               for path in step["evidence"]["paths"])  # fmt: skip
    assert main(["verify", "walk.jsonl", "--graph", str(place / "family.tsv")]) == 0
    assert "hold" in "".join(capsys.readouterr())


@pytest.mark.parametrize("arguments", [["--history", "-1"], ["--history", "some"], ["--method", "fly"]])
def test_options_that_make_no_sense_are_refused(run: Run, arguments: list[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        run("ask", ASK, *arguments)
    assert caught.value.code == 2


def test_gathering_by_a_walk_needs_a_model(run: Run) -> None:
    code, _, errors = run("ask", ASK, "--gather", "traverse")
    assert code == 2
    assert "UQ653" in errors


def test_nothing_linked_is_told(run: Run) -> None:
    code, found, errors = run("ask", "where do zebras live?", "--method", "traverse")
    assert code == 1
    assert found["answers"] == []
    assert "UQ660" in errors


def test_a_study_is_deterministic_and_goes_on_where_it_was_killed(run: Run, place: Path) -> None:
    arguments = ("--model", "lexical", "--model", "reading:0.1,0.4", "--out", "lines.jsonl", "--report", "told")
    whole = without_times(bpc(run, *arguments))
    text = (place / "lines.jsonl").read_bytes()
    cut = text[: len(text) // 2]  # in the middle of a line
    (place / "lines.jsonl").write_bytes(cut)
    assert without_times(bpc(run, *arguments)) == whole
    again = without_times(bpc(run, *arguments[:4]))
    assert again == whole
    for name in ("report.json", "report.md", "report.svg", "tokens.svg"):
        assert (place / "told" / name).stat().st_size > 100
    assert "synthetic" in (place / "told" / "report.md").read_text().lower()
    assert whole["synthetic"] == ["reading:0.1,0.4"]


def test_a_study_that_was_killed_ends_in_the_same_report(run: Run, place: Path) -> None:
    arguments = ["--model", "reading:0.1,0.4", "--model", "scripted:0.3", "--out", "lines.jsonl"]
    command = [
        sys.executable,
        "-m",
        "uniqgen_ir",
        "eval",
        "bpc",
        "questions.jsonl",
        "--graph",
        "family.tsv",
        *arguments,
    ]
    lines = place / "lines.jsonl"
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=place) as process:
        while process.poll() is None and not (lines.exists() and lines.stat().st_size):
            time.sleep(0.005)
        process.kill()
    assert lines.read_bytes(), "it ended before its first line"
    resumed = without_times(bpc(run, *arguments))
    lines.unlink()
    assert without_times(bpc(run, *arguments)) == resumed


def test_two_noise_levels_and_what_history_is_worth(run: Run) -> None:
    report = bpc(run, "--model", "scripted:0", "--model", "scripted:0.9", "--model", "reading:0,1", "--depth", "3")
    f1 = {name: arm["f1"]["mean"] for name, arm in report["arms"].items()}
    assert f1["scripted:0, K=0"] == f1["scripted:0, K=full"] == 1.0
    assert f1["scripted:0.9, K=1"] < 0.8
    assert f1["reading:0,1, K=1"] == 1.0
    assert f1["reading:0,1, K=0"] < 1.0  # children of children: it cannot tell where it is
    assert f1["reading:0,1, K=full"] < 1.0  # two hops shown, one of them stale
    decided = {(one["arm"], reason) for one in report["comparisons"] for reason in one["reasons"]}
    assert ("reading:0,1, K=1", "a stale hop that was shown led astray") in decided


def test_a_file_of_another_study_is_left_alone(run: Run) -> None:
    bpc(run, "--out", "lines.jsonl")
    code, _, errors = run("eval", "bpc", "questions.jsonl", "--out", "lines.jsonl", "--seed", "7")
    assert code == 1
    assert "UQ671" in errors


def test_neighbourhoods_in_the_form_of_the_field(run: Run, place: Path) -> None:
    bpc(run, "--subgraphs", "near.jsonl", "--history", "1", "--controls", "", "--depth", "2")
    lines = [json.loads(line) for line in (place / "near.jsonl").read_text().splitlines()]
    assert len(lines) == len(QUESTIONS)
    first = lines[0]
    assert set(first) == {"id", "question", "answer", "q_entity", "a_entity", "graph"}
    assert first["q_entity"] == ["anna"]
    assert first["a_entity"] == ["norland"]
    assert ["anna", "spouse", "bert"] in first["graph"]
    assert {tuple(one) for one in first["graph"]} <= set(FACTS)


def test_neighbourhoods_that_are_read_back_are_walked_alike(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def studied(*arguments: str) -> dict[str, Any]:
        code = main(["eval", "bpc", *arguments, "--history", "0,full", "--depth", "3", "--format", "json"])
        found: dict[str, Any] = json.loads(capsys.readouterr().out)
        assert code == 0
        return found

    guides = ("--model", "lexical", "--model", "scripted:0", "--model", "reading:0.2,0.5")
    written = studied("questions.jsonl", "--graph", "family.tsv", "--subgraphs", "near.jsonl", *guides)
    read = studied("near.jsonl", "--own-graphs", "--subgraphs", "again.jsonl", *guides)
    assert (place / "again.jsonl").read_text() == (place / "near.jsonl").read_text()
    for name in ("lexical, K=full", "scripted:0, K=0", "scripted:0, K=full"):
        assert read["arms"][name]["f1"] == written["arms"][name]["f1"]
    # the ways of scripts come from the answers where no query is given
    assert read["arms"]["scripted:0, K=full"]["f1"]["mean"] == 1.0


def test_a_file_of_neighbourhoods_is_a_graph(run: Run, capsys: pytest.CaptureFixture[str]) -> None:
    bpc(run, "--subgraphs", "near.jsonl", "--history", "1", "--controls", "", "--depth", "3")
    assert main(["ask", ASK, "--graph", "near.jsonl", "--lang", "sparql", "--format", "json"]) == 0
    assert json.loads(capsys.readouterr().out)["answers"] == ["norland"]


BROKEN = [
    ('{"id": 1, "question": "who?", "answer": ["a"], "graph": [[17, 3, 4]]}', "UQ674"),
    ('{"id": 1, "question": "who?", "answer": ["a"], "graph": [["a", "b"]]}', "UQ674"),
    ('{"id": 1, "question": "who?", "answer": ["a"], "graph": [["a", "", "b"]]}', "UQ674"),
    ('{"id": 1, "question": "who?", "answer": ["a"], "graph": {"tuples": []}}', "UQ674"),
    ('{"id": 1, "question": "who?", "answer": ["a"]}', "UQ674"),
    ('{"id": 1, "question": "who?", "graph": [["a", "b", "c"]]}', "UQ670"),
    ('{"id": 1, "question": ', "UQ670"),
]


@pytest.mark.parametrize(("line", "expected"), BROKEN)
def test_a_broken_line_of_neighbourhoods_is_named(
    place: Path, capsys: pytest.CaptureFixture[str], line: str, expected: str
) -> None:
    (place / "broken.jsonl").write_text(line + "\n")
    assert main(["eval", "bpc", "broken.jsonl", "--own-graphs"]) == 1
    assert expected in capsys.readouterr().err


@pytest.mark.parametrize("options", [[], ["--own-graphs", "--graph", "family.tsv"]])
def test_a_study_needs_one_graph(place: Path, capsys: pytest.CaptureFixture[str], options: list[str]) -> None:
    del place
    assert main(["eval", "bpc", "questions.jsonl", *options]) == 2
    assert "UQ653" in capsys.readouterr().err


def purpose(body: dict[str, Any]) -> str:
    found: str = next(iter(body["response_format"]["json_schema"]["schema"]["properties"]))
    return found


def listed(body: dict[str, Any]) -> list[str]:
    """Every id that the schema allows as a choice."""
    choices = body["response_format"]["json_schema"]["schema"]["properties"]["choices"]
    found: list[str] = choices["items"]["properties"]["id"]["enum"]
    return found


def guide(body: dict[str, Any], _: int) -> Answer:
    """A model that knows one way: spouse, nationality, stop."""
    prompt = body["messages"][1]["content"]
    match purpose(body):
        case "choices" if "Entities, with" in prompt:
            return says({"choices": [{"id": listed(body)[0], "score": 1.0}]})
        case "choices":
            lines = dict(line[2:].split(": ", 1) for line in prompt.splitlines() if line.startswith("- r"))
            current = prompt.split("Current entity: ")[1].split("\n")[0]
            wanted = '"spouse"' if "anna" in current else '"nationality"'
            found = next((name for name, text in lines.items() if text.startswith(wanted)), None)
            done = "land" in current and "STOP" in listed(body)
            return says({"choices": [{"id": "STOP" if done or found is None else found, "score": 1.0}]})
        case "best":
            return says({"best": "a1"})
        case "enough":
            return says({"enough": "land" in prompt.split("Facts:")[1], "answers": ["n1"]})
        case _:
            return says({"thought": "I recall", "answers": ["norland"]})


MODEL = ("--model", "m", "--no-model-cache")


@pytest.fixture
def served(monkeypatch: pytest.MonkeyPatch) -> Callable[[ScriptedModel], None]:
    return lambda server: monkeypatch.setenv("OPENAI_BASE_URL", server.url)


def test_a_model_guides_the_walk_and_sees_the_last_hops_only(run: Run, served: Callable[[ScriptedModel], None]) -> None:
    with scripted_model(guide) as server:
        served(server)
        code, found, _ = run("ask", ASK, "--method", "traverse", "--history", "1", *MODEL)
    assert code == 0
    assert found["answers"] == ["norland"]
    walked = [prompt for prompt in server.prompts if "Current entity" in prompt]
    assert len(walked) >= 3
    assert max(prompt.count("- hop ") for prompt in walked) == 1
    assert any("hop 2:" in prompt and "earlier ones are not shown" in prompt for prompt in walked)
    assert found["model"]["calls"] == len(server.requests)


def test_a_model_cannot_name_what_is_not_there(run: Run, served: Callable[[ScriptedModel], None]) -> None:
    def wrong(body: dict[str, Any], number: int) -> Answer:
        return says({"choices": [{"id": "r99", "score": 1.0}]}) if purpose(body) == "choices" else guide(body, number)

    with scripted_model(wrong) as server:
        served(server)
        code, found, errors = run("ask", ASK, "--method", "traverse", *MODEL)
    assert code == 0
    assert found["answers"] in (["norland"], ["sudland"])  # words of the question guide the walk in its place
    assert "UQ693" in errors


def test_a_spent_budget_degrades_to_words(run: Run, served: Callable[[ScriptedModel], None]) -> None:
    with scripted_model(guide) as server:
        served(server)
        code, found, errors = run("ask", ASK, "--method", "traverse", *MODEL, "--model-budget", "calls=1")
    assert code == 0
    assert found["answers"] == ["norland"]
    assert "UQ692" in errors
    assert len(server.requests) == 1


def test_the_study_with_a_model_and_its_controls(run: Run, served: Callable[[ScriptedModel], None]) -> None:
    with scripted_model(guide) as server:
        served(server)
        report = bpc(run, *MODEL, "--history", "0,full", "--limit", "1")
    arms = report["arms"]
    assert set(arms) == {"m, K=0", "m, K=full", "m, random relations", "m, no graph", "m, think on graph"}
    assert arms["m, K=0"]["f1"]["mean"] == arms["m, K=full"]["f1"]["mean"] == 1.0
    assert arms["m, no graph"]["f1"]["mean"] == arms["m, think on graph"]["f1"]["mean"] == 1.0
    assert arms["m, K=0"]["input_tokens"] > 0
    assert not any(arm["synthetic"] for arm in arms.values())
    assert arms["m, K=0"]["prompt_tokens"]["sum"] < arms["m, K=full"]["prompt_tokens"]["sum"]


def test_gathering_by_a_walk_shows_the_relations_that_it_took(
    run: Run, served: Callable[[ScriptedModel], None]
) -> None:
    def reading(body: dict[str, Any], number: int) -> Answer:
        prompt = body["messages"][1]["content"]
        if purpose(body) != "rows":
            return (
                guide(body, number)
                if purpose(body) in ("choices", "best")
                else says({"verdict": "cannot tell", "answers": [], "reason": "no"})
            )
        lines = [line[2:].split(": ", 1) for line in prompt.splitlines() if line.startswith(("- r", "- e"))]
        ids = {text.split('"')[1]: name for name, text in lines}
        common = {"origin": "explicit", "negated": False, "confidence": 0.9, "reason": "said"}
        rows = [
            {"subject": ids["anna"], "relation": ids["spouse"], "object": "?a", **common},
            {"subject": "?a", "relation": ids["nationality"], "object": "?answer", **common},
        ]
        return says({"rows": rows, "ask": "things", "extreme": None, "missing": None})

    with scripted_model(reading) as server:
        served(server)
        code, found, _ = run("ask", ASK, "--gather", "traverse", *MODEL)
    assert code == 0
    assert found["answers"] == ["norland"]
    (extract,) = [prompt for prompt in server.prompts if "Relations near them" in prompt]
    assert '"profession"' not in extract  # near, and not on the way


def test_robustness_through_the_command_line(run: Run, place: Path) -> None:
    arguments = ("eval", "robustness", "questions.jsonl", "--shares", "1,.5", "--out", "r.jsonl", "--report", "told")
    code, report, _ = run(*arguments)
    assert code == 0
    assert report["trials"] >= 3
    perfect = report["points"][0]
    assert (perfect["recall"], perfect["precision"]) == (1.0, 1.0)
    assert perfect["f1"]["chase & backchase"]["mean"] == 1.0
    assert perfect["f1"]["oracle's own set"]["mean"] == 1.0
    for name in ("recall.svg", "precision.svg", "both.svg", "report.md", "report.json"):
        assert (place / "told" / name).stat().st_size > 100
    text = (place / "r.jsonl").read_bytes()
    (place / "r.jsonl").write_bytes(text[:-20])
    assert run(*arguments)[1] == report


@pytest.mark.parametrize("shares", ["0", "2", "x", ""])
def test_shares_that_make_no_sense_are_refused(run: Run, shares: str) -> None:
    code, _, errors = run("eval", "robustness", "questions.jsonl", "--shares", shares)
    assert code == 2
    assert "UQ653" in errors


def test_codes_and_answers_by_code_are_written_so_that_they_are_found_again(
    place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    names = [("m.01", "Norland"), ("m.02", "Anna"), ("m.04", "Nora")]
    lines = [
        f'<http://kg.example/{code}> <http://www.w3.org/2000/01/rdf-schema#label> "{name}" .' for code, name in names
    ]
    # m.03 has no name: it stands for a fact, as many things of Freebase do
    facts = [("m.02", "marriage", "m.03"), ("m.03", "spouse", "m.04"), ("m.04", "born", "m.01")]
    lines += [f"<http://kg.example/{s}> <http://kg.example/{p}> <http://kg.example/{o}> ." for s, p, o in facts]
    (place / "kg.nt").write_text("\n".join(lines) + "\n")
    record = {
        "id": 1,
        "question": "Who is the spouse of Anna?",
        "topic_entities": {"m.02": "Anna"},
        "answers": ["m.04"],
    }
    (place / "coded.jsonl").write_text(json.dumps(record) + "\n")

    def studied(*arguments: str) -> float:
        guided = ["--model", "scripted:0", "--history", "full", "--controls", "", "--format", "json"]
        assert main(["eval", "bpc", *arguments, *guided]) == 0
        return float(json.loads(capsys.readouterr().out)["arms"]["scripted:0, K=full"]["f1"]["mean"])

    written = studied("coded.jsonl", "--graph", "kg.nt", "--subgraphs", "near.jsonl")
    line = json.loads((place / "near.jsonl").read_text())
    assert (line["answer"], line["a_entity"]) == (["Nora"], ["Nora"])
    assert ["Anna", "http://kg.example/marriage", "http://kg.example/m.03"] in line["graph"]
    assert studied("near.jsonl", "--own-graphs", "--subgraphs", "again.jsonl") == written == 1.0
    assert (place / "again.jsonl").read_text() == (place / "near.jsonl").read_text()
