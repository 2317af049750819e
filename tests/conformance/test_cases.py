"""Every case of `spec/cases/`: what the page says is what the project gives."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest

from tests.conformance.expectations import KINDS, actual, same
from tests.conformance.pages import FOLDER, Case, Expectation, all_cases
from uniqgen_ir.ir.functions import FUNCTIONS
from uniqgen_ir.passes import normalize

CASES = tuple(all_cases())


def _parameters() -> list[object]:
    return [
        pytest.param(case, one, id=case.id if len(case.expectations) == 1 else f"{case.id}[{one.info}]")
        for case in CASES
        for one in case.expectations
    ]


@pytest.mark.parametrize(("case", "expectation"), _parameters())
def test_a_case_gives_what_its_page_says(case: Case, expectation: Expectation) -> None:
    found = actual(case, expectation)
    expected, shown = same(expectation, case, found)
    assert shown == expected


def test_cases_have_names_of_their_own() -> None:
    assert [name for name, times in Counter(case.id for case in CASES).items() if times > 1] == []


def test_there_are_many_cases_and_each_kind_of_expectation_is_used() -> None:
    assert len(CASES) >= 120
    assert {one.kind for case in CASES for one in case.expectations} == set(KINDS)


def test_every_page_is_named_by_the_index_of_its_topic() -> None:
    index = (FOLDER / "README.md").read_text(encoding="utf-8")
    topics = {path.parent for path in FOLDER.rglob("*.md")} - {FOLDER}
    for topic in topics:
        assert f"({topic.relative_to(FOLDER).as_posix()}/README.md)" in index
        named = set(re.findall(r"\]\(([^)]+\.md)\)", (topic / "README.md").read_text(encoding="utf-8")))
        assert {path.name for path in topic.glob("*.md")} - {"README.md"} <= named


def test_there_are_enough_pages() -> None:
    assert len({case.page for case in CASES}) >= 120


def test_a_wrong_page_fails() -> None:
    case = next(one for one in CASES if any(two.kind == "answers" for two in one.expectations))
    right = next(one for one in case.expectations if one.kind == "answers")
    wrong = Expectation(right.kind, right.words, right.text + "ex:nobody\n")
    expected, shown = same(wrong, case, actual(case, wrong))
    assert shown != expected


def test_every_function_stands_in_a_case() -> None:
    text = "\n".join(case.text for case in CASES if case.language == "ctable")
    operators = {"starts_with": " starts with ", "ends_with": " ends with ", "contains": " contains "}
    assert [name for name in FUNCTIONS if f"{name}(" not in text and operators.get(name, "\0") not in text] == []


def test_every_rule_of_normalize_shows_its_steps_in_a_case() -> None:
    folder = Path(normalize.__file__).parent
    sources = [folder / "normalize.py", *(folder / "normal").glob("*.py")]
    rules = {one for path in sources for one in re.findall(r'"(normalize\.[a-z_]+)"', path.read_text(encoding="utf-8"))}
    steps = "".join(one.text for case in CASES for one in case.expectations if one.kind == "steps")
    assert sorted(rule for rule in rules if f"{rule}:" not in steps) == []
