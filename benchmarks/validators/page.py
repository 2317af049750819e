"""The page of the comparison, from `comparison.in.md`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from attrs import frozen
from scoring import Score


@frozen
class Row:
    """A tool and its score; None where it could not be asked."""

    name: str
    version: str
    score: Score | None


def page(cypher: Sequence[Row], sparql: Sequence[Row]) -> str:
    """The text of the page."""
    absent = [
        f"| {one.name} | did not install, or did not run here |" for one in (*cypher, *sparql) if one.score is None
    ]
    text = Path(__file__).with_name("comparison.in.md").read_text(encoding="utf-8")
    tables = {"cypher": "\n".join(_table(cypher)), "sparql": "\n".join(_table(sparql)), "absent": "\n".join(absent)}
    for name, table in tables.items():
        text = text.replace(f"{{{name}}}", table)
    return text.rstrip("\n") + "\n"


def _table(rows: Sequence[Row]) -> Iterator[str]:
    first = next(one.score for one in rows if one.score is not None)
    yield f"{first.wrong} wrong queries, {first.right} right ones, {first.repairable} with a repair."
    yield ""
    yield "| tool | recall | right reason | precision | false alarms | repairs | crashes | queries a second |"
    yield "|---|---|---|---|---|---|---|---|"
    for row in rows:
        one = row.score
        if one is None:
            continue
        speed = f"{one.per_second:,.0f}" if one.per_second >= 10 else f"{one.per_second:.1f}"
        yield (
            f"| {row.name} {row.version}".rstrip() + f" | {one.recall:.2f} | {one.right_reason:.2f} "
            f"| {one.precision:.2f} | {one.false_alarms:.2f} | {one.repairs} | {one.crashes} | {speed} |"
        )
