"""Write `spec/gate-gold.md`: what the gate says of gold queries of property graphs, each rejected one by name.

    python -m tools.gate_gold_table

Needs `../shared/data`. `tests/integration/test_validate_sparql_gold.py` judges the gold SPARQL of knowledge graphs.
"""

from __future__ import annotations

import gzip
import json
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from attrs import frozen

from uniqgen_ir.ir.diagnostics import Severity, errors
from uniqgen_ir.validate.gate import check
from uniqgen_ir.validate.report import Report

ROOT: Final = Path(__file__).parents[1]
QUESTIONS: Final = ROOT.parent / "shared" / "data" / "questions"
PAGE: Final = ROOT / "spec" / "gate-gold.md"
SETS: Final = (
    ("zograscope_test_v1", "cypher"),
    ("zograscope_length_test_v1", "cypher"),
    ("sm3_dev", "cypher"),
    ("sm3_dev", "sparql"),
)
NO_QUERY: Final = "No answer possible"
"""So a question begins its place for a query where it has none."""
MOST: Final = 0.005
"""The share of gold queries that may be rejected"""


@frozen
class Judged:
    """A query of a set, and what the gate says of it."""

    name: str
    report: Report


@frozen
class Outcome:
    """The queries of a set in one language, and how many places hold a sentence, all of which have to be refused."""

    title: str
    queries: tuple[Judged, ...]
    sentences: int

    @property
    def rejected(self) -> tuple[Judged, ...]:
        return tuple(one for one in self.queries if not one.report.valid)

    @property
    def warned(self) -> Counter[str]:
        """The warnings on what is accepted, by kind."""
        accepted = (one.report.diagnostics for one in self.queries if one.report.valid)
        return Counter(one.kind for found in accepted for one in found if one.severity is Severity.WARNING)


def outcome(name: str, language: str) -> Outcome:
    """Judge a set, without a schema. Raises AssertionError where a sentence passes."""
    with gzip.open(QUESTIONS / f"{name}.jsonl.gz", "rt", encoding="utf-8") as file:
        lines = [json.loads(line) for line in file]
    judged = [Judged(line["id"], check(line[language], language=language)) for line in lines if line.get(language)]
    sentences = [one for one in judged if one.report.query.startswith(NO_QUERY)]
    assert not any(one.report.valid for one in sentences)
    queries = tuple(one for one in judged if not one.report.query.startswith(NO_QUERY))
    return Outcome(f"{name}, {language}", queries, len(sentences))


def page(outcomes: list[Outcome]) -> Iterator[str]:
    """The lines of the page."""
    yield from (
        "# The gate on gold queries of property graphs",
        "",
        "Written by `python -m tools.gate_gold_table`. The queries are the gold ones of ZOGRASCOPE (POLE) and of SM3",
        "(Synthea, each question in both languages), judged without a schema. Where a question has no query, SM3 has",
        f"the sentence `{NO_QUERY} …` in its place: those are refused as what they are, and not counted.",
        "",
        "| set | queries | rejected | | warnings on the others | sentences refused |",
        "|---|---:|---:|---:|---|---:|",
    )
    for one in outcomes:
        share = len(one.rejected) / len(one.queries)
        warned = ", ".join(f"{count} `{kind}`" for kind, count in one.warned.most_common())
        yield f"| {one.title} | {len(one.queries):,} | {len(one.rejected)} | {share:.2%} | {warned} | {one.sentences} |"
    yield from (
        "",
        "The warnings name real slips: one variable is written in two ways, `?patientId` and `?patientid` or",
        "`?organizationId` and `?organization_id`, so that nothing connects the patterns, or a pattern is left over.",
        "",
    )
    yield from ("| rejected | what the gate says |", "|---|---|")
    for one in (judged for outcome in outcomes for judged in outcome.rejected):
        yield f"| {one.name} | {'; '.join(fault.message for fault in errors(one.report.diagnostics))} |"
    yield ""


def main() -> int:
    """Write the page; the status is 1 where more is rejected than may be."""
    outcomes = [outcome(name, language) for name, language in SETS]
    PAGE.write_text("\n".join(page(outcomes)), encoding="utf-8")
    for one in outcomes:
        print(f"{one.title}: {len(one.rejected)} of {len(one.queries)} rejected")
    return 1 if any(len(one.rejected) > MOST * len(one.queries) for one in outcomes) else 0


if __name__ == "__main__":
    sys.exit(main())
