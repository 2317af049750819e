"""The SPARQL and the Cypher of one question: both are read and run, and every difference has a cause that can be shown."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from tools.sm3_causes import UNEXPLAINED
from tools.sm3_table import OWN_FAULT, PAGE, SAME, SHEETS, Outcome, outcomes, page

pytestmark = pytest.mark.skipif(not SHEETS.is_dir(), reason="../shared/data is not there")


def judged(found: Sequence[Outcome]) -> None:
    assert [one.id for one in found if one.kind == OWN_FAULT or one.kind.startswith("not run")] == []
    assert [one.id for one in found if one.kind not in SAME and one.cause in ("", UNEXPLAINED)] == []


def test_a_part_of_the_questions() -> None:
    found = outcomes(lambda place: place % 40 == 0)
    judged(found)
    assert sum(one.kind in SAME for one in found) > len(found) / 2


@pytest.mark.slow
def test_all_questions_and_the_page_of_them() -> None:
    found = outcomes()
    judged(found)
    assert PAGE.read_text(encoding="utf-8") == page(found)
