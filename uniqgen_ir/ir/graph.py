"""A graph in memory: the reference evaluator's store, and what files are loaded into."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import TypeAlias

from uniqgen_ir.ir.terms import IRI, BlankNode, GroundTerm

Fact: TypeAlias = tuple[IRI | BlankNode, IRI, GroundTerm]
"""Subject, predicate, object."""

_Index: TypeAlias = "defaultdict[IRI, defaultdict[GroundTerm, dict[GroundTerm, None]]]"


def _new_index() -> _Index:
    return defaultdict(lambda: defaultdict(dict))


class Graph:
    """A set of facts with two indexes, predicate → subject → objects and predicate → object → subjects.

    Facts keep the order in which they were added, so that everything made from a graph is deterministic.
    """

    def __init__(self, facts: Iterable[Fact] = ()) -> None:
        self._forward = _new_index()
        self._backward = _new_index()
        self._size = 0
        for fact in facts:
            self.add(fact)

    def add(self, fact: Fact) -> None:
        """Add a fact; one that is there already changes nothing."""
        subject, predicate, object_ = fact
        objects = self._forward[predicate][subject]
        if object_ not in objects:
            objects[object_] = None
            self._backward[predicate][object_][subject] = None
            self._size += 1

    def __len__(self) -> int:
        return self._size

    def __iter__(self) -> Iterator[Fact]:
        return self.match(None, None, None)

    def __contains__(self, fact: Fact) -> bool:
        return any(True for _ in self.match(*fact))

    @property
    def predicates(self) -> tuple[IRI, ...]:
        """Every predicate that occurs, in order of first use."""
        return tuple(self._forward)

    def objects(self, subject: GroundTerm, predicate: IRI) -> Iterable[GroundTerm]:
        """The objects of `subject predicate ?`."""
        subjects = self._forward.get(predicate)
        return subjects.get(subject, {}) if subjects is not None else ()

    def subjects(self, predicate: IRI, object_: GroundTerm) -> Iterable[GroundTerm]:
        """The subjects of `? predicate object_`."""
        objects = self._backward.get(predicate)
        return objects.get(object_, {}) if objects is not None else ()

    def match(self, subject: GroundTerm | None, predicate: IRI | None, object_: GroundTerm | None) -> Iterator[Fact]:
        """The facts that agree with what is given; None stands for anything."""
        for name in (predicate,) if predicate is not None else tuple(self._forward):
            yield from self._match_one(subject, name, object_)

    def _match_one(self, subject: GroundTerm | None, predicate: IRI, object_: GroundTerm | None) -> Iterator[Fact]:
        if subject is not None:
            if isinstance(subject, IRI | BlankNode):
                found = self.objects(subject, predicate)
                for one in found if object_ is None else (object_,) if object_ in found else ():
                    yield subject, predicate, one
        elif object_ is not None:
            for one in self.subjects(predicate, object_):
                if isinstance(one, IRI | BlankNode):
                    yield one, predicate, object_
        else:
            for one, objects in self._subjects(predicate).items():
                if isinstance(one, IRI | BlankNode):
                    for end in objects:
                        yield one, predicate, end

    def _subjects(self, predicate: IRI) -> dict[GroundTerm, dict[GroundTerm, None]]:
        # not `self._forward[predicate]`: reading must not add the predicate
        return self._forward.get(predicate) or {}

    def terms(self) -> dict[GroundTerm, None]:
        """Every subject and object, in order of first use."""
        found: dict[GroundTerm, None] = {}
        for subject, _, object_ in self:
            found[subject] = None
            found[object_] = None
        return found
