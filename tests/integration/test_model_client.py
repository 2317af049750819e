"""The client of a model, through the real `openai` package, against a server that behaves as servers do."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from attrs import evolve

from tests.servers.scripted_model import Answer, ScriptedModel, error, says, scripted_model
from uniqgen_ir.agents.llm import connection
from uniqgen_ir.agents.llm.client import Model
from uniqgen_ir.agents.llm.errors import ModelAnswerError, ModelCancelled, ModelError, ModelUnavailable
from uniqgen_ir.agents.llm.messages import Message, Request
from uniqgen_ir.agents.llm.settings import Endpoint, ModelBudget, ModelSettings
from uniqgen_ir.ir.diagnostics import DiagnosticError

KEY = "sk-very-secret-1234"
SCHEMA = {
    "type": "object",
    "properties": {"city": {"type": "string", "enum": ["a1", "a2"]}},
    "required": ["city"],
    "additionalProperties": False,
}
ASKED = Request("test", (Message("system", "Choose."), Message("user", "Which city?")), SCHEMA, max_tokens=100)
GOOD = says({"city": "a1"})
SOON = 20.0
"""Seconds within which anything that should happen at once has happened on a busy machine."""


@pytest.fixture(autouse=True)
def _short_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection, "FIRST_PAUSE", 0.02)


Opening = Callable[..., Model]


@pytest.fixture
def opened() -> Iterator[Opening]:
    """Opens models that are closed when the test ends."""
    models: list[Model] = []

    def model(server: ScriptedModel | str, **options: Any) -> Model:
        address = server if isinstance(server, str) else server.url
        models.append(Model(ModelSettings(model="test-model", **options), Endpoint(address, KEY)))
        return models[-1]

    yield model
    for one in models:
        one.close()


def code_of(error: DiagnosticError) -> str:
    return error.diagnostics[0].code


def test_a_good_answer_is_asked_for_once_and_with_the_schema(opened: Opening) -> None:
    with scripted_model([GOOD]) as server:
        session = opened(server).session()
        assert session.complete(ASKED) == {"city": "a1"}
    (body,) = server.requests
    assert body["response_format"]["json_schema"]["schema"] == SCHEMA
    assert body["temperature"] == 0
    assert body["model"] == "test-model"
    assert body["max_tokens"] == 100
    assert server.headers[0]["authorization"] == f"Bearer {KEY}"
    assert (session.usage.input, session.usage.output, session.usage.estimated) == (100, 20, False)
    assert [one.source for one in session.calls] == ["server"]


@pytest.mark.parametrize(
    "text",
    [
        '```json\n{"city": "a1"}\n```',
        'Sure! Here is the JSON:\n```\n{"city": "a1"}\n```\nAnything else?',
        '<think>It is {"city": "a2"}, no</think>{"city": "a1"}',
        'maybe {"city": "a2"}?</think>\n{"city": "a1"}',
        '{"city": "a1"}<|im_end|>',
        '<|im_start|>assistant\n{"city": "a1"}<|im_end|>\n<|endoftext|>',
        'Answer: {"city": "a1"}',
        'Die Antwort lautet: {"city": "a1"}.',
        '答えは {"city": "a1"} です。',
        '{"city": "a9"} … no: {"city": "a1"}',
        '[INST] {"city": "a1"}</s>',
        '\ufeff  {"city": "a1"}',
    ],
)
def test_what_models_put_around_their_answer_is_taken_off(text: str, opened: Opening) -> None:
    with scripted_model([Answer(text)]) as server:
        assert opened(server).session().complete(ASKED) == {"city": "a1"}
    assert len(server.requests) == 1


@pytest.mark.parametrize(
    ("first", "said"),
    [
        (Answer("The city is Tokyo."), "the answer holds no JSON object"),
        (Answer(""), "the answer is empty"),
        (Answer(None), "the answer is empty"),
        (Answer('{"city": "a1'), "a bracket, comma or quote is missing"),
        (Answer("<think>hmm, let me"), "only thinking"),
        (says({"city": "a3"}), 'city is "a3", which is none of the 2 values allowed'),
        (says({"town": "a1"}), 'the answer has no "city"'),
        (says({"city": "a1", "extra": 1}), '"extra", which was not asked for'),
        (says({"city": ["a1"]}), "none of the 2 values allowed"),
        (Answer('{"city": "a', finish="length"), "cut off"),
    ],
)
def test_a_wrong_answer_is_shown_to_the_model_once(first: Answer, said: str, opened: Opening) -> None:
    with scripted_model([first, GOOD]) as server:
        session = opened(server).session()
        assert session.complete(ASKED) == {"city": "a1"}
    assert len(server.requests) == 2
    assert said in server.requests[1]["messages"][-1]["content"]
    assert said in str(session.calls[0].fault)
    assert session.calls[1].fault is None


def test_an_answer_that_was_cut_off_may_be_longer_the_second_time(opened: Opening) -> None:
    with scripted_model([Answer('{"city"', finish="length"), GOOD]) as server:
        opened(server).session().complete(ASKED)
    assert [one["max_tokens"] for one in server.requests] == [100, 400]


def test_a_second_wrong_answer_ends_it(opened: Opening) -> None:
    with scripted_model([says({"city": "Tokyo"})]) as server, pytest.raises(ModelAnswerError, match="Tokyo") as raised:
        opened(server).session().complete(ASKED)
    assert code_of(raised.value) == "UQ693"
    assert len(server.requests) == 2


def test_what_the_schema_cannot_say_is_checked_and_repaired(opened: Opening) -> None:
    def check(value: Any) -> str | None:
        return "a1 is closed" if value["city"] == "a1" else None

    with scripted_model([GOOD, says({"city": "a2"})]) as server:
        assert opened(server).session().complete(ASKED, check) == {"city": "a2"}
    assert "a1 is closed" in server.requests[1]["messages"][-1]["content"]


@pytest.mark.parametrize(
    "refusal",
    [
        Answer(None, message={"refusal": "I'm sorry, I can't help with that."}),
        Answer("", finish="content_filter"),
    ],
)
def test_a_refusal_is_not_asked_again(refusal: Answer, opened: Opening) -> None:
    with scripted_model([refusal]) as server, pytest.raises(ModelAnswerError) as raised:
        opened(server).session().complete(ASKED)
    assert code_of(raised.value) == "UQ694"
    assert len(server.requests) == 1


def test_a_refusal_in_words_is_told_as_one(opened: Opening) -> None:
    sorry = Answer("I'm sorry, but I cannot help with that.")
    with scripted_model([sorry]) as server, pytest.raises(ModelAnswerError, match="declines") as raised:
        opened(server).session().complete(ASKED)
    assert code_of(raised.value) == "UQ694"


def test_the_arguments_of_a_tool_call_are_an_answer(opened: Opening) -> None:
    call = {"id": "1", "type": "function", "function": {"name": "answer", "arguments": '{"city": "a2"}'}}
    with scripted_model([Answer(None, finish="tool_calls", message={"tool_calls": [call]})]) as server:
        assert opened(server).session().complete(ASKED) == {"city": "a2"}


def test_retry_after_is_kept_to(opened: Opening) -> None:
    with scripted_model([error(429, "slow down", retry_after="0.3"), GOOD]) as server:
        started = time.monotonic()
        session = opened(server).session()
        assert session.complete(ASKED) == {"city": "a1"}
        assert 0.3 <= time.monotonic() - started < SOON
    assert session.calls[0].attempts == 2


def test_a_wait_that_does_not_fit_in_the_budget_is_not_begun(opened: Opening) -> None:
    with scripted_model([error(429, "slow down", retry_after="3600")]) as server:
        started = time.monotonic()
        with pytest.raises(ModelUnavailable, match=r"wait 3\.6e") as raised:
            opened(server, budget=ModelBudget(seconds=60)).session().complete(ASKED)
        assert time.monotonic() - started < SOON
    assert code_of(raised.value) == "UQ690"
    assert len(server.requests) == 1


@pytest.mark.parametrize("status", [408, 409, 429, 500, 502, 503, 529])
def test_a_fault_of_the_server_is_tried_again(status: int, opened: Opening) -> None:
    with scripted_model([error(status, "try later"), GOOD]) as server:
        assert opened(server).session().complete(ASKED) == {"city": "a1"}
    assert len(server.requests) == 2


def test_it_is_not_tried_for_ever(opened: Opening) -> None:
    with scripted_model([error(500, "broken")]) as server, pytest.raises(ModelUnavailable, match="broken") as raised:
        opened(server, attempts=3).session().complete(ASKED)
    assert code_of(raised.value) == "UQ690"
    assert len(server.requests) == 3


@pytest.mark.parametrize(("status", "hint"), [(401, "OPENAI_API_KEY"), (403, "key"), (404, "/v1")])
def test_a_refused_request_is_not_tried_again(status: int, hint: str, opened: Opening) -> None:
    with scripted_model([error(status, "no")]) as server, pytest.raises(ModelUnavailable) as raised:
        opened(server).session().complete(ASKED)
    assert code_of(raised.value) == "UQ691"
    assert hint in str(raised.value.diagnostics[0].hint)
    assert len(server.requests) == 1


def test_money_that_is_spent_is_not_tried_again(opened: Opening) -> None:
    with scripted_model([error(429, "insufficient_quota")]) as server, pytest.raises(ModelUnavailable):
        opened(server).session().complete(ASKED)
    assert len(server.requests) == 1


def test_a_reply_cut_off_on_the_way_is_asked_for_again(opened: Opening) -> None:
    with scripted_model([evolve(GOOD, cut=60), GOOD]) as server:
        assert opened(server).session().complete(ASKED) == {"city": "a1"}
    assert len(server.requests) == 2


def test_a_slow_server_costs_no_more_than_the_timeout(opened: Opening) -> None:
    with scripted_model([evolve(GOOD, wait=60.0)]) as server:
        started = time.monotonic()
        with pytest.raises(ModelUnavailable, match="did not answer within"):
            opened(server, timeout=0.3, attempts=2).session().complete(ASKED)
        assert time.monotonic() - started < SOON


def test_nobody_listening_is_told_with_the_address(opened: Opening) -> None:
    with pytest.raises(ModelUnavailable, match=r"http://127\.0\.0\.1:9/v1") as raised:
        opened("http://user:hidden@127.0.0.1:9/v1", attempts=2).session().complete(ASKED)
    assert code_of(raised.value) == "UQ690"
    assert "hidden" not in str(raised.value)


@pytest.mark.parametrize("body", ["<html>Gateway</html>", "", "[]", '{"choices": []}', '{"choices": [{}]}', "null"])
def test_what_is_no_model_server_is_told_as_that(body: str, opened: Opening) -> None:
    with scripted_model([Answer(body=body)]) as server, pytest.raises(ModelUnavailable, match="not that of a model"):
        opened(server).session().complete(ASKED)


class TestServersThatLackThings:
    def test_without_json_schema(self, opened: Opening) -> None:
        def script(body: dict[str, Any], _: int) -> Answer:
            wanted = body.get("response_format", {}).get("type")
            return error(400, "response_format json_schema is not supported") if wanted == "json_schema" else GOOD

        with scripted_model(script) as server:
            session = opened(server).session()
            assert session.complete(ASKED) == {"city": "a1"}
            assert session.complete(ASKED) == {"city": "a1"}
        formats = [one.get("response_format", {}).get("type") for one in server.requests]
        assert formats == ["json_schema", "json_object", "json_object"]  # learnt once
        assert '"enum":["a1","a2"]' in server.prompts[1]
        assert "JSON" in server.prompts[1]

    def test_without_any_format(self, opened: Opening) -> None:
        def script(body: dict[str, Any], _: int) -> Answer:
            return error(422, "unknown field response_format") if "response_format" in body else GOOD

        with scripted_model(script) as server:
            assert opened(server).session().complete(ASKED) == {"city": "a1"}
        assert len(server.requests) == 3

    @pytest.mark.parametrize(
        ("message", "name"),
        [
            ("'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.", "max_tokens"),
            ("Unsupported value: 'temperature' does not support 0.0 with this model.", "temperature"),
            ("Unknown parameter: seed", "seed"),
        ],
    )
    def test_without_a_parameter(self, message: str, name: str, opened: Opening) -> None:
        with scripted_model(lambda body, _: error(400, message) if name in body else GOOD) as server:
            assert opened(server).session().complete(ASKED) == {"city": "a1"}
        assert len(server.requests) == 2
        assert server.requests[1]["response_format"]["type"] == "json_schema"

    def test_without_the_role_system(self, opened: Opening) -> None:
        def script(body: dict[str, Any], _: int) -> Answer:
            system = any(one["role"] == "system" for one in body["messages"])
            return error(400, "System role not supported") if system else GOOD

        with scripted_model(script) as server:
            assert opened(server).session().complete(ASKED) == {"city": "a1"}
        assert server.requests[1]["messages"] == [{"role": "user", "content": "Choose.\n\nWhich city?"}]

    def test_a_prompt_that_is_too_long_is_told(self, opened: Opening) -> None:
        refusal = error(400, "This model's maximum context length is 2048 tokens")
        with scripted_model([refusal]) as server, pytest.raises(ModelUnavailable, match="maximum context"):
            opened(server).session().complete(ASKED)
        assert len(server.requests) == 1

    def test_without_counts_of_tokens(self, opened: Opening) -> None:
        with scripted_model([evolve(GOOD, usage=None)]) as server:
            session = opened(server).session()
            session.complete(ASKED)
        assert session.usage.estimated
        assert session.usage.input > 0


class TestBudgets:
    def test_calls(self, opened: Opening) -> None:
        with scripted_model([GOOD]) as server:
            session = opened(server, budget=ModelBudget(calls=2)).session()
            session.complete(ASKED)
            session.complete(evolve(ASKED, sample=1))
            with pytest.raises(ModelUnavailable, match="all 2 calls") as raised:
                session.complete(evolve(ASKED, sample=2))
        assert code_of(raised.value) == "UQ692"
        assert len(server.requests) == 2

    def test_attempts_count_as_calls(self, opened: Opening) -> None:
        with scripted_model([error(500, "broken")]) as server, pytest.raises(ModelUnavailable) as raised:
            opened(server, attempts=9, budget=ModelBudget(calls=3)).session().complete(ASKED)
        assert code_of(raised.value) == "UQ692"
        assert len(server.requests) == 3

    def test_tokens(self, opened: Opening) -> None:
        with scripted_model([GOOD]) as server:
            session = opened(server, budget=ModelBudget(tokens=150)).session()
            session.complete(ASKED)
            with pytest.raises(ModelUnavailable, match="120 are spent"):
                session.complete(evolve(ASKED, sample=1))
        assert len(server.requests) == 1

    def test_seconds(self, opened: Opening) -> None:
        with scripted_model([evolve(GOOD, wait=60)]) as server:
            started = time.monotonic()
            with pytest.raises(ModelUnavailable):
                opened(server, budget=ModelBudget(seconds=0.5)).session().complete(ASKED)
            assert time.monotonic() - started < SOON


class TestSideBySide:
    def test_the_order_is_that_of_the_requests(self, opened: Opening) -> None:
        first, another = threading.Event(), threading.Event()

        def script(body: dict[str, Any], _: int) -> Answer:
            # two are open at the same time, since each waits for the other; the first is answered last
            if body["seed"] == 0:
                first.set()
                assert another.wait(SOON)
                return says({"city": "a1"})
            assert first.wait(SOON)
            another.set()
            return says({"city": "a2"})

        requests = [evolve(ASKED, sample=number) for number in range(4)]
        with scripted_model(script) as server:
            answers = opened(server, parallel=4).session().complete_all(requests)
        assert answers == [{"city": "a1"}, {"city": "a2"}, {"city": "a2"}, {"city": "a2"}]
        assert server.at_once > 1

    def test_no_more_at_once_than_allowed(self, opened: Opening) -> None:
        with scripted_model([evolve(GOOD, wait=0.05)]) as server:
            requests = [evolve(ASKED, sample=number) for number in range(6)]
            assert len(opened(server, parallel=2).session().complete_all(requests)) == 6
        assert server.at_once <= 2

    def test_one_failure_leaves_the_others(self, opened: Opening) -> None:
        def script(body: dict[str, Any], _: int) -> Answer:
            return error(401, "no") if body["seed"] == 1 else GOOD

        with scripted_model(script) as server:
            answers = opened(server).session().complete_all([evolve(ASKED, sample=number) for number in range(3)])
        assert [isinstance(one, ModelError) for one in answers] == [False, True, False]

    def test_cancelled_from_another_thread(self, opened: Opening) -> None:
        with scripted_model([evolve(GOOD, wait=60)]) as server:
            model = opened(server)
            threading.Timer(0.5, model.cancel).start()
            started = time.monotonic()
            with pytest.raises(ModelCancelled):
                model.session().complete(ASKED)
            assert time.monotonic() - started < SOON


class TestKeptAnswers:
    def test_the_same_request_is_sent_once(self, opened: Opening, tmp_path: Path) -> None:
        cache = tmp_path / "models.sqlite"
        with scripted_model([GOOD]) as server:
            opened(server, cache=cache).session().complete(ASKED)
            again = opened(server, cache=cache).session()
            assert again.complete(ASKED) == {"city": "a1"}
            opened(server, cache=cache).session().complete(evolve(ASKED, sample=1))
        assert len(server.requests) == 2
        assert again.calls[0].source == "cache"
        assert again.usage.total == 0

    def test_a_wrong_answer_is_not_kept_but_its_repair_is(self, opened: Opening, tmp_path: Path) -> None:
        with scripted_model([says({"city": "x"}), GOOD]) as server:
            for _ in range(2):
                assert opened(server, cache=tmp_path / "c.sqlite").session().complete(ASKED) == {"city": "a1"}
        assert len(server.requests) == 2

    def test_a_broken_cache_costs_time_only(self, opened: Opening, tmp_path: Path) -> None:
        cache = tmp_path / "models.sqlite"
        cache.write_bytes(b"this is no database" * 100)
        with scripted_model([GOOD]) as server:
            assert opened(server, cache=cache).session().complete(ASKED) == {"city": "a1"}

    def test_recorded_calls_are_played_without_a_server(self, opened: Opening, tmp_path: Path) -> None:
        file = tmp_path / "calls.jsonl"
        with scripted_model([says({"city": "x"}), GOOD]) as server:
            opened(server, record=file).session().complete(ASKED)
        assert KEY not in file.read_text(encoding="utf-8")
        played = Model(ModelSettings(model="test-model", replay=file)).session()
        assert played.complete(ASKED) == {"city": "a1"}
        assert [one.source for one in played.calls] == ["replay", "replay"]
        with pytest.raises(DiagnosticError) as raised:
            played.complete(evolve(ASKED, sample=5))
        assert code_of(raised.value) == "UQ696"

    def test_a_line_that_is_no_call(self, tmp_path: Path) -> None:
        file = tmp_path / "calls.jsonl"
        file.write_text('{"key": "1"}\n', encoding="utf-8")
        with pytest.raises(DiagnosticError) as raised:
            Model(ModelSettings(model="m", replay=file))
        assert code_of(raised.value) == "UQ696"


def test_the_key_is_in_no_error_and_no_record(opened: Opening) -> None:
    with scripted_model([error(401, f"Incorrect API key provided: {KEY}")]) as server:
        session = opened(server).session()
        with pytest.raises(ModelUnavailable) as raised:
            session.complete(ASKED)
    assert KEY not in str(raised.value)
    assert "[key]" in str(raised.value)
    assert KEY not in json.dumps([one.to_json() for one in session.calls])
    assert KEY not in repr(session.model)


@pytest.mark.parametrize(
    ("tail", "path"),
    [
        ("/openai/v1/", "/openai/v1/chat/completions"),
        (
            "/openai/deployments/mine?api-version=2024-10-21",
            "/openai/deployments/mine/chat/completions?api-version=2024-10-21",
        ),
    ],
)
def test_addresses_of_azure(tail: str, path: str, opened: Opening) -> None:
    with scripted_model([GOOD]) as server:
        address = server.url.removesuffix("/v1") + tail
        assert opened(address).session().complete(ASKED) == {"city": "a1"}
    assert server.paths == [path]
    named = {"authorization": f"Bearer {KEY}", **({"api-key": KEY} if "?" in tail else {})}
    assert named.items() <= server.headers[0].items()
    assert ("api-key" in server.headers[0]) == ("?" in tail)


def test_a_proxy_of_the_environment_does_not_come_between(opened: Opening, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    with scripted_model([GOOD]) as server:
        assert opened(server, attempts=1).session().complete(ASKED) == {"city": "a1"}
