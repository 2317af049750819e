"""Whatever is sent to the gate: it answers, soon, and what it mends is clean. `tools/gate_fuzz.py` asks for more."""

from __future__ import annotations

from random import Random

import pytest

from tests.property.gate_mutations import LANGUAGES, mutant, seconds_of
from tests.timing import within
from tests.unit.validate.library import VOCABULARY
from uniqgen_ir.validate.gate import check


@pytest.mark.parametrize("language", LANGUAGES)
def test_mutated_queries(language: str) -> None:
    random = Random(7)
    for _ in range(700):
        text = mutant(language, random)
        try:
            seconds_of(language, text, random)
        except Exception as error:
            pytest.fail(f"{text!r}: {error!r}")


@pytest.mark.parametrize("text", ["(" * 5000, "MATCH " + "(a)-->" * 2000 + "(b) RETURN b", "a" * 100_000, "`" * 999])
def test_long_texts(text: str) -> None:
    report = within(5.0, lambda: check(text, language="cypher", schema=VOCABULARY))
    assert report.fixed_query is None


def test_deep_conditions() -> None:
    for condition in ("NOT " * 150 + "true", "(" * 90 + "b.pages > 3" + ")" * 90, " OR ".join(["b.pages > 3"] * 400)):
        check(f"MATCH (b:Book) WHERE {condition} RETURN b", language="cypher", schema=VOCABULARY)
