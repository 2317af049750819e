"""The W3C tests of SPARQL 1.1 through the whole route, and the page that tells of them."""

from __future__ import annotations

from collections import defaultdict

import pytest
from attrs import evolve

from tests.integration import w3c_suite
from tools import w3c_table
from tools.w3c_table import Outcome, category, share
from uniqgen_ir.ir.codes import CODES

pytestmark = pytest.mark.skipif(not w3c_suite.SUITE.is_dir(), reason="../shared/suites/sparql is not there")


@pytest.fixture(scope="module")
def found() -> tuple[Outcome, ...]:
    return w3c_table.outcomes()


def test_no_answer_is_wrong_and_every_refusal_has_a_code(found: tuple[Outcome, ...]) -> None:
    assert len(found) >= 300
    assert [one for one in found if one.verdict == "wrong"] == []
    refused = {one.why for one in found if one.verdict == "refused"}
    assert refused <= set(CODES)
    for code in refused:
        assert (w3c_table.PAGE.parent / "diagnostics" / f"{code}.md").is_file()


def test_most_select_and_ask_tests_are_right(found: tuple[Outcome, ...]) -> None:
    measured = [
        one for one in found
        if one.case.folder in w3c_table.MEASURED and "Syntax" not in one.case.kind and one.why != "UQ174"
    ]  # fmt: skip
    assert len(measured) >= 200
    assert share(measured) >= 0.85
    groups: dict[str, list[Outcome]] = defaultdict(list)
    for one in measured:
        groups[one.case.folder].append(one)
    # what is missing there is GRAPH, and only that
    below = {name for name, members in groups.items() if share(members) < 0.85}
    assert below <= {"exists", "subquery"}
    assert {one.why for name in below for one in groups[name] if one.verdict != "right"} <= {"UQ148"}


@pytest.mark.parametrize("kind", ["valid", "invalid"])
def test_most_syntax_tests_are_right(found: tuple[Outcome, ...], kind: str) -> None:
    members = [one for one in found if category(one).endswith(f", {kind}")]
    assert len(members) >= 35
    assert share(members) >= 0.85


def test_the_page_is_current(found: tuple[Outcome, ...]) -> None:
    assert w3c_table.PAGE.read_text(encoding="utf-8") == w3c_table.page(found)


def test_a_wrong_answer_would_be_told(found: tuple[Outcome, ...]) -> None:
    changed = [evolve(found[0], verdict="wrong", why="engine"), *found[1:]]
    assert f"* {found[0].case.name}: engine" in w3c_table.page(changed)
    assert share(changed) < share(found)
