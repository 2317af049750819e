"""Lazy fetch: one single-pattern statement per row, asked only for values that survive the rows kept so far.

Multi-row statements multiply independent branches inside an engine; single-row ones cannot. What came back is joined in
memory, exactly. Where a row meets a hub (more than `budget.rows` bindings) its block is tested on the store instead.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import prod

from attrs import define, field, frozen

from uniqgen_ir.ir.protocols import StoreTimeout
from uniqgen_ir.ir.rows import Filter, Values
from uniqgen_ir.ir.terms import BlankNode, GroundTerm, Variable
from uniqgen_ir.passes.search.budget import BudgetExhausted
from uniqgen_ir.passes.search.comparing import relation_of_condition
from uniqgen_ir.passes.search.order import term_order
from uniqgen_ir.passes.search.problem import AnswerKey, Problem
from uniqgen_ir.passes.search.relations import Conjunction, Relation, reduce_domains
from uniqgen_ir.passes.search.statements import covered, fetch, inline

Domains = dict[Variable, set[GroundTerm]]


@frozen(eq=False)
class Fetched:
    """All matches of a row for some values of one of its variables."""

    variable: Variable
    values: frozenset[GroundTerm]
    relation: Relation


UNKNOWN_WIDTH = 10_000.0
"""assumed solutions per answer of a block that met a hub"""
ANSWERS_A_LOOK = 500
"""answers that are tested in memory between two looks at the clock"""


@define(eq=False)
class Neighbourhood:
    """What is known in memory about the rows, near the reference answers."""

    problem: Problem
    relations: dict[str, Relation] = field(init=False, factory=dict[str, Relation])
    fetched: dict[str, Fetched] = field(init=False, factory=lambda: dict[str, Fetched]())
    """what was asked for a row that needs nothing, so that it need not be asked again"""
    _asked: dict[str, tuple[Domains, Relation]] = field(
        init=False, factory=lambda: dict[str, tuple[Domains, Relation]]()
    )
    """what was asked for a row last: for which values of which variables, and what came back"""
    _tested: dict[tuple[str, ...], tuple[Sequence[AnswerKey], tuple[AnswerKey, ...]]] = field(
        init=False, factory=lambda: dict[tuple[str, ...], tuple[Sequence[AnswerKey], tuple[AnswerKey, ...]]]()
    )
    """the answers that a block was asked for on the store, and those that it loses"""
    spare_calls: int | None = None
    """how many statements beyond one per row may be sent; None: no limit"""

    def lost(self, row_id: str, kept: Iterable[str], answers: Sequence[AnswerKey]) -> tuple[AnswerKey, ...] | None:
        """The answers that the kept rows together with this one do not give; None where that could not be found out."""
        if not self.problem.meter.has_time():
            return None
        block = self.problem.block_of(row_id, kept)
        others = [name for name in block if name != row_id]
        if all(name in self.relations for name in others):
            relation = self._fetch(row_id, others, answers)
            if relation is not None:
                self.relations[row_id] = relation
                return self._lost_in_memory(block, answers)
            self.relations.pop(row_id, None)
            if block in self._tested and self._tested[block][0] == answers:
                return self._tested[block][1]
            if self.spare_calls is not None:
                if self.spare_calls <= 0:
                    return None
                self.spare_calls -= 1
        return self._lost_on_store(block, answers)

    def still_lost(
        self, row_id: str, kept: Iterable[str], answers: Sequence[AnswerKey]
    ) -> tuple[AnswerKey, ...] | None:
        """As `lost`, for a row that was tried before with fewer rows kept: from what was fetched, or None."""
        block = self.problem.block_of(row_id, kept)
        return self._lost_in_memory(block, answers) if all(name in self.relations for name in block) else None

    def conjunction(self, block: Iterable[str]) -> Conjunction | None:
        """The block's relations, compiled; None where one of them was never fetched."""
        names = tuple(block)
        if not all(name in self.relations for name in names):
            return None
        return Conjunction.of((self.relations[name] for name in names), self.problem.key)

    def width(self, block: Iterable[str], answers: Sequence[AnswerKey]) -> float:
        """The mean number of solutions that the block has for one of the answers; UNKNOWN_WIDTH near hubs."""
        conjunction = self.conjunction(block)
        sample = answers[:20]
        if conjunction is None or not sample:
            return UNKNOWN_WIDTH
        total = sum(conjunction.count(dict(zip(self.problem.key, one, strict=True)), cap=10_000) for one in sample)
        return total / len(sample)

    def _lost_in_memory(self, block: Sequence[str], answers: Sequence[AnswerKey]) -> tuple[AnswerKey, ...] | None:
        conjunction = Conjunction.of((self.relations[name] for name in block), self.problem.key)
        key, lost = self.problem.key, list[AnswerKey]()
        for place, one in enumerate(answers):
            if place % ANSWERS_A_LOOK == ANSWERS_A_LOOK - 1 and not self.problem.meter.has_time():
                return None
            if not conjunction.satisfied_by(dict(zip(key, one, strict=True))):
                lost.append(one)
        return tuple(lost)

    def _lost_on_store(self, block: Sequence[str], answers: Sequence[AnswerKey]) -> tuple[AnswerKey, ...] | None:
        problem = self.problem
        try:
            found = problem.meter.select(covered(problem.core, problem.key, answers, problem.take(block)))
        except (StoreTimeout, BudgetExhausted):
            return None
        given = set(problem.respell(found))
        lost = tuple(one for one in answers if one not in given)
        self._tested[tuple(block)] = answers, lost
        return lost

    def _fetch(self, row_id: str, others: Sequence[str], answers: Sequence[AnswerKey]) -> Relation | None:
        """The row's bindings for values that survive; None where it meets a hub or has no value to start from."""
        row, columns = self.problem.rows[row_id], self.problem.columns(row_id)
        if isinstance(row.atom, Values) and row.where is None:
            return inline_relation(row.atom, columns)
        domains = self._domains(others, answers)
        if isinstance(row.atom, Filter):
            tested = relation_of_condition(row.atom.condition, columns, domains)
            if tested is not None:
                return tested
        before = self._asked.get(row_id)
        if before is not None and all(one in domains and domains[one] <= values for one, values in before[0].items()):
            return before[1]
        starts = self._starts(row_id, columns, domains)
        if starts is None:
            return None
        given = [
            inline(f"given_{place}", (one,), [(value,) for value in sorted(domains[one], key=term_order)])
            for place, one in enumerate(starts, 1)
        ]
        cap = self.problem.meter.budget.rows
        try:
            found = self.problem.meter.select(fetch(self.problem.core, row, columns, given), limit=cap + 1)
        except (StoreTimeout, BudgetExhausted):
            return None
        if len(found.rows) > cap or not found.complete:
            return None
        relation = Relation(columns, complete_lines(self.problem.respell(found)))
        self._asked[row_id] = {one: domains[one] for one in starts}, relation
        if len(starts) == 1 and not self.problem.needs(row_id):
            self.fetched[row_id] = Fetched(starts[0], frozenset(domains[starts[0]]), relation)
        return relation

    def _domains(self, others: Sequence[str], answers: Sequence[AnswerKey]) -> Domains:
        key = Relation(self.problem.key, frozenset(answers))
        return reduce_domains([key, *(self.relations[name] for name in others)], self.problem.meter.has_time)

    def _starts(self, row_id: str, columns: Sequence[Variable], domains: Domains) -> list[Variable] | None:
        """The variables whose values are sent with the row: what it needs, and the smallest that it binds itself."""
        known = [one for one in columns if one in domains and not any(isinstance(v, BlankNode) for v in domains[one])]
        needed = self.problem.needs(row_id)
        chosen = [one for one in known if one in needed]
        if len(chosen) < len(needed):
            return None
        own = sorted((one for one in known if one not in needed), key=lambda one: (len(domains[one]), one.name))
        # a comparison alone has nothing of its own; every other row starts from its smallest side
        chosen += own[:1]
        if not chosen or prod(len(domains[one]) for one in chosen) > self.problem.meter.budget.rows:
            return None
        return chosen


def inline_relation(values: Values, columns: Sequence[Variable]) -> Relation:
    """The lines of a `values` row that give every column."""
    places = [values.variables.index(variable) for variable in columns]
    lines = (tuple(line[place] for place in places) for line in values.lines)
    return Relation(tuple(columns), complete_lines(lines))


def complete_lines(lines: Iterable[tuple[GroundTerm | None, ...]]) -> frozenset[tuple[GroundTerm, ...]]:
    """The lines without an unbound value."""
    pairs = ((line, tuple(term for term in line if term is not None)) for line in lines)
    return frozenset(whole for line, whole in pairs if len(whole) == len(line))
