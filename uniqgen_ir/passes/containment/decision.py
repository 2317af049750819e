"""What is decided about a block: contained with its cases, refuted, or undecided with a reason."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum

from attrs import frozen

from uniqgen_ir.passes.containment.assignments import Case
from uniqgen_ir.passes.containment.blocks import Block
from uniqgen_ir.passes.containment.matching import Match
from uniqgen_ir.passes.containment.target import Target
from uniqgen_ir.passes.saturate.engine import Saturation


class Status(StrEnum):
    CONTAINED = "contained"
    REFUTED = "refuted"
    UNDECIDED = "undecided"


@frozen(eq=False)
class ProofCase:
    """One homomorphism, from the `number`th of the other blocks, and the conditions under which it is one.

    `block` is what it leads into: the contained block with what the schema adds and with paths opened.
    """

    block: Block
    number: int
    match: Match
    when: Case
    saturation: Saturation | None = None


@frozen(eq=False)
class EmptyCase:
    """A part of the contained block that can have no answer."""

    reason: str


@frozen(eq=False)
class Decision:
    """What was found. `targets`: databases on which the queries should differ (refuted) or may (undecided)."""

    status: Status
    cases: tuple[ProofCase | EmptyCase, ...] = ()
    reason: str = ""
    targets: tuple[Target, ...] = ()


def together(decisions: Iterable[Decision]) -> Decision:
    """The decision on a union from those on its parts."""
    listed = list(decisions)
    for status in (Status.REFUTED, Status.UNDECIDED):
        found = [one for one in listed if one.status is status]
        if found:
            targets = tuple(target for one in found for target in one.targets)
            return Decision(status, reason=found[0].reason, targets=targets)
    return Decision(Status.CONTAINED, tuple(case for one in listed for case in one.cases))
