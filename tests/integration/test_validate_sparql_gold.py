"""Gold queries of the shared data sets: accepted, or refused for a reason and mended."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from uniqgen_ir.validate.gate import check

QUESTIONS = Path(__file__).parents[2].parent / "shared" / "data" / "questions"
pytestmark = pytest.mark.skipif(not QUESTIONS.is_dir(), reason="../shared/data is absent")

CLEAN = ("grailqa_1000", "metaqa_1hop_test", "metaqa_3hop_test", "pathquestion_pq3h", "qald10_en_tog", "wc2014_wc_c")
"""Sets whose queries are SPARQL 1.1."""
IDIOMATIC = ("webqsp_test", "cwq_test", "lcquad1_test")
"""Sets with `OR`, `xsd:` without a declaration, `SELECT COUNT(?x)`: all of them are mended."""
LEAST_SHARE = 0.995


def gold(name: str, step: int) -> list[str]:
    with gzip.open(QUESTIONS / f"{name}.jsonl.gz", "rt", encoding="utf-8") as lines:
        found = [json.loads(line).get("sparql") for line in lines]
    return [one for one in found if one][::step]


@pytest.mark.parametrize("name", CLEAN)
def test_standard_queries_pass_in_silence(name: str) -> None:
    loud = [one for one in gold(name, 12) if _said(one)]
    assert loud == []


def _said(query: str) -> list[str]:
    return [one.message for one in check(query, language="sparql").diagnostics if one.severity.value != "information"]


@pytest.mark.parametrize("name", IDIOMATIC)
def test_idioms_are_mended(name: str) -> None:
    reports = [check(one, language="sparql") for one in gold(name, 25)]
    fine = [one for one in reports if one.valid or one.fixed_query is not None]
    assert len(fine) >= LEAST_SHARE * len(reports)


def test_of_two_languages_queries_only_those_with_a_fault_are_refused() -> None:
    queries = [one for one in gold("sm3_dev", 1) if not one.startswith("No answer")]
    refused = [one for one in (check(query, language="sparql") for query in queries) if not one.valid]
    # a column that nothing binds
    assert all({"unbound_projection"} >= {d.kind for d in one.diagnostics if d.severity == "error"} for one in refused)
    assert len(refused) <= (1 - LEAST_SHARE) * len(queries)
