"""The study as Markdown and as plots."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from uniqgen_ir.evaluation.charts import Chart
from uniqgen_ir.evaluation.reports import plot, table_lines, with_interval

Report = Mapping[str, Any]

SYNTHETIC = (
    "Synthetic: these guides are scripts that know the gold ways, or a model that is too small to be measured. Their "
    "figures test the harness and say nothing about models."
)


def study_markdown(report: Report) -> str:
    """Arms, then every K against the most history, then what made the difference."""
    arms: Mapping[str, Any] = report["arms"]
    walk = report["walk"]
    head = (
        f"# Bounded path context: {report['dataset']}\n\n{report['questions']} questions on "
        f"{', '.join(report['graph'])}; width {walk['width']}, depth {walk['depth']}, {walk['beams']} beams, "
        f"{walk['cap']} relations shown, seed {report['seed']}. Intervals: 95 %, bootstrap over questions "
        "(10,000 resamples). Tokens are estimated from the length of the prompts, the same way for every arm."
    )
    parts = [head, ""]
    if report["synthetic"]:
        parts += [f"{SYNTHETIC} ({', '.join(report['synthetic'])})", ""]
    parts += _arms(arms)
    parts += ["", "## Against the most history", "", *_comparisons(report)]
    for one in report["comparisons"]:
        parts += _examples(one)
    parts += ["", "## Tokens of a prompt by the number of hops behind it", "", *_tokens(arms)]
    return "\n".join(parts) + "\n"


def _arms(arms: Mapping[str, Any]) -> list[str]:
    head = ["arm", "F1", "Hits@1", "EM", "answered", "calls", "tokens a question", "paid in", "paid out", "seconds"]
    rows = [
        [
            name + (" (synthetic)" if one["synthetic"] else ""),
            *(with_interval(one[metric]) for metric in ("f1", "hits1", "exact")),
            f"{one['answered']}/{one['questions']}",
            f"{one['calls']:.1f}",
            f"{one['prompt_tokens']['mean']:.0f}",
            str(one["input_tokens"]),
            str(one["output_tokens"]),
            f"{one['seconds']:.1f}",
        ]
        for name, one in arms.items()
    ]
    return table_lines(head, rows)


def _comparisons(report: Report) -> list[str]:
    rows = [
        [
            one["arm"],
            one["against"],
            *(str(one[name]) for name in ("wins", "losses", "ties")),
            f"{one['p']:.3f}",
            "; ".join(f"{number} × {reason}" for reason, number in one["reasons"].items()) or "-",
        ]
        for one in report["comparisons"]
    ]
    return table_lines(["arm", "against", "wins", "losses", "ties", "sign test p", "what decided"], rows)


def _examples(comparison: Mapping[str, Any]) -> list[str]:
    if not comparison["examples"]:
        return []
    lines = ["", f"### {comparison['arm']} against {comparison['against']}", ""]
    for one in comparison["examples"]:
        mine, other = (" and ".join(paths) or "no path" for paths in one["paths"])
        where = f" at {one['at']}" if one["at"] else ""
        lines.append(
            f"- {one['question']} F1 {one['f1'][0]:.2f} against {one['f1'][1]:.2f}: {one['reason']}{where}; "
            f"{mine} against {other}"
        )
    return lines


def _tokens(arms: Mapping[str, Any]) -> list[str]:
    depths = sorted({one["depth"] for arm in arms.values() for one in arm["tokens_by_depth"]})
    rows: list[list[str]] = []
    for name, arm in arms.items():
        by_depth = {one["depth"]: one for one in arm["tokens_by_depth"]}
        if by_depth:
            rows.append([name, *(f"{by_depth[one]['tokens']:.0f}" if one in by_depth else "" for one in depths)])
    return table_lines(["arm", *(str(one) for one in depths)], rows)


def f1_plot(report: Report) -> str:
    """Means and intervals of every arm as an SVG picture."""
    mark = ", in part synthetic" if report["synthetic"] else ""
    shown = {"dataset": f"Bounded path context: {report['dataset']}{mark}", "questions": report["questions"]}
    return plot({**shown, "models": report["arms"]})


def token_plot(report: Report) -> str:
    """Tokens of a prompt by depth, a line for each walk."""
    series = {
        name: [(float(one["depth"]), float(one["tokens"])) for one in arm["tokens_by_depth"]]
        for name, arm in report["arms"].items()
        if arm["tokens_by_depth"]
    }
    depths = sorted({x for points in series.values() for x, _ in points})
    most = max((y for points in series.values() for _, y in points), default=1.0)
    return Chart(
        title=f"Tokens of a prompt: {report['dataset']}",
        x_label="hops behind it",
        y_label="tokens",
        x=(depths[0] if depths else 0.0, depths[-1] if depths else 1.0),
        y=(0.0, most * 1.1),
        series=series,
        x_ticks=depths,
    ).svg()
