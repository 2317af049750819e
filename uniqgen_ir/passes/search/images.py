"""A quick look before containment is decided: has what a row says an image among the other rows at all?

A row follows from others, without a schema, only through a homomorphism, which maps its pattern onto a pattern with the
same predicate. Most rows have no such partner, and a look at the terms shows it.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeAlias

from uniqgen_ir.ir.analysis import expression_variables
from uniqgen_ir.ir.rows import Filter, NotBlock, Row, Triple, TypeAtom, Values
from uniqgen_ir.ir.terms import IRI, Literal, Term, Variable
from uniqgen_ir.ir.vocabulary import RDF_TYPE

_Pattern: TypeAlias = tuple[Term, Term, Term]
_TYPE = IRI(RDF_TYPE)


def may_have_image(row: Row, others: Iterable[Row], fixed: frozenset[Variable]) -> bool:
    """Whether a homomorphism that leaves the `fixed` variables where they are could map the row onto one of the others.

    False is certain where the others have an answer on some graph; True says nothing. Without a schema.
    """
    source, rest = _pattern(row), tuple(others)
    if source is None or not isinstance(source[1], IRI):
        return True
    # a condition or a list of values may make a variable equal to any other term
    compared = frozenset[Variable]().union(*map(_compared, rest))
    for other in rest:
        if isinstance(other.atom, Filter | NotBlock | Values):
            continue
        target = _pattern(other)
        if target is None or all(_may_become(*pair, fixed, compared) for pair in zip(source, target, strict=True)):
            return True
    return False


def _pattern(row: Row) -> _Pattern | None:
    match row.atom:
        case Triple(subject, predicate, object_):
            return subject, predicate, object_
        case TypeAtom(subject, type_):
            return subject, _TYPE, type_
        case _:
            return None


def _compared(row: Row) -> frozenset[Variable]:
    named = expression_variables(row.where) if row.where is not None else frozenset[Variable]()
    match row.atom:
        case Filter(condition):
            return named | expression_variables(condition)
        case Values(variables, _):
            return named.union(variables)
        case _:
            return named


def _may_become(source: Term, target: Term, fixed: frozenset[Variable], compared: frozenset[Variable]) -> bool:
    if source == target or source in compared or target in compared:
        return True
    if isinstance(source, Literal):  # 1 and 01 are one value
        return isinstance(target, Literal)
    return isinstance(source, Variable) and source not in fixed
