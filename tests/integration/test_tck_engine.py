"""The openCypher TCK on the embedded engine: original text beside reader, table and renderer, and the page of it."""

from __future__ import annotations

import pytest
from attrs import evolve

from tests.integration.cypher_tck import FEATURES
from tools import tck_table
from tools.tck_table import Outcome, share
from uniqgen_ir.ir.codes import CODES

pytestmark = pytest.mark.skipif(not FEATURES.is_dir(), reason="../shared/suites/tck is not there")


@pytest.fixture(scope="module")
def found() -> tuple[Outcome, ...]:
    return tck_table.outcomes()


def test_no_answer_is_wrong_and_every_refusal_has_a_code(found: tuple[Outcome, ...]) -> None:
    assert [(one.scenario.name, one.why) for one in found if one.verdict == "wrong"] == []
    assert {one.why for one in found if one.verdict == "refused"} <= set(CODES)


def test_most_of_what_the_engine_passes_by_itself_is_right(found: tuple[Outcome, ...]) -> None:
    passed = [one for one in found if one.verdict in ("right", "refused", "wrong")]
    assert len(passed) >= 300
    assert share(found) >= 0.80


def test_the_page_is_current(found: tuple[Outcome, ...]) -> None:
    assert tck_table.PAGE.read_text(encoding="utf-8") == tck_table.page(found)


def test_a_wrong_answer_would_be_told(found: tuple[Outcome, ...]) -> None:
    place = next(place for place, one in enumerate(found) if one.verdict == "right")
    changed = [*found[:place], evolve(found[place], verdict="wrong", why="other rows"), *found[place + 1 :]]
    assert f"* {found[place].scenario.name}: other rows" in tck_table.page(changed)
    assert share(changed) < share(found)
