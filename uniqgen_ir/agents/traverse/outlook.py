"""What can be seen from the end of a path: where walks start, and which relations lead on, ranked before any is cut."""

from __future__ import annotations

from typing import Final

from attrs import define, evolve, field, frozen

from uniqgen_ir.agents.context import bounded
from uniqgen_ir.agents.legs import Leg, extensions
from uniqgen_ir.agents.likeness import best_likeness
from uniqgen_ir.agents.matching import RelationMatcher
from uniqgen_ir.agents.traverse.paths import Path, Topic, hop_text, hops_told, nodes_text
from uniqgen_ir.agents.traverse.views import Option, View
from uniqgen_ir.ir.terms import BlankNode
from uniqgen_ir.kg.linking.index import GraphIndex
from uniqgen_ir.kg.linking.mentions import LinkedQuestion, Mention

MEANINGS: Final = 2
"""How many things of one name a walk starts from."""
SECOND_MEANING: Final = 0.5


@frozen(kw_only=True)
class WalkOptions:
    """Bounds of a walk. `history` is K: how many of the last hops each prompt shows (None: all).

    `width` relations at most are chosen a step, among the `cap` best ranked; `beams` paths of each topic go on.
    """

    history: int | None = 1
    width: int = 3
    depth: int = 3
    beams: int = 16
    cap: int = 50

    def __attrs_post_init__(self) -> None:
        for name in ("width", "depth", "beams", "cap"):
            if getattr(self, name) < 1:
                raise ValueError(f"{name} is {getattr(self, name)}; it must be at least 1")
        if self.history is not None and self.history < 0:
            raise ValueError(f"history is {self.history}; it is at least 0, or None for all")


def topics_of(linked: LinkedQuestion, index: GraphIndex) -> tuple[Topic, ...]:
    """The starts: things that the question surely names; without any, those that it may name, then values."""
    strong = [one for one in linked.entities if one.strong]
    mentions = strong or list(linked.entities)
    if not mentions:
        return tuple(Topic(one, None, frozenset(one.nodes)) for one in linked.values if one.nodes)
    return tuple(topic for mention in mentions for topic in _meanings(mention, index))


def starts(linked: LinkedQuestion, index: GraphIndex) -> list[Path]:
    """A path without hops for each topic."""
    return [Path(topic, Leg((), (topic.nodes,)), topic.score) for topic in topics_of(linked, index)]


def _meanings(mention: Mention, index: GraphIndex) -> list[Topic]:
    # a query cannot name a blank node
    nodes = [one for one in mention.nodes if not isinstance(index.terms[one], BlankNode)]
    return [Topic(mention, node, frozenset({node}), SECOND_MEANING**rank) for rank, node in enumerate(nodes[:MEANINGS])]


@define
class Outlook:
    """The views of one question's walk; `within`: nodes that are never left."""

    index: GraphIndex
    matcher: RelationMatcher
    options: WalkOptions
    linked: LinkedQuestion
    within: frozenset[int] | None = None
    likeness: dict[str, float] = field(init=False)

    def __attrs_post_init__(self) -> None:
        best = best_likeness(self.linked, self.matcher)
        self.likeness = {key: value for key, (value, _) in best.items()}

    def view(self, path: Path) -> View:
        """What is shown at the end of a path."""
        index, options = self.index, self.options
        ranked = self._ranked(path)
        shown = ranked[: options.cap]
        kind = index.smallest_class(sorted(path.ends)[:30])
        return View(
            self.linked,
            bounded(hops_told(index, path), options.history),
            nodes_text(index, path.ends),
            None if kind is None else index.classes[kind].label,
            tuple(evolve(one, id=f"r{place}") for place, one in enumerate(shown, 1)),
            len(ranked) - len(shown),
            path,
            options.width,
        )

    def _ranked(self, path: Path) -> list[Option]:
        """Every relation from the end of the path, the likeliest first: ranked before any is cut off."""
        index = self.index
        found: list[Option] = []
        for leg in extensions(index, path.leg):
            kept = leg if self.within is None else _inside(leg, self.within)
            if not kept.end:
                continue
            hop = kept.hops[-1]
            likeness = self.likeness.get(self.matcher.key_of(hop.relation), 0.0)
            found.append(Option("", kept, f'"{hop_text(index, hop)}"', nodes_text(index, kept.end), likeness))
        return sorted(found, key=lambda one: (-one.likeness, one.leg.hops[-1].directed, one.leg.hops[-1].depth))


def _inside(leg: Leg, within: frozenset[int]) -> Leg:
    return evolve(leg, sets=(*leg.sets[:-1], leg.end & within))
