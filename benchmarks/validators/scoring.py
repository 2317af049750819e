"""What a tool's answers are worth: detection, right reasons, false alarms, repairs, speed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from attrs import frozen
from reasons import kinds_of

Case = Mapping[str, Any]


@frozen
class Verdict:
    """What a tool said of a case. `alarm`: whether it finds a fault; `kinds`: what it takes the faults to be."""

    case: Case
    alarm: bool
    kinds: frozenset[str]
    fixed: str | None
    seconds: float
    crashed: bool = False


@frozen
class Score:
    """Shares between 0 and 1 over the cases of one language; queries a second of CPU time."""

    wrong: int
    right: int
    recall: float
    right_reason: float
    precision: float
    false_alarms: float
    repairs: int
    repairable: int
    crashes: int
    per_second: float


def verdict_of_peer(case: Case, answer: Mapping[str, Any]) -> Verdict:
    """The verdict that a line of `ask_peers.py` stands for."""
    kinds = frozenset(kind for message in answer["found"] for kind in kinds_of(message))
    return Verdict(
        case, bool(answer["found"]), kinds, answer["fixed"], answer["seconds"], answer["crashed"] is not None
    )


def score(verdicts: Sequence[Verdict]) -> Score:
    """The score of a tool. A valid case for which a warning is due may be warned of."""
    wrong = [one for one in verdicts if not one.case["expect"]["valid"]]
    right = [one for one in verdicts if one.case["expect"]["valid"]]
    caught = [one for one in wrong if one.alarm]
    named = [one for one in caught if one.kinds & set(one.case["expect"]["diagnostics"])]
    alarms = [one for one in right if one.alarm and not one.case["expect"]["diagnostics"]]
    repairable = [one for one in verdicts if "fixed_query" in one.case["expect"]]
    return Score(
        len(wrong),
        len(right),
        len(caught) / len(wrong),
        len(named) / len(wrong),
        len(caught) / max(1, len(caught) + len(alarms)),
        len(alarms) / len(right),
        sum(_bare(one.fixed) == _bare(one.case["expect"]["fixed_query"]) for one in repairable),
        len(repairable),
        sum(one.crashed for one in verdicts),
        len(verdicts) / max(1e-9, sum(one.seconds for one in verdicts)),
    )


def together(tools: Iterable[Sequence[Verdict]]) -> list[Verdict]:
    """Several tools as one, which says what any of them says; the first repair that is right counts."""
    found: list[Verdict] = []
    for same in zip(*tools, strict=True):
        case = same[0].case
        wanted = _bare(case["expect"].get("fixed_query"))
        fixed = next((one.fixed for one in same if one.fixed and _bare(one.fixed) == wanted), None)
        kinds = frozenset(kind for one in same for kind in one.kinds)
        seconds = sum(one.seconds for one in same)
        found.append(Verdict(case, any(one.alarm for one in same), kinds, fixed, seconds))
    return found


def _bare(query: str | None) -> str:
    """Without what a repair need not keep: white space, case, a last semicolon."""
    return "".join((query or "").split()).rstrip(";").lower()
