"""Write `spec/cypher-conformance.md`: what becomes of the openCypher TCK's reading scenarios on the embedded engines.

    python -m tools.tck_table [--list] [kglite] [ladybug]

A scenario's query is run twice over the graph of its set-up: as it is written, and through reader, table and renderer.
Only where the engine gives the expected answers to the original text can it be asked of the project; there its own text
must give them too, or be refused with a code. Needs `../shared/suites/tck`.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any, Final, TypeAlias

from attrs import frozen

from tests.integration.cypher_tck import CannotBuildError, Scenario, counted, expected_value, scenarios
from tools.tck_engines import Kglite, Ladybugs, TckEngine
from uniqgen_ir.grammar.cypher import check_cypher, parse_cypher, read_cypher
from uniqgen_ir.ir.codes import CODES
from uniqgen_ir.ir.diagnostics import DiagnosticError, errors

PAGE: Final = Path(__file__).parents[1] / "spec" / "cypher-conformance.md"


@frozen
class Outcome:
    """What became of a scenario: `right`, `refused` with a code, or `wrong`; `engine` says that its own text is not
    right there, `unclear` that what it expects cannot be compared."""

    scenario: Scenario
    verdict: str
    why: str = ""


Start: TypeAlias = "Callable[[Sequence[str]], TckEngine]"
"""An engine that holds the graph which the scripts of a set-up create. Raises CannotBuildError where it cannot."""
STARTS: Final[Mapping[str, Callable[[], Start]]] = {"kglite": lambda: Kglite, "ladybug": Ladybugs}
"""The embedded engines."""


def outcomes(name: str, keep: Callable[[int], bool] = lambda place: place >= 0) -> tuple[Outcome, ...]:
    """What becomes of every scenario that only reads and expects answers, in the order of the files, or of those at the
    places to `keep`."""
    start = STARTS[name]()
    return tuple(outcome(one, start) for place, one in enumerate(reading_scenarios()) if keep(place))


def reading_scenarios() -> Iterator[Scenario]:
    """Every scenario that only reads and expects answers."""
    return (one for one in scenarios() if _only_reads(one))


def _only_reads(scenario: Scenario) -> bool:
    if scenario.columns is None or scenario.error is not None or scenario.parameters:
        return False
    parse = parse_cypher(scenario.query)
    return all(one.kind != "write" for one in (*parse.diagnostics, *check_cypher(parse)))


def outcome(scenario: Scenario, start: Start) -> Outcome:
    """What becomes of one on an engine."""
    try:
        expected = [tuple(map(expected_value, row)) for row in scenario.rows]
        engine = start(scenario.setup)
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


def _same(scenario: Scenario, rows: list[tuple[Any, ...]], expected: list[tuple[Any, ...]]) -> bool:
    return rows == expected if scenario.ordered else counted(rows) == counted(expected)


def share(found: Iterable[Outcome]) -> float:
    """The part of the scenarios that the engine passes by itself which are right through the project, too."""
    counts = Counter(one.verdict for one in found)
    passed = sum(counts[name] for name in ("right", "refused", "wrong"))
    return counts["right"] / passed if passed else 1.0


# ---- the page ------------------------------------------------------------------------------------------------------


def page(found: Mapping[str, Sequence[Outcome]]) -> str:
    """The page in Markdown: outcomes by the name of their engine."""
    parts = [line for name, members in found.items() for line in section(f"## {name}", members)]
    return "\n".join([*_head(), *parts]).rstrip() + "\n"


def section(heading: str, found: Sequence[Outcome]) -> Iterator[str]:
    """The lines of one engine, under a heading or none."""
    yield from ((heading, "") if heading else ())
    yield from (*table_head(found), *_rows_of(found), "", *_reasons(found), *_wrong(found), "")


def _head() -> Iterator[str]:
    yield "# Cypher: the openCypher TCK on the embedded engines"
    yield ""
    yield "Generated by `python -m tools.tck_table`; do not edit."
    yield ""
    yield "Scenarios of the openCypher TCK at hand that only read, without parameters. *By itself* counts those that"
    yield "the engine answers as expected when it is given the original text; of these, *right* are answered as"
    yield "expected through reader, table and renderer, and *refused* are not answered and say so with the code that is"
    yield "listed."
    yield ""
    yield "kglite runs each set-up as it is written. Ladybug wants tables first: they are declared from the labels,"
    yield "types and datatypes that the set-up creates, as the project's own loader reads it. A graph that tables"
    yield "cannot hold (a node with two labels, a property of two datatypes) does not count there."
    yield ""


def table_head(found: Sequence[Outcome]) -> Iterator[str]:
    """The share that is right, and the names of the columns."""
    wrong = sum(one.verdict == "wrong" for one in found)
    yield f"Right of those that the engine passes by itself: {share(found):.1%}; wrong: {wrong}."
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
    """Write the page; `--list` prints what is not right instead, of all engines or those that are named."""
    names = [one for one in STARTS if one in arguments] or list(STARTS)
    found = {name: outcomes(name) for name in names}
    if "--list" in arguments:
        for one in (one for members in found.values() for one in members if one.verdict in ("refused", "wrong")):
            print(f"== {one.verdict} {one.scenario.name}: {one.why}\n{one.scenario.query}\n")
    elif len(found) == len(STARTS):
        PAGE.write_text(page(found), encoding="utf-8")
    for name, members in found.items():
        print(name, Counter(one.verdict for one in members), f"{share(members):.1%}", file=sys.stderr)
    return 1 if any(one.verdict == "wrong" for members in found.values() for one in members) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
