"""The figures of a run: one column a model, broken down by what the data set says of its questions."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from typing import Any, Final

from uniqgen_ir.evaluation.metrics import interval, mean, percentile
from uniqgen_ir.evaluation.runner import Line

METRICS: Final = ("f1", "hits1", "exact")
MOST_KINDS: Final = 12
"""A group with more kinds than this is told by its mean over kinds and its worst ones."""
WORST: Final = 8


def summarise(lines: Sequence[Line], models: Sequence[str]) -> dict[str, Any]:
    """`{model: {"questions", "f1": {"mean", "low", "high"}, …, "groups"}}`, in the order of the models."""
    by_model: defaultdict[str, list[Line]] = defaultdict(list)
    for line in lines:
        by_model[line["model"]].append(line)
    return {name: _figures(by_model[name]) for name in dict.fromkeys(models) if by_model[name]}


def _figures(lines: Sequence[Line]) -> dict[str, Any]:
    answered = [line for line in lines if line.get("answers")]
    times = [line["ms"] for line in lines if "ms" in line]
    reasons = Counter(line["abstained"] for line in lines if line.get("abstained"))
    return {
        "questions": len(lines),
        **{name: _mean_and_interval([line[name] for line in lines]) for name in METRICS},
        "answered": len(answered),
        "f1_universal": round(mean([line.get("f1_universal", 0.0) for line in lines]), 4),
        "f1_of_answered": round(mean([line["f1"] for line in answered]), 4),
        "abstained": dict(reasons.most_common()),
        "errors": dict(Counter(line["error"]["code"] for line in lines if "error" in line).most_common()),
        "engines_agree": round(mean([float(line["engines_agree"]) for line in lines if "engines_agree" in line]), 4),
        "ms": {"p50": percentile(times, 0.5), "p95": percentile(times, 0.95)},
        "store_calls": round(mean([line["store_calls"] for line in lines if "store_calls" in line]), 2),
        **{name: sum(line.get(name, 0) for line in lines) for name in ("model_calls", "input_tokens", "output_tokens")},
        "groups": _groups(lines),
    }


def _mean_and_interval(values: Sequence[float]) -> dict[str, float]:
    low, high = interval(values)
    return {"mean": round(mean(values), 4), "low": round(low, 4), "high": round(high, 4)}


def _groups(lines: Sequence[Line]) -> dict[str, Any]:
    found: defaultdict[str, defaultdict[str, list[Line]]] = defaultdict(lambda: defaultdict(list))
    for line in lines:
        for name, kind in line["groups"].items():
            found[name][kind].append(line)
    return {name: _kinds(kinds) for name, kinds in sorted(found.items()) if len(kinds) > 1}


def _kinds(kinds: dict[str, list[Line]]) -> dict[str, Any]:
    means = {kind: [round(mean([line[name] for line in one]), 4) for name in METRICS] for kind, one in kinds.items()}
    every = {
        kind: {"questions": len(kinds[kind]), **dict(zip(METRICS, values, strict=True))}
        for kind, values in sorted(means.items())
    }
    over_kinds = round(mean([values[0] for values in means.values()]), 4)
    if len(kinds) <= MOST_KINDS:
        return {"kinds": len(kinds), "f1_over_kinds": over_kinds, "each": every}
    worst = sorted(every, key=lambda kind: (every[kind]["f1"], kind))[:WORST]
    return {"kinds": len(kinds), "f1_over_kinds": over_kinds, "worst": {kind: every[kind] for kind in worst}}
