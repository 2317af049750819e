"""Bounds: what a comparison with a constant says, and when two of them imply or contradict each other."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from decimal import Decimal
from functools import cached_property
from itertools import combinations
from typing import Final, TypeAlias

from attrs import frozen

from uniqgen_ir.ir.expressions import Comparison, ComparisonOperator, Expression, Membership
from uniqgen_ir.ir.rows import Filter, Row
from uniqgen_ir.ir.terms import IRI, Literal
from uniqgen_ir.ir.values import compare, value_of
from uniqgen_ir.ir.vocabulary import XSD_STRING
from uniqgen_ir.passes.normal.rule import conjuncts

_OP: Final = ComparisonOperator
_LOWER: Final = (_OP.GREATER, _OP.GREATER_EQUAL)
_UPPER: Final = (_OP.LESS, _OP.LESS_EQUAL)


@frozen
class Bound:
    """`subject operator constant`, or, with several constants, membership among them; `row` says it."""

    row: str
    condition: Expression
    subject: Expression
    operator: ComparisonOperator
    constants: tuple[IRI | Literal, ...]

    @cached_property
    def _keyed(self) -> tuple[frozenset[_Key], tuple[IRI | Literal, ...]]:
        """The keys of those constants that have one, and the other constants."""
        keys = [(_key(one), one) for one in self.constants]
        return frozenset(key for key, _ in keys if key is not None), tuple(one for key, one in keys if key is None)

    def allows(self, value: IRI | Literal) -> bool | None:
        """Whether the bound holds for a value; None where that is an error."""
        constants = self.constants
        key = _key(value) if self.operator is _OP.EQUAL and len(constants) > 1 else None
        if key is not None:
            # long lists are looked up, not gone through
            keys, constants = self._keyed
            if key in keys:
                return True
        found = [compare(self.operator, value, one) for one in constants]
        return True if True in found else None if None in found else False


_Key: TypeAlias = tuple[str, str | int | Decimal]


def _key(term: IRI | Literal) -> _Key | None:
    """What two terms share just where they are equal; None for those whose equality is a longer story."""
    if isinstance(term, IRI):
        return "node", term.value
    match value_of(term):
        case bool():
            return None
        case int() | Decimal() as number:
            return "number", number
        case str() as text if term.datatype == XSD_STRING:
            return "text", text
        case _:
            return None


def bounds_of(rows: Iterable[Row]) -> Iterator[Bound]:
    """The bounds that the rows of one group state, as conditions of their own or of a pattern."""
    for row in rows:
        stated = (*conjuncts(row.where), *(conjuncts(row.atom.condition) if isinstance(row.atom, Filter) else ()))
        for condition in stated:
            bound = bound_of(row.id, condition)
            if bound is not None:
                yield bound


def bound_of(row_id: str, condition: Expression) -> Bound | None:
    match condition:
        case Comparison(operator, subject, (IRI() | Literal()) as constant) if not isinstance(subject, IRI | Literal):
            return Bound(row_id, condition, subject, operator, (constant,))
        case Membership(subject, options, False) if not isinstance(subject, IRI | Literal):
            constants = tuple(one for one in options if isinstance(one, IRI | Literal))
            if constants and len(constants) == len(options):
                return Bound(row_id, condition, subject, _OP.EQUAL, constants)
        case _:
            pass
    return None


def implies(stronger: Bound, weaker: Bound) -> bool:
    """Whether every value that satisfies the one satisfies the other."""
    if stronger.subject != weaker.subject:
        return False
    if stronger.operator is _OP.EQUAL:
        return all(weaker.allows(one) is True for one in stronger.constants)
    if len(weaker.constants) > 1 or len(stronger.constants) > 1:
        return False
    limit, other = next(iter(stronger.constants)), next(iter(weaker.constants))
    for side in (_LOWER, _UPPER):
        if stronger.operator in side and weaker.operator in side:
            strict, loose = side
            # `> 5` implies `>= 5`, not the other way round
            exact = strict if weaker.operator is strict and stronger.operator is loose else loose
            return compare(exact, limit, other) is True
    return stronger.operator is weaker.operator and limit == other


def contradiction(bounds: Iterable[Bound]) -> tuple[Bound, ...] | None:
    """The smallest set of bounds on one subject that no value satisfies, that was found; None where there is none."""
    of_subject: dict[Expression, list[Bound]] = {}
    for bound in bounds:
        of_subject.setdefault(bound.subject, []).append(bound)
    several = [listed for listed in of_subject.values() if len(listed) > 1 and not _has_witness(listed)]
    for listed in several:
        for one, other in combinations(_tightest(listed), 2):
            if _exclude(one, other):
                return one, other
    for listed in several:
        for one in listed:
            if one.operator is _OP.EQUAL:
                found = _no_option_left(one, [other for other in listed if other is not one])
                if found is not None:
                    return found
    return None


def _has_witness(bounds: list[Bound]) -> bool:
    """Whether one of the shortest list of values satisfies all of the bounds, so that nothing contradicts."""
    lists = [one.constants for one in bounds if one.operator is _OP.EQUAL]
    if not lists:
        # what is only unequal to some values can be something else
        return all(one.operator is _OP.NOT_EQUAL for one in bounds)
    return any(all(bound.allows(value) is True for bound in bounds) for value in min(lists, key=len))


def _tightest(bounds: list[Bound]) -> list[Bound]:
    """The bounds without those that are said twice and without limits that a tighter one of the same side implies."""
    kept: list[Bound] = []
    limits: dict[bool, list[Bound]] = {True: [], False: []}
    for one in {(one.operator, one.constants): one for one in reversed(bounds)}.values():
        if one.operator in (_OP.EQUAL, _OP.NOT_EQUAL):
            kept.append(one)
            continue
        side = one.operator in _LOWER
        if not any(implies(other, one) for other in limits[side]):
            limits[side] = [other for other in limits[side] if not implies(one, other)] + [one]
    if not any(one.operator is _OP.EQUAL for one in kept):
        kept = []  # only what must be a value can be one that is ruled out
    tightest = (*kept, *limits[True], *limits[False])
    places = {id(one): place for place, one in enumerate(bounds)}
    return sorted(tightest, key=lambda one: places[id(one)])


def _exclude(one: Bound, other: Bound) -> bool:
    for first, second in ((one, other), (other, one)):
        if first.operator is _OP.EQUAL and all(_never(second, value) for value in first.constants):
            return True
        if first.operator in _LOWER and second.operator in _UPPER:
            lower, upper = first.constants[0], second.constants[0]
            touching = first.operator is _OP.GREATER_EQUAL and second.operator is _OP.LESS_EQUAL
            return compare(_OP.GREATER if touching else _OP.GREATER_EQUAL, lower, upper) is True
    return False


def _never(bound: Bound, value: IRI | Literal) -> bool:
    """Whether nothing that equals the value satisfies the bound (an error is not yet a no)."""
    return bound.allows(value) is False


def _no_option_left(options: Bound, others: list[Bound]) -> tuple[Bound, ...] | None:
    if any(not any(_never(other, value) for other in others) for value in options.constants):
        return None
    needed = list(others)
    for other in others:  # leave out what is not needed, so that the reason is minimal
        rest = [one for one in needed if one is not other]
        if all(any(_never(one, value) for one in rest) for value in options.constants):
            needed = rest
    return options, *needed
