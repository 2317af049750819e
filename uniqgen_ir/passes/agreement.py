"""Which threshold of coverage to believe, where reference answers may be wrong.

A wrong reference answer costs the rows that it does not meet, and with them the tightness of the query. With a lower
threshold those rows may stay. Of the tables at several thresholds the one is taken whose answers agree best with the
reference answers as a whole: wrong answers that only a wide table covers cost more agreement than they bring.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from attrs import evolve, frozen

from uniqgen_ir.ir.protocols import ReferenceAnswer, Store
from uniqgen_ir.ir.references import ReferenceLike, references_of
from uniqgen_ir.ir.table import Table
from uniqgen_ir.passes.relaxation import RelaxationOptions, chase_and_backchase
from uniqgen_ir.passes.search.budget import Budget
from uniqgen_ir.passes.search.result import AnswerKey, ChaseReport

THETAS: Final = (0.8, 0.6, 0.4, 0.2)
"""What is tried below the threshold that was asked for."""
FEWEST: Final = 2
"""With fewer reference answers there is no threshold below all of them."""


@frozen
class Attempt:
    """One threshold, how well the answers of its table agree with the reference answers, and how many there are."""

    theta: float
    agreement: float
    answers: int


@frozen
class Agreement:
    """The report at the threshold that agrees best; of equal ones the highest. `calls` and `ms` are of all attempts."""

    report: ChaseReport
    attempts: tuple[Attempt, ...]

    @property
    def theta(self) -> float:
        """The threshold that was taken."""
        return self.report.theta


def relaxed(
    table: Table, store: Store, references: Iterable[ReferenceLike], options: RelaxationOptions | None = None
) -> ChaseReport:
    """Chase and backchase, with lower thresholds tried where the options and the reference answers call for it.

    Raises what `chase_and_backchase` raises.
    """
    options = options or RelaxationOptions()
    given = references_of(references)
    sought = options.agreement == "always" or (options.agreement == "uncertain" and uncertain(given))
    if sought:
        return agreeing(table, store, given, options).report
    return chase_and_backchase(table, store, given, options)


def uncertain(references: Iterable[ReferenceAnswer]) -> bool:
    """Whether whoever gave the reference answers is less than sure of one."""
    return any(one.confidence < 1.0 for one in references)


def agreement_of(answers: Iterable[AnswerKey], references: Sequence[ReferenceAnswer]) -> float:
    """F1 of answers against reference answers: recall weighted by their confidence, precision by counting."""
    found = frozenset(answers)
    weights = {one.key: one.confidence for one in references}
    covered = [key for key in weights if key in found]
    if not covered:
        return 0.0
    recall = sum(weights[key] for key in covered) / sum(weights.values())
    precision = len(covered) / len(found)
    return 2 * precision * recall / (precision + recall)


def agreeing(
    table: Table, store: Store, references: Sequence[ReferenceAnswer], options: RelaxationOptions | None = None
) -> Agreement:
    """Chase and backchase at the threshold of the options and at lower ones; the best agreement wins.

    The budget is that of all attempts together: what one leaves, the next may spend. Raises what `chase_and_backchase`
    raises.
    """
    options = options or RelaxationOptions()
    best = chase_and_backchase(table, store, references, options)
    answers = best.answers or ()  # where they could not be had, nothing says that they agree
    agreement = agreement_of(answers, references)
    attempts = [Attempt(options.theta, agreement, len(answers))]
    calls, ms = best.calls, best.ms
    for lower in THETAS:
        left = _left(options.budget, calls, ms)
        if len(references) < FEWEST or agreement >= 1.0 or left is None or options.cancellation.cancelled:
            break  # nothing below can agree better, or nothing may be asked any more
        if lower >= options.theta:
            continue
        report = chase_and_backchase(table, store, references, evolve(options, theta=lower, budget=left))
        calls, ms = calls + report.calls, ms + report.ms
        answers = report.answers or ()
        reached = agreement_of(answers, references)
        attempts.append(Attempt(lower, reached, len(answers)))
        if reached > agreement:
            best, agreement = report, reached
    return Agreement(evolve(best, calls=calls, ms=ms), tuple(attempts))


def _left(budget: Budget, calls: int, ms: float) -> Budget | None:
    """What is left of a budget; None where it is spent."""
    calls_left = None if budget.calls is None else budget.calls - calls
    ms_left = None if budget.ms is None else budget.ms - ms
    if (calls_left is not None and calls_left <= 0) or (ms_left is not None and ms_left <= 0):
        return None
    return evolve(budget, calls=calls_left, ms=ms_left)
