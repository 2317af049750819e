"""The reference semantics of tables over a graph in memory: short and plain, the measure for every engine.

Rows of a group are joined whatever their order; `optional` takes effect after the positive rows, in row order;
conditions apply to the whole group, last. A block sees the bindings of the group that it stands in, but for `minus` and
tables inside tables, which are solved alone, as in SPARQL. Solutions form a bag; `distinct` comes at the end.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime
from functools import cached_property

from attrs import define, evolve, field

from uniqgen_ir.ir.analysis import binds, expression_variables
from uniqgen_ir.ir.diagnostics import Diagnostic
from uniqgen_ir.ir.evaluation.expressions import Scope, Solution, evaluate_expression, holds, parameter_value
from uniqgen_ir.ir.evaluation.paths import path_pairs
from uniqgen_ir.ir.evaluation.plan import all_variables, expanded, plan_group
from uniqgen_ir.ir.evaluation.shell import finish
from uniqgen_ir.ir.expressions import Expression
from uniqgen_ir.ir.graph import Graph
from uniqgen_ir.ir.protocols import Answers, StoreStatistics, StoreTimeout
from uniqgen_ir.ir.rows import (
    Bind,
    Either,
    Filter,
    MinusBlock,
    NotBlock,
    OptionalBlock,
    PathAtom,
    Row,
    SubTable,
    Triple,
    TypeAtom,
    Values,
)
from uniqgen_ir.ir.table import MatchMode, Table
from uniqgen_ir.ir.terms import IRI, GroundTerm, Literal, Parameter, Term, Variable
from uniqgen_ir.ir.vocabulary import RDF_TYPE, XSD_DATE_TIME

_TYPE = IRI(RDF_TYPE)
_TICKS_BETWEEN_LOOKS = 512


def evaluate(
    table: Table,
    graph: Graph,
    parameters: Mapping[Parameter, GroundTerm] | None = None,
    *,
    deadline: float | None = None,
) -> Answers:
    """The answers of the table over the graph, as its shell says; `ask` gives one row, true or false.

    `deadline` is a reading of `time.monotonic()`. Raises StoreTimeout past it, and DiagnosticError UQ611 where a
    parameter has no value.
    """
    return _Evaluator(graph, parameters or {}, deadline).answers(table)


@define(slots=False)
class _Evaluator:
    graph: Graph
    parameters: Mapping[Parameter, GroundTerm]
    deadline: float | None
    _ticks: int = field(default=0, init=False)
    _inner: dict[Table, Answers] = field(factory=dict[Table, Answers], init=False)

    @cached_property
    def nodes(self) -> dict[GroundTerm, None]:
        return self.graph.terms()

    @cached_property
    def now(self) -> Literal:
        return Literal(datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z"), XSD_DATE_TIME)

    def tick(self) -> None:
        self._ticks += 1
        if self.deadline is not None and self._ticks % _TICKS_BETWEEN_LOOKS == 1 and time.monotonic() > self.deadline:
            message = "the query did not end in the time that it was given"
            raise StoreTimeout((Diagnostic("UQ601", message, hint="allow more time, or ask for less"),))

    def answers(self, table: Table) -> Answers:
        scope = self.scope(table.match_mode)
        return finish(table, self.solve(table.rows, {}, table.match_mode), scope)

    def scope(self, mode: MatchMode) -> Scope:
        def exists(rows: tuple[Row, ...], solution: Solution) -> bool:
            return bool(self.solve(rows, solution, mode))

        return Scope(self.parameters, exists, self.now)

    def solve(self, rows: tuple[Row, ...], seed: Solution, mode: MatchMode) -> list[Solution]:
        """Every way to extend `seed` so that all rows hold."""
        if mode is MatchMode.HOMOMORPHISM:
            return self._group(rows, seed, mode)
        # which edges a solution uses depends on the branches taken, so they are taken one choice at a time
        return [one for choice in expanded(rows) for one in self._group(choice, seed, mode)]

    def _group(self, rows: tuple[Row, ...], seed: Solution, mode: MatchMode) -> list[Solution]:
        scope = self.scope(mode)
        known = frozenset(seed) & all_variables(rows)
        plan = plan_group(rows, known)
        solutions, conditions = [seed], plan.conditions
        for row in plan.positive:
            solutions, conditions = _filtered(solutions, conditions, known, scope)
            solutions = [found for one in solutions for found in self._joined(row, one, mode)]
            known |= binds(row)
        if mode is MatchMode.DIFFERENT_RELATIONSHIPS:
            solutions = [one for one in solutions if self._edges_differ(plan.positive, one)]
        for row in plan.later:
            solutions = [found for one in solutions for found in self._extended(row, one, mode)]
        for rows_out in plan.minus:
            solutions = _without(solutions, self.solve(rows_out, {}, mode) if solutions else [])
        return [one for one in solutions if all(holds(condition, one, scope) for condition in conditions)]

    def _extended(self, row: Row, solution: Solution, mode: MatchMode) -> Iterable[Solution]:
        if isinstance(row.atom, OptionalBlock):
            return self.solve(row.atom.rows, solution, mode) or [solution]
        return self._joined(row, solution, mode)

    def _joined(self, row: Row, solution: Solution, mode: MatchMode) -> Iterable[Solution]:
        """The solutions of one positive row that agree with `solution`, joined with it."""
        self.tick()
        match row.atom:
            case Triple(subject, predicate, object_):
                return self._matching((subject, predicate, object_), solution)
            case TypeAtom(subject, type_):
                return self._matching((subject, _TYPE, type_), solution)
            case PathAtom():
                return self._along(row.atom, solution)
            case Values(variables, lines):
                return _agreeing(solution, (zip(variables, line, strict=True) for line in lines))
            case Bind(expression, variable):
                value = evaluate_expression(expression, solution, self.scope(mode))
                return [solution] if value is None else _agreeing(solution, [((variable, value),)])
            case Either(branches):
                return (found for branch in branches for found in self.solve(branch, solution, mode))
            case SubTable(table):
                answers = self._inner_answers(table)
                names = [Variable(name) for name in answers.columns]
                return _agreeing(solution, (zip(names, line, strict=True) for line in answers.rows))
            case Filter() | OptionalBlock() | NotBlock() | MinusBlock():
                raise AssertionError("not a positive row")

    def _inner_answers(self, table: Table) -> Answers:
        if table not in self._inner:
            self._inner[table] = self.answers(table)
        return self._inner[table]

    def _value(self, term: Term, solution: Solution) -> GroundTerm | None:
        if isinstance(term, Parameter):
            return parameter_value(term, self.parameters)
        return solution.get(term) if isinstance(term, Variable) else term

    def _matching(self, pattern: tuple[Term, Term, Term], solution: Solution) -> Iterator[Solution]:
        subject, predicate, object_ = (self._value(term, solution) for term in pattern)
        if predicate is not None and not isinstance(predicate, IRI):
            return
        for fact in self.graph.match(subject, predicate, object_):
            self.tick()
            yield from _agreeing(solution, [_pairs(pattern, fact)])

    def _along(self, atom: PathAtom, solution: Solution) -> Iterator[Solution]:
        ends = (atom.subject, atom.object)
        start, end = (self._value(term, solution) for term in ends)
        for pair in path_pairs(atom.path, start, end, self.graph, self.nodes, self.tick):
            # a bound variable ranges over the graph's nodes, whatever else bound it; a constant need not be one, nor
            # what a walk of no steps leads to from it
            if all(
                not isinstance(term, Variable) or one in self.nodes or one in ends
                for term, one in zip(ends, pair, strict=True)
            ):
                yield from _agreeing(solution, [_pairs(ends, pair)])

    def _edges_differ(self, rows: Iterable[Row], solution: Solution) -> bool:
        """Whether no two triples bind the same fact; a literal is a property, not an edge."""
        edges = [
            tuple(self._value(term, solution) for term in (row.atom.subject, row.atom.predicate, row.atom.object))
            for row in rows
            if isinstance(row.atom, Triple)
        ]
        edges = [edge for edge in edges if not isinstance(edge[2], Literal)]
        return len(edges) == len(set(edges))


def _pairs(pattern: Iterable[Term], found: Iterable[GroundTerm]) -> list[tuple[Variable, GroundTerm]]:
    return [(term, one) for term, one in zip(pattern, found, strict=True) if isinstance(term, Variable)]


def _agreeing(
    solution: Solution, bindings: Iterable[Iterable[tuple[Variable, GroundTerm | None]]]
) -> Iterator[Solution]:
    """`solution` joined with each of the bindings that it is compatible with."""
    for pairs in bindings:
        joined = dict(solution)
        if all(value is None or joined.setdefault(variable, value) == value for variable, value in pairs):
            yield joined


def _filtered(
    solutions: list[Solution], conditions: tuple[Expression, ...], known: frozenset[Variable], scope: Scope
) -> tuple[list[Solution], tuple[Expression, ...]]:
    """Apply the conditions that can be decided already; the others are returned."""
    ready = [condition for condition in conditions if expression_variables(condition) <= known]
    if not ready:
        return solutions, conditions
    kept = [one for one in solutions if all(holds(condition, one, scope) for condition in ready)]
    return kept, tuple(condition for condition in conditions if condition not in ready)


def _without(solutions: list[Solution], removed: list[Solution]) -> list[Solution]:
    def dropped(one: Solution) -> bool:
        shared = ([name for name in other if name in one] for other in removed)
        return any(
            names and all(one[name] == other[name] for name in names)
            for names, other in zip(shared, removed, strict=True)
        )

    return [one for one in solutions if not dropped(one)]


class ReferenceStore:
    """A graph in memory behind the `Store` protocol: what tests and small graphs use."""

    def __init__(self, graph: Graph, parameters: Mapping[Parameter, GroundTerm] | None = None) -> None:
        self.graph = graph
        self.parameters = dict(parameters or {})
        self._statistics = StoreStatistics()

    @property
    def statistics(self) -> StoreStatistics:
        """The running totals."""
        return self._statistics

    @property
    def killable(self) -> bool:
        """False: a timeout is noticed between steps, but one long step (a regular expression) runs to its end."""
        return False

    def select(self, table: Table, *, limit: int | None = None, timeout: float | None = None) -> Answers:
        """The table's answers, at most `limit`, in at most `timeout` seconds. Raises StoreTimeout."""
        started = time.monotonic()
        self._statistics.calls += 1
        try:
            deadline = None if timeout is None else started + timeout
            answers = evaluate(table, self.graph, self.parameters, deadline=deadline)
        finally:
            self._statistics.seconds += time.monotonic() - started
        if limit is not None and len(answers.rows) > limit:
            answers = evolve(answers, rows=answers.rows[:limit], complete=False)
        self._statistics.rows += len(answers.rows)
        return answers
