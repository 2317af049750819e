"""The openCypher TCK on the embedded engines: original text beside reader, table and renderer, and the page of it."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from attrs import evolve

from tests.integration.cypher_tck import FEATURES
from tools import tck_table
from tools.tck_table import STARTS, Outcome, share
from uniqgen_ir.ir.codes import CODES

pytestmark = pytest.mark.skipif(not FEATURES.is_dir(), reason="../shared/suites/tck is not there")

FEWEST = {"kglite": 300, "ladybug": 200}
"""Scenarios that an engine must pass by itself, so that a share of them says something."""


@pytest.fixture(scope="module")
def found() -> Mapping[str, tuple[Outcome, ...]]:
    return {name: tck_table.outcomes(name) for name in STARTS}


@pytest.mark.parametrize("name", STARTS)
def test_no_answer_is_wrong_and_every_refusal_has_a_code(found: Mapping[str, tuple[Outcome, ...]], name: str) -> None:
    assert [(one.scenario.name, one.why) for one in found[name] if one.verdict == "wrong"] == []
    assert {one.why for one in found[name] if one.verdict == "refused"} <= set(CODES)


@pytest.mark.parametrize("name", STARTS)
def test_most_of_what_the_engine_passes_by_itself_is_right(found: Mapping[str, tuple[Outcome, ...]], name: str) -> None:
    passed = [one for one in found[name] if one.verdict in ("right", "refused", "wrong")]
    assert len(passed) >= FEWEST[name]
    assert share(found[name]) >= 0.80


def test_the_page_is_current(found: Mapping[str, tuple[Outcome, ...]]) -> None:
    assert tck_table.PAGE.read_text(encoding="utf-8") == tck_table.page(found)


@pytest.mark.parametrize("name", STARTS)
def test_a_wrong_answer_would_be_told(found: Mapping[str, tuple[Outcome, ...]], name: str) -> None:
    members = found[name]
    place = next(place for place, one in enumerate(members) if one.verdict == "right")
    changed = [*members[:place], evolve(members[place], verdict="wrong", why="other rows"), *members[place + 1 :]]
    assert f"* {members[place].scenario.name}: other rows" in tck_table.page({**found, name: changed})
    assert share(changed) < share(members)
