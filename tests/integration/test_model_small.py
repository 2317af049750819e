"""The way to a real model, end to end: a small one in this process, behind a real OpenAI-compatible server.

It is far too small to be right, so only the way is tested: that every request is understood, that what comes back meets
its schema, and that a question ends with an answer or a reason, never with anything that the graph does not have.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from tests.servers.small_model import MISSING, REASON, small_model
from uniqgen_ir.agents.llm.client import Model
from uniqgen_ir.agents.llm.messages import Message, Request
from uniqgen_ir.agents.llm.settings import Endpoint, ModelSettings
from uniqgen_ir.cli.main import main

pytestmark = [pytest.mark.slow, pytest.mark.skipif(MISSING, reason=REASON)]

SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {"city": {"type": "string", "enum": ["a1", "a2"]}, "sure": {"type": "boolean"}},
    "required": ["city", "sure"],
    "additionalProperties": False,
}


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with small_model() as one:
        yield one


def test_structured_output_meets_its_schema(address: str) -> None:
    asked = Request("test", (Message("user", "Is a1 or a2 a city? Answer in JSON."),), SCHEMA, max_tokens=60)
    with Model(ModelSettings(model="smollm2"), Endpoint(address)) as model:
        session = model.session()
        found = session.complete(asked)
        again = model.session().complete(asked)
    assert set(found) == {"city", "sure"}
    assert found["city"] in ("a1", "a2")
    assert again == found  # temperature 0
    assert session.usage.input > 0
    assert not session.usage.estimated


def test_a_question_ends_with_an_answer_or_a_reason(
    address: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("OPENAI_BASE_URL", address)
    options = ["--graph", "almanac", "--model", "smollm2", "--no-model-cache", "--context", "300", "--lang", "sparql"]
    options += ["--model-budget", "calls=3,seconds=100"]
    code = main(["ask", "Which drugs treat tetany?", *options, "--format", "json"])
    printed = capsys.readouterr()
    if code == 3:  # on a busy machine it may not end in time
        assert "UQ69" in printed.err
        return
    assert code in (0, 1), printed.err
    found = json.loads(printed.out)
    assert found["model"]["calls"] >= 1
    assert found["answers"] or found["abstained"]
    assert [one for one in found["trace"] if one["rule"] == "model"]
