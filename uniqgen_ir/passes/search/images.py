"""A quick look before containment is decided: has what a row says an image among the other rows at all?

A row follows from others, without a schema, only through a homomorphism, which maps its pattern onto a pattern with the
same predicate. Most rows have no such partner, and a look at the terms shows it.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeAlias

from attrs import frozen

from uniqgen_ir.ir.analysis import expression_variables
from uniqgen_ir.ir.rows import Filter, NotBlock, Row, Triple, TypeAtom, Values
from uniqgen_ir.ir.terms import IRI, Literal, Term, Variable
from uniqgen_ir.ir.vocabulary import RDF_TYPE

_Pattern: TypeAlias = tuple[Term, Term, Term]
_TYPE = IRI(RDF_TYPE)


def may_have_image(row: Row, others: Iterable[Row], fixed: frozenset[Variable]) -> bool:
    """Whether a homomorphism that leaves the `fixed` variables where they are could map the row onto one of the others.

    It must map the others, too, and lead each variable to one place (arc consistency between patterns). False is
    certain where the others have an answer on some graph; True says nothing. Without a schema.
    """
    own, rest = _pattern(row), tuple(others)
    if own is not None and all(_is_plain_other(one, own[1]) for one in rest):
        return False
    targets = [_pattern(one) for one in rest if not isinstance(one.atom, Filter | NotBlock | Values)]
    known = [one for one in targets if one is not None]
    if own is None or not isinstance(own[1], IRI) or len(known) < len(targets):
        return True  # what is no plain pattern may say anything
    terms = _Terms(fixed, frozenset[Variable]().union(*map(_compared, rest)))
    if not any(terms.may_become(own, one) for one in known):
        return False
    sources = (one for one in (own, *known) if isinstance(one[1], IRI))
    images = {source: [one for one in known if terms.may_become(source, one)] for source in sources}
    return bool(_consistent(images, terms)[own])


def _is_plain_other(row: Row, predicate: Term) -> bool:
    """Whether a row is a pattern with another predicate, or none, so that no pattern is mapped onto it."""
    if isinstance(row.atom, Filter | NotBlock | Values):
        return True
    pattern = _pattern(row)
    return (
        pattern is not None and all(isinstance(one, IRI) for one in (predicate, pattern[1])) and pattern[1] != predicate
    )


def _consistent(images: dict[_Pattern, list[_Pattern]], terms: _Terms) -> dict[_Pattern, list[_Pattern]]:
    """The images that agree with an image of every other pattern about each variable that both speak of."""
    changed = True
    while changed:
        changed = False
        for source in images:
            for other, theirs in images.items():
                kept = [one for one in images[source] if any(terms.agree(source, one, other, at) for at in theirs)]
                changed = changed or len(kept) < len(images[source])
                images[source] = kept
    return images


@frozen
class _Terms:
    """What terms may be led to: `fixed` variables to themselves, `compared` ones may equal any other term."""

    fixed: frozenset[Variable]
    compared: frozenset[Variable]
    """a condition or a list of values speaks of them"""

    def may_become(self, source: _Pattern, image: _Pattern) -> bool:
        return all(
            self._same(one, place) or (isinstance(one, Variable) and one not in self.fixed)
            for one, place in zip(source, image, strict=True)
        )

    def agree(self, source: _Pattern, image: _Pattern, other: _Pattern, at: _Pattern) -> bool:
        """Whether both images put the variables that both patterns have in one place."""
        return all(
            self._same(place, image[where])
            for one, place in zip(other, at, strict=True)
            if isinstance(one, Variable)
            for where, mine in enumerate(source)
            if mine == one
        )

    def _same(self, one: Term, other: Term) -> bool:
        if one == other or one in self.compared or other in self.compared:
            return True
        return isinstance(one, Literal) and isinstance(other, Literal)  # 1 and 01 are one value


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
