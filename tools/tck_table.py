"""Write `spec/cypher-conformance.md`: what becomes of the openCypher TCK's reading scenarios on the embedded engine.

    python -m tools.tck_table [--list]

A scenario's set-up is run on the engine itself. Then its query is run twice: as it is written, and through reader,
table and renderer. Only where the engine gives the expected answers to the original text can it be asked of the
project; there its own text must give them too, or be refused with a code. Needs `../shared/suites/tck`.
"""

from __future__ import annotations

import datetime
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any, Final, Protocol

import kglite
from attrs import frozen

from tests.integration.cypher_tck import CannotBuildError, Scenario, counted, expected_value, scenarios
from uniqgen_ir.backends.cypher.dialects import DIALECTS
from uniqgen_ir.backends.cypher.renderer import CypherRenderer
from uniqgen_ir.grammar.cypher import check_cypher, parse_cypher, read_cypher
from uniqgen_ir.ir.codes import CODES
from uniqgen_ir.ir.diagnostics import DiagnosticError, errors

PAGE: Final = Path(__file__).parents[1] / "spec" / "cypher-conformance.md"
MILLISECONDS: Final = 5_000


@frozen
class Outcome:
    """What became of a scenario: `right`, `refused` with a code, or `wrong`; `engine` says that its own text is not
    right there, `unclear` that what it expects cannot be compared."""

    scenario: Scenario
    verdict: str
    why: str = ""


class TckEngine(Protocol):
    """An engine with an empty graph."""

    @property
    def renderer(self) -> CypherRenderer: ...

    def execute(self, script: str) -> None:
        """Run a set-up."""
        ...

    def rows(self, text: str, params: dict[str, Any], columns: Sequence[str]) -> list[tuple[Any, ...]]:
        """The rows of a query in the form of `expected_value`. Raises CannotBuildError for what has none."""
        ...


def outcomes() -> tuple[Outcome, ...]:
    """Every scenario that only reads and expects answers, in the order of the files, on the embedded engine."""
    kglite.set_query_warning_policy("silent")
    return tuple(outcome(one, Kglite) for one in reading_scenarios())


def reading_scenarios() -> Iterator[Scenario]:
    """Every scenario that only reads and expects answers."""
    return (one for one in scenarios() if _only_reads(one))


def _only_reads(scenario: Scenario) -> bool:
    if scenario.columns is None or scenario.error is not None or scenario.parameters:
        return False
    parse = parse_cypher(scenario.query)
    return all(one.kind != "write" for one in (*parse.diagnostics, *check_cypher(parse)))


def outcome(scenario: Scenario, start: Callable[[], TckEngine]) -> Outcome:
    """What becomes of one on an engine, which `start` gives with an empty graph."""
    try:
        expected = [tuple(map(expected_value, row)) for row in scenario.rows]
        engine = start()
        for script in scenario.setup:
            engine.execute(script)
        original = engine.rows(scenario.query, {}, scenario.columns or ())
    except CannotBuildError:
        return Outcome(scenario, "unclear")
    except Exception:
        return Outcome(scenario, "engine")
    if not _same(scenario, original, expected):
        return Outcome(scenario, "engine")
    return _ours(scenario, engine, expected)


def _ours(scenario: Scenario, engine: TckEngine, expected: list[tuple[Any, ...]]) -> Outcome:
    result = read_cypher(scenario.query)
    if result.table is None or errors(result.diagnostics):
        return Outcome(scenario, "refused", errors(result.diagnostics)[0].code)
    try:
        query = engine.renderer.render(result.table)
    except DiagnosticError as error:
        return Outcome(scenario, "refused", error.diagnostics[0].code)
    try:
        rows = engine.rows(query.text, dict(query.params), query.columns)
    except Exception as error:
        return Outcome(scenario, "wrong", f"the engine refuses the text: {str(error)[:200]}\n{query.text}")
    columns = scenario.columns or ()
    if sorted(query.columns) != sorted(columns):
        return Outcome(scenario, "wrong", f"columns {query.columns}")
    places = [query.columns.index(name) for name in columns]
    rows = [tuple(row[place] for place in places) for row in rows]
    if _same(scenario, rows, expected):
        return Outcome(scenario, "right")
    return Outcome(scenario, "wrong", f"{query.text}{query.params} gives {rows}, not {expected}")


class Kglite:
    """The embedded engine."""

    renderer = CypherRenderer(DIALECTS["kglite"])

    def __init__(self) -> None:
        self._graph = kglite.KnowledgeGraph()

    def execute(self, script: str) -> None:
        self._graph.cypher(script, timeout_ms=MILLISECONDS)

    def rows(self, text: str, params: dict[str, Any], columns: Sequence[str]) -> list[tuple[Any, ...]]:
        result = self._graph.cypher(
            text, params=params, timeout_ms=MILLISECONDS, disable_optimizer=True, hide_structural_keys=True
        )
        # the engine keeps the backticks of some names
        order = [[one.strip("`") for one in result.columns].index(name) for name in columns]
        rows = (list(row.values()) for row in result)
        return [tuple(_shown(row[place]) for place in order) for row in rows]


def _shown(value: Any) -> Any:
    """A value of the engine in the form of `expected_value`."""
    if isinstance(value, dict):
        if "labels" in value:
            return "node", tuple(sorted(value["labels"])), _entries(value["properties"])
        if "start" in value and "type" in value:
            return "relationship", (value["type"],), _entries(value["properties"])
        raise CannotBuildError("a map")
    if isinstance(value, list):
        return tuple(map(_shown, value))
    if isinstance(value, bool) or value is None:
        return value
    if isinstance(value, datetime.date | datetime.time):
        return value.isoformat()
    return float(value) if isinstance(value, int | float) else value


def _entries(properties: dict[str, Any]) -> tuple[tuple[str, Any], ...]:
    # what the engine adds to every node
    own = {name: one for name, one in properties.items() if name not in ("id", "title", "type")}
    return tuple(sorted((name, tuple(one) if isinstance(one, list) else one) for name, one in own.items()))


def _same(scenario: Scenario, rows: list[tuple[Any, ...]], expected: list[tuple[Any, ...]]) -> bool:
    return rows == expected if scenario.ordered else counted(rows) == counted(expected)


def share(found: Iterable[Outcome]) -> float:
    """The part of the scenarios that the engine passes by itself which are right through the project, too."""
    counts = Counter(one.verdict for one in found)
    passed = sum(counts[name] for name in ("right", "refused", "wrong"))
    return counts["right"] / passed if passed else 1.0


# ---- the page ------------------------------------------------------------------------------------------------------


def page(found: Sequence[Outcome], head: Iterable[str] | None = None) -> str:
    """The page in Markdown, under the head of the embedded engine or another."""
    return (
        "\n".join(
            [*(_head(found) if head is None else head), *_rows_of(found), "", *_reasons(found), *_wrong(found)]
        ).rstrip()
        + "\n"
    )


def _head(found: Sequence[Outcome]) -> Iterator[str]:
    yield "# Cypher: the openCypher TCK on the embedded engine"
    yield ""
    yield "Generated by `python -m tools.tck_table`; do not edit."
    yield ""
    yield "Scenarios of the openCypher TCK at hand that only read, without parameters. The set-up is run on kglite"
    yield "itself. *By itself* counts those that kglite answers as expected when it is given the original text; of"
    yield "these, *right* are answered as expected through reader, table and renderer, and *refused* are not answered"
    yield "and say so with the code that is listed."
    yield ""
    yield from table_head(found)


def table_head(found: Sequence[Outcome]) -> Iterator[str]:
    """The share that is right, and the names of the columns."""
    yield f"Right of those that the engine passes by itself: {share(found):.1%}."
    yield ""
    yield "| feature | scenarios | by itself | right | refused | wrong | codes |"
    yield "|---|---:|---:|---:|---:|---:|---|"


def _feature(one: Outcome) -> str:
    return one.scenario.name.split(" ")[0].rstrip("0123456789")


def _rows_of(found: Sequence[Outcome]) -> Iterator[str]:
    ordered = sorted(found, key=_feature)
    for name, members in groupby(ordered, key=_feature):
        yield _line(name, list(members))
    yield _line("**all**", found)


def _line(name: str, members: Sequence[Outcome]) -> str:
    counts = Counter(one.verdict for one in members)
    codes = Counter(one.why for one in members if one.verdict == "refused")
    listed = ", ".join(f"{code} × {number}" for code, number in sorted(codes.items()))
    passed = counts["right"] + counts["refused"] + counts["wrong"]
    figures = (len(members), passed, counts["right"], counts["refused"], counts["wrong"])
    return f"| {name} | {' | '.join(map(str, figures))} | {listed} |"


def _reasons(found: Sequence[Outcome]) -> Iterator[str]:
    codes = Counter(one.why for one in found if one.verdict == "refused")
    yield "| code | scenarios | meaning |"
    yield "|---|---:|---|"
    for code, number in sorted(codes.items()):
        yield f"| [{code}](diagnostics/{code}.md) | {number} | {CODES[code].title} |"


def _wrong(found: Sequence[Outcome]) -> Iterator[str]:
    wrong = [one for one in found if one.verdict == "wrong"]
    if wrong:
        yield "\n## Wrong\n"
    for one in wrong:
        yield f"* {one.scenario.name}: {one.why.splitlines()[0]}"


def main(arguments: Sequence[str]) -> int:
    """Write the page; `--list` prints what is not right instead."""
    found = outcomes()
    if "--list" in arguments:
        for one in found:
            if one.verdict in ("refused", "wrong"):
                print(f"== {one.verdict} {one.scenario.name}: {one.why}\n{one.scenario.query}\n")
    else:
        PAGE.write_text(page(found), encoding="utf-8")
    print(Counter(one.verdict for one in found), f"{share(found):.1%}", file=sys.stderr)
    return 1 if any(one.verdict == "wrong" for one in found) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
