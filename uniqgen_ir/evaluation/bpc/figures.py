"""The figures of the study: each arm's means with intervals, tokens by depth, and every K against the whole history."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any, Final

from uniqgen_ir.evaluation.bpc.arms import Arm, Kind
from uniqgen_ir.evaluation.bpc.compare import compare
from uniqgen_ir.evaluation.bpc.study import Line
from uniqgen_ir.evaluation.metrics import interval, mean, percentile

RESAMPLES: Final = 10_000
METRICS: Final = ("f1", "hits1", "exact")


def figures(lines: Sequence[Line], arms: Sequence[Arm], seed: int) -> dict[str, Any]:
    """`{"arms": {name: …}, "comparisons": [{"arm", "against", "wins", …}]}`, in the order of the arms.

    Everything but `seconds` and `ms` follows from the lines alone, so that a resumed run tells the same.
    """
    by_arm: defaultdict[str, list[Line]] = defaultdict(list)
    for line in lines:
        by_arm[line["arm"]].append(line)
    known = [arm for arm in arms if by_arm[arm.name]]
    return {
        "synthetic": list(dict.fromkeys(arm.guide.name for arm in known if arm.guide.synthetic)),
        "arms": {arm.name: _arm(arm, by_arm[arm.name], seed) for arm in known},
        "comparisons": [
            {"arm": one.name, "against": other.name, **compare(by_arm[one.name], by_arm[other.name]).to_json()}
            for one, other in _pairs(known)
        ],
    }


def _pairs(arms: Sequence[Arm]) -> list[tuple[Arm, Arm]]:
    """Every walk against the one of its guide that sees most."""
    found: list[tuple[Arm, Arm]] = []
    for guide in dict.fromkeys(arm.guide for arm in arms):
        walks = [arm for arm in arms if arm.guide == guide and arm.kind is Kind.WALK]
        if walks:
            most = max(walks, key=lambda arm: float("inf") if arm.history is None else arm.history)
            found += [(arm, most) for arm in walks if arm != most]
    return found


def _arm(arm: Arm, lines: Sequence[Line], seed: int) -> dict[str, Any]:
    return {
        "synthetic": arm.guide.synthetic,
        "questions": len(lines),
        **{name: _mean([line[name] for line in lines], seed) for name in METRICS},
        "answered": sum(bool(line["answers"]) for line in lines),
        "errors": sum("error" in line for line in lines),
        "calls": round(mean([line["calls"] for line in lines]), 3),
        "prompt_tokens": {
            "mean": round(mean([line["prompt_tokens"] for line in lines]), 1),
            "sum": sum(line["prompt_tokens"] for line in lines),
        },
        "input_tokens": sum(line.get("input_tokens", 0) for line in lines),
        "output_tokens": sum(line.get("output_tokens", 0) for line in lines),
        "seconds": round(sum(line["ms"] for line in lines) / 1000.0, 2),
        "ms": {"p50": percentile([line["ms"] for line in lines], 0.5)},
        "tokens_by_depth": _by_depth(lines),
    }


def _mean(values: Sequence[float], seed: int) -> dict[str, float]:
    low, high = interval(values, seed, RESAMPLES)
    return {"mean": round(mean(values), 4), "low": round(low, 4), "high": round(high, 4)}


def _by_depth(lines: Sequence[Line]) -> list[Mapping[str, float]]:
    """For each depth how many prompts there were, their mean tokens, and how many hops they showed."""
    found: defaultdict[int, list[Mapping[str, Any]]] = defaultdict(list)
    for line in lines:
        for step in line.get("steps", ()):
            found[step["depth"]].append(step)
    return [
        {
            "depth": depth,
            "prompts": len(steps),
            "tokens": round(mean([step["tokens"] for step in steps]), 1),
            "hops_shown": round(mean([len(step["shown"]) for step in steps]), 2),
        }
        for depth, steps in sorted(found.items())
    ]
