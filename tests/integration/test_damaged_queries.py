"""One damaged word in a query of either language: the first report is near it, and mostly the only one."""

from __future__ import annotations

import pytest

from benchmarks.bench_damaged import LANGUAGES, QUESTIONS, judged, reports, shares

pytestmark = pytest.mark.skipif(not QUESTIONS.is_dir(), reason="../shared/data is absent")

LEAST = {"cypher": (0.95, 0.95), "sparql": (0.90, 0.90)}
"""The parts whose first report is within two words of the damage, and that have exactly one report."""


@pytest.mark.parametrize("name", LEAST)
def test_one_damaged_word_gives_one_report_near_it(name: str) -> None:
    found = reports(name, 600)
    near, single = shares(found)
    assert len(found) > 400
    assert near >= LEAST[name][0], [(one.first, one.text) for one in found if not one.near][:20]
    assert single >= LEAST[name][1], [(one.number, one.text) for one in found if one.number > 1][:20]


@pytest.mark.parametrize("name", LEAST)
def test_reports_at_other_places_are_not_near(name: str) -> None:
    """Judged by a damage that is somewhere else, most reports are not near: the measure can fail."""
    found = reports(name, 120)
    language = LANGUAGES[name]
    ends = [
        judged(one.text, one.text.rindex(one.text.split()[-1]), language, language.faults(one.text)) for one in found
    ]
    assert shares(ends)[0] < 0.5
