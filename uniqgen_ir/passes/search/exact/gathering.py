"""Fetch what surrounds given answers, whatever rows may be kept: single-row statements, outwards from the key.

A row is fetched for the values of a variable that a simple path of other rows reaches from the key; a row that is
itself on the way there is not walked back, so that a hub behind a variable is entered only where some set of rows
really enters it. What is fetched holds every match that any active set of rows can use near these answers.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import prod
from typing import Final

from attrs import define, field

from uniqgen_ir.ir.analysis import binds
from uniqgen_ir.ir.protocols import StoreTimeout
from uniqgen_ir.ir.rows import Filter, Row, Values
from uniqgen_ir.ir.terms import BlankNode, GroundTerm, Variable
from uniqgen_ir.passes.search.budget import BudgetExhausted
from uniqgen_ir.passes.search.comparing import condition_of
from uniqgen_ir.passes.search.lazy_fetch import Fetched, complete_lines, inline_relation
from uniqgen_ir.passes.search.order import term_order
from uniqgen_ir.passes.search.problem import AnswerKey, Problem
from uniqgen_ir.passes.search.relations import Condition, Relation
from uniqgen_ir.passes.search.statements import fetch, inline

MOST_ARRIVALS: Final = 400
"""simple paths followed in one block; cycles of many rows have more, and are left to the greedy search"""

Known = Relation | Condition


class TooMuch(Exception):
    """The surroundings are too large to fetch within the budget, or cannot be named in a statement."""


def bridges(problem: Problem, names: Iterable[str]) -> bool:
    """Whether a row that looks at several variables may connect rows that nothing else does."""
    looking = (name for name in names if problem.needs(name))
    return any(len(problem.columns(name)) > 1 for name in looking)


@define(eq=False)
class _Arrival:
    """Values of a variable, and the rows on the way to them."""

    variable: Variable
    values: frozenset[GroundTerm]
    rows: frozenset[str]
    variables: frozenset[Variable]


@define(eq=False)
class Gathering:
    """The surroundings of some answers in one block of rows. `run` may be called once."""

    problem: Problem
    names: tuple[str, ...]
    keys: Sequence[AnswerKey]
    before: Mapping[str, Fetched] = field(factory=dict[str, Fetched])
    """what was fetched before: it is not asked for again"""
    known: dict[str, Known] = field(init=False, factory=dict[str, Known])
    _waiting: list[_Arrival] = field(init=False, factory=list[_Arrival])
    _domains: dict[Variable, set[GroundTerm]] = field(init=False, factory=dict[Variable, set[GroundTerm]])
    _asked: dict[tuple[str, Variable], set[GroundTerm]] = field(
        init=False, factory=dict[tuple[str, Variable], set[GroundTerm]]
    )
    whole: bool = field(init=False, default=True)
    """False where rows that only a condition connects could not be fetched"""
    _arrived: int = field(init=False, default=0)
    _fetched: int = field(init=False, default=0)

    def run(self) -> Mapping[str, Known]:
        """A relation or a condition per row that something can reach. Raises TooMuch."""
        for name in self.names:
            if (fetched := self.before.get(name)) is not None:
                self.known[name] = fetched.relation
                self._asked[name, fetched.variable] = set(fetched.values)
        for place, variable in enumerate(self.problem.key):
            values = frozenset(key[place] for key in self.keys)
            self._arrive(_Arrival(variable, values, frozenset(), frozenset(self.problem.key)))
        looking = [name for name in self.names if not binds(self.problem.rows[name])]
        plain = [name for name in self.names if name not in looking and not self.problem.needs(name)]
        leaning = [name for name in self.names if name not in looking and self.problem.needs(name)]
        self._spread(plain)
        while leaning and self._lean(plain, leaning):
            pass
        self._find_islands(plain, leaning)
        for name in looking:
            self._look(name)
        return self.known

    def _arrive(self, arrival: _Arrival) -> None:
        self._arrived += 1
        if self._arrived > MOST_ARRIVALS or not self.problem.meter.has_time():
            raise TooMuch
        self._domains.setdefault(arrival.variable, set()).update(arrival.values)
        self._waiting.append(arrival)

    def _spread(self, names: Sequence[str]) -> None:
        """Follow every waiting arrival along the rows that need nothing."""
        while self._waiting:
            now, self._waiting = self._waiting, []
            for name in names:
                for variable in self._entries(name):
                    there = [one for one in now if one.variable == variable and name not in one.rows]
                    if there:
                        self._follow(name, variable, there)

    def _follow(self, name: str, variable: Variable, arrivals: Sequence[_Arrival]) -> None:
        new = frozenset[GroundTerm]().union(*(one.values for one in arrivals))
        new -= self._asked.setdefault((name, variable), set())
        if new:
            self._asked[name, variable] |= new
            self._add(name, self._ask(name, {variable: new}))
        relation = self.known.get(name)
        if not isinstance(relation, Relation):
            return
        for arrival in arrivals:
            lines = [line for value in arrival.values for line in relation.starting_at(variable, value)]
            for place, other in enumerate(relation.variables):
                reached = frozenset(line[place] for line in lines)
                if other not in arrival.variables and other != variable and reached:
                    rows, seen = arrival.rows | {name}, arrival.variables | {variable, other}
                    self._arrive(_Arrival(other, reached, rows, seen))

    def _lean(self, plain: Sequence[str], leaning: list[str]) -> bool:
        """Fetch the rows whose conditions look at variables that are reached by now; whether that led further."""
        progress = False
        for name in leaning:
            needed = self.problem.needs(name)
            if not needed <= set(self._domains):
                continue
            columns = self._columns(name)
            own = [one for one in columns if one not in needed and one in self._domains]
            for start in [own[:1]] if own and own[0] in self.problem.key else [[one] for one in own] or [[]]:
                given = {one: frozenset(self._domains[one]) for one in (*needed, *start)}
                progress |= self._add(name, self._ask(name, given))
            relation = self.known.get(name)
            if isinstance(relation, Relation):
                for other in columns:
                    reached = frozenset(relation.column(other)) - self._domains.get(other, set())
                    if reached:
                        self._arrive(_Arrival(other, reached, frozenset({name}), frozenset({*self.problem.key, other})))
        self._spread(plain)
        return progress

    def _find_islands(self, plain: Sequence[str], leaning: list[str]) -> None:
        """Rows that only a condition over two variables connects to the key match anywhere in the graph."""
        if not bridges(self.problem, self.names):
            return
        for name in (one for one in plain if not set(self._columns(one)) & set(self.problem.key)):
            try:
                self._add(name, self._ask(name, {}))
            except TooMuch:
                self.whole = False  # what is connected by rows is known all the same
        for name in plain:
            relation = self.known.get(name)
            if isinstance(relation, Relation):
                for variable in relation.variables:
                    self._domains.setdefault(variable, set()).update(relation.column(variable))
        while leaning and self._lean((), leaning):
            pass

    def _look(self, name: str) -> None:
        """A row that binds nothing: a condition is tested in memory where that is exact, else asked for."""
        columns = self._columns(name)
        if not set(columns) <= set(self._domains):
            return  # nothing can bind what it needs: it is never active
        atom = self.problem.rows[name].atom
        condition = condition_of(atom.condition, columns) if isinstance(atom, Filter) else None
        if condition is not None:
            self.known[name] = condition
            return
        given = {one: frozenset(self._domains[one]) for one in columns}
        self._add(name, self._ask(name, given))

    def _entries(self, name: str) -> tuple[Variable, ...]:
        """The variables from which a row is fetched: the key where it has part of it, as every match has its values."""
        columns = self._columns(name)
        return tuple(one for one in columns if one in self.problem.key)[:1] or columns

    def _columns(self, name: str) -> tuple[Variable, ...]:
        return self.problem.columns(name)

    def _add(self, name: str, found: Relation) -> bool:
        before = self.known.get(name)
        if not isinstance(before, Relation):
            self.known[name] = found
            return True
        if found.tuples <= before.tuples:
            return False
        self.known[name] = Relation(before.variables, before.tuples | found.tuples)
        return True

    def _ask(self, name: str, given: Mapping[Variable, frozenset[GroundTerm]]) -> Relation:
        row, columns = self.problem.rows[name], self._columns(name)
        if isinstance(row.atom, Values) and row.where is None:
            return inline_relation(row.atom, columns)
        budget = self.problem.meter.budget
        named = any(isinstance(value, BlankNode) for values in given.values() for value in values)
        if named or prod(len(values) for values in given.values()) > budget.rows:
            raise TooMuch
        lines = [
            inline(f"given_{place}", (one,), [(value,) for value in sorted(values, key=term_order)])
            for place, (one, values) in enumerate(sorted(given.items(), key=lambda pair: pair[0].name), 1)
        ]
        return Relation(columns, self._select(row, columns, lines))

    def _select(self, row: Row, columns: Sequence[Variable], given: Sequence[Row]) -> frozenset[tuple[GroundTerm, ...]]:
        meter = self.problem.meter
        cap = meter.budget.rows - self._fetched
        try:
            found = meter.select(fetch(self.problem.core, row, columns, given), limit=max(cap, 0) + 1)
        except (StoreTimeout, BudgetExhausted) as error:
            raise TooMuch from error
        self._fetched += len(found.rows)
        if len(found.rows) > cap or not found.complete:
            raise TooMuch
        return complete_lines(self.problem.respell(found))
