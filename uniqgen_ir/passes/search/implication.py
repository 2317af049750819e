"""Rows that follow from other rows on every graph: the rows without one are contained in the rows with it.

`contains` decides it, so that conditions, unions, bounded paths and what a schema declares count. A real graph may
violate its schema: what rests on one is marked `needs_data` and confirmed on the graph. Time is bounded by steps, and
what is not decided in time does not follow.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from attrs import evolve, frozen

from uniqgen_ir.ir.schema import Schema
from uniqgen_ir.ir.table import Column
from uniqgen_ir.ir.terms import Variable
from uniqgen_ir.passes.containment.compare import contains
from uniqgen_ir.passes.containment.decision import EmptyCase, ProofCase
from uniqgen_ir.passes.containment.verdict import Verdict, proof_steps
from uniqgen_ir.passes.saturate.engine import Derivation
from uniqgen_ir.passes.saturate.patterns import Pattern, replaced
from uniqgen_ir.passes.search.images import may_have_image
from uniqgen_ir.passes.search.problem import Problem
from uniqgen_ir.passes.trace import Json

_STEPS: Final = 20_000
"""The budget of one question, some ten milliseconds."""


@frozen
class Implication:
    """Why a row follows. `needs_data`: only on graphs that obey the schema."""

    reason: str
    because: tuple[str, ...]
    """the rows that say what the row says"""
    proof: tuple[Json, ...]
    """the homomorphisms, as they stand in traces"""
    needs_data: bool = False


def implication(
    problem: Problem, name: str, rows: Iterable[str], fixed: frozenset[Variable], schema: Schema | None
) -> Implication | None:
    """Why the row follows from the others among `rows`, or None. The answers are the values of the `fixed` variables.

    Rows that nothing binds without this one say nothing then, so that they must follow as well. Sends nothing.
    """
    if not problem.meter.has_time():
        return None
    listed = frozenset(rows)
    rest = problem.active(listed - {name})
    if not fixed <= problem.bound(rest):
        return None
    head = tuple(Column(one) for one in sorted(fixed, key=str))
    wider, narrower = (
        evolve(problem.core, head=head, rows=problem.take(some)) for some in (problem.active(listed), rest)
    )
    # the rows have answers, so that nothing follows from a contradiction among them
    worlds = [None] if may_have_image(problem.rows[name], problem.take(rest), fixed) else []
    for known in [*worlds, *([] if schema is None else [schema])]:
        verdict = contains(wider, narrower, known, budget=_STEPS, as_sets=True, witnesses=False)
        if verdict.holds:
            return _shown(name, verdict, known)
    return None


def _shown(name: str, verdict: Verdict, schema: Schema | None) -> Implication:
    because = tuple(dict.fromkeys(row for case in verdict.proof for row in _images(name, case) if row != name))
    reason = "the other rows say the same or more"
    if schema is not None:
        through = f" (through {', '.join(because)})" if because else ""
        reason = f"it follows where the schema is obeyed{through}"
    return Implication(reason, because, proof_steps(verdict), needs_data=schema is not None)


def _images(name: str, case: ProofCase | EmptyCase) -> Iterator[str]:
    """The rows behind the edges onto which the homomorphism maps what this row says."""
    if isinstance(case, EmptyCase):
        return
    rows = {edge.pattern: edge.row for edge in case.block.edges}
    derived: Mapping[Pattern, Derivation] = {} if case.saturation is None else case.saturation.derived
    waiting = [replaced(edge.pattern, case.match.terms) for edge in case.match.source.edges if edge.row == name]
    seen = set(waiting)
    while waiting:
        pattern = waiting.pop()
        if pattern not in derived:
            yield from (row for row in [rows.get(pattern)] if row is not None)
            continue
        premises = [one for one in derived[pattern].premises if one not in seen]
        seen.update(premises)
        waiting += premises
