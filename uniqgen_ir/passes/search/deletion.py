"""The greedy backchase: delete rows, most uncertain first, while the answers stay the same.

One statement per row, `select distinct key … limit |target|+1`: by monotonicity the answers without a row contain the
target, so no more than |target| of them proves that nothing leaks.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from attrs import define, field

from uniqgen_ir.ir.protocols import AnswerRow
from uniqgen_ir.ir.schema import Schema
from uniqgen_ir.ir.terms import Variable
from uniqgen_ir.passes.search.asking import answers_within
from uniqgen_ir.passes.search.implication import Implication, implication
from uniqgen_ir.passes.search.order import answer_order
from uniqgen_ir.passes.search.problem import AnswerKey, Problem
from uniqgen_ir.passes.search.result import (
    Kept,
    Outcome,
    RedundancyKind,
    Redundant,
    Relaxed,
    Status,
    Tightened,
    WitnessKind,
)
from uniqgen_ir.passes.search.show import show_answer


@define(eq=False)
class Deletion:
    """One run over the rows of U*. `run` may be called once."""

    problem: Problem
    relaxed: Relaxed
    data_evidence: bool = True
    """False: remove implied rows only"""
    minimal: bool = True
    """False: the objective `tight`, which keeps all of U*"""
    schema: Schema | None = None
    protected: frozenset[Variable] = frozenset()
    """variables beside the key that must stay bound: order keys and the like"""
    counted: bool = False
    """True: the number of solutions of each answer must stay, too (bag semantics)"""
    rows: list[str] = field(init=False)
    target: frozenset[AnswerRow] = field(init=False, factory=frozenset[AnswerRow])
    has_target: bool = field(init=False, default=False)
    """whether the answers of U* are known"""
    kept: dict[str, Kept] = field(init=False, factory=dict[str, Kept])
    redundant: dict[str, Redundant] = field(init=False, factory=dict[str, Redundant])
    stopped: bool = field(init=False, default=False)

    def __attrs_post_init__(self) -> None:
        self.rows = list(self.relaxed.rows)

    def run(self) -> Tightened:
        """The minimal set; status `stopped` where the budget ended first. Raises what the store raises."""
        cap = self.problem.meter.budget.answers
        target = self._ask(self.rows, cap + 1)
        if target is None or len(target) > cap:
            self.stopped = True
        else:
            self.target, self.has_target = target, True
            order = sorted(self.rows, key=self.problem.uncertainty, reverse=True)
            if self.minimal:
                if not self.counted:  # a row that says nothing new may still multiply solutions
                    self._delete_implied(order)
                self._test_on_data(order)
        return self._result()

    def _delete_implied(self, order: Sequence[str]) -> None:
        for name in order:
            if name not in self.rows or self._pinned(name):
                continue
            fixed = frozenset(self.problem.key) | self.protected
            found = implication(self.problem, name, self.rows, fixed, self.schema) if self._may_go(name) else None
            if found is None:
                continue
            if found.needs_data and self._leak(name) is not None:
                continue
            if name not in self.kept:
                self._remove(name, RedundancyKind.IMPLIED, found)

    def _test_on_data(self, order: Sequence[str]) -> None:
        """Delete rows that change nothing on this graph, or, where only implied rows may go, say that they do not."""
        for name in order:
            if name not in self.rows or name in self.kept:
                continue
            if self._pinned(name):
                self.kept[name] = Kept(name, WitnessKind.REQUIRED)
            elif not self._may_go(name):
                self.kept[name] = Kept(name, WitnessKind.UNSAFE)
                self.problem.note("backchase.unsafe", self.rows, self.rows, "it binds what the answer needs", row=name)
            elif self._leak(name) is None and name not in self.kept:
                if self.data_evidence:
                    self._remove(name, RedundancyKind.DATA, None)
                else:
                    self.kept[name] = Kept(name, WitnessKind.EVIDENCE)

    def _pinned(self, name: str) -> bool:
        return self.problem.rows[name].note.required

    def _without(self, name: str) -> list[str]:
        active = self.problem.active(one for one in self.rows if one != name)
        return [one for one in self.rows if one in active]

    def _may_go(self, name: str) -> bool:
        """Whether the rest is safe, keeps every pinned row active and binds what must stay bound."""
        rest = self._without(name)
        bound = self.problem.bound(rest)
        pinned = {one for one in self.rows if self._pinned(one)}
        return self.problem.safe(rest) and pinned <= set(rest) and self.protected <= bound

    def _leak(self, name: str) -> AnswerKey | None:
        """An answer that comes in without the row; it is then kept. None: nothing leaks, or it could not be tested."""
        rows = self._without(name)
        found = self._ask(rows, len(self.target) + 1)
        if found is None:
            self.problem.record(rows, Outcome.UNKNOWN)
            self.stopped = True
            self.kept[name] = Kept(name, WitnessKind.UNTESTED)
            return None
        different = found ^ self.target if self.counted else found - self.target
        leak = min((self._key(line) for line in different), key=answer_order, default=None)
        self.problem.record(rows, Outcome.SOUND if leak is None else Outcome.LEAKING, leak)
        if leak is not None:
            self.kept[name] = Kept(name, WitnessKind.ANSWER, leak)
            self.problem.note(
                *("backchase.keep", self.rows, self.rows, "without it another answer comes in"),
                row=name,
                answer=show_answer(leak),
            )
        return leak

    def _remove(self, name: str, kind: RedundancyKind, found: Implication | None) -> None:
        rest = self._without(name)
        gone = [one for one in self.rows if one not in rest]
        reason = found.reason if found else "the answers stay the same without it"
        for one in gone:
            why = reason if one == name else f"nothing binds its variables once {name} is gone"
            self.redundant[one] = Redundant(one, kind, why)
        self.problem.note(
            *("backchase.remove", self.rows, rest, reason),
            row=name,
            kind=kind.value,
            because=list(found.because) if found else [],
            proof=list(found.proof) if found else [],
        )
        self.rows = rest

    def _ask(self, names: Iterable[str], limit: int) -> frozenset[AnswerRow] | None:
        return answers_within(self.problem, names, limit, self.relaxed.width, counted=self.counted)

    def _result(self) -> Tightened:
        for name in self.rows:
            if name not in self.kept:
                self.kept[name] = Kept(name, self._default_kind(name))
            elif self.kept[name].kind is not WitnessKind.REQUIRED and not self._may_go(name):
                # it was tested while another row still bound what the answer needs
                self.kept[name] = Kept(name, WitnessKind.UNSAFE)
        places = {name: place for place, name in enumerate(self.problem.rows)}
        kept = tuple(self.kept[name] for name in sorted(self.rows, key=places.__getitem__))
        redundant = tuple(self.redundant[name] for name in sorted(self.redundant, key=places.__getitem__))
        answers = tuple(sorted(map(self._key, self.target), key=answer_order)) if self.has_target else None
        return Tightened(Status.STOPPED if self.stopped else Status.OK, kept, redundant, answers)

    def _default_kind(self, name: str) -> WitnessKind:
        if self._pinned(name):
            return WitnessKind.REQUIRED
        return WitnessKind.UNTESTED if self.stopped else WitnessKind.OBJECTIVE

    def _key(self, line: AnswerRow) -> AnswerKey:
        return tuple(term for term in line[: len(self.problem.key)] if term is not None)
