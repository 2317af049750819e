"""The conditions that hold together, kept so that one more is compared with a few of them and not with all.

Of each value only what decides is kept: the tightest bounds, the constants that are left, those that are excluded.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final, TypeAlias

from attrs import evolve, field, frozen

from uniqgen_ir.grammar.cypher import ast_expressions as expressions
from uniqgen_ir.validate.cypher.facts import Constant, Fact, compatible, holds

_LESS: Final = ("<", "<=")
_TESTS: Final = {"NULL": "NOT NULL", "NOT NULL": "NULL", "HOLDS": "FAILS", "FAILS": "HOLDS"}
_Bound: TypeAlias = tuple[str, str]
"""`<` or `>`, and the kind of the constants."""


@frozen
class KnownValue:
    """What is known of one value."""

    tests: Mapping[str, Fact] = field(factory=dict[str, Fact])
    listed: Fact | None = None
    """the constants that it can only be"""
    bounds: Mapping[_Bound, Fact] = field(factory=dict[_Bound, Fact])
    excluded: Mapping[Constant, Fact] = field(factory=dict[Constant, Fact])

    def clash(self, new: Fact, *, whole: bool) -> Fact | None:
        """The fact that excludes the new one, by itself or with the others; None where all can hold.

        `whole`: the value is a whole number, so that nothing lies between 1 and 2.
        """
        opposite = self.tests.get(_TESTS.get(new.operator, ""))
        if opposite is not None:
            return opposite
        if new.operator == "NULL":
            return next(self._comparisons(), None)
        if new.operator in _TESTS:
            return None
        if "NULL" in self.tests:
            return self.tests["NULL"]
        against = next((one for one in self._deciding() if not compatible(new, one, whole=whole)), None)
        return against or self._none_left(new)

    def and_also(self, new: Fact) -> KnownValue:
        """What is known once the new fact, which clashes with none, holds too."""
        if new.operator in _TESTS:
            return evolve(self, tests={**self.tests, new.operator: new})
        if new.operator == "<>":
            known = evolve(self, excluded={**self.excluded, new.constants[0]: new})
            return known._without(new.constants[0])
        if new.operator in ("=", "IN"):
            return evolve(self, listed=new if self.listed is None else _in_both(self.listed, new))
        bound = ("<" if new.operator in _LESS else ">", new.constants[0][0])
        known_bound = self.bounds.get(bound)
        if known_bound is not None and not _is_tighter(new, known_bound):
            return self
        return evolve(self, bounds={**self.bounds, bound: new})

    def _deciding(self) -> Iterator[Fact]:
        if self.listed is not None:
            yield self.listed
        yield from self.bounds.values()

    def _comparisons(self) -> Iterator[Fact]:
        yield from self._deciding()
        yield from self.excluded.values()

    def _none_left(self, new: Fact) -> Fact | None:
        """Which exclusion leaves nothing of the constants of the new fact."""
        if new.operator not in ("=", "IN") or not new.constants:
            return None
        excluding = [self.excluded.get(one) for one in new.constants] if self.excluded else [None]
        return None if None in excluding else excluding[0]

    def _without(self, constant: Constant) -> KnownValue:
        listed = self.listed
        if listed is None or constant not in listed.constant_set:
            return self
        left = tuple(one for one in listed.constants if one != constant)
        return evolve(self, listed=evolve(listed, constants=left))


def _in_both(left: Fact, right: Fact) -> Fact:
    """The constants that two lists share. Values of two types never compare, which is another fault: no matter here."""
    if {kind for kind, _ in left.constants} != {kind for kind, _ in right.constants}:
        return left
    shared = tuple(one for one in left.constants if one in right.constant_set)
    return evolve(right, constants=shared) if shared else left


def _is_tighter(new: Fact, known: Fact) -> bool:
    strict = {"<=": "<", ">=": ">"}.get(new.operator, new.operator)
    if new.constants[0] == known.constants[0]:
        return new.operator == strict
    return holds(new.constants[0], strict, known.constants[0])


@frozen
class KnownFacts:
    """Facts by the value that they speak of."""

    values: dict[expressions.Expression, KnownValue] = field(factory=dict[expressions.Expression, KnownValue])
    variables: dict[expressions.Expression, frozenset[str]] = field(
        factory=dict[expressions.Expression, "frozenset[str]"]
    )

    def copy(self) -> KnownFacts:
        """Facts for a part of the query that sees these but leaves them as they are."""
        return KnownFacts(dict(self.values), dict(self.variables))

    def clash(self, new: Fact, *, whole: bool) -> Fact | None:
        """The fact that excludes the new one; None where all can hold."""
        known = self.values.get(new.value)
        return None if known is None else known.clash(new, whole=whole)

    def add(self, new: Fact) -> None:
        """One more fact, which clashes with none."""
        self.values[new.value] = self.values.get(new.value, KnownValue()).and_also(new)
        self.variables[new.value] = new.variables

    def forget(self, name: str) -> None:
        """A variable has a new meaning."""
        for value in [one for one, names in self.variables.items() if name in names]:
            del self.values[value], self.variables[value]

    def keep(self, names: set[str]) -> None:
        """Only these variables live on."""
        for value in [one for one, used in self.variables.items() if not used or not used <= names]:
            del self.values[value], self.variables[value]
