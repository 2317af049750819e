"""How the reference evaluator goes about a group of rows: what binds, what comes after, what decides."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from itertools import product

from attrs import frozen

from uniqgen_ir.ir.analysis import binds, needs, positive_variables, row_variables
from uniqgen_ir.ir.expressions import Exists, Expression
from uniqgen_ir.ir.rows import (
    Bind,
    Either,
    Filter,
    MinusBlock,
    NotBlock,
    OptionalBlock,
    PathAtom,
    Row,
    Triple,
    TypeAtom,
    Values,
)
from uniqgen_ir.ir.terms import Term, Variable


@frozen
class Plan:
    """A group, sorted into what binds, what comes after, and what decides."""

    positive: tuple[Row, ...]
    later: tuple[Row, ...]
    conditions: tuple[Expression, ...]
    minus: tuple[tuple[Row, ...], ...]


@lru_cache(maxsize=4096)
def plan_group(rows: tuple[Row, ...], bound: frozenset[Variable]) -> Plan:
    """The plan of a group in which these variables are bound already."""
    named = _early_names(rows, bound)
    positive, later = list[Row](), list[Row]()
    conditions = [row.where for row in rows if row.where is not None]
    minus: list[tuple[Row, ...]] = []
    for row in rows:
        match row.atom:
            case Filter(condition):
                conditions.append(condition)
            case NotBlock(inner):
                conditions.append(Exists(inner, negated=True))
            case MinusBlock(inner):
                minus.append(inner)
            case OptionalBlock():
                later.append(row)
            case Bind() if row not in named:
                later.append(row)
            case _:
                positive.append(row)
    return Plan(_join_order(positive, bound), tuple(later), tuple(conditions), tuple(minus))


def _early_names(rows: tuple[Row, ...], bound: frozenset[Variable]) -> list[Row]:
    """The `let` rows whose expressions look only at what positive rows, and each other, bind."""
    certain = bound | positive_variables(row for row in rows if not isinstance(row.atom, Bind))
    waiting, found = [row for row in rows if isinstance(row.atom, Bind)], list[Row]()
    while ready := [row for row in waiting if needs(row, certain) <= certain]:
        found += ready
        certain |= positive_variables(ready)
        waiting = [row for row in waiting if row not in ready]
    return found


def _join_order(rows: Iterable[Row], bound: frozenset[Variable]) -> tuple[Row, ...]:
    """Positive rows, best bound first: an order that is quick, with the same solutions as any other."""
    waiting, ordered, known = list(rows), list[Row](), set(bound)
    while waiting:
        chosen = min(waiting, key=lambda row: (_waits(row, waiting, known), _cost(row, known), waiting.index(row)))
        waiting.remove(chosen)
        ordered.append(chosen)
        known |= binds(chosen)
    return tuple(ordered)


def _waits(row: Row, waiting: Iterable[Row], known: set[Variable]) -> bool:
    """Whether a row still to come binds what this one looks at (conditions in a branch of `either`, a bound name)."""
    if not isinstance(row.atom, Bind | Either):
        return False
    coming = positive_variables(other for other in waiting if other is not row) - known
    return bool(needs(Row(row.id, row.atom), coming) & coming)


def _cost(row: Row, known: set[Variable]) -> int:
    def free(*terms: Term) -> int:
        return sum(isinstance(term, Variable) and term not in known for term in terms)

    match row.atom:
        case Values():
            return 0
        case Triple(subject, predicate, object_):
            return 2 * free(subject) + 2 * free(object_) + 3 * free(predicate)
        case TypeAtom(subject, type_):
            return 2 * free(subject) + 2 * free(type_) + 1
        case PathAtom(subject, _, object_):
            return 3 * free(subject, object_) + 1
        case _:
            return 4


@lru_cache(maxsize=4096)
def expanded(rows: tuple[Row, ...]) -> tuple[tuple[Row, ...], ...]:
    """The rows with one branch of every `either` in its place, for each choice of branches."""
    choices = [
        [one for branch in row.atom.branches for one in expanded(branch)] if isinstance(row.atom, Either) else [(row,)]
        for row in rows
    ]
    return tuple(tuple(one for part in choice for one in part) for choice in product(*choices))


@lru_cache(maxsize=4096)
def all_variables(rows: tuple[Row, ...]) -> frozenset[Variable]:
    """Every variable that the rows mention."""
    return frozenset(variable for row in rows for variable in row_variables(row))
