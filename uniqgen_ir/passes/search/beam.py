"""The published scheme: a beam that drops rows from the whole table, and one that builds up from small subqueries.

Every candidate set is one statement over all its rows. The result is complete, but not always maximal or minimal; the
report
says so. Where the beam loses every way to a complete set, the greedy search takes over.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import inf

from attrs import define, evolve, field

from uniqgen_ir.ir.protocols import AnswerRow, Ranker
from uniqgen_ir.ir.rows import Origin
from uniqgen_ir.ir.terms import Variable
from uniqgen_ir.passes.search.asking import answers_within, covered_by
from uniqgen_ir.passes.search.greedy import GreedyChase
from uniqgen_ir.passes.search.order import answer_order
from uniqgen_ir.passes.search.problem import AnswerKey, Problem
from uniqgen_ir.passes.search.result import (
    Dropped,
    DropReason,
    Kept,
    Outcome,
    RedundancyKind,
    Redundant,
    Relaxed,
    Status,
    Tightened,
    WitnessKind,
)

RowSet = frozenset[str]


@define(eq=False)
class BeamChase:
    """Drop one row at a time from the universal query until the reference answers are covered."""

    problem: Problem
    width: int
    ranker: Ranker | None = None
    answers: tuple[AnswerKey, ...] = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.answers = tuple(dict.fromkeys(reference.key for reference in self.problem.references))

    def run(self) -> Relaxed:
        """A complete set, or what the greedy search says where the beam found none."""
        frontier: list[RowSet] = [self.problem.active(self.problem.row_ids)]
        while frontier:
            shares = {one: self._coverage(one) for one in frontier}
            for one, share in shares.items():
                full = share >= self.problem.theta - 1e-12 and share > 0
                self.problem.record(one, Outcome.COMPLETE if full else Outcome.INCOMPLETE)
            complete = [one for one in frontier if shares[one] >= self.problem.theta - 1e-12 and shares[one] > 0]
            if complete:
                return self._result(self._rank(complete, shares)[0])
            frontier = self._drop_one(self._rank(frontier, shares)[: self.width])
        self.problem.note("chase.beam", self.problem.row_ids, (), "the beam found no complete set")
        return evolve(GreedyChase(self.problem).run(), maximal=False)

    def _drop_one(self, sets: Iterable[RowSet]) -> list[RowSet]:
        found: dict[RowSet, None] = {}
        required = {name for name, row in self.problem.rows.items() if row.note.required}
        for one in sets:
            for name in (name for name in self.problem.row_ids if name in one and name not in required):
                rest = self.problem.active(one - {name})
                if self.problem.safe(rest) and required & one <= rest:
                    found[rest] = None
        return list(found)

    def _coverage(self, names: RowSet) -> float:
        """The share of the reference answers that the set gives; 0 where that could not be found out."""
        given = covered_by(self.problem, names, self.answers) if self.problem.safe(names) else frozenset[AnswerRow]()
        if given is None:
            return 0.0
        weights = self.problem.weights()
        return sum(weight for answer, weight in weights.items() if answer in given) / sum(weights.values())

    def _rank(self, sets: Sequence[RowSet], shares: dict[RowSet, float]) -> Sequence[RowSet]:
        if self.ranker is not None:
            return self.ranker.rank(self.problem.core, sets)
        return sorted(sets, key=lambda one: (-shares[one], *self._cost(one), sorted(one)))

    def _cost(self, names: RowSet) -> tuple[int, float]:
        rows = self.problem.rows
        explicit = sum(name not in names and row.note.origin is Origin.EXPLICIT for name, row in rows.items())
        return explicit, -sum(1.0 - self.problem.uncertainty(name) for name in names)

    def _result(self, names: RowSet) -> Relaxed:
        problem = self.problem
        dropped: list[Dropped] = []
        for name in problem.row_ids:
            if name in names:
                continue
            active = name in problem.active({*names, name})
            unbound = () if active else tuple(variable.name for variable in problem.missing(name, names))
            reason = DropReason.BEAM if active else DropReason.ORPHANED
            dropped.append(Dropped(name, reason, unbound=unbound))
        rows = tuple(name for name in problem.row_ids if name in names)
        problem.note("chase.beam", problem.row_ids, rows, "the best set of the beam that gives the reference answers")
        return Relaxed(Status.OK, rows, tuple(dropped), maximal=not dropped, answers=self.answers)


@define(eq=False)
class BeamBackchase:
    """Add rows of U* to small subqueries until the answers are those of U*."""

    problem: Problem
    relaxed: Relaxed
    width: int
    ranker: Ranker | None = None
    protected: frozenset[Variable] = frozenset()
    _target: frozenset[AnswerRow] | None = field(init=False, default=None)
    """the answers of U*; None: they could not all be had"""

    def run(self) -> Tightened:
        """A set with the answers of U*; status `stopped` with U* itself where the budget ended first."""
        every = frozenset(self.relaxed.rows)
        target = answers_within(self.problem, every, self.problem.meter.budget.answers + 1)
        if target is None or len(target) > self.problem.meter.budget.answers:
            return self._result(every, Status.STOPPED)
        self._target = target
        required = frozenset(name for name in every if self.problem.rows[name].note.required)
        frontier, seen = [required], set[RowSet]()
        while frontier:
            sizes: dict[RowSet, float] = {}
            for grown in self._grow(frontier, every, seen):
                size = self._size(grown, 10 * len(target) + 100)
                sizes[grown], same = inf if size is None else size, size == len(target)
                self.problem.record(grown, _outcome(size, len(target)))
                if same and self._complete_shape(grown, required):
                    return self._result(grown, Status.OK)
            frontier = list(self._rank(sizes)[: self.width])
        return self._result(every, Status.OK if self.problem.meter.allows() else Status.STOPPED)

    def _grow(self, frontier: Iterable[RowSet], every: RowSet, seen: set[RowSet]) -> Iterable[RowSet]:
        for one in frontier:
            for name in (name for name in self.problem.row_ids if name in every and name not in one):
                grown = one | {name}
                if grown not in seen and grown <= self.problem.active(grown):
                    seen.add(grown)
                    yield grown

    def _size(self, names: RowSet, most: int) -> float | None:
        """How many answers the set gives, at most `most`; infinite where it is unsafe, None where it is unknown."""
        if not self.problem.safe(names):
            return inf
        found = answers_within(self.problem, names, most)
        return None if found is None else len(found)

    def _complete_shape(self, names: RowSet, required: RowSet) -> bool:
        return required <= names and self.protected <= self.problem.bound(names)

    def _rank(self, sizes: dict[RowSet, float]) -> Sequence[RowSet]:
        if self.ranker is not None:
            return self.ranker.rank(self.problem.core, list(sizes))
        certainty = self.problem.uncertainty
        return sorted(sizes, key=lambda one: (sizes[one], sum(map(certainty, sorted(one))), sorted(one)))

    def _result(self, names: RowSet, status: Status) -> Tightened:
        rows = self.problem.rows
        kept = tuple(
            Kept(name, WitnessKind.REQUIRED if row.note.required else WitnessKind.BEAM)
            for name, row in rows.items()
            if name in names
        )
        rest = (name for name in self.relaxed.rows if name not in names)
        redundant = tuple(Redundant(name, RedundancyKind.DATA, "the answers are the same without it") for name in rest)
        found = tuple(one.row for one in kept)
        first = "the first set of the beam with the answers of U*"
        reason = first if status is Status.OK else "the budget ended before a set with the answers of U* was met"
        self.problem.note("backchase.beam", self.relaxed.rows, found, reason)
        target = self._target
        answers = None if target is None else tuple(sorted(map(_key, target), key=answer_order))
        return Tightened(status, kept, redundant, answers)


def _outcome(size: float | None, wanted: int) -> Outcome:
    if size is None:
        return Outcome.UNKNOWN
    return Outcome.SOUND if size == wanted else Outcome.LEAKING


def _key(line: AnswerRow) -> AnswerKey:
    return tuple(term for term in line if term is not None)
