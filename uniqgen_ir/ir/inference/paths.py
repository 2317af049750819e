"""What stands at the two ends of a path."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from attrs import frozen

from uniqgen_ir.ir.paths import Alternative, Inverse, NegatedSet, Path, Repeat, Sequence, Step
from uniqgen_ir.ir.schema_index import SchemaIndex, standard_object_type
from uniqgen_ir.ir.terms import IRI
from uniqgen_ir.ir.types import ANY, NODE, Type, union


def predicate_ends(iri: IRI, index: SchemaIndex | None) -> tuple[Type, Type]:
    """The types of subject and object of a predicate, as far as the schema declares them."""
    declared = index.predicate(iri) if index is not None else None
    if declared is None:
        return NODE, standard_object_type(iri)
    return declared.subject_type, declared.object_type


def path_ends(path: Path, index: SchemaIndex | None) -> tuple[Type, Type]:
    """The types of the two ends of every walk along the path."""
    match path:
        case Step(predicate):
            return predicate_ends(predicate, index)
        case Inverse(inner):
            start, end = path_ends(inner, index)
            return end, start
        case Sequence(paths):
            return path_ends(paths[0], index)[0], path_ends(paths[-1], index)[1]
        case Alternative(paths):
            ends = [path_ends(one, index) for one in paths]
            return union(start for start, _ in ends), union(end for _, end in ends)
        case Repeat(inner, minimum, _):
            # no step at all leads from anything, even a literal, to itself
            return (ANY, ANY) if minimum == 0 else path_ends(inner, index)
        case NegatedSet(_, backward):
            return (ANY, ANY) if backward else (NODE, ANY)


@frozen
class Joint:
    """Two steps of a path that follow each other. `certain`: every walk along the path goes through here."""

    arriving: Type
    leaving: Type
    first: Path
    second: Path
    certain: bool


def joints(path: Path, index: SchemaIndex | None, certain: bool = True) -> Iterator[Joint]:
    """Every place inside the path where one step leads into another."""
    match path:
        case Inverse(inner):
            yield from joints(inner, index, certain)
        case Alternative(paths):
            for one in paths:
                yield from joints(one, index, False)
        case Repeat(inner, minimum, maximum):
            yield from joints(inner, index, certain and minimum >= 1)
            if maximum is None or maximum > 1:
                start, end = path_ends(inner, index)
                yield Joint(end, start, inner, inner, certain and minimum >= 2)
        case Sequence(paths):
            for one in paths:
                yield from joints(one, index, certain)
            for first, second in pairwise(paths):
                yield Joint(path_ends(first, index)[1], path_ends(second, index)[0], first, second, certain)
        case Step() | NegatedSet():
            return


def path_predicates(path: Path) -> Iterator[IRI]:
    """Every predicate that the path names, in order, with repetitions."""
    match path:
        case Step(predicate):
            yield predicate
        case Inverse(inner) | Repeat(inner, _, _):
            yield from path_predicates(inner)
        case Sequence(paths) | Alternative(paths):
            for one in paths:
                yield from path_predicates(one)
        case NegatedSet(forward, backward):
            yield from forward
            yield from backward
