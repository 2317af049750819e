"""Which sets of rows hold together for one answer: the maximal ones, as bit masks.

Dynamic programming along the block's shape: give a variable one of the values that rows offer, note which rows hold,
treat what falls apart separately, and remember what was found for the same rows under the same values. A variable may
also stay without a value from here, and be reached by other rows or not at all.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final, TypeAlias

from attrs import define, field

from uniqgen_ir.ir.analysis import binds
from uniqgen_ir.ir.terms import GroundTerm, Variable
from uniqgen_ir.passes.search.exact.gathering import Known, TooMuch, bridges
from uniqgen_ir.passes.search.problem import AnswerKey, Problem
from uniqgen_ir.passes.search.relations import Relation

Mask: TypeAlias = int
Masks: TypeAlias = tuple[Mask, ...]
Names: TypeAlias = frozenset[str]
Binding: TypeAlias = dict[Variable, GroundTerm]
_Seen: TypeAlias = tuple[Names, tuple[Variable, ...], tuple[GroundTerm, ...]]

MOST_MASKS: Final = 2_000
"""maximal sets of one answer in one block"""


@define(eq=False)
class BlockMasks:
    """The maximal sets of a block's rows that one answer satisfies. `bits`: the bit of each row of the problem."""

    problem: Problem
    names: tuple[str, ...]
    known: Mapping[str, Known]
    bits: Mapping[str, Mask]
    spend: Callable[[], None]
    """called at every state; raises TooMuch when the time is over"""
    _memory: dict[_Seen, Masks] = field(init=False, factory=dict[_Seen, Masks])
    _columns: dict[str, tuple[Variable, ...]] = field(init=False)
    _bridged: bool = field(init=False)
    _plans: dict[tuple[Names, frozenset[Variable]], _Plan] = field(
        init=False, factory=dict[tuple[Names, frozenset[Variable]], "_Plan"]
    )

    def __attrs_post_init__(self) -> None:
        self._bridged = bridges(self.problem, self.names)
        self._columns = {name: self.known[name].variables for name in self.names if name in self.known}

    def of(self, key: AnswerKey) -> Masks:
        """The maximal sets of active rows that hold for the answer. Raises TooMuch."""
        binding = dict(zip(self.problem.key, key, strict=True))
        found = self._search(frozenset(self._columns), binding)
        return maximal({self._active(mask) for mask in found})

    def _active(self, mask: Mask) -> Mask:
        """The active ones among these rows of the block; rows of other blocks bind the key."""
        elsewhere = [name for name in self.problem.row_ids if name not in self.names]
        live = self.problem.active([*elsewhere, *(name for name in self.names if mask & self.bits[name])])
        return sum(self.bits[name] for name in self.names if mask & self.bits[name] and name in live)

    def _search(self, names: Names, binding: Binding) -> Masks:
        plan = self._plan(names, frozenset(binding))
        base = sum(self.bits[name] for name in plan.ready if self.known[name].contains(binding))
        parts = [self._component(part, binding) for part in plan.parts]
        return _together(base, parts)

    def _plan(self, names: Names, bound: frozenset[Variable]) -> _Plan:
        key = (names, bound)
        if key not in self._plans:
            self._plans[key] = self._planned(names, bound)
        return self._plans[key]

    def _planned(self, names: Names, bound: frozenset[Variable]) -> _Plan:
        ready = tuple(name for name in self.names if name in names and bound.issuperset(self._columns[name]))
        groups: list[tuple[set[Variable], set[str]]] = []
        for name in names.difference(ready):
            inner, rows = set(self._columns[name]) - bound, {name}
            for group in [one for one in groups if one[0] & inner]:
                groups.remove(group)
                inner |= group[0]
                rows |= group[1]
            groups.append((inner, rows))
        parts = (self._part(frozenset(rows), bound) for _, rows in groups)
        return _Plan(ready, tuple(one for one in parts if one is not None))

    def _part(self, names: Names, bound: frozenset[Variable]) -> _Part | None:
        """How to go on with connected rows; None where nothing leads into them."""
        frontier = [name for name in self.names if name in names and self._leads(name, bound)]
        if not frontier and self._bridged:  # a condition may connect them
            frontier = [name for name in self.names if name in names and self._stands_alone(name)][:1]
        if not frontier:
            return None
        variable = next(one for one in self._columns[frontier[0]] if one not in bound)
        offering = tuple(name for name in frontier if variable in self._columns[name])
        if self._bridged:
            alone = (name for name in self.names if name in names and self._stands_alone(name))
            offering = tuple(dict.fromkeys((*offering, *(one for one in alone if variable in self._columns[one]))))
        mentioned = {one for name in names for one in self._columns[name]} & bound
        return _Part(names, variable, offering, tuple(sorted(mentioned, key=str)))

    def _leads(self, name: str, bound: frozenset[Variable]) -> bool:
        row, columns = self.problem.rows[name], self._columns[name]
        return bool(binds(row)) and not bound.isdisjoint(columns) and self.problem.needs(name) <= bound

    def _stands_alone(self, name: str) -> bool:
        return bool(binds(self.problem.rows[name])) and not self.problem.needs(name)

    def _component(self, part: _Part, binding: Binding) -> Masks:
        key = (part.names, part.context, tuple(binding[one] for one in part.context))
        found = self._memory.get(key)
        if found is None:
            self.spend()
            found = self._memory[key] = self._branch(part, binding)
        return found

    def _branch(self, part: _Part, binding: Binding) -> Masks:
        everything = sum(self.bits[name] for name in part.names)
        found = set(self._search(part.names.difference(part.offering), binding))
        for value in self._values(part, binding):
            binding[part.variable] = value
            found.update(self._search(part.names, binding))
            del binding[part.variable]
            if everything in found:
                return (everything,)
            if len(found) > MOST_MASKS:
                found = set(maximal(found))
        return maximal(found)

    def _values(self, part: _Part, binding: Binding) -> Iterable[GroundTerm]:
        offers: dict[GroundTerm, None] = {}
        for name in part.offering:
            relation = self.known[name]
            assert isinstance(relation, Relation)
            offers.update(dict.fromkeys(relation.candidates(part.variable, binding)))
        return offers


@define(eq=False)
class _Part:
    """Connected rows: the variable to give a value, the rows that offer values, and what else matters here."""

    names: Names
    variable: Variable
    offering: tuple[str, ...]
    context: tuple[Variable, ...]


@define(eq=False)
class _Plan:
    """What is decided by the bound variables, and the parts that are not."""

    ready: tuple[str, ...]
    parts: tuple[_Part, ...]


def _together(base: Mask, parts: Sequence[Masks]) -> Masks:
    """Every choice of one set per part, with the base. Raises TooMuch."""
    found: Masks = (base,)
    for masks in parts:
        if len(found) * len(masks) > MOST_MASKS:
            raise TooMuch
        found = tuple(one | other for one in found for other in masks)
    return found


def maximal(masks: Iterable[Mask]) -> Masks:
    """Those that lie in no other, largest first. Raises TooMuch where there are too many."""
    found: list[Mask] = []
    for mask in sorted(set(masks), key=lambda one: (-one.bit_count(), one)):
        if not any(mask & ~larger == 0 for larger in found):
            found.append(mask)
            if len(found) > MOST_MASKS:
                raise TooMuch
    return tuple(found)
