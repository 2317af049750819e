"""The arms of the study: each controller with each K, and controls."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from typing import Final

from attrs import frozen

from uniqgen_ir.agents.context import history_name
from uniqgen_ir.ir.diagnostics import fail

LEXICAL: Final = "lexical"
_SCRIPTED: Final = ("scripted", "reading")


class Kind(StrEnum):
    """What an arm does."""

    WALK = "walk"
    RANDOM = "random relations"
    """the controller only chooses the path that answers"""
    MEMORY = "no graph"
    """the model answers from what it knows"""
    THINK_ON_GRAPH = "think on graph"
    """single entities as beams, the whole past in every prompt"""


CONTROLS: Final = {"random": Kind.RANDOM, "memory": Kind.MEMORY, "tog": Kind.THINK_ON_GRAPH}
NEED_MODEL: Final = (Kind.MEMORY, Kind.THINK_ON_GRAPH)


@frozen
class Guide:
    """Who chooses: `lexical`, a script (`scripted:NOISE`, `reading:NOISE,DISTRACTION`), or a model by its name."""

    name: str
    plumbing: bool = False
    """a model that is only there to see that everything fits together: its figures mean nothing"""

    def __attrs_post_init__(self) -> None:
        if self.scripted and not all(0.0 <= one <= 1.0 for one in self.shares):
            raise fail("UQ653", f"{self.name}: noise and distraction lie between 0 and 1")

    @property
    def scripted(self) -> bool:
        """Whether it is a script."""
        return self.name.partition(":")[0] in _SCRIPTED and ":" in self.name

    @property
    def synthetic(self) -> bool:
        """Whether its figures say nothing about models."""
        return self.scripted or (self.plumbing and self.is_model)

    @property
    def is_model(self) -> bool:
        return self.name != LEXICAL and not self.scripted

    @property
    def shares(self) -> tuple[float, ...]:
        """Noise, and distraction where it is given. Raises DiagnosticError (UQ653)."""
        kind, _, text = self.name.partition(":")
        try:
            found = tuple(float(one) for one in text.split(","))
        except ValueError:
            found = ()
        if len(found) != (1 if kind == "scripted" else 2):
            hint = "scripted:NOISE or reading:NOISE,DISTRACTION, each between 0 and 1"
            raise fail("UQ653", f"{self.name} is no script of a walk", hint=hint)
        return found


@frozen
class Arm:
    """One way of answering all the questions."""

    guide: Guide
    kind: Kind = Kind.WALK
    history: int | None = None

    @property
    def name(self) -> str:
        """How reports call it."""
        what = f"K={history_name(self.history)}" if self.kind is Kind.WALK else self.kind.value
        return f"{self.guide.name}, {what}"


def arms_of(
    guides: Sequence[str], histories: Sequence[int | None], controls: Sequence[str], *, plumbing: bool = False
) -> tuple[Arm, ...]:
    """Every guide with every K and every control that it can do. Raises DiagnosticError (UQ653)."""
    unknown = [one for one in controls if one not in CONTROLS]
    if unknown:
        raise fail("UQ653", f"there is no control {unknown[0]!r}", hint=f"there are {', '.join(CONTROLS)}")
    found: list[Arm] = []
    for name in dict.fromkeys(guides):
        guide = Guide(name, plumbing)
        found += [Arm(guide, history=one) for one in dict.fromkeys(histories)]
        kinds = [CONTROLS[one] for one in dict.fromkeys(controls)]
        found += [Arm(guide, kind) for kind in kinds if guide.is_model or kind not in NEED_MODEL]
    return tuple(found)
