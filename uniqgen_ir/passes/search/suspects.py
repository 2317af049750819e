"""The table without the suspects, proposed beside the one that keeps every reference answer.

The rows of U* stay; those that only suspects kept out are tried again against the other answers. Each of them was
fetched with fewer rows kept, so that what is in memory is enough and no statement is sent. Where it is not (a row near
a hub was tested on the store), the row is not proposed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TypeAlias

from uniqgen_ir.passes.search.problem import AnswerKey, Problem
from uniqgen_ir.passes.search.result import Alternative, Dropped, Suspect
from uniqgen_ir.passes.search.show import show_answer

StillLost: TypeAlias = Callable[[str, Iterable[str], Sequence[AnswerKey]], Sequence[AnswerKey] | None]
"""which of the answers a row loses beside these rows, from what is in memory; None where that is not enough"""


def suspects_of(problem: Problem, dropped: Sequence[Dropped]) -> tuple[Suspect, ...]:
    """Answers that alone kept rows out, with three or more reference answers (fewer are too few to doubt one)."""
    if len({one.key for one in problem.references}) < 3:
        return ()
    rows: dict[AnswerKey, list[str]] = {}
    for one in dropped:
        if len(one.lost) == 1:
            rows.setdefault(one.lost[0], []).append(one.row)
    return tuple(Suspect(answer, tuple(names)) for answer, names in rows.items())


def without_suspects(
    problem: Problem,
    still_lost: StillLost,
    suspects: Sequence[Suspect],
    kept: Sequence[str],
    answers: Sequence[AnswerKey],
) -> tuple[Alternative, ...]:
    """At most one alternative: U* and every row that the reference answers other than the suspects allow."""
    doubted = _doubted(suspects, answers)
    rest = tuple(one for one in answers if one not in doubted)
    if not doubted or not rest:
        return ()
    rows = list(kept)
    for name in problem.order():
        if name in rows or name not in problem.active([*rows, name]):
            continue
        lost = still_lost(name, rows, rest)
        if lost is not None and not lost:
            rows.append(name)
    if len(rows) == len(kept):
        return ()
    ordered = tuple(name for name in problem.row_ids if name in rows)
    given_up = [one for one in suspects if one.answer in doubted and set(one.rows) & set(rows)]
    names = ", ".join(str(show_answer(one.answer)) for one in given_up)
    reason = f"the rows that stay if {names} is no answer"
    problem.note("chase.alternative", list(kept), ordered, reason)
    shown = {*ordered, *(row.id for row in problem.decoration)}
    apart = given_up[0].answer if given_up else None
    return (Alternative(ordered, reason, apart, problem.written.only(shown)),)


def _doubted(suspects: Sequence[Suspect], answers: Sequence[AnswerKey]) -> frozenset[AnswerKey]:
    """The suspects where they are a minority; otherwise the one that keeps most rows out."""
    if 2 * len(suspects) < len(answers):
        return frozenset(one.answer for one in suspects)
    most = max(suspects, key=lambda one: len(one.rows), default=None)
    return frozenset() if most is None else frozenset({most.answer})
