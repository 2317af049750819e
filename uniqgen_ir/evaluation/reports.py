"""A run's figures as Markdown and as a plot."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final
from xml.sax.saxutils import escape

_NAMES: Final = {"f1": "F1", "hits1": "Hits@1", "exact": "EM"}
_ROW, _LEFT, _WIDTH, _TOP = 22, 230, 460, 40
_COLOURS: Final = {"f1": "#1f6fb4", "hits1": "#c2571a", "exact": "#3a7d44"}

Report = Mapping[str, Any]


def markdown(report: Report) -> str:
    """The report as Markdown: one table with a row a model, then one for each group."""
    models: Mapping[str, Any] = report["models"]
    parts = [f"# {report['dataset']}", "", _about(report), "", *_main_table(models)]
    for group in sorted({name for one in models.values() for name in one["groups"]}):
        parts += ["", f"## By {group}", "", *_group_table(group, models)]
    return "\n".join(parts) + "\n"


def _about(report: Report) -> str:
    left_out = [f"{report[name]} {text}" for name, text in (
        ("without_answers", "without gold answers"), ("inexact", "whose answers the graph does not hold")
    ) if report[name]]  # fmt: skip
    text = f"{report['questions']} questions on {', '.join(report['graph'])}"
    more = f"; left out: {', '.join(left_out)}" if left_out else ""
    return f"{text}{more}. Intervals: 95 %, bootstrap over questions."


def _main_table(models: Mapping[str, Any]) -> list[str]:
    head = ["model", *_NAMES.values(), "F1 of Q_U", "answered", "F1 of answered", "engines agree", "P50 ms", "P95 ms"]
    head += ["store calls", "model calls", "tokens in", "tokens out"]
    priced = any("cost" in one for one in models.values())
    rows = [_main_row(name, one) for name, one in models.items()]
    if priced:
        head.append("cost")
        rows = [[*row, f"{one['cost']:g}"] for row, one in zip(rows, models.values(), strict=True)]
    return table_lines(head, rows)


def _main_row(name: str, one: Mapping[str, Any]) -> list[str]:
    means = [with_interval(one[metric]) for metric in _NAMES]
    answered = [f"{one['f1_universal']:.3f}", f"{one['answered']}/{one['questions']}", f"{one['f1_of_answered']:.3f}"]
    times = [f"{one['ms']['p50']:.0f}", f"{one['ms']['p95']:.0f}"]
    spent = [f"{one['store_calls']:.1f}", *(str(one[key]) for key in ("model_calls", "input_tokens", "output_tokens"))]
    return [name, *means, *answered, f"{one['engines_agree']:.3f}", *times, *spent]


def with_interval(one: Mapping[str, float]) -> str:
    """A mean and its interval."""
    return f"{one['mean']:.3f} [{one['low']:.3f}, {one['high']:.3f}]"


def _group_table(group: str, models: Mapping[str, Any]) -> list[str]:
    rows: list[list[str]] = []
    notes: list[str] = []
    for name, one in models.items():
        found = one["groups"].get(group)
        if found is None:
            continue
        for kind, figures in (found.get("each") or found["worst"]).items():
            rows.append([name, kind, str(figures["questions"]), *(f"{figures[metric]:.3f}" for metric in _NAMES)])
        shown = "" if "each" in found else f"; the {len(found['worst'])} worst are shown"
        notes.append(f"{name}: {found['kinds']} kinds, mean F1 over kinds {found['f1_over_kinds']:.3f}{shown}.")
    return [*table_lines(["model", group, "questions", *_NAMES.values()], rows), "", *notes]


def table_lines(head: list[str], rows: list[list[str]]) -> list[str]:
    """A table of Markdown, line by line."""
    cells = [[cell.replace("|", "\\|").replace("\n", " ") for cell in row] for row in rows]
    lines = [head, ["---"] * len(head), *cells]
    return ["| " + " | ".join(line) + " |" for line in lines]


def plot(report: Report) -> str:
    """The means with their intervals as an SVG picture: a row for each model and metric."""
    rows = [(name, metric, one[metric]) for name, one in report["models"].items() for metric in _NAMES]
    height = _TOP + _ROW * len(rows) + 40
    bottom = height - 30
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{_LEFT + _WIDTH + 60}" height="{height}" '
        'font-family="sans-serif" font-size="12" role="img">',
        f"<title>{escape(str(report['dataset']))}</title>",
        '<rect width="100%" height="100%" fill="white"/>',
        f'<text x="10" y="22" font-size="14">{escape(str(report["dataset"]))}, {report["questions"]} questions</text>',
    ]
    for tenth in range(0, 11, 2):
        x = _x(tenth / 10)
        parts.append(f'<line x1="{x}" y1="{_TOP - 6}" x2="{x}" y2="{bottom}" stroke="#ddd"/>')
        parts.append(f'<text x="{x}" y="{bottom + 16}" text-anchor="middle">{tenth / 10:g}</text>')
    for place, (name, metric, figures) in enumerate(rows):
        parts += _mark(f"{name} · {_NAMES[metric]}", figures, _COLOURS[metric], _TOP + _ROW * place + _ROW // 2)
    return "\n".join([*parts, "</svg>"]) + "\n"


def _mark(name: str, figures: Mapping[str, float], colour: str, y: int) -> list[str]:
    low, middle, high = _x(figures["low"]), _x(figures["mean"]), _x(figures["high"])
    return [
        f'<text x="{_LEFT - 12}" y="{y + 4}" text-anchor="end">{escape(name)}</text>',
        f'<line x1="{low}" y1="{y}" x2="{high}" y2="{y}" stroke="{colour}" stroke-width="3"/>',
        f'<circle cx="{middle}" cy="{y}" r="5" fill="{colour}"/>',
        f'<text x="{_LEFT + _WIDTH + 12}" y="{y + 4}">{figures["mean"]:.3f}</text>',
    ]


def _x(value: float) -> float:
    return round(_LEFT + value * _WIDTH, 1)


def experiment_markdown(report: Report) -> str:
    """An experiment's figures as Markdown."""
    skipped = ", ".join(f"{number} {reason}" for reason, number in report["skipped"].items())
    head = (
        f"# {report['experiment']}: {report['dataset']}\n\n{report['trials']} trials of {report['questions']} queries"
    )
    parts = [head + (f"; not tried: {skipped}" if skipped else "") + ".", ""]
    if "orders" in report:
        rows = [
            [name, f"{one['calls']:.2f}", f"{one['p95']:.0f}", f"{one['exact']:.3f}"]
            for name, one in report["orders"].items()
        ]
        parts += table_lines(["order", "store calls", "P95", "exact"], rows)
        ratios = ", ".join(f"{kind} {value:.2f}" for kind, value in report["random_to_u"].items())
        parts += ["", f"Calls at random order to calls by u: {ratios}."]
    elif "agree" in report:
        rows = [
            [engine, f"{one['p50']:.1f}", f"{one['p95']:.1f}", f"{one['slowest']:.1f}"]
            for engine, one in report["ms"].items()
        ]
        parts += table_lines(["engine", "P50 ms", "P95 ms", "slowest ms"], rows)
        parts += ["", f"The engines agree in {report['agree']:.3f} of the trials."]
    else:
        row = [with_interval(report["exact"]), f"{report['rows']:.1f}", f"{report['kept']:.1f}"]
        row += [f"{report['distracting_kept']:.2f}", f"{report['calls']:.1f}"]
        row += [f"{report['ms']['p50']:.0f}", f"{report['ms']['p95']:.0f}"]
        head_row = ["exactly the gold answers", "rows", "kept", "distracting kept", "store calls", "P50 ms", "P95 ms"]
        parts += table_lines(head_row, [row])
        if report["failures"]:
            parts += ["", "Not exact: " + ", ".join(report["failures"])]
    return "\n".join(parts) + "\n"
