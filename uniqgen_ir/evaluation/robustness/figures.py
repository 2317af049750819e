"""Final F1 of each method by recall and precision of the oracle, as figures, Markdown and plots."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from typing import Any, Final

from uniqgen_ir.evaluation.charts import Chart, Point
from uniqgen_ir.evaluation.metrics import interval, mean
from uniqgen_ir.evaluation.reports import table_lines, with_interval
from uniqgen_ir.evaluation.robustness.methods import ALTERNATIVES, CHASE, METHODS, STRICT, WITHOUT_SUSPECTS
from uniqgen_ir.evaluation.robustness.study import Line

TRUSTED_RECALL: Final = 0.7
"""From this recall on the search is held to be at least as good as every alternative."""
SWEEPS: Final = {
    "recall": "recall (precision 1)",
    "precision": "precision (recall 1)",
    "both": "recall and precision",
}


def figures(lines: Sequence[Line], seed: int) -> dict[str, Any]:
    """`{"questions", "skipped", "points": [{"recall", "precision", "f1": {method: {"mean", "low", "high"}}}], …}`."""
    told = [line for line in lines if "points" in line]
    values: defaultdict[tuple[float, float], defaultdict[str, list[float]]]
    values = defaultdict(lambda: defaultdict(list))
    for line in told:
        for point in line["points"]:
            for method, f1 in point["f1"].items():
                values[point["recall"], point["precision"]][method].append(f1)
    points = [_point(place, by_method, seed) for place, by_method in values.items()]
    return {
        "trials": len(told),
        "skipped": dict(Counter(line["skipped"] for line in lines if "skipped" in line).most_common()),
        "answers": round(mean([line["answers"] for line in told]), 2),
        "points": points,
        "beaten": [one for point in points for one in _beaten(point)],
        "suspects": [_bought(place, by_method, seed) for place, by_method in values.items()],
    }


def _bought(place: tuple[float, float], by_method: Mapping[str, Sequence[float]], seed: int) -> dict[str, Any]:
    """What taking the table without suspects changes at one point: gain with its interval, questions won and lost."""
    pairs = zip(by_method[WITHOUT_SUSPECTS], by_method[STRICT], strict=True)
    gains = [round(proposed - strict, 6) for proposed, strict in pairs]
    low, high = interval(gains, seed)
    return {
        "recall": place[0],
        "precision": place[1],
        "gain": {"mean": round(mean(gains), 4), "low": round(low, 4), "high": round(high, 4)},
        "better": sum(one > 0 for one in gains),
        "worse": sum(one < 0 for one in gains),
    }


def _point(place: tuple[float, float], by_method: Mapping[str, Sequence[float]], seed: int) -> dict[str, Any]:
    found: dict[str, Any] = {"recall": place[0], "precision": place[1], "f1": {}}
    for method in METHODS:
        low, high = interval(by_method[method], seed)
        found["f1"][method] = {
            "mean": round(mean(by_method[method]), 4),
            "low": round(low, 4),
            "high": round(high, 4),
        }
    return found


def _beaten(point: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Where an alternative has the higher mean although the recall is one to trust."""
    if point["recall"] < TRUSTED_RECALL:
        return []
    f1 = point["f1"]
    return [
        {"method": method, "by": other, "recall": point["recall"], "precision": point["precision"],
         "f1": [f1[method]["mean"], f1[other]["mean"]]}
        for method in (CHASE, STRICT) for other in ALTERNATIVES if f1[other]["mean"] > f1[method]["mean"]
    ]  # fmt: skip


def robustness_markdown(report: Mapping[str, Any]) -> str:
    """One table with a row for each point, and where an alternative is better."""
    skipped = ", ".join(f"{number} {reason}" for reason, number in report["skipped"].items())
    head = (
        f"# Robustness to the oracle: {report['dataset']}\n\n{report['trials']} gold queries with three distracting "
        f"rows each on {', '.join(report['graph'])}, {report['answers']:.1f} gold answers on average, seed "
        f"{report['seed']}" + (f"; not tried: {skipped}" if skipped else "") + ". F1 of the final answers, means with "
        "95 % bootstrap intervals. The oracle is scripted: gold answers left out, near misses added."
    )
    rows = [
        [f"{one['recall']:g}", f"{one['precision']:g}", *(with_interval(one["f1"][method]) for method in METHODS)]
        for one in report["points"]
    ]
    parts = [head, "", *table_lines(["recall", "precision", *METHODS], rows), ""]
    for method in (CHASE, STRICT):
        parts += _beaten_lines(method, [one for one in report["beaten"] if one["method"] == method])
    parts += ["## What the suspects rule buys at θ = 1", "", *_suspects_table(report["suspects"])]
    return "\n".join(parts) + "\n"


def _beaten_lines(method: str, found: Sequence[Mapping[str, Any]]) -> list[str]:
    named = method if method == CHASE else f"{CHASE} {method.removeprefix('… ')}"
    if not found:
        return [
            f"Where the recall is at least {TRUSTED_RECALL}, no alternative is better than {named} at any point.",
            "",
        ]
    lines = [
        f"- recall {one['recall']:g}, precision {one['precision']:g}: {one['f1'][0]:.3f} against {one['f1'][1]:.3f} "
        f"({one['by']})"
        for one in found
    ]
    return [f"Where the recall is at least {TRUSTED_RECALL}, an alternative is better than {named} at:", "", *lines, ""]


def _suspects_table(suspects: Sequence[Mapping[str, Any]]) -> list[str]:
    head = ["recall", "precision", "F1 gained", "questions better", "questions worse"]
    rows = [
        [
            *(f"{one['recall']:g}", f"{one['precision']:g}"),
            f"{one['gain']['mean']:+.3f} [{one['gain']['low']:+.3f}, {one['gain']['high']:+.3f}]",
            *(str(one["better"]), str(one["worse"])),
        ]
        for one in suspects
    ]
    return table_lines(head, rows)


def robustness_plots(report: Mapping[str, Any]) -> dict[str, str]:
    """Sweep → SVG picture: recall falling at precision 1, precision falling at recall 1, both falling together."""
    return {name: _chart(report, name).svg() for name in SWEEPS}


def _chart(report: Mapping[str, Any], sweep: str) -> Chart:
    fixed = {"recall": "precision", "precision": "recall"}.get(sweep)
    chosen = [
        one for one in report["points"] if (one["recall"] == one["precision"] if fixed is None else one[fixed] == 1.0)
    ]
    along = "precision" if sweep == "precision" else "recall"
    chosen.sort(key=lambda one: -one[along])
    series: dict[str, list[Point]] = {
        method: [(one[along], one["f1"][method]["mean"]) for one in chosen] for method in METHODS
    }
    ticks = [one[along] for one in chosen]
    return Chart(
        title=f"Final F1 by {SWEEPS[sweep]} of the oracle",
        x_label=f"{SWEEPS[sweep]} of the reference answers",
        y_label="F1 of the final answers",
        x=(min(ticks, default=0.0), 1.0),
        y=(0.0, 1.0),
        series=series,
        spread={
            method: [(one["f1"][method]["low"], one["f1"][method]["high"]) for one in chosen] for method in METHODS
        },
        x_ticks=ticks,
        falling=True,
        note=f"{report['dataset']}: {report['trials']} gold queries; bars: 95 %; seed {report['seed']}",
    )
