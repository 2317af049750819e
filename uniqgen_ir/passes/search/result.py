"""What a search found, in the shape of the command line's JSON."""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum
from typing import TypeAlias

from attrs import field, frozen

from uniqgen_ir.ir.table import Table
from uniqgen_ir.ir.terms import GroundTerm
from uniqgen_ir.passes.search.show import show_answer, show_answers
from uniqgen_ir.passes.trace import Json, Step

AnswerKey: TypeAlias = tuple[GroundTerm, ...]


class Status(StrEnum):
    OK = "ok"
    NONE = "none"
    """no safe set of rows keeps the reference answers"""
    STOPPED = "stopped"
    """the budget ended first; what is given is sound, perhaps not maximal or not minimal"""


class WitnessKind(StrEnum):
    ANSWER = "answer"
    """without the row this answer would come in"""
    UNSAFE = "unsafe"
    """without the row a variable of the answer would be bound by nothing"""
    REQUIRED = "required"
    """pinned by the writer, or needed for what the head shows"""
    OBJECTIVE = "objective"
    """the objective `tight` keeps every row that the answers allow"""
    EVIDENCE = "evidence"
    """it changes nothing on this graph, but does not follow from the others on every graph, and only such rows were to
    go"""
    UNTESTED = "untested"
    """the budget ended before it could be tested"""
    BEAM = "beam"
    """the beam found no smaller set with the same answers; none was ruled out"""


class DropReason(StrEnum):
    LOSES_ANSWERS = "loses_answers"
    EMPTY = "leaves_no_answer"
    ORPHANED = "orphaned"
    BEAM = "beam"
    """left out on the beam's way to a complete set; it might have stayed"""
    UNSAFE = "no_safe_set"
    """the table as a whole could not be relaxed"""
    UNTESTED = "untested"


class RedundancyKind(StrEnum):
    IMPLIED = "implied"
    """follows from the other rows on every graph"""
    DATA = "data"
    """changes nothing on this graph"""


@frozen
class Kept:
    row: str
    kind: WitnessKind
    answer: AnswerKey | None = None
    """for kind `answer`: an answer that the table without the row lets in"""

    def to_json(self) -> Json:
        witness: dict[str, Json] = {"kind": self.kind.value}
        if self.answer is not None:
            witness["answer"] = show_answer(self.answer)
        return {"row": self.row, "witness": witness}


@frozen
class Dropped:
    row: str
    reason: DropReason
    lost: tuple[AnswerKey, ...] = ()
    """the reference answers that the kept rows would lose together with this one"""
    unbound: tuple[str, ...] = ()
    """for an orphan: the variables that no kept row binds"""

    def to_json(self) -> Json:
        witness: dict[str, Json] = {"lost": show_answers(self.lost)} if self.lost else {}
        if self.unbound:
            witness["unbound"] = list(self.unbound)
        return {"row": self.row, "reason": self.reason.value, "witness": witness or None}


@frozen
class Redundant:
    row: str
    kind: RedundancyKind
    because: str = ""

    def to_json(self) -> Json:
        return {"row": self.row, "kind": self.kind.value, "because": self.because}


@frozen
class LeftOut:
    """Branches of an `either` without which the answers on this graph are the same, counted from 1."""

    row: str
    branches: tuple[int, ...]

    def to_json(self) -> Json:
        return {"row": self.row, "branches": list(self.branches), "kind": RedundancyKind.DATA.value}


class Outcome(StrEnum):
    """What a set of rows turned out to be when it was tried."""

    COMPLETE = "complete"
    """it keeps the reference answers"""
    INCOMPLETE = "incomplete"
    SOUND = "sound"
    """it has the answers of U*, and no other"""
    LEAKING = "leaking"
    """it lets other answers in"""
    UNKNOWN = "unknown"
    """the time or the budget ended first"""


@frozen
class Tried:
    """A set of rows that the search looked at, and what came out; `note` names an answer that decided it."""

    rows: frozenset[str]
    outcome: Outcome
    note: str = ""


@frozen
class Blocking:
    """A reference answer that stands in the way, and the rows that would lose it."""

    answer: AnswerKey
    rows: tuple[str, ...]

    def to_json(self) -> Json:
        return {"answer": show_answer(self.answer), "rows": list(self.rows)}


@frozen
class Suspect:
    """A reference answer that alone keeps rows out: without it they could stay."""

    answer: AnswerKey
    rows: tuple[str, ...]

    def to_json(self) -> Json:
        return {"answer": show_answer(self.answer), "rows": list(self.rows)}


@frozen
class Alternative:
    """Another maximal set, or the set without the suspects; `tells_apart`: an answer that only one of them gives."""

    rows: tuple[str, ...]
    reason: str
    tells_apart: AnswerKey | None = None
    table: Table | None = None
    """the table of these rows"""

    def to_json(self) -> Json:
        """Row ids, why it is proposed, the answer that tells it apart, and the table as text."""
        from uniqgen_ir.ir.printer import print_table

        apart = None if self.tells_apart is None else show_answer(self.tells_apart)
        text = None if self.table is None else print_table(self.table)
        return {"rows": list(self.rows), "reason": self.reason, "tells_apart": apart, "table": text}


def _unknown_width(_: tuple[str, ...]) -> float:
    return 1.0


@frozen
class Relaxed:
    """What the chase found: a complete set of rows, or none."""

    status: Status
    rows: tuple[str, ...]
    """U*, active rows only, in table order"""
    dropped: tuple[Dropped, ...]
    optimal: bool = False
    maximal: bool = True
    answers: tuple[AnswerKey, ...] = ()
    """the reference answers that are covered"""
    blocking: tuple[Blocking, ...] = ()
    suspects: tuple[Suspect, ...] = ()
    alternatives: tuple[Alternative, ...] = ()
    width: Callable[[tuple[str, ...]], float] = field(default=_unknown_width, eq=False, repr=False)
    """how many solutions a block of rows has for one reference answer, as far as that is known"""


@frozen
class Tightened:
    """What the backchase found: a subset of U* that gives the same answers."""

    status: Status
    kept: tuple[Kept, ...]
    redundant: tuple[Redundant, ...]
    answers: tuple[AnswerKey, ...] | None
    """None: they could not all be had within the budget"""
    optimal: bool = False
    branches: tuple[LeftOut, ...] = ()
    """branches that the kept rows do without"""


@frozen
class ChaseReport:
    """The outcome of chase and backchase. Every row of the input stands in exactly one of kept, dropped, redundant."""

    status: Status
    optimal: bool
    table: Table | None
    kept: tuple[Kept, ...] = ()
    dropped: tuple[Dropped, ...] = ()
    redundant: tuple[Redundant, ...] = ()
    blocking: tuple[Blocking, ...] = ()
    alternatives: tuple[Alternative, ...] = ()
    suspects: tuple[Suspect, ...] = ()
    answers: tuple[AnswerKey, ...] | None = ()
    """what the table gives; None: the answers could not all be had within the budget"""
    calls: int = 0
    ms: float = 0.0
    reference: bool = True
    """False where no reference answer was given: the tightest non-empty table was kept instead"""
    steps: tuple[Step, ...] = field(default=(), repr=False)
    tried: tuple[Tried, ...] = field(default=(), repr=False)
    """every set of rows that was looked at, in order"""
    theta: float = 1.0
    """the share of the reference answers that the table had to cover"""
    doubted: tuple[AnswerKey, ...] = ()
    """reference answers that the table leaves out, where `theta` allows that"""
    branches: tuple[LeftOut, ...] = ()
    """branches of kept rows that the table does without"""

    def to_json(self, table_text: str | None = None) -> dict[str, Json]:
        """The command line's JSON; `table_text` is the printed minimal table (None where there is no table)."""
        return {
            "status": self.status.value,
            "optimal": self.optimal,
            "table": table_text,
            "kept": [one.to_json() for one in self.kept],
            "dropped": [one.to_json() for one in self.dropped],
            "redundant": [one.to_json() for one in self.redundant],
            "blocking": [one.to_json() for one in self.blocking],
            "alternatives": [one.to_json() for one in self.alternatives],
            "suspects": [one.to_json() for one in self.suspects],
            "answers": None if self.answers is None else show_answers(self.answers),
            "calls": self.calls,
            "ms": round(self.ms, 3),
            "reference": self.reference,
            "theta": self.theta,
            "doubted": show_answers(self.doubted),
            "branches": [one.to_json() for one in self.branches],
        }
