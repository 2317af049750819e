"""The controller without a model: words of the question against names of relations."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

from attrs import define

from uniqgen_ir.agents.expectation import WRONG_CLASS, class_share, expectation, kind_cost, nameless_cost
from uniqgen_ir.agents.legs import Hop
from uniqgen_ir.agents.likeness import best_likeness
from uniqgen_ir.agents.matching import RelationMatcher
from uniqgen_ir.agents.traverse.views import Candidate, Choice, Option, View
from uniqgen_ir.kg.linking.index import GraphIndex
from uniqgen_ir.kg.linking.mentions import LinkedQuestion

TEMPERATURE: Final = 0.12
"""How fast the weight of a relation falls with its likeness."""
STOP_LIKENESS: Final = 0.4
"""The likeness that a relation must beat to be worth another hop."""
RIGHT_CLASS: Final = 0.35
"""What is added to it where the current entity is of the class that the question asks for."""
OTHER_CLASS: Final = 0.15
"""What is taken off where it is of another one."""
WORDS_OF_OTHERS: Final = 0.35
"""What is added where the question names several things: some of its words belong to the walks of the others."""
UNSAID: Final = 0.3
"""What it costs in the end that no hop takes a word which surely means something to the graph."""
STRAIGHT_BACK: Final = 0.3
"""What a hop loses that walks the last one back, as far as that one is shown."""


@define
class LexicalController:
    """Prefers relations that words of the question say, and stops where no word is left that says one.

    Words that a hop which is shown has used say nothing more; of hops that are hidden it knows nothing.
    """

    index: GraphIndex
    matcher: RelationMatcher

    def choose(self, views: Sequence[View]) -> list[Choice]:
        """The `width` likeliest relations of each view, weighted by exp(likeness / temperature)."""
        return [self._choose(view) for view in views]

    def _choose(self, view: View) -> Choice:
        shown = view.path.leg.hops[len(view.path.leg.hops) - len(view.history.shown) :]
        taken = self._taken(view.linked, shown)
        likeness = best_likeness(view.linked, self.matcher, taken)
        scored = [
            (place, likeness.get(self.matcher.key_of(option.relation), (0.0, ()))[0] - _back(option, view))
            for place, option in enumerate(view.options)
        ]
        scored.sort(key=lambda one: (-one[1], one[0]))
        stop = math.exp(self._enough(view) / TEMPERATURE) if view.can_stop else 0.0
        return Choice(tuple((place, math.exp(value / TEMPERATURE)) for place, value in scored[: view.width]), stop)

    def _enough(self, view: View) -> float:
        """The likeness that another hop must beat."""
        classes = expectation(view.linked).classes
        others = sum(one.strong for one in view.linked.entities) > 1
        enough = STOP_LIKENESS + (WORDS_OF_OTHERS if others else 0.0)
        if not classes:
            return enough
        share = class_share(self.index, classes, view.path.ends)
        return enough + RIGHT_CLASS * share - OTHER_CLASS * (1.0 - share)

    def _taken(self, linked: LinkedQuestion, hops: Sequence[Hop]) -> frozenset[int]:
        """The words that the hops shown have used, each hop the stretch that says it best."""
        taken: set[int] = set()
        for hop in hops:
            _, places = best_likeness(linked, self.matcher, taken).get(self.matcher.key_of(hop.relation), (0.0, ()))
            taken |= set(places)
        return frozenset(taken)

    def extract(self, linked: LinkedQuestion, candidates: Sequence[Candidate]) -> int | None:
        """The likeliest candidate whose nodes are of the kind asked for and whose hops take the question's words."""
        expected = expectation(linked)

        def cost(place: int) -> tuple[float, int]:
            one = candidates[place]
            unlikely = kind_cost(self.index, expected, one.nodes) + nameless_cost(self.index, one.nodes)
            if expected.classes:
                unlikely += WRONG_CLASS * (1.0 - class_share(self.index, expected.classes, one.nodes))
            return unlikely + UNSAID * self._unsaid(linked, one) - math.log(one.score), place

        return min(range(len(candidates)), key=cost, default=None)

    def _unsaid(self, linked: LinkedQuestion, candidate: Candidate) -> float:
        """How much of the question's meaning no hop of the candidate takes; names and classes speak for themselves."""
        taken: set[int] = set()
        for path in candidate.paths:
            taken |= self._taken(linked, path.leg.hops)
        for mention in (*linked.entities, *linked.classes, *linked.values):
            taken |= set(mention.positions)
        return sum(
            self.matcher.meaning(token)
            for place, token in enumerate(linked.tokens)
            if place not in taken and token.content
        )


def _back(option: Option, view: View) -> float:
    return STRAIGHT_BACK if view.history.shown and option.leg.undo[-1] else 0.0
