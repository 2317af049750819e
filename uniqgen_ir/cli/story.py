"""What a search did, told in a sentence per row."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Final

from uniqgen_ir.ir.printer import print_row
from uniqgen_ir.ir.terms import IRI, GroundTerm, Literal

if TYPE_CHECKING:
    from uniqgen_ir.ir.table import Table
    from uniqgen_ir.passes.search.result import AnswerKey, ChaseReport, Dropped, Kept, LeftOut, Redundant

Name = Callable[[GroundTerm], str]

MOST_LINES: Final = 10
"""answers of one kind that are told one by one"""


def plain_name(term: GroundTerm) -> str:
    """A term as people would write it: the last part of an IRI, the text of a literal."""
    if isinstance(term, IRI):
        return term.value.rstrip("/#").rsplit("/", 1)[-1].rsplit("#", 1)[-1]
    return term.lexical if isinstance(term, Literal) else f"_:{term.label}"


def chase_story(report: ChaseReport, table: Table, name: Name = plain_name) -> str:
    """One line a row: dropped by the chase and why, redundant and why, kept and what would come in without it."""
    lines = [f"status: {report.status.value}, {report.calls} store calls, {report.ms:.0f} ms"]
    lines += [f"  dropped    {one.row}: {_dropped(one, name)}" for one in report.dropped]
    lines += [f"  redundant  {one.row}: {_redundant(one)}" for one in report.redundant]
    lines += [f"  kept       {one.row}: {_kept(one, name)}" for one in report.kept]
    lines += [f"  left out   {_branches(one)}" for one in report.branches]
    lines += _beside(report, name)
    pragmatic = [row.id for row in table.rows if row.note.reason and row.note.origin.value == "pragmatic"]
    for row_id in pragmatic:
        lines.append(f"  implied, not said: {row_id} — {table.row(row_id).note.reason}")
    return "\n".join(lines)


def explained_story(
    report: ChaseReport, table: Table, instead: Mapping[str, Sequence[GroundTerm]], name: Name = plain_name
) -> str:
    """A sentence a row, with what the row says; `instead`: what the first lost answer has in place of it."""
    outcome = {"ok": "Found", "none": "Nothing found", "stopped": "Stopped early, with the best so far"}
    proved = ", proved to be the best" if report.optimal else ""
    lines = [f"{outcome[report.status.value]}{proved}, after {report.calls} store calls in {report.ms:.0f} ms."]
    if not report.reference:
        lines.append("No reference answers were given: the tightest table with answers is kept.")
    text = {row.id: print_row(row, table.prefixes).partition(": ")[2].strip() for row in table.rows}
    for one in report.dropped:
        values = " and ".join(name(term) for term in instead.get(one.row, ()))
        has = f" ({_answer(one.lost[0], name)} has {values} there)" if values else ""
        lines.append(f"{one.row} `{text[one.row]}` dropped: {_dropped(one, name)}{has}.")
    lines += [f"{one.row} `{text[one.row]}` redundant: {_redundant(one)}." for one in report.redundant]
    lines += [f"{one.row} `{text[one.row]}` kept: {_kept(one, name)}." for one in report.kept]
    lines += [f"Of {_branches(one)}." for one in report.branches]
    return "\n".join([*lines, *_beside(report, name)])


def _beside(report: ChaseReport, name: Name) -> Iterator[str]:
    """What else is worth knowing: answers in the way, doubtful answers, other sets of rows."""
    for one in report.blocking:
        yield f"  no row set gives {_answer(one.answer, name)}: {', '.join(one.rows)} would lose it"
    for answer in report.doubted[:MOST_LINES]:
        agree = f"without this reference answer the others agree better (θ = {report.theta:g})"
        yield f"  doubted    {_answer(answer, name)}: {agree}"
    if len(report.doubted) > MOST_LINES:
        yield f"  doubted    {len(report.doubted) - MOST_LINES} more reference answers"
    for suspect in report.suspects[:MOST_LINES]:
        rows = ", ".join(suspect.rows)
        yield f"  suspect    {_answer(suspect.answer, name)}: without this reference answer, {rows} could stay"
    if len(report.suspects) > MOST_LINES:
        yield f"  suspect    {len(report.suspects) - MOST_LINES} more reference answers"
    for other in report.alternatives:
        told = f"; {_answer(other.tells_apart, name)} tells them apart" if other.tells_apart else ""
        yield f"  also possible: {', '.join(other.rows)} ({other.reason}{told})"


def _dropped(one: Dropped, name: Name) -> str:
    match one.reason.value:
        case "loses_answers":
            return f"{_several(one.lost, name)} would be lost with it"
        case "orphaned":
            names = ", ".join(f"?{variable}" for variable in one.unbound)
            return f"nothing that was kept binds {names}" if names else "nothing connects it to the answer"
        case other:
            return other.replace("_", " ")


def _redundant(one: Redundant) -> str:
    kind = "follows from the others on every graph" if one.kind.value == "implied" else "changes nothing on this graph"
    return f"{kind}{f' ({one.because})' if one.because else ''}"


def _branches(one: LeftOut) -> str:
    several = len(one.branches) > 1
    places = ", ".join(map(str, one.branches))
    return f"{one.row} branch{'es' if several else ''} {places} left out: the answers on this graph are the same"


def _kept(one: Kept, name: Name) -> str:
    match one.kind.value:
        case "answer" if one.answer is not None:
            return f"without it {_answer(one.answer, name)} would come in"
        case "unsafe":
            return "without it the answer would be bound by nothing"
        case "required":
            return "pinned, or needed for what is shown"
        case "objective":
            return "the objective keeps every row that the answers allow"
        case "evidence":
            return "it changes nothing on this graph, but does not follow from the others on every graph"
        case _:
            return "not tested: it may be redundant"


def _answer(answer: AnswerKey, name: Name) -> str:
    return " / ".join(name(term) for term in answer)


def _several(answers: Iterable[AnswerKey], name: Name) -> str:
    names = [_answer(one, name) for one in answers]
    more = f" and {len(names) - 3} more" if len(names) > 3 else ""
    return (", ".join(names[:3]) + more if names else "reference answers") + (
        ", a reference answer," if len(names) == 1 else ", reference answers," if names else ""
    )
