"""Arms against each other, question by question: wins, losses, ties, the sign test, and what made the difference."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, Final

from attrs import frozen

from uniqgen_ir.evaluation.bpc.study import Line

HELPED: Final = "a hop that was shown told the way"
MISLED: Final = "a stale hop that was shown led astray"
FALLING_OUT: Final = "the same leading choices, weighed otherwise"
ELSEWHERE: Final = "another choice without another hop shown"
EXAMPLES: Final = 5


@frozen
class Comparison:
    """One arm against another on the same questions; `reasons` says what decided those that differ."""

    wins: int
    losses: int
    ties: int
    p: float
    """two-sided exact sign test"""
    reasons: Mapping[str, int]
    examples: tuple[Mapping[str, Any], ...]

    def to_json(self) -> dict[str, Any]:
        return {
            "wins": self.wins,
            "losses": self.losses,
            "ties": self.ties,
            "p": round(self.p, 4),
            "reasons": dict(self.reasons),
            "examples": [dict(one) for one in self.examples],
        }


def compare(lines: Sequence[Line], others: Sequence[Line]) -> Comparison:
    """`lines` against `others`, paired by place. Raises ValueError where they are not of the same questions."""
    if [one["question"] for one in lines] != [one["question"] for one in others]:
        raise ValueError("the lines of two arms are not of the same questions")
    reasons: Counter[str] = Counter()
    examples: list[Mapping[str, Any]] = []
    wins = losses = 0
    for one, other in zip(lines, others, strict=True):
        if one["f1"] == other["f1"]:
            continue
        won = one["f1"] > other["f1"]
        wins, losses = wins + won, losses + (not won)
        reason, where = why(one, other)
        reasons[reason] += 1
        if sum(example["reason"] == reason for example in examples) < EXAMPLES:
            examples.append(
                {
                    "question": one["question"],
                    "f1": [one["f1"], other["f1"]],
                    "reason": reason,
                    "at": where,
                    "paths": [one.get("paths", []), other.get("paths", [])],
                }
            )
    ties = len(lines) - wins - losses
    return Comparison(wins, losses, ties, sign_test(wins, losses), dict(reasons.most_common()), tuple(examples))


def why(one: Line, other: Line) -> tuple[str, str]:
    """What decided between two lines of one question, and where: the first path that they led on differently."""
    theirs = {step["path"]: step for step in other.get("steps", ())}
    for mine in one.get("steps", ()):
        step = theirs.get(mine["path"])
        if step is None or _lead(mine) == _lead(step):
            continue
        more = len(mine["shown"]) - len(step["shown"])
        if more == 0:
            return ELSEWHERE, mine["path"]
        better_saw_more = (one["f1"] > other["f1"]) == (more > 0)
        longer, shorter = (mine, step) if more > 0 else (step, mine)
        extra = sorted(set(longer["shown"]) - set(shorter["shown"]))
        hops = ", ".join(f"hop {number}" for number in extra)
        return (HELPED if better_saw_more else MISLED), f"{mine['path']} ({hops})"
    return FALLING_OUT, ""


def _lead(step: Mapping[str, Any]) -> str | None:
    """The hop with most of the weight; None for stopping."""
    best = max(step["chosen"], key=step["chosen"].__getitem__, default=None)
    return None if best is None or step["stop"] > step["chosen"][best] else best


def sign_test(wins: int, losses: int) -> float:
    """The two-sided exact p-value of so many wins and losses under even odds; 1 without any."""
    total = wins + losses
    if total == 0:
        return 1.0
    tail = sum(math.comb(total, count) for count in range(min(wins, losses) + 1))
    return min(1.0, 2 * tail / (1 << total))  # whole numbers until the last step, so that no size overflows
