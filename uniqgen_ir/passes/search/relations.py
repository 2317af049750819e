"""Relations in memory, and whether a set of them can be satisfied together.

A relation holds the bindings that one row allows. Satisfiability fixes the key, binds one variable after the other
and treats
what falls apart into components separately; what was found for a component under the same bindings is remembered, so
that
acyclic sets cost no backtracking (dynamic programming along the join tree).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TypeAlias

from attrs import define, field

from uniqgen_ir.ir.terms import GroundTerm, Variable
from uniqgen_ir.passes.search.order import term_order

Binding: TypeAlias = dict[Variable, GroundTerm]
Values: TypeAlias = tuple[GroundTerm, ...]
_Index: TypeAlias = dict[Values, list[GroundTerm]]


@define(eq=False)
class Relation:
    """Which values the variables of one row may take together."""

    variables: tuple[Variable, ...]
    tuples: frozenset[Values]
    _indexes: dict[tuple[tuple[int, ...], int], _Index] = field(
        init=False, factory=dict[tuple[tuple[int, ...], int], _Index]
    )
    _lines: dict[Variable, dict[GroundTerm, list[Values]]] = field(
        init=False, factory=dict[Variable, dict[GroundTerm, list[Values]]]
    )

    def contains(self, binding: Mapping[Variable, GroundTerm]) -> bool:
        return tuple([binding[variable] for variable in self.variables]) in self.tuples

    def candidates(self, variable: Variable, binding: Mapping[Variable, GroundTerm]) -> list[GroundTerm]:
        """The values of the variable that go with those already bound (deterministic order)."""
        known = tuple(place for place, one in enumerate(self.variables) if one in binding)
        index = self._index(known, self.variables.index(variable))
        return index.get(tuple(binding[self.variables[place]] for place in known), [])

    def _index(self, known: tuple[int, ...], wanted: int) -> _Index:
        found = self._indexes.get((known, wanted))
        if found is None:
            grouped: dict[Values, dict[GroundTerm, None]] = {}
            for values in self.tuples:
                grouped.setdefault(tuple(values[place] for place in known), {})[values[wanted]] = None
            found = {key: sorted(ends, key=term_order) for key, ends in grouped.items()}
            self._indexes[known, wanted] = found
        return found

    def starting_at(self, variable: Variable, value: GroundTerm) -> list[Values]:
        """The lines in which the variable has this value."""
        if variable not in self._lines:
            found: dict[GroundTerm, list[Values]] = {}
            place = self.variables.index(variable)
            for line in self.tuples:
                found.setdefault(line[place], []).append(line)
            self._lines[variable] = found
        return self._lines[variable].get(value, [])

    def column(self, variable: Variable) -> set[GroundTerm]:
        place = self.variables.index(variable)
        return {values[place] for values in self.tuples}


@define(eq=False)
class Condition:
    """A comparison, tested value by value: what it allows is never listed."""

    variables: tuple[Variable, ...]
    test: Callable[[Binding], bool]
    _found: dict[Values, bool] = field(init=False, factory=dict[Values, bool])

    def contains(self, binding: Mapping[Variable, GroundTerm]) -> bool:
        values = tuple(binding[variable] for variable in self.variables)
        if values not in self._found:
            self._found[values] = self.test(dict(zip(self.variables, values, strict=True)))
        return self._found[values]


@define(eq=False)
class _Component:
    """One variable to bind, the relation that offers its values, the checks that follow and what is left after."""

    variable: Variable
    generator: Relation
    checks: tuple[Relation, ...]
    inner: tuple[_Component, ...]
    context: tuple[Variable, ...]
    memory: dict[Values, GroundTerm | None] = field(init=False, factory=dict[Values, "GroundTerm | None"])

    def satisfy(self, binding: Binding) -> bool:
        key = tuple(binding[variable] for variable in self.context)
        if key not in self.memory:
            self.memory[key] = self._search(binding)
        return self.memory[key] is not None

    def _search(self, binding: Binding) -> GroundTerm | None:
        for value in self.generator.candidates(self.variable, binding):
            binding[self.variable] = value
            good = all(check.contains(binding) for check in self.checks) and all(
                one.satisfy(binding) for one in self.inner
            )
            del binding[self.variable]
            if good:
                return value
        return None

    def count(self, binding: Binding, cap: int) -> int:
        """How many solutions there are, counted up to the cap."""
        total = 0
        for value in self.generator.candidates(self.variable, binding):
            binding[self.variable] = value
            if all(check.contains(binding) for check in self.checks):
                total += _product((one.count(binding, cap) for one in self.inner), cap)
            del binding[self.variable]
            if total >= cap:
                break
        return min(total, cap)

    def read(self, binding: Binding) -> None:
        """Extend the binding by the solution that `satisfy` found for it."""
        value = self.memory[tuple(binding[variable] for variable in self.context)]
        assert value is not None
        binding[self.variable] = value
        for one in self.inner:
            one.read(binding)


@define(eq=False)
class Conjunction:
    """A set of relations, compiled for a given key."""

    checks: tuple[Relation, ...]
    components: tuple[_Component, ...]

    @classmethod
    def of(cls, relations: Iterable[Relation], key: Iterable[Variable]) -> Conjunction:
        checks, components = _compile(tuple(relations), frozenset(key))
        return cls(checks, components)

    def satisfied_by(self, key: Mapping[Variable, GroundTerm]) -> bool:
        """Whether some values of the other variables satisfy every relation, given the key."""
        binding = dict(key)
        return all(check.contains(binding) for check in self.checks) and all(
            one.satisfy(binding) for one in self.components
        )

    def count(self, key: Mapping[Variable, GroundTerm], cap: int) -> int:
        """How many solutions extend the key, counted up to the cap."""
        binding = dict(key)
        if not all(check.contains(binding) for check in self.checks):
            return 0
        return _product((one.count(binding, cap) for one in self.components), cap)

    def solution(self, key: Mapping[Variable, GroundTerm]) -> Binding | None:
        """One solution that extends the key, or None."""
        if not self.satisfied_by(key):
            return None
        binding = dict(key)
        for one in self.components:
            one.read(binding)
        return binding


def _product(factors: Iterable[int], cap: int) -> int:
    total = 1
    for factor in factors:
        total = min(total * factor, cap)
        if total == 0:
            break
    return total


def _compile(
    relations: Sequence[Relation], bound: frozenset[Variable]
) -> tuple[tuple[Relation, ...], tuple[_Component, ...]]:
    checks = tuple(one for one in relations if bound.issuperset(one.variables))
    open_ones = [one for one in relations if not bound.issuperset(one.variables)]
    return checks, tuple(_component(group, bound) for group in _connected(open_ones, bound))


def _connected(relations: Sequence[Relation], bound: frozenset[Variable]) -> list[list[Relation]]:
    groups: list[tuple[set[Variable], list[Relation]]] = []
    for one in relations:
        inner = set(one.variables) - bound
        joined = [group for group in groups if group[0] & inner]
        merged = inner.union(*(group[0] for group in joined)), [r for group in joined for r in group[1]] + [one]
        groups = [group for group in groups if group not in joined] + [merged]
    return [group[1] for group in groups]


def _component(relations: Sequence[Relation], bound: frozenset[Variable]) -> _Component:
    # what is bound narrows a relation down; of those that touch it, few open variables offer the fewest candidates
    generator = min(
        relations,
        key=lambda one: (bound.isdisjoint(one.variables), len(set(one.variables) - bound), len(one.tuples)),
    )
    variable = next(one for one in generator.variables if one not in bound)
    mentioned = {one for relation in relations for one in relation.variables}
    checks, inner = _compile(relations, bound | {variable})
    return _Component(variable, generator, checks, inner, tuple(sorted(mentioned & bound, key=str)))


def reduce_domains(
    relations: Sequence[Relation], has_time: Callable[[], bool] = lambda: True
) -> dict[Variable, set[GroundTerm]]:
    """Arc consistency: for each variable a superset of the values that it takes in any solution.

    Where the time is over it ends early: with wider sets, and perhaps none for some variables.
    """
    domains: dict[Variable, set[GroundTerm]] = {}
    changed = True
    while changed:
        changed = False
        for relation in relations:
            if not has_time():
                return domains
            known = [(place, domains[one]) for place, one in enumerate(relation.variables) if one in domains]
            kept = [values for values in relation.tuples if all(values[place] in allowed for place, allowed in known)]
            for place, variable in enumerate(relation.variables):
                allowed = {values[place] for values in kept}
                if variable not in domains or not domains[variable] <= allowed:
                    domains[variable] = domains[variable] & allowed if variable in domains else allowed
                    changed = True
    return domains
