"""Questions to the store about whole sets of rows. None means: the time or the budget ended before the answer."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from math import prod
from typing import Final, TypeAlias

from attrs import evolve

from uniqgen_ir.ir.analysis import blocks
from uniqgen_ir.ir.diagnostics import DiagnosticError
from uniqgen_ir.ir.expressions import Aggregate
from uniqgen_ir.ir.protocols import AnswerRow, Answers, StoreError, StoreTimeout
from uniqgen_ir.ir.table import Column, Shell, Table
from uniqgen_ir.ir.terms import Variable
from uniqgen_ir.passes.nesting import nested
from uniqgen_ir.passes.search.budget import BudgetExhausted
from uniqgen_ir.passes.search.problem import AnswerKey, Problem
from uniqgen_ir.passes.search.statements import answers_of, covered

Width: TypeAlias = Callable[[tuple[str, ...]], float]

SIDE_BY_SIDE: Final = 1_000_000.0
"""solutions for one answer that an engine enumerates in about a second"""


def select(
    problem: Problem, statement: Table, limit: int | None = None, most_ms: float | None = None
) -> Answers | None:
    try:
        return problem.meter.select(statement, limit=limit, most_ms=most_ms)
    except (StoreTimeout, BudgetExhausted):
        return None


def answers_within(
    problem: Problem,
    names: Iterable[str],
    limit: int,
    width: Width | None = None,
    *,
    counted: bool = False,
    most_ms: float | None = None,
) -> frozenset[AnswerRow] | None:
    """The answers of these rows, at most `limit`; `counted` adds to each how many solutions give it."""
    groups = blocks(problem.core, names)
    wide = [] if counted or width is None else widest([width(group) for group in groups])
    statement = answers_of(problem.core, problem.key, [problem.take(group) for group in groups], wide)
    found = select(problem, count_solutions(statement) if counted else statement, limit, most_ms)
    return None if found is None else frozenset(problem.respell(found))


def answers_nested(
    problem: Problem, names: Iterable[str], limit: int, most_ms: float | None = None
) -> frozenset[AnswerRow] | None:
    """At most `limit` answers of the active rows by one statement of nested distinct tables.

    None where they took too long, or the engine has no such tables.
    """
    try:
        found = select(problem, nested(problem.core, problem.key, problem.take(names)), limit, most_ms)
    except StoreError:
        raise
    except DiagnosticError:
        return None
    return None if found is None else frozenset(problem.respell(found))


def widest(widths: Sequence[float]) -> list[int]:
    """The blocks to put aside so that the solutions of the others, multiplied, stay below `SIDE_BY_SIDE`.

    A block that stands aside is evaluated over the whole graph, so that as few as possible do.
    """
    together, aside = prod(max(1.0, one) for one in widths), list[int]()
    for place in sorted(range(len(widths)), key=widths.__getitem__, reverse=True):
        if together <= SIDE_BY_SIDE:
            break
        together /= max(1.0, widths[place])
        aside.append(place)
    return aside


def covered_by(problem: Problem, names: Iterable[str], answers: Sequence[AnswerKey]) -> frozenset[AnswerRow] | None:
    """Which of the reference answers the rows together give."""
    found = select(problem, covered(problem.core, problem.key, answers, problem.take(names)))
    return None if found is None else frozenset(problem.respell(found))


def count_solutions(statement: Table) -> Table:
    """The same answers, each with the number of its solutions."""
    taken = {variable.name for variable in statement.columns}
    name = next(f"solutions{suffix}" for suffix in ("", *map(str, range(1000))) if f"solutions{suffix}" not in taken)
    counting = Column(Aggregate("count"), Variable(name))
    return evolve(statement, head=(*statement.head, counting), shell=Shell(distinct=False, group=statement.head))
