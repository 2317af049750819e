"""The answers of rows from what each row matches in the whole graph, joined in memory.

Where an engine multiplies branches before it makes answers distinct, a semi-join program does not: each row is asked
for once, alone, and branches hand only sets of values towards the answer (Yannakakis 1981). What was fetched is kept,
so that the next set of rows costs no statement. Joined are rows over one or two variables that form a tree around the
one variable of the answer, as long as what they match is small enough to hold.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final, TypeAlias

from attrs import define, evolve, field

from uniqgen_ir.ir.protocols import AnswerRow
from uniqgen_ir.ir.rows import Filter, Row, RowNote
from uniqgen_ir.ir.terms import BlankNode, GroundTerm, Variable
from uniqgen_ir.ir.visitor import rename_variables, variables_in_order
from uniqgen_ir.passes.search.asking import select
from uniqgen_ir.passes.search.comparing import condition_of
from uniqgen_ir.passes.search.problem import Problem
from uniqgen_ir.passes.search.statements import fetch

MOST_LINES: Final = 1_000_000
"""what is held of all rows together, some hundred megabytes"""

_Pair: TypeAlias = tuple[Variable, Variable]
_Lines: TypeAlias = frozenset[tuple[int, ...]]
_Edges: TypeAlias = Mapping[_Pair, _Lines]
_Allowed: TypeAlias = dict[Variable, set[int]]
_Asked: TypeAlias = tuple[int, Row]
"""how many variables are asked for, and the shape of the row: one variable of `?y ex:p ?z` is not both"""


@define(eq=False)
class Extents:
    """What the rows of a problem match alone; terms are numbered, as sets of numbers are quick."""

    problem: Problem
    _numbers: dict[GroundTerm, int] = field(init=False, factory=dict[GroundTerm, int])
    _terms: list[GroundTerm] = field(init=False, factory=list[GroundTerm])
    _known: dict[_Asked, _Lines | None] = field(init=False, factory=lambda: dict["_Asked", "_Lines | None"]())
    _held: int = field(init=False, default=0)

    def answers(self, names: Iterable[str]) -> frozenset[AnswerRow] | None:
        """All answers of the active rows; None where they cannot be joined here, or the budget ends first."""
        wanted = tuple(names)
        if not _is_tree(self.problem, wanted):
            return None
        edges: dict[_Pair, _Lines] = {}
        allowed: _Allowed = {}
        for name in _binders(self.problem, wanted):
            columns, lines = self.problem.columns(name), self._lines(name)
            if lines is None or not self.problem.meter.has_time():
                return None
            if len(columns) == 2:
                pair = columns[0], columns[1]
                edges[pair] = edges[pair] & lines if pair in edges else lines
            else:
                _narrow(allowed, columns[0], {number for (number,) in lines})
        for name in wanted:
            self._test(name, edges, allowed)
        return frozenset((self._terms[number],) for number in _towards(self.problem.key[0], None, edges, allowed))

    def _test(self, name: str, edges: _Edges, allowed: _Allowed) -> None:
        """Leave only the values for which the row, if it is a condition, is true."""
        atom, columns = self.problem.rows[name].atom, self.problem.columns(name)
        condition = condition_of(atom.condition, columns) if isinstance(atom, Filter) else None
        if condition is None:
            return
        (variable,) = columns
        ends = (line[pair.index(variable)] for pair, lines in edges.items() if variable in pair for line in lines)
        own = allowed[variable] if variable in allowed else set(ends)
        _narrow(allowed, variable, {one for one in own if condition.contains({variable: self._terms[one]})})

    def _lines(self, name: str) -> _Lines | None:
        """The row's matches; None where they are too many, were not had in time, or have no lasting names."""
        row, columns = self.problem.rows[name], self.problem.columns(name)
        order = tuple(one for one in variables_in_order(row) if one in columns)
        asked = len(order), _shape(row, order)
        if asked not in self._known:
            self._known[asked] = self._fetch(row, order)
        lines = self._known[asked]
        return lines if lines is None or order == columns else frozenset((end, start) for start, end in lines)

    def _fetch(self, row: Row, columns: Sequence[Variable]) -> _Lines | None:
        most = min(self.problem.meter.budget.answers, MOST_LINES - self._held)
        found = select(self.problem, fetch(self.problem.core, row, columns, ()), most) if most > 0 else None
        if found is None or not found.complete:
            return None
        lines = self.problem.respell(found)
        if any(isinstance(term, BlankNode) for line in lines for term in line):
            return None
        self._held += len(lines)
        return frozenset(tuple(self._number(term) for term in line if term is not None) for line in lines)

    def _number(self, term: GroundTerm) -> int:
        found = self._numbers.get(term)
        if found is None:
            found = self._numbers[term] = len(self._terms)
            self._terms.append(term)
        return found


def _binders(problem: Problem, names: Iterable[str]) -> list[str]:
    return [name for name in names if not isinstance(problem.rows[name].atom, Filter)]


def _is_tree(problem: Problem, names: Sequence[str]) -> bool:
    """Whether the rows that bind form a tree over their variables, and the others test one variable each."""
    pairs, met = set[tuple[Variable, ...]](), set[Variable]()
    for name in names:
        atom, columns = problem.rows[name].atom, problem.columns(name)
        if isinstance(atom, Filter):
            if len(columns) != 1 or condition_of(atom.condition, columns) is None:
                return False
            continue
        if problem.needs(name) or not 1 <= len(columns) <= 2:
            return False
        met.update(columns)
        pairs |= {columns} if len(columns) == 2 else set[tuple[Variable, ...]]()
    # active rows are connected with the answer, so that one pair less than variables makes a tree
    return len(problem.key) == 1 and problem.key[0] in met and len(pairs) == len(met) - 1


def _towards(variable: Variable, origin: Variable | None, edges: _Edges, allowed: _Allowed) -> set[int]:
    """The values of the variable from which every branch that leads away from `origin` can be followed to its end."""
    found = {variable: set(allowed[variable])} if variable in allowed else _Allowed()
    for pair, lines in edges.items():
        if variable in pair and origin not in pair:
            here = pair.index(variable)
            other = pair[1 - here]
            if other in allowed or any(other in one for one in edges if one != pair):
                ends = _towards(other, variable, edges, allowed)
                reached = {line[here] for line in lines if line[1 - here] in ends}
            else:
                reached = {line[here] for line in lines}
            _narrow(found, variable, reached)
    return found[variable]


def _narrow(allowed: _Allowed, variable: Variable, values: set[int]) -> None:
    allowed[variable] = allowed[variable] & values if variable in allowed else values


def _shape(row: Row, columns: Sequence[Variable]) -> Row:
    """The row with its variables named by place, so that rows that ask the same are asked once."""
    variables = [*columns, *(one for one in variables_in_order(row) if one not in columns)]
    names = {variable: Variable(f"v{place}") for place, variable in enumerate(variables)}
    return evolve(rename_variables(row, names), id="", note=RowNote(), span=None)
