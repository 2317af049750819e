"""The blocks of rows, for proofs by cases: every choice of a branch of each `either` and of a walk along each path.

A row holds in some block wherever it holds; what follows from each block follows from the rows. A walk of no step makes
the ends of a path one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import count, product
from typing import Final

from attrs import evolve, frozen

from uniqgen_ir.ir.paths import Alternative, Inverse, NegatedSet, Path, Repeat, Step
from uniqgen_ir.ir.paths import Sequence as Steps
from uniqgen_ir.ir.rows import Either, Filter, PathAtom, Row, RowNote, Triple
from uniqgen_ir.ir.terms import IRI, Term, Variable
from uniqgen_ir.ir.visitor import Node, rewrite, variables_in_order

MOST_BLOCKS: Final = 64
"""beyond it a proof is not read"""

Walk = tuple[tuple[IRI, bool], ...]
"""Predicates, each with whether it is walked forwards."""


@frozen
class Block:
    """Rows without `either` and bounded paths; `same`: variables that stand for another term here."""

    rows: tuple[Row, ...]
    same: Mapping[Variable, Term]

    def of(self, term: Term) -> Term:
        """What the term is in this block."""
        while isinstance(term, Variable) and term in self.same:
            term = self.same[term]
        return term


def blocks_of(rows: Iterable[Row]) -> tuple[Block, ...] | None:
    """The blocks that can have answers; None where there are too many."""
    found: list[Block] = []
    fresh = (Variable(f"on the way {number}") for number in count())
    choices = 1
    listed: list[list[list[Row | _Ends]]] = []
    for row in rows:
        listed.append(list(_choices(row, fresh)))
        choices *= len(listed[-1])
        if choices > MOST_BLOCKS:
            return None
    for choice in product(*listed):
        block = _block([part for parts in choice for part in parts])
        found += [block] if block is not None else []
    return tuple(found)


@frozen
class _Ends:
    """The ends of a path of no step."""

    start: Term
    end: Term


def _block(parts: Sequence[Row | _Ends]) -> Block | None:
    """The rows with equal ends made one; None where two different names would be one."""
    same: dict[Variable, Term] = {}
    block = Block((), same)
    for one in parts:
        if isinstance(one, _Ends):
            start, end = block.of(one.start), block.of(one.end)
            if isinstance(start, Variable) and start != end:
                same[start] = end
            elif isinstance(end, Variable) and start != end:
                same[end] = start
            elif start != end:
                return None
    return Block(tuple(moved(one, block.of) for one in parts if isinstance(one, Row)), same)


def _choices(row: Row, fresh: Iterator[Variable]) -> Iterator[list[Row | _Ends]]:
    match row.atom:
        case Either(branches):
            for branch in branches:
                for choice in product(*(list(_choices(one, fresh)) for one in branch)):
                    yield [part for parts in choice for part in parts]
        case PathAtom(subject, path, object_) if (walks := _walks(path)) is not None:
            for walk in walks:
                yield [*_chain(subject, walk, object_, fresh), *_condition(row)]
        case _:
            yield [row]


def _condition(row: Row) -> list[Row]:
    return [] if row.where is None else [Row(row.id, Filter(row.where))]


def _chain(subject: Term, walk: Walk, end: Term, fresh: Iterator[Variable]) -> Iterator[Row | _Ends]:
    if not walk:
        yield _Ends(subject, end)
    for place, (predicate, forwards) in enumerate(walk, 1):
        following = end if place == len(walk) else next(fresh)
        ends = (subject, following) if forwards else (following, subject)
        yield Row("", Triple(ends[0], predicate, ends[1]))
        subject = following


def _walks(path: Path) -> list[Walk] | None:
    """Every walk along the path; None where they are too many or without a bound."""
    match path:
        case Step(predicate):
            return [((predicate, True),)]
        case Inverse(inner):
            back = _walks(inner)
            return None if back is None else [tuple((name, not way) for name, way in reversed(one)) for one in back]
        case Alternative(paths):
            parts = [_walks(one) for one in paths]
            return None if None in parts else [walk for part in parts for walk in part or ()]
        case Steps(paths):
            return _joined([_walks(one) for one in paths])
        case Repeat(inner, least, most):
            once = _walks(inner)
            if most is None or once is None or most > MOST_BLOCKS:
                return None
            times = [_joined([once] * number) for number in range(least, most + 1)]
            return None if None in times else [walk for part in times for walk in part or ()]
        case NegatedSet():
            return None


def _joined(parts: Sequence[list[Walk] | None]) -> list[Walk] | None:
    found: list[Walk] = [()]
    for part in parts:
        if part is None or len(found) * len(part) > MOST_BLOCKS:
            return None
        found = [(*one, *more) for one in found for more in part]
    return found


def moved(row: Row, of: Callable[[Term], Term]) -> Row:
    """The row with every variable replaced by what it is."""
    return rewrite(row, lambda one: of(one) if isinstance(one, Variable) else one)


def bare(row: Row, own: Iterable[Variable]) -> tuple[object, object]:
    """What the row says: no ids, no notes, and its `own` variables by order. Equal rows say the same."""
    mine = set(own)
    order = [one for one in variables_in_order(row) if one in mine]
    names = {variable: Variable(f"own {place}") for place, variable in enumerate(order)}

    def plain(node: Node) -> Node:
        if isinstance(node, Row):
            return evolve(node, id="", note=RowNote(), span=None)
        return names.get(node, node) if isinstance(node, Variable) else node

    said = rewrite(row, plain)
    return said.atom, said.where
