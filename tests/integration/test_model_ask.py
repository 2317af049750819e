"""`uniqgen ask --model`: whole questions, through the real client, against a scripted model."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.servers.scripted_model import Answer, ScriptedModel, error, says, scripted_model
from uniqgen_ir.cli.main import main
from uniqgen_ir.kg.load import load_graph

QUESTION = "Which drugs treat tetany?"
KEY = "sk-very-secret-1234"
_LISTED = re.compile(r'^- (\w+): "([^"]*)"', re.MULTILINE)
_VALUE = re.compile(r'\b(v\d+) "([^"]*)"')

Script = Callable[[dict[str, Any], int], Answer]


def ids_in(prompt: str) -> dict[str, str]:
    """Id → label of everything that a prompt lists."""
    return dict([*_LISTED.findall(prompt), *_VALUE.findall(prompt)])


class Ids:
    """Finds the id of a label in a prompt."""

    def __init__(self, body: dict[str, Any]) -> None:
        self.prompt: str = body["messages"][1]["content"]  # what follows is a repair
        self.listed = ids_in(self.prompt)

    def of(self, label: str, kind: str) -> str:
        return next(name for name, one in self.listed.items() if one == label and name[0] == kind)


def purpose(body: dict[str, Any]) -> str:
    """Which prompt a request is, by what its schema asks for."""
    schema = body["response_format"]["json_schema"]["schema"]
    found: str = next(iter(schema["properties"]))
    return found


def row(subject: str, relation: str, object_: str, origin: str = "explicit", **more: Any) -> dict[str, Any]:
    given = {"negated": False, "reason": "because", "confidence": 0.9, **more}
    return {"subject": subject, "relation": relation, "object": object_, "origin": origin, **given}


def reading(*rows: dict[str, Any], ask: str = "things", **more: Any) -> Answer:
    return says({"rows": list(rows), "ask": ask, "extreme": None, "missing": None, **more})


def tetany(ids: Ids) -> Answer:
    return reading(
        row("?answer", "type", ids.of("medicine", "c")),
        row("?answer", ids.of("treats", "r"), ids.of("tetany", "e")),
        row("?answer", ids.of("status", "r"), ids.of("approved", "v"), "pragmatic", confidence=0.8),
    )


def choosing(*labels: str, confidence: float = 0.9) -> Callable[[Ids], Answer]:
    def answer(ids: Ids) -> Answer:
        chosen = [{"id": ids.of(label, "a"), "confidence": confidence} for label in labels]
        return says({"verdict": "some are right", "answers": chosen, "reason": "they are approved"})

    return answer


def model(read: Callable[[Ids], Answer], choose: Callable[[Ids], Answer], **others: Callable[[Ids], Answer]) -> Script:
    """A model that reads the question by one function and chooses answers by another."""
    by_purpose = {"rows": read, "verdict": choose, **others}
    return lambda body, _: by_purpose[purpose(body)](Ids(body))


@pytest.fixture(autouse=True)
def _no_leftovers(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    monkeypatch.chdir(tmp_path)


Asked = tuple[int, dict[str, Any], str]


@pytest.fixture
def ask(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Callable[..., Asked]:
    """Asks through the command line; gives the exit code, the JSON and standard error."""

    def asked(server: ScriptedModel, question: str, *options: str) -> Asked:
        monkeypatch.setenv("OPENAI_BASE_URL", server.url)
        arguments = ["ask", question, "--graph", "almanac", "--model", "scripted", "--no-model-cache"]
        code = main([*arguments, "--lang", "sparql", "--format", "json", *options])
        printed = capsys.readouterr()
        return code, json.loads(printed.out) if printed.out.strip() else {}, printed.err

    return asked


APPROVED = ("calcium gluconate", "calcium chloride")


def test_a_question_from_the_model_to_both_engines(ask: Callable[..., Asked]) -> None:
    with scripted_model(model(tetany, choosing(*APPROVED))) as server:
        code, found, _ = ask(server, QUESTION, "--lang", "cypher,sparql")
    assert code == 0
    assert set(found["answers"]) == set(APPROVED)
    assert found["engines_agree"]
    assert set(found["queries"]) == {"cypher", "sparql"}
    assert found["references"] == {"from": "scripted", "count": 2}
    assert found["model"] == {
        "name": "scripted",
        "calls": 2,
        "input_tokens": 200,
        "output_tokens": 40,
        "estimated": False,
    }
    assert found["tokens"] == 240
    kept = {one["row"] for one in found["report"]["kept"]}
    assert any("status" in name or "approved" in name for name in kept)


def test_an_answer_that_breaks_an_implied_row_drops_it(ask: Callable[..., Asked]) -> None:
    with scripted_model(model(tetany, choosing(*APPROVED, "dihydrotachysterol"))) as server:
        _, found, _ = ask(server, QUESTION)
    assert "dihydrotachysterol" in found["answers"]
    dropped = [one["row"] for one in found["report"]["dropped"]]
    assert any("status" in name for name in dropped)


def test_one_wrong_answer_of_a_model_does_not_drop_an_implied_row(ask: Callable[..., Asked]) -> None:
    def pain(ids: Ids) -> Answer:
        status = row("?answer", ids.of("status", "r"), ids.of("approved", "v"), "pragmatic", confidence=0.8)
        return reading(row("?answer", ids.of("treats", "r"), ids.of("pain", "e")), status)

    chosen = choosing("aspirin", "ibuprofen", "naproxen", "celecoxib", "rofecoxib")
    with scripted_model(model(pain, chosen)) as server:
        _, found, _ = ask(server, "Which drugs treat pain?")
        _, believing, _ = ask(server, "Which drugs treat pain?", "--theta", "1")
    assert found["report"]["doubted"] == ["http://almanac.example/medicine/Rofecoxib"]
    assert "rofecoxib" not in found["answers"]
    assert set(found["answers"]) < set(believing["answers"])


def test_the_trace_has_every_call_and_no_key(ask: Callable[..., Asked], tmp_path: Path) -> None:
    trace = tmp_path / "trace.jsonl"
    with scripted_model(model(tetany, choosing(*APPROVED))) as server:
        ask(server, QUESTION, "--trace", str(trace))
    text = trace.read_text(encoding="utf-8")
    steps = [json.loads(line)["step"] for line in text.splitlines()]
    calls = [one for one in steps if one["rule"] == "model"]
    assert [one["reason"] for one in calls] == ["read the question", "choose answers"]
    assert calls[0]["evidence"]["messages"][1]["content"] == server.requests[0]["messages"][1]["content"]
    assert KEY not in text
    assert main(["verify", str(trace), "--graph", "almanac"]) == 0


def test_no_prompt_names_what_the_graph_lacks_and_no_answer_can(ask: Callable[..., Asked]) -> None:
    graph = load_graph(["almanac"]).graph
    known = {str(getattr(term, "lexical", "")) for fact in graph for term in fact}
    for question in (QUESTION, "Which US cities hosted the Olympics in February?", "What is the capital of Japan?"):
        with scripted_model(model(lambda _: reading(missing="nothing"), choosing())) as server:
            ask(server, question)
        (body,) = server.requests
        prompt = body["messages"][-1]["content"]
        listed = ids_in(prompt)
        for name, label in listed.items():
            if name[0] == "e" or (name[0] == "v" and f'- {name}: "' not in prompt):
                assert label in known, f"{name} {label} is not in the graph"
        row_schema = body["response_format"]["json_schema"]["schema"]["properties"]["rows"]["items"]["properties"]
        nameable = {name for side in ("subject", "relation", "object") for name in row_schema[side]["enum"]}
        assert {name for name in nameable if not name.startswith("?")} - {"type"} <= set(listed)
        assert not re.findall(r"https?://", prompt)


@pytest.mark.parametrize(
    "invented",
    [
        lambda ids: row("?answer", "r999", ids.of("tetany", "e")),
        lambda ids: row("?answer", ids.of("treats", "r"), "e999"),
        lambda ids: row("?answer", ids.of("treats", "r"), "Lake Placid"),
        lambda ids: row("?answer", "http://almanac.example/treats", ids.of("tetany", "e")),
    ],
)
def test_what_is_not_listed_cannot_come_back(
    invented: Callable[[Ids], dict[str, Any]], ask: Callable[..., Asked]
) -> None:
    with scripted_model(model(lambda ids: reading(invented(ids)), choosing())) as server:
        code, found, shown = ask(server, QUESTION)
    assert (code, found["answers"], found["table"]) == (1, [], None)
    assert len(server.requests) == 2
    assert "UQ693" in shown


@pytest.mark.parametrize(
    ("rows", "fault"),
    [
        (lambda ids: [row("?answer", "type", ids.of("tetany", "e"))], "takes a variable and a class"),
        (lambda ids: [row("?answer", ids.of("treats", "r"), ids.of("medicine", "c"))], "only `type` takes one"),
        (lambda ids: [row("?answer", ids.of("treats", "r"), ids.of("approved", "v"))], "leads to things"),
        (lambda ids: [row("?answer", ids.of("status", "r"), ids.of("tetany", "e"))], "leads to values"),
        (lambda ids: [row("?a", ids.of("treats", "r"), ids.of("tetany", "e"))], "has ?answer"),
        (
            lambda ids: [
                row("?answer", ids.of("treats", "r"), ids.of("tetany", "e")),
                row("?a", ids.of("treats", "r"), "?b"),
            ],
            "does not hang together",
        ),
        (lambda ids: [row(ids.of("tetany", "e"), ids.of("affects", "r"), ids.of("tetany", "e"))], "no variable"),
        (lambda _: [], "`missing` does not say why"),
        (lambda ids: [row("?answer", ids.of("treats", "r"), ids.of("tetany", "e"), negated=True)], "not negated"),
    ],
)
def test_rows_that_make_no_sense_are_shown_to_the_model(
    rows: Callable[[Ids], list[dict[str, Any]]], fault: str, ask: Callable[..., Asked]
) -> None:
    def script(body: dict[str, Any], number: int) -> Answer:
        if number == 1:
            return reading(*rows(Ids(body)))
        if purpose(body) == "verdict":
            return choosing(*APPROVED)(Ids(body))
        return tetany(Ids(body))

    with scripted_model(script) as server:
        code, found, _ = ask(server, QUESTION)
    assert fault in server.requests[1]["messages"][-1]["content"]
    assert (code, set(found["answers"])) == (0, set(APPROVED))


def test_a_model_that_cannot_tell_leaves_the_tightest_table(ask: Callable[..., Asked]) -> None:
    unsure = says({"verdict": "cannot tell", "answers": [], "reason": "the facts say nothing of approval"})
    with scripted_model(model(tetany, lambda _: unsure)) as server:
        code, found, shown = ask(server, QUESTION)
    assert code == 0
    assert set(found["answers"]) == set(APPROVED)  # the implied row stays, for nothing speaks against it
    assert "UQ698" in shown
    assert "the facts say nothing of approval" in shown


def test_several_samples_vote(ask: Callable[..., Asked]) -> None:
    def choose(body: dict[str, Any], _: int) -> Answer:
        if purpose(body) == "rows":
            return tetany(Ids(body))
        labels = [*APPROVED, "dihydrotachysterol"] if body["seed"] == 2 else APPROVED
        return choosing(*labels, confidence=1.0 if body["seed"] == 0 else 0.7)(Ids(body))

    with scripted_model(choose) as server:
        _, found, _ = ask(server, QUESTION, "--samples", "3")
    assert set(found["answers"]) == set(APPROVED)
    believed = next(one for one in found["trace"] if one["rule"] == "references")["evidence"]["answers"]
    assert {one["confidence"] for one in believed} == {0.8}
    sampled = [one for one in server.requests if purpose(one) == "verdict"]
    assert sorted(one["seed"] for one in sampled) == [0, 1, 2]
    assert all(one["temperature"] > 0 for one in sampled)


def test_a_model_that_finds_nothing_says_what_is_missing(ask: Callable[..., Asked]) -> None:
    with scripted_model([reading(missing="ein Preis der Medikamente")]) as server:
        code, found, shown = ask(server, "Which drugs for tetany are cheapest?")
    assert code == 1
    assert "UQ697" in shown
    assert "ein Preis der Medikamente" in found["abstained"]


@pytest.mark.parametrize("reply", [Answer("I'm sorry, I can't help."), Answer("", finish="content_filter")])
def test_a_refusal_is_an_abstention(reply: Answer, ask: Callable[..., Asked]) -> None:
    with scripted_model([reply]) as server:
        code, found, shown = ask(server, QUESTION)
    assert (code, found["answers"]) == (1, [])
    assert "UQ694" in shown


@pytest.mark.parametrize("reply", [error(401, "bad key"), error(404, "no such model")])
def test_a_server_that_refuses_ends_with_3(reply: Answer, ask: Callable[..., Asked]) -> None:
    with scripted_model([reply]) as server:
        code, found, shown = ask(server, QUESTION)
    assert (code, found) == (3, {})
    assert "UQ691" in shown
    assert KEY not in shown


def test_a_budget_that_is_spent_ends_with_3(ask: Callable[..., Asked]) -> None:
    with scripted_model(model(tetany, choosing(*APPROVED))) as server:
        code, _, shown = ask(server, QUESTION, "--model-budget", "calls=1")
    assert code == 3
    assert "UQ692" in shown


def test_a_key_alone_reaches_no_network(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    with scripted_model([error(500, "nobody should ask")]) as server:
        monkeypatch.setenv("OPENAI_BASE_URL", server.url)
        assert main(["ask", QUESTION, "--graph", "almanac", "--format", "json"]) == 0
    assert server.requests == []
    assert "model" not in json.loads(capsys.readouterr().out)


def test_a_question_in_another_language(ask: Callable[..., Asked]) -> None:
    def named(_: Ids) -> Answer:
        return says({"names": ["tetany", "medicine", "no such thing"]})

    script = model(tetany, choosing(*APPROVED), names=named)
    with scripted_model(script) as server:
        code, found, _ = ask(server, "テタニーの治療薬は何ですか")
    assert (code, set(found["answers"])) == (0, set(APPROVED))
    assert "テタニーの治療薬は何ですか" in server.prompts[1]


def test_names_that_the_graph_does_not_have_help_nobody(ask: Callable[..., Asked]) -> None:
    with scripted_model([says({"names": ["Xyzzyplugh"]})]) as server:
        code, _, shown = ask(server, "テタニー")
    assert code == 1
    assert "UQ660" in shown


def test_counting_and_conditions(ask: Callable[..., Asked]) -> None:
    def read(ids: Ids) -> Answer:
        after = next(name for name, label in ids.listed.items() if label.startswith("after"))
        return reading(
            row("?a", ids.of("host City", "r"), "?answer"),
            row("?a", ids.of("year", "r"), after),
            row("?answer", ids.of("contained In, in one step or several", "r"), ids.of("Japan", "e")),
            ask="count",
        )

    with scripted_model(model(read, choosing("Nagano", "Tokyo"))) as server:
        code, found, _ = ask(server, "How many cities in Japan hosted the Olympics after 1990?")
    assert (code, found["answers"]) == (0, [2])


def test_extremes_and_negation(ask: Callable[..., Asked]) -> None:
    def read(ids: Ids) -> Answer:
        return reading(
            row("?a", ids.of("host City", "r"), "?answer"),
            row("?a", ids.of("season", "r"), ids.of("Winter", "e")),
            row("?a", ids.of("year", "r"), "?b"),
            row("?answer", ids.of("contained In, in one step or several", "r"), ids.of("France", "e"), negated=True),
            extreme={"of": "?answer", "by": "?b", "largest": False, "count": False},
        )

    def whatever(_: Ids) -> Answer:
        return says({"verdict": "cannot tell", "answers": [], "reason": "?"})

    with scripted_model(model(read, whatever)) as server:
        code, found, shown = ask(server, "Which city not in France first hosted the Winter Olympics?")
    assert code == 0, shown
    assert found["answers"] == ["St. Moritz"]


def test_the_beam_asks_for_an_order_and_shows_the_last_steps_only(ask: Callable[..., Asked]) -> None:
    def read(ids: Ids) -> Answer:
        return reading(
            row("?answer", "type", ids.of("medicine", "c")),
            row("?answer", ids.of("treats", "r"), ids.of("tetany", "e")),
            row("?answer", ids.of("status", "r"), ids.of("approved", "v"), "pragmatic"),
            row("?answer", ids.of("boxed Warning", "r"), ids.of("true", "v"), "pragmatic"),
        )

    def ranked(ids: Ids) -> Answer:
        return says({"order": [name for name in ids.listed if name.startswith("s")] or ["s1"]})

    script = model(read, choosing(*APPROVED, "dihydrotachysterol"), order=ranked)
    with scripted_model(script) as server:
        code, found, shown = ask(server, QUESTION, "--strategy", "beam", "--history", "1")
    assert code == 0, shown
    assert set(APPROVED) <= set(found["answers"])
    ranking = [one for one in server.requests if purpose(one) == "order"]
    assert ranking
    steps = [len(re.findall(r"^- step \d+:", one["messages"][-1]["content"], re.MULTILINE)) for one in ranking]
    assert max(steps) <= 1


def test_recorded_calls_answer_again_without_a_server(ask: Callable[..., Asked], tmp_path: Path) -> None:
    calls = tmp_path / "calls.jsonl"
    with scripted_model(model(tetany, choosing(*APPROVED))) as server:
        _, first, _ = ask(server, QUESTION, "--record", str(calls))
    code, again, _ = ask(server, QUESTION, "--replay", str(calls))
    assert code == 0
    assert again["answers"] == first["answers"]
    assert again["tokens"] == 0
    code, _, shown = ask(server, "Which drugs treat scurvy?", "--replay", str(calls))
    assert code == 1
    assert "UQ696" in shown


def test_tokens_have_a_price(ask: Callable[..., Asked]) -> None:
    with scripted_model(model(tetany, choosing(*APPROVED))) as server:
        _, found, _ = ask(server, QUESTION, "--price", "1,10")
    assert found["model"]["cost"] == pytest.approx((200 * 1 + 40 * 10) / 1e6)


class TestPromptsOfTheUser:
    def test_a_template_and_examples_take_the_place_of_the_packaged(
        self, ask: Callable[..., Asked], tmp_path: Path
    ) -> None:
        folder = tmp_path / "prompts"
        folder.mkdir()
        (folder / "choose.j2").write_text(
            "{% block system %}Mine.{% endblock %}{% block user %}"
            "{% for one in candidates %}- {{ one.id }}: {{ one.label | quoted }}\n{% endfor %}{% endblock %}",
            encoding="utf-8",
        )
        example = {"question": "Who drums?", "reading": "?answer plays the drums"}
        (folder / "examples.jsonl").write_text(json.dumps(example), encoding="utf-8")
        with scripted_model(model(tetany, choosing(*APPROVED))) as server:
            code, _, _ = ask(server, QUESTION, "--prompts", str(folder))
        assert code == 0
        assert "?answer plays the drums" in server.prompts[0]
        assert server.requests[1]["messages"][0]["content"] == "Mine."

    @pytest.mark.parametrize(
        ("name", "text"),
        [
            ("extract.j2", "{% block system %}{{ qestion }}{% endblock %}{% block user %}{% endblock %}"),
            ("extract.j2", "{% block system %}{% for %}{% endblock %}"),
            ("extract.j2", "{% block system %}no user{% endblock %}"),
            ("extrakt.j2", ""),
            ("examples.jsonl", "{}"),
        ],
    )
    def test_a_broken_one_is_told(self, name: str, text: str, ask: Callable[..., Asked], tmp_path: Path) -> None:
        folder = tmp_path / "prompts"
        folder.mkdir()
        (folder / name).write_text(text, encoding="utf-8")
        with scripted_model([Answer("")]) as server:
            code, _, shown = ask(server, QUESTION, "--prompts", str(folder))
        assert (code, server.requests) == (1, [])
        assert "UQ699" in shown


@pytest.mark.parametrize(
    "options",
    [
        ["--model", "m", "--offline"],
        ["--record", "calls.jsonl"],
        ["--model-budget", "calls=3"],
        ["--model", "m", "--model-budget", "calls=many"],
        ["--model", "m", "--price", "cheap"],
        ["--model", "m", "--record", "a", "--replay", "b"],
    ],
)
def test_options_that_do_not_go_together(options: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["ask", QUESTION, "--graph", "almanac", *options]) == 2
    assert "UQ653" in capsys.readouterr().err


def test_nothing_is_set_up(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY")
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    assert main(["ask", QUESTION, "--graph", "almanac", "--model", "m", "--no-model-cache"]) == 3
    assert "UQ695" in capsys.readouterr().err
