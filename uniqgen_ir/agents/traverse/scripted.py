"""Controllers for studies, without a model: one that knows the way, one that reads what it is shown, one at random.

Their figures say how the harness and K work, not how good any model is.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import Final, TypeAlias

from attrs import define, frozen

from uniqgen_ir.agents.traverse.views import Candidate, Choice, Controller, View
from uniqgen_ir.ir.terms import IRI
from uniqgen_ir.kg.linking.index import GraphIndex
from uniqgen_ir.kg.linking.mentions import LinkedQuestion

Step: TypeAlias = tuple[IRI, bool]
"""A relation, and whether it is walked backwards."""

SURE: Final = 0.8
"""The weight of what the script chooses; the others share the rest."""


@frozen
class GoldWay:
    """The ways from named things to the answers, by the node that they start from."""

    ways: Mapping[int, tuple[Step, ...]]


@define
class ScriptedController:
    """Follows the gold way by the walk's own step numbers, whatever the prompt shows: the same paths for every K.

    With probability `noise` a step goes another way; the draw depends on seed, question and path only.
    """

    index: GraphIndex
    gold: Mapping[str, GoldWay]
    """question → its way"""
    noise: float = 0.0
    seed: int = 0

    def choose(self, views: Sequence[View]) -> list[Choice]:
        """One choice for each view: the next hop of its gold way, or something else where the noise strikes."""
        return [self._choose(view) for view in views]

    def _choose(self, view: View) -> Choice:
        draw = draw_for(self.seed, view)
        return noisy(view, wanted(self.index, view, self.gold, view.path.depth), self.noise, draw)

    def extract(self, linked: LinkedQuestion, candidates: Sequence[Candidate]) -> int | None:  # noqa: ARG002
        """The likeliest candidate: the script trusts its walk."""
        return _likeliest(candidates)


@define
class ReadingController:
    """Finds its place on the gold way from the hops that the prompt shows, and is misled by old ones.

    It knows the relations of the gold way, not how far it has come: that it reads off the last hop shown. Without any
    it takes the first relation of the way that leads on. Each hop shown beyond the last one makes a wrong turn likelier
    by `distraction`. So K=0 loses ways that repeat a relation or could turn back, and a long history distracts.
    """

    index: GraphIndex
    gold: Mapping[str, GoldWay]
    noise: float = 0.0
    distraction: float = 0.0
    seed: int = 0

    def choose(self, views: Sequence[View]) -> list[Choice]:
        """One choice for each view."""
        return [self._choose(view) for view in views]

    def _choose(self, view: View) -> Choice:
        # one threshold a path: more history can only turn a right choice wrong, so that values of K compare in pairs
        stale = max(0, len(view.history.shown) - 1)
        noise = 1.0 - (1.0 - self.noise) * (1.0 - self.distraction) ** stale
        return noisy(view, wanted(self.index, view, self.gold, self._place(view)), noise, draw_for(self.seed, view))

    def _place(self, view: View) -> int | None:
        """How many hops of the way are behind, as far as the last hop that is shown tells; None: it cannot tell."""
        way = _way(view, self.gold)
        if not view.history.shown:
            return 0 if not view.history.hidden else None
        hop = view.path.leg.hops[-1]
        step = (self.index.relations[hop.relation].iri, hop.backward)
        number = view.history.shown[-1].number  # true numbers tell which of two equal relations it was
        if way[number - 1 : number] == (step,):
            return number
        return next((place + 1 for place, one in enumerate(way) if one == step), None)

    def extract(self, linked: LinkedQuestion, candidates: Sequence[Candidate]) -> int | None:  # noqa: ARG002
        """The likeliest candidate."""
        return _likeliest(candidates)


@define
class RandomController:
    """Chooses relations at random, as a control; `judge` only chooses the path that answers."""

    judge: Controller
    seed: int = 0

    def choose(self, views: Sequence[View]) -> list[Choice]:
        """Up to `width` relations, all equally likely, and stopping as one of them."""
        return [self._choose(view) for view in views]

    def _choose(self, view: View) -> Choice:
        draw = draw_for(self.seed, view)
        places = draw.sample(range(len(view.options)), min(view.width, len(view.options)))
        return Choice(tuple((place, 1.0) for place in places), 1.0 if view.can_stop else 0.0)

    def extract(self, linked: LinkedQuestion, candidates: Sequence[Candidate]) -> int | None:
        """What the judge chooses."""
        return self.judge.extract(linked, candidates)


def draw_for(seed: int, view: View) -> random.Random:
    """Random numbers that depend on the seed, the question and the path only, never on what is shown."""
    start, node, hops = view.path.key
    way = ",".join(f"{hop.directed}x{hop.depth}" for hop in hops)
    return random.Random(f"{seed}|{view.question}|{start}|{node}|{way}")


def _way(view: View, gold: Mapping[str, GoldWay]) -> tuple[Step, ...]:
    known = gold.get(view.question)
    return () if known is None or view.path.topic.node is None else known.ways.get(view.path.topic.node, ())


STOP_PLACE: Final = -1
"""In place of an option: the way ends here."""


def wanted(index: GraphIndex, view: View, gold: Mapping[str, GoldWay], place: int | None) -> int | None:
    """The place of the option that the gold way takes next, or STOP_PLACE; None where it takes none of them."""
    way = _way(view, gold)
    if place is not None and place >= len(way):
        return STOP_PLACE if view.can_stop else None
    by_step = {
        (index.relations[option.relation].iri, option.leg.hops[-1].backward): number
        for number, option in reversed(list(enumerate(view.options)))
        if option.leg.hops[-1].depth == 1
    }
    if place is not None:
        return by_step.get(way[place])
    found = next((by_step[step] for step in way if step in by_step), None)
    return STOP_PLACE if found is None else found


def noisy(view: View, right: int | None, noise: float, draw: random.Random) -> Choice:
    """The right choice with most of the weight, or with probability `noise` another one; up to `width` in all."""
    struck = draw.random() < noise
    every = list(range(len(view.options)))
    draw.shuffle(every)
    if struck or right is None:
        others = [one for one in every if one != right]
        first = others[0] if others else STOP_PLACE
    else:
        first = right
    rest = [one for one in every if one != first][: view.width - 1]
    options = [(first, SURE)] if first != STOP_PLACE else []
    options += [(one, (1.0 - SURE) / len(rest)) for one in rest]
    return Choice(tuple(options), SURE if first == STOP_PLACE else 0.0)


def _likeliest(candidates: Sequence[Candidate]) -> int | None:
    return 0 if candidates else None
