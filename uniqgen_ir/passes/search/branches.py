"""Branches of `either` without which U* has the same answers, found before rows are left out.

Each branch is asked for alone, the other rows of U* beside it; of the branches as few are kept as together give every
answer. A narrower `either` lets fewer answers in, so that more rows may turn out to be redundant afterwards.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from itertools import combinations
from typing import Final, TypeAlias

from attrs import evolve

from uniqgen_ir.ir.analysis import binds
from uniqgen_ir.ir.protocols import AnswerRow
from uniqgen_ir.ir.rows import Either
from uniqgen_ir.ir.terms import Variable
from uniqgen_ir.passes.search.problem import Problem
from uniqgen_ir.passes.search.result import LeftOut

Answers: TypeAlias = frozenset[AnswerRow]

MOST_BRANCHES: Final = 12
"""an `either` with more is left whole: one statement is sent a branch, and their combinations are tried"""


def narrowed(
    problem: Problem,
    names: Sequence[str],
    protected: frozenset[Variable],
    target: Answers,
    ask: Callable[[Problem], Answers | None],
) -> tuple[Problem, tuple[LeftOut, ...]]:
    """The problem with every `either` among the rows as narrow as the answers allow, one after the other.

    `target`: the answers of the rows; `ask`: those of the rows of another problem, None where that took too long. An
    `either` that is pinned, or binds a variable that the rest of the table shows, stays whole.
    """
    found: list[LeftOut] = []
    for name in names:
        row = problem.rows[name]
        if not isinstance(row.atom, Either) or row.note.required or binds(row) & (protected - set(problem.key)):
            continue
        branches = row.atom.branches
        if len(branches) > MOST_BRANCHES:
            continue
        given: dict[int, Answers] = {}
        for place, branch in enumerate(branches):
            answers = ask(problem.with_row(evolve(row, atom=Either((branch,)))))
            if answers is not None:
                given[place] = answers
        kept = _fewest(given, target) if len(given) == len(branches) else None
        if kept is not None and len(kept) < len(branches):
            problem = problem.with_row(evolve(row, atom=Either(tuple(branches[place] for place in kept))))
            found.append(LeftOut(name, tuple(place + 1 for place in range(len(branches)) if place not in kept)))
    return problem, tuple(found)


def _fewest(given: Mapping[int, Answers], target: Answers) -> Collection[int] | None:
    """The fewest branches that together give the target, of equally many those written first."""
    for size in range(1, len(given) + 1):
        for some in combinations(given, size):
            if frozenset[AnswerRow]().union(*(given[one] for one in some)) >= target:
                return some
    return None
