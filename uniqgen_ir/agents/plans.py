"""Plans: readings of a question as legs from the things it names to its answers, and what they evaluate to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeAlias

from attrs import field, frozen

from uniqgen_ir.agents.alignment import Alignment
from uniqgen_ir.agents.legs import Hop, Leg, image_of_hop
from uniqgen_ir.kg.linking.index import GraphIndex
from uniqgen_ir.kg.linking.mentions import Mention, MentionKind

Place: TypeAlias = tuple[Hop, ...]
"""Hops from the answer backwards to a variable; empty for the answer."""

Restrictions: TypeAlias = Mapping[Place, frozenset[int]]
"""The nodes that variables may take, by place."""


@frozen
class PlannedLeg:
    """A leg with the mention that it starts from and the words that say its hops."""

    mention: Mention
    start: int | None
    """the node that it starts from; None where it starts from all nodes of the mention (a value, a class)"""
    leg: Leg
    alignment: Alignment

    @property
    def backwards(self) -> Place:
        """The hops from the answer to the start."""
        return tuple(reversed(self.leg.hops))

    def place(self, hops: int) -> Place:
        """The place of the variable after so many hops."""
        return self.backwards[: len(self.leg.hops) - hops]


@frozen
class InnerClass:
    """A class that the question names for a variable on the way: *hosted the Olympics*."""

    mention: Mention
    number: int
    place: Place


@frozen
class Plan:
    """A reading of the question. `answers` are node numbers as far as the index sees them."""

    legs: tuple[PlannedLeg, ...]
    answer_classes: tuple[int, ...]
    """classes that the answers must have, because the question names them"""
    inner_classes: tuple[InnerClass, ...] = ()
    answers: frozenset[int] = field(default=frozenset(), repr=False)
    cost: float = 0.0
    class_places: frozenset[int] = frozenset()
    """the places of the words that say the class of the answers"""
    classes_unknown: bool = False
    """the graph does not say whether the answers have the class that the question names"""
    role: int | None = None
    """the directed relation that the answers must have, because the question's noun names who has it: *directors*"""
    separate: bool = False
    """legs with the same last hops each have variables of their own: *hosted both X and Y*, at different times"""

    @property
    def covered(self) -> int:
        """A bit per place of the question whose word some relation takes."""
        return covered_by(self.legs)


def covered_by(legs: Sequence[PlannedLeg]) -> int:
    """A bit per place of the question whose word a relation of these legs takes."""
    bits = 0
    for one in legs:
        bits |= one.alignment.covered
    return bits


Branch: TypeAlias = tuple[Place, PlannedLeg]
"""The hops of a leg that remain, from here backwards, and the leg."""


def branches(legs: Sequence[Branch]) -> list[tuple[Hop, list[Branch]]]:
    """The legs that still have hops, by the hop that they share; each with its remaining hops.

    Legs that share a hop share the variable before it, save those that start there from one certain thing: two actors
    of one film are two.
    """
    shared: dict[Hop, list[Branch]] = {}
    single: list[tuple[Hop, list[Branch]]] = []
    for hops, leg in legs:
        if len(hops) == 1 and leg.mention.kind is not MentionKind.CLASS:
            single.append((hops[0], [((), leg)]))
        elif hops:
            shared.setdefault(hops[0], []).append((hops[1:], leg))
    return [*shared.items(), *single]


def evaluate_legs(
    index: GraphIndex, legs: Sequence[PlannedLeg], restrictions: Restrictions | None = None, *, separate: bool = False
) -> frozenset[int]:
    """The answers of the legs together. Last hops that legs share are walked once, unless they are `separate`."""
    entries: list[Branch] = [(one.backwards, one) for one in legs]
    groups = [[entry] for entry in entries] if separate else [entries]
    found = [_evaluate(index, group, (), restrictions or {}) for group in groups if group]
    return frozenset[int].intersection(*found) if found else frozenset()


def _evaluate(index: GraphIndex, legs: Sequence[Branch], place: Place, restrictions: Restrictions) -> frozenset[int]:
    """Nodes that every leg reaches at this place."""
    nodes = restrictions.get(place)
    for _, leg in (entry for entry in legs if not entry[0]):
        nodes = leg.leg.sets[0] if nodes is None else nodes & leg.leg.sets[0]
    for hop, members in branches(legs):
        if len(members) == 1 and not restrictions:
            rest, leg = members[0]
            reached = leg.leg.sets[len(rest) + 1]
        else:
            reached = frozenset(image_of_hop(index, _evaluate(index, members, (*place, hop), restrictions), hop))
            reached = _without_return(members, reached)
        nodes = reached if nodes is None else nodes & reached
    return nodes or frozenset()


def _without_return(members: Sequence[Branch], reached: frozenset[int]) -> frozenset[int]:
    """Less the start, where a leg of two hops walks straight back: *also directed* means another one."""
    for rest, leg in members:
        if len(rest) == 1 and leg.start is not None and leg.leg.undo[1]:
            reached = reached - {leg.start}
    return reached
