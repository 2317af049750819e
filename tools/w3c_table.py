"""Write `spec/sparql-conformance.md`: every W3C test of SPARQL 1.1 beside the project, and what becomes of it.

    python -m tools.w3c_table [--list] [--check]

Each evaluation test goes from its text through the reader, the checks and the renderer to the embedded engine, and
beside that to the reference evaluator; both must give the expected answers. Needs `../shared/suites/sparql`.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from itertools import groupby
from pathlib import Path
from typing import Final

from attrs import frozen

from tests.integration import w3c_suite
from uniqgen_ir.backends.engines.source import GraphSource
from uniqgen_ir.backends.registry import open_store
from uniqgen_ir.backends.store import RenderingStore
from uniqgen_ir.driver import check
from uniqgen_ir.grammar.sparql import ReadResult, read_sparql
from uniqgen_ir.ir.codes import CODES
from uniqgen_ir.ir.diagnostics import Diagnostic, DiagnosticError, Severity, errors
from uniqgen_ir.ir.evaluation.evaluate import evaluate
from uniqgen_ir.ir.graph import Graph
from uniqgen_ir.ir.table import Table

PAGE: Final = Path(__file__).parents[1] / "spec" / "sparql-conformance.md"

MEASURED: Final = (
    "aggregates", "bind", "bindings", "exists", "functions", "grouping", "negation", "project-expression",
    "property-path", "subquery",
)  # fmt: skip
"""The folders of SELECT and ASK tests of which at least 85 % must pass."""

SECONDS: Final = 30.0


@frozen
class Outcome:
    """What became of a test: `right`, `refused` with the code that says why, or `wrong` with what is wrong."""

    case: w3c_suite.Case
    verdict: str
    why: str = ""


def outcomes() -> tuple[Outcome, ...]:
    """Every test, in the order of the suite."""
    cases = tuple(w3c_suite.cases())
    found = {outcome.case: outcome for outcome in (*_syntax(cases), *_evaluation(cases))}
    return tuple(found[case] for case in cases)


def _read(case: w3c_suite.Case) -> ReadResult:
    return read_sparql(case.text, case.name, base=case.query.as_uri(), strict=True)


def _syntax(cases: Iterable[w3c_suite.Case]) -> Iterator[Outcome]:
    for case in cases:
        if "Syntax" not in case.kind:
            continue
        result = _read(case)
        if case.kind.startswith("Negative"):
            refused = result.table is None
            yield Outcome(case, "right" if refused else "wrong", "" if refused else "it is read")
        elif result.table is not None:
            yield _through_checks(case, result.table)
        else:
            yield Outcome(case, "refused", _code(result.diagnostics))


def _through_checks(case: w3c_suite.Case, table: Table) -> Outcome:
    try:
        check(table)
    except DiagnosticError as error:
        return Outcome(case, "refused", _code(error.diagnostics))
    return Outcome(case, "right")


def _evaluation(cases: Iterable[w3c_suite.Case]) -> Iterator[Outcome]:
    """Tests with the same data share an engine."""
    tests = [case for case in cases if "Syntax" not in case.kind]
    for _, group in groupby(sorted(tests, key=lambda case: str(case.data)), key=lambda case: case.data):
        members = tuple(group)
        graph = w3c_suite.load(members[0].data)
        with closing(open_store("oxigraph", GraphSource(graph))) as store:
            for case in members:
                yield _evaluated(case, graph, store)


def _evaluated(case: w3c_suite.Case, graph: Graph, store: RenderingStore) -> Outcome:
    assert case.result is not None
    result, wanted = _read(case), w3c_suite.expected(case.result)
    if result.table is None:
        return Outcome(case, "refused", _code(result.diagnostics))
    if wanted is None:
        # the answer is a graph: the pattern is read, and the note says so
        return Outcome(case, "refused", _code(result.diagnostics, Severity.INFORMATION))
    try:
        check(result.table)
        found = {"engine": store.select(result.table, timeout=SECONDS), "reference": evaluate(result.table, graph)}
    except DiagnosticError as error:
        return Outcome(case, "refused", _code(error.diagnostics))
    wrong = [name for name, answers in found.items() if not w3c_suite.same(answers, wanted)]
    return Outcome(case, "wrong" if wrong else "right", ", ".join(wrong))


def _code(diagnostics: Sequence[Diagnostic], severity: Severity = Severity.ERROR) -> str:
    listed = errors(diagnostics) if severity is Severity.ERROR else diagnostics
    return next(one.code for one in listed if one.severity is severity)


def share(found: Iterable[Outcome]) -> float:
    """The share of right ones, from 0 to 1; 1 for none."""
    verdicts = Counter(one.verdict for one in found)
    return verdicts["right"] / verdicts.total() if verdicts else 1.0


def category(outcome: Outcome) -> str:
    """The row of the table that the test counts in."""
    kind = outcome.case.kind
    return (
        outcome.case.folder
        if "Syntax" not in kind
        else f"{outcome.case.folder}, {'invalid' if 'Neg' in kind else 'valid'}"
    )


def page(found: Sequence[Outcome]) -> str:
    """The page in Markdown."""
    rows = {name: [one for one in found if category(one) == name] for name in sorted({category(one) for one in found})}
    lines = [
        "# SPARQL 1.1: the W3C tests",
        "",
        "Generated by `python -m tools.w3c_table`; do not edit.",
        "",
        "Every query evaluation and syntax test of the W3C's SPARQL 1.1 suite that is at hand. A test is *right* where",
        "the answers of the embedded engine, reached through reader, table, checks and renderer, and those of the",
        "reference evaluator are both the expected ones (as a bag; blank nodes count as alike), a valid query is read,",
        "or an invalid one is not. *Refused* tests are not answered and say so with the code that is listed.",
        "",
        "| category | tests | right | refused | wrong | codes |",
        "|---|---:|---:|---:|---:|---|",
        *(_row(name, members) for name, members in rows.items()),
        _row("**all**", found),
        "",
        "## What is refused",
        "",
        "| test | code | why |",
        "|---|---|---|",
        *(f"| {one.case.name} | {one.why} | {CODES[one.why].title} |" for one in found if one.verdict == "refused"),
    ]
    wrong = [f"* {one.case.name}: {one.why}" for one in found if one.verdict == "wrong"]
    return "\n".join([*lines, *(["", "## What is wrong", "", *wrong] if wrong else [])]) + "\n"


def _row(name: str, members: Sequence[Outcome]) -> str:
    verdicts = Counter(one.verdict for one in members)
    codes = Counter(one.why for one in members if one.verdict == "refused")
    listed = ", ".join(f"{code} × {number}" for code, number in sorted(codes.items()))
    return f"| {name} | {len(members)} | {verdicts['right']} | {verdicts['refused']} | {verdicts['wrong']} | {listed} |"


def main(arguments: Sequence[str]) -> int:
    """Write the page, or with `--check` say whether it is current; 1 where it is not, or something is wrong."""
    if not w3c_suite.SUITE.is_dir():
        print("../shared/suites/sparql is not there: the page stays as it is", file=sys.stderr)
        return 0
    found = outcomes()
    text = page(found)
    wrong = [one for one in found if one.verdict == "wrong"]
    for one in wrong if "--list" not in arguments else found:
        print(f"{one.verdict:8} {one.case.name} {one.why}")
    if "--check" in arguments:
        return 1 if wrong or PAGE.read_text(encoding="utf-8") != text else 0
    PAGE.write_text(text, encoding="utf-8")
    print(f"wrote {PAGE.name}: {share(found):.1%} of {len(found)} tests are right", file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
