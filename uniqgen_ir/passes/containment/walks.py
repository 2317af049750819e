"""Paths opened: a bounded path is a union of chains of edges, a path without a bound an edge of its own kind.

The second is for proofs only: one path without a bound maps onto an equal one, or onto one that it repeats.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Final, TypeAlias

from attrs import evolve

from uniqgen_ir.ir.expressions import Call, Not
from uniqgen_ir.ir.paths import Alternative, Inverse, NegatedSet, Path, Repeat, Sequence, Step
from uniqgen_ir.ir.terms import IRI, Term, Variable
from uniqgen_ir.passes.containment.blocks import Block, Condition, Edge, Walk, replace
from uniqgen_ir.passes.normal.paths import plain_path

_Hop: TypeAlias = tuple[Step | NegatedSet, bool]
"""A step and whether it is walked forwards."""

MOST_CHAINS: Final = 64
_SEEN: Final = "urn:frozen:walk:"


class TooManyChains(Exception):
    """A path stands for more chains than are tried."""


def is_bounded(path: Path) -> bool:
    """Whether the path has a longest walk."""
    match path:
        case Repeat(inner, _, maximum):
            return maximum is not None and is_bounded(inner)
        case Sequence(paths) | Alternative(paths):
            return all(map(is_bounded, paths))
        case Inverse(inner):
            return is_bounded(inner)
        case _:
            return True


def opened(block: Block, most: int) -> tuple[Block, ...]:
    """The blocks whose union the block is, walks as chains of edges; of paths without a bound up to `most` rounds.

    Raises TooManyChains.
    """
    chains = [list(_chains(walk.path, most)) for walk in block.walks]
    count = 1
    for one in chains:
        count *= len(one)
    if count > MOST_CHAINS:
        raise TooManyChains
    plain = evolve(block, walks=())
    found: dict[Block, None] = {}
    for choice in product(*chains):
        for made in _with_chains(plain, tuple(zip(block.walks, choice, strict=True))):
            found[made] = None
    return tuple(found)


def _chains(path: Path, most: int) -> Iterator[tuple[_Hop, ...]]:
    """The walks of a path as sequences of steps, each once. Raises TooManyChains."""
    seen: set[tuple[_Hop, ...]] = set()
    for one in _all_chains(path, most):
        if one not in seen:
            seen.add(one)
            if len(seen) > MOST_CHAINS:
                raise TooManyChains
            yield one


def _all_chains(path: Path, most: int) -> Iterator[tuple[_Hop, ...]]:
    match path:
        case Step() | NegatedSet():
            yield ((path, True),)
        case Inverse(inner):
            for chain in _all_chains(inner, most):
                yield tuple((step, not forwards) for step, forwards in reversed(chain))
        case Sequence(paths):
            for choice in product(*(tuple(_chains(one, most)) for one in paths)):
                yield tuple(hop for part in choice for hop in part)
        case Alternative(paths):
            for one in paths:
                yield from _all_chains(one, most)
        case Repeat(inner, minimum, maximum):
            once = tuple(_chains(inner, most))
            last = min(maximum, minimum + most) if maximum is not None and not is_bounded(inner) else maximum
            for times in range(minimum, (minimum + most if last is None else last) + 1):
                if len(once) ** times > 4 * MOST_CHAINS:
                    raise TooManyChains
                for choice in product(once, repeat=times):
                    yield tuple(hop for part in choice for hop in part)


def _with_chains(block: Block, chains: tuple[tuple[Walk, tuple[_Hop, ...]], ...]) -> Iterator[Block]:
    edges, conditions = list(block.edges), list(block.conditions)
    same: list[tuple[Term, Term]] = []
    for number, (walk, chain) in enumerate(chains):
        if not chain:
            same.append((walk.subject, walk.object))
            continue
        stem = f"{walk.row}.{number}"
        places: list[Term] = [walk.subject, *(Variable(f"{stem}.{n}") for n in range(1, len(chain))), walk.object]
        for place, (step, forwards) in enumerate(chain):
            start, end = places[place : place + 2] if forwards else places[place : place + 2][::-1]
            edges += _hop_edges(step, start, end, f"{stem}.p{place}", walk.row, conditions)
    made: Block | None = evolve(block, edges=tuple(dict.fromkeys(edges)), conditions=tuple(conditions))
    for number, (one, other) in enumerate(same):
        made = None if made is None else _merged(made, one, other, same[number + 1 :])
    if made is not None and not made.impossible:
        yield from _with_nodes(made, [one for pair in same for one in pair])


def _hop_edges(
    step: Step | NegatedSet, start: Term, end: Term, name: str, row: str, conditions: list[Condition]
) -> Iterator[Edge]:
    if isinstance(step, Step):
        yield Edge((start, step.predicate, end), row)
        return
    predicate = Variable(name)
    # `!(p | ^q)` allows both directions; readers give one, the other is refused as too many
    if step.forward and step.backward:
        raise TooManyChains
    backwards = bool(step.backward)
    yield Edge((end, predicate, start) if backwards else (start, predicate, end), row)
    excluded = step.backward if backwards else step.forward
    conditions.extend(Condition(Not(Call("same_term", (predicate, iri))), row) for iri in excluded)


def _merged(block: Block, one: Term, other: Term, rest: list[tuple[Term, Term]]) -> Block | None:
    """The block in which the terms are the same; None where they cannot be."""
    if one == other:
        return block
    if isinstance(other, Variable) and not block.is_rigid(other):
        one, other = other, one
    if not isinstance(one, Variable) or block.is_rigid(one):
        return evolve(block, conditions=(*block.conditions, Condition(Call("same_term", (one, other)), "path")))
    for place, pair in enumerate(rest):
        rest[place] = tuple(other if term == one else term for term in pair)  # type: ignore[assignment]
    return replace(block, {one: other})


def _with_nodes(block: Block, ends: list[Term]) -> Iterator[Block]:
    """A walk of no steps starts at any node: a variable that no edge binds is the subject or object of some edge."""
    bound = block.variables
    free = next((one for one in ends if isinstance(one, Variable) and one not in bound), None)
    if free is None:
        yield block
        return
    name, other = Variable(f"{free.name}.p"), Variable(f"{free.name}.o")
    for pattern in ((free, name, other), (other, name, free)):
        yield from _with_nodes(evolve(block, edges=(*block.edges, Edge(pattern, "path"))), ends)


def as_edges(block: Block) -> Block:
    """The block with each walk as one edge, under a predicate that only `seen_by` knows."""
    made = tuple(Edge((walk.subject, _name(walk.path), walk.object), walk.row) for walk in block.walks)
    return evolve(block, walks=(), edges=(*block.edges, *made))


def _name(path: Path) -> IRI:
    return IRI(_SEEN + repr(plain_path(path)))


def seen_by(block: Block, others: tuple[Walk, ...]) -> Block:
    """The block with paths that also lead along the walks of another one that `as_edges` made edges of."""
    known = {plain_path(one.path): _name(one.path) for one in others}
    walks = tuple(evolve(one, path=_seeing(plain_path(one.path), known)) for one in block.walks)
    return evolve(block, walks=walks)


def _seeing(path: Path, known: dict[Path, IRI]) -> Path:
    options: list[Path] = [Step(known[path])] if path in known else []
    match path:
        case Sequence(paths):
            path = Sequence(tuple(_seeing(one, known) for one in paths))
        case Alternative(paths):
            path = Alternative(tuple(_seeing(one, known) for one in paths))
        case Inverse(inner):
            path = Inverse(_seeing(inner, known))
        case Repeat(inner, minimum, None):
            # an edge that stands for at least one round counts as one, so it may stand among the rounds
            rounds = [
                Step(name)
                for one, name in known.items()
                if isinstance(one, Repeat) and one.path == inner and (one.minimum >= 1 or minimum == 0)
            ]
            seen = _seeing(inner, known)
            path = Repeat(Alternative((seen, *rounds)) if rounds else seen, minimum, None)
        case _:
            pass
    return Alternative((path, *options)) if options else path
