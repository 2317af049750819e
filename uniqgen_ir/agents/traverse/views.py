"""What a controller is shown at a step, what it answers, and what it must be able to do."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, TypeAlias

from attrs import field, frozen

from uniqgen_ir.agents.context import BoundedHistory
from uniqgen_ir.agents.legs import Leg
from uniqgen_ir.agents.traverse.paths import Path
from uniqgen_ir.kg.linking.mentions import LinkedQuestion


@frozen
class Option:
    """A relation that leads on: its id in the prompt, the path it would make, its words and what it leads to."""

    id: str
    leg: Leg = field(repr=False, eq=False)
    text: str = ""
    to: str = ""
    likeness: float = 0.0
    """how well the question's words say it, in [0, 1]"""

    @property
    def relation(self) -> int:
        """The number of its relation in the index."""
        return self.leg.hops[-1].relation


@frozen
class View:
    """All that is shown at one step of one path. `options` are ranked; `left_out` more did not fit the cap.

    `path` is the walk's own memory, for records and scripted controllers: no prompt shows it.
    """

    linked: LinkedQuestion
    history: BoundedHistory
    current: str
    kind: str | None
    options: tuple[Option, ...]
    left_out: int
    path: Path = field(repr=False)
    width: int = 3

    @property
    def question(self) -> str:
        """The question as it was asked."""
        return self.linked.text

    @property
    def step(self) -> int:
        """The number of the hop that is to be chosen, from 1."""
        return self.path.depth + 1

    @property
    def can_stop(self) -> bool:
        """Whether the current entity may be the answer: the start never is."""
        return self.path.depth > 0


@frozen
class Choice:
    """Places of options with their weights above 0, and the weight of stopping here (0: not chosen)."""

    options: tuple[tuple[int, float], ...]
    stop: float = 0.0

    @property
    def shares(self) -> tuple[tuple[int, float], ...]:
        """The options with their shares: all shares and that of stopping add up to 1."""
        return tuple((place, weight / self._total) for place, weight in self.options)

    @property
    def stop_share(self) -> float:
        """The share of stopping."""
        return self.stop / self._total if self.stop else 0.0

    @property
    def _total(self) -> float:
        return self.stop + sum(weight for _, weight in self.options)


@frozen
class Candidate:
    """Paths from one topic or several that meet, where they meet, and how likely they are together."""

    paths: tuple[Path, ...]
    nodes: frozenset[int] = field(repr=False)
    score: float = 0.0


Choices: TypeAlias = Sequence[Choice]


class Controller(Protocol):
    """Chooses relations step by step, and in the end which paths answer the question."""

    def choose(self, views: Sequence[View]) -> Choices:
        """A choice for each view, in their order. Nothing but the options can be named."""
        ...

    def extract(self, linked: LinkedQuestion, candidates: Sequence[Candidate]) -> int | None:
        """The place of the candidate that answers the question; None for none of them."""
        ...
