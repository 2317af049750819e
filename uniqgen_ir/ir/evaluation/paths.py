"""The reference meaning of paths: SPARQL 1.1, 18.4.

Steps, inverses, sequences, alternatives and negated sets keep one solution per walk, as joins do; a repetition, bounded
or not, gives each pair of ends once. Over zero steps every node of the graph leads to itself, and so does a
constant (for one that is not in the graph Oxigraph finds nothing, but SPARQL 1.1 says that it leads to itself).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping

from uniqgen_ir.ir.graph import Graph
from uniqgen_ir.ir.paths import Alternative, Inverse, NegatedSet, Path, Repeat, Sequence, Step
from uniqgen_ir.ir.terms import IRI, GroundTerm


def reverse(path: Path) -> Path:
    """The path from the end to the start."""
    match path:
        case Step() | NegatedSet():
            return Inverse(path)
        case Inverse(inner):
            return inner
        case Sequence(paths):
            return Sequence(tuple(reverse(one) for one in reversed(paths)))
        case Alternative(paths):
            return Alternative(tuple(reverse(one) for one in paths))
        case Repeat(inner, minimum, maximum):
            return Repeat(reverse(inner), minimum, maximum)


def walk(path: Path, start: GroundTerm, graph: Graph, tick: Callable[[], None]) -> Iterator[GroundTerm]:
    """Where the path leads from `start`, once per walk. `tick` is called at each step and may raise."""
    tick()
    match path:
        case Step(predicate):
            yield from graph.objects(start, predicate)
        case Inverse(Step(predicate)):
            yield from graph.subjects(predicate, start)
        case Inverse(NegatedSet() as negated):
            yield from _outside(negated, start, graph, inverse=True)
        case Inverse(inner):
            yield from walk(reverse(inner), start, graph, tick)
        case Sequence(paths):
            yield from _in_sequence(paths, start, graph, tick)
        case Alternative(paths):
            for one in paths:
                yield from walk(one, start, graph, tick)
        case Repeat(inner, minimum, maximum):
            yield from _repeated(lambda node: walk(inner, node, graph, tick), start, minimum, maximum)
        case NegatedSet():
            yield from _outside(path, start, graph, inverse=False)


def _outside(path: NegatedSet, start: GroundTerm, graph: Graph, *, inverse: bool) -> Iterator[GroundTerm]:
    if path.forward or not path.backward:
        yield from _other_ends(path.forward, start, graph, inverse=inverse)
    if path.backward:
        yield from _other_ends(path.backward, start, graph, inverse=not inverse)


def _other_ends(excluded: tuple[IRI, ...], start: GroundTerm, graph: Graph, *, inverse: bool) -> Iterator[GroundTerm]:
    if inverse:
        yield from (fact[0] for fact in graph.match(None, None, start) if fact[1] not in excluded)
    else:
        yield from (fact[2] for fact in graph.match(start, None, None) if fact[1] not in excluded)


def _in_sequence(
    paths: tuple[Path, ...], start: GroundTerm, graph: Graph, tick: Callable[[], None]
) -> Iterator[GroundTerm]:
    if not paths:
        yield start
        return
    for middle in walk(paths[0], start, graph, tick):
        yield from _in_sequence(paths[1:], middle, graph, tick)


def _repeated(
    step: Callable[[GroundTerm], Iterable[GroundTerm]], start: GroundTerm, minimum: int, maximum: int | None
) -> Iterable[GroundTerm]:
    level: dict[GroundTerm, None] = {start: None}
    for _ in range(minimum):
        if not level:
            break
        level = {end: None for node in level for end in step(node)}
    found, fresh, taken = dict(level), level, minimum
    while fresh and (maximum is None or taken < maximum):
        fresh = {end: None for node in fresh for end in step(node) if end not in found}
        found.update(fresh)
        taken += 1
    return found


def path_pairs(
    path: Path,
    start: GroundTerm | None,
    end: GroundTerm | None,
    graph: Graph,
    nodes: Mapping[GroundTerm, None],
    tick: Callable[[], None],
) -> Iterator[tuple[GroundTerm, GroundTerm]]:
    """The pairs of ends that agree with what is given (None: anything), once per walk. `nodes`: the graph's terms."""
    if start is not None:
        for found in walk(path, start, graph, tick):
            if end is None or found == end:
                yield start, found
    elif end is not None:
        for found in walk(reverse(path), end, graph, tick):
            yield found, end
    else:
        for node in nodes:
            for found in walk(path, node, graph, tick):
                yield node, found
