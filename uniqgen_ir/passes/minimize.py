"""The pass `minimize`: rows and branches go while the answers stay the same on every graph.

For a conjunction the result is its core: no part of it is equivalent (Chandra and Merlin 1977). Every removal carries
its proof, a homomorphism into the rows that stay.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, Literal

from attrs import evolve, frozen

from uniqgen_ir.ir.diagnostics import errors
from uniqgen_ir.ir.rows import Either, OptionalBlock, Origin, Row, Triple, TypeAtom
from uniqgen_ir.ir.schema import Schema
from uniqgen_ir.ir.table import MatchMode, Table
from uniqgen_ir.passes.base import Outcome, PassContext, Rewritten, Unchanged
from uniqgen_ir.passes.branches import with_branches
from uniqgen_ir.passes.containment.compare import INTERACTIVE, contains
from uniqgen_ir.passes.containment.core import Fold, folds
from uniqgen_ir.passes.containment.homomorphism import BudgetExceeded
from uniqgen_ir.passes.containment.verdict import Verdict, proof_steps
from uniqgen_ir.passes.normal.rule import joins_freely
from uniqgen_ir.passes.options import at_least_one
from uniqgen_ir.passes.trace import Json, Step
from uniqgen_ir.passes.verify import verify


@frozen(kw_only=True)
class Minimize:
    """Leave out rows and branches that say nothing new, with a proof for each that goes.

    Options: `evidence` says what counts as known: what the `schema` declares, or `patterns` alone; `budget` is in steps
    of the search for one row.
    """

    evidence: Literal["schema", "patterns"] = "schema"
    budget: int = INTERACTIVE

    name = "minimize"

    def __attrs_post_init__(self) -> None:
        at_least_one(self.name, "budget", self.budget)

    def run(self, table: Table, context: PassContext) -> Outcome:
        """Rows that are pinned stay. Rows that could not be decided stay, too, and a step names them."""
        schema = context.schema if self.evidence == "schema" else None
        small, steps = minimize(table, schema, budget=self.budget)
        return Rewritten(small, steps) if small != table else Unchanged(steps)


def minimize(
    table: Table, schema: Schema | None = None, *, budget: int = INTERACTIVE
) -> tuple[Table, tuple[Step, ...]]:
    """A smallest part of a valid table that has its answers on every graph that obeys the schema, and the steps to it.

    Smallest: nothing more of it can go. `budget` is in steps (`uniqgen_ir.passes.containment.compare`).
    """
    if schema is None and _is_plain(table):
        return _core(table, budget)
    return _by_parts(table, schema, budget)


_TOO_LONG: Final = "the search for a homomorphism took too long"


def _is_plain(table: Table) -> bool:
    plain = all(isinstance(row.atom, Triple | TypeAtom) and row.where is None for row in table.rows)
    return plain and joins_freely(table) and table.match_mode is MatchMode.HOMOMORPHISM and bool(table.head)


def _core(table: Table, budget: int) -> tuple[Table, tuple[Step, ...]]:
    """The core of a conjunction of triples and classes."""
    steps: list[Step] = []
    try:
        for fold in folds(table, budget):
            gone = tuple(row.id for row in table.rows if row.id not in fold.kept)
            table = table.only(fold.kept)
            steps.append(_folded(gone, fold))
    except BudgetExceeded:  # before any row was tried
        steps += [_undecided(row.id, _TOO_LONG) for row in table.rows]
    return table, tuple(steps)


def _folded(gone: tuple[str, ...], fold: Fold) -> Step:
    if fold.undecided:
        return _undecided(fold.undecided, _TOO_LONG)
    terms: dict[str, Json] = dict(fold.homomorphism)
    reason = "a homomorphism maps all rows into those that stay"
    return Step("minimize.remove", gone, fold.kept, reason, {"row": " ".join(gone), "homomorphism": terms})


def _undecided(name: str, reason: str) -> Step:
    return Step("minimize.undecided", (name,), (name,), reason, {"row": name})


@frozen
class _Candidate:
    """A smaller table, what it leaves out, and whether leaving that out can only add answers."""

    table: Table
    gone: tuple[str, ...]
    what: str
    widens: bool


_ORDER: Final = (Origin.SCHEMA, Origin.PRAGMATIC, Origin.STRUCTURAL, Origin.EXPLICIT)
"""Which rows go first where one of two may go: derived ones before those that somebody wrote."""


def _by_parts(table: Table, schema: Schema | None, budget: int) -> tuple[Table, tuple[Step, ...]]:
    """One removal after the other, each decided by itself; what had to stay once has to stay for good."""
    steps: list[Step] = []
    settled: set[str] = set()
    while True:
        for candidate in _candidates(table):
            if candidate.what in settled:
                continue
            verdict = _same_answers(table, candidate, schema, budget)
            if verdict.holds and not errors(verify(candidate.table)):
                rest = tuple(row.id for row in candidate.table.rows)
                evidence: dict[str, Json] = {"row": " ".join(candidate.gone), "proof": [*proof_steps(verdict)]}
                steps.append(Step("minimize.remove", candidate.gone, rest, verdict.reason, evidence))
                table = candidate.table
                break
            settled.add(candidate.what)
            if verdict.holds is None:
                steps.append(_undecided(candidate.gone[0], verdict.reason))
        else:
            return table, tuple(steps)


def _same_answers(table: Table, candidate: _Candidate, schema: Schema | None, budget: int) -> Verdict:
    wider = contains(table, candidate.table, schema, budget=budget, witnesses=False)
    if not wider.holds or (candidate.widens and joins_freely(table) and not table.shell.limit):
        return wider
    back = contains(candidate.table, table, schema, budget=budget, witnesses=False)
    return evolve(wider, proof=(*wider.proof, *back.proof)) if back.holds else back


def _candidates(table: Table) -> Iterator[_Candidate]:
    """Every table that is one row or branch smaller, what is least missed first."""
    places = {row.id: place for place, row in enumerate(table.rows)}
    rows = sorted(table.rows, key=lambda row: (_ORDER.index(row.note.origin), -places[row.id]))
    for row in rows:
        if isinstance(row.atom, Either):
            yield from _without_branch(table, row, row.atom.branches)
    for row in rows:
        if not row.note.required and len(table.rows) > 1:
            rest = table.with_rows(one for one in table.rows if one is not row)
            yield _Candidate(rest, (row.id,), row.id, not isinstance(row.atom, OptionalBlock))
    for row in rows:
        if isinstance(row.atom, Either):
            yield from _smaller_branch(table, row, row.atom.branches)


def _without_branch(table: Table, row: Row, branches: Sequence[tuple[Row, ...]]) -> Iterator[_Candidate]:
    for place, branch in enumerate(branches):
        rest = [one for number, one in enumerate(branches) if number != place]
        gone = (*(one.id for one in branch), *([row.id] if len(rest) == 1 else []))
        yield _Candidate(with_branches(table, row, rest), gone, f"{row.id}|{gone}", False)


def _smaller_branch(table: Table, row: Row, branches: Sequence[tuple[Row, ...]]) -> Iterator[_Candidate]:
    for place, branch in enumerate(branches):
        for inner in reversed(branch):
            rest = tuple(one for one in branch if one is not inner)
            if rest and not inner.note.required:
                changed = (*branches[:place], rest, *branches[place + 1 :])
                what = f"{row.id}|{tuple(one.id for one in branch)[:1]}|{place}|{inner.id}"
                yield _Candidate(with_branches(table, row, changed), (inner.id,), what, True)
