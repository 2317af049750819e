"""The lattice of the sets of rows that a search tried: as JSON, as DOT and as SVG.

Sets of equal size stand on one level, large ones above; a line leads from a set to each smallest larger one that was
tried. Full sets keep the reference answers (complete) or have the answers of U* (sound); the result has a thick border.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from itertools import groupby
from typing import Final

from attrs import frozen

from uniqgen_ir.passes.search.result import ChaseReport, Outcome, Tried
from uniqgen_ir.passes.trace import Json

COLOURS: Final[Mapping[Outcome, str]] = {
    Outcome.COMPLETE: "#cfe8cf",
    Outcome.INCOMPLETE: "#f3cfcf",
    Outcome.SOUND: "#cfdff3",
    Outcome.LEAKING: "#f6e3c5",
    Outcome.UNKNOWN: "#e4e4e4",
}
WORDS: Final[Mapping[Outcome, str]] = {
    Outcome.COMPLETE: "keeps the reference answers",
    Outcome.INCOMPLETE: "loses reference answers",
    Outcome.SOUND: "has the answers of the relaxed table",
    Outcome.LEAKING: "lets other answers in",
    Outcome.UNKNOWN: "not decided in time",
}

_CHARACTER, _LINE, _GAP, _RISE, _MARGIN = 7, 16, 14, 84, 20
_ROWS_A_LINE: Final = 4
"""row ids in one line of a box"""


@frozen
class Lattice:
    """The sets that were tried, each once with its last outcome, and the order among them by inclusion."""

    names: tuple[str, ...]
    """all rows, in table order"""
    sets: tuple[Tried, ...]
    lines: tuple[tuple[int, int], ...]
    """places in `sets`: a set and a smallest larger one"""
    result: frozenset[str]

    def label(self, place: int) -> tuple[str, ...]:
        """The row ids of a set, a few a line."""
        rows = [name for name in self.names if name in self.sets[place].rows]
        return tuple(" ".join(rows[start : start + _ROWS_A_LINE]) for start in range(0, len(rows), _ROWS_A_LINE)) or (
            "∅",
        )


def lattice_of(report: ChaseReport, names: Sequence[str]) -> Lattice:
    """The lattice of a report; `names`: the rows of the table in order."""
    last = {one.rows: one for one in report.tried}
    sets = tuple(sorted(last.values(), key=lambda one: (len(one.rows), [name in one.rows for name in names])))
    lines = tuple((low, high) for low in range(len(sets)) for high in _covers(sets, low))
    return Lattice(tuple(names), sets, lines, frozenset(one.row for one in report.kept))


def _covers(sets: Sequence[Tried], low: int) -> list[int]:
    found: list[int] = []
    for high in range(low + 1, len(sets)):
        larger = sets[low].rows < sets[high].rows
        if larger and not any(sets[one].rows < sets[high].rows for one in found):
            found.append(high)
    return found


def to_json(lattice: Lattice) -> dict[str, Json]:
    """Sets with their rows, outcome and deciding answer; lines by place."""
    sets: list[Json] = [
        {
            "rows": [name for name in lattice.names if name in one.rows],
            "outcome": one.outcome.value,
            "note": one.note,
            "result": one.rows == lattice.result,
        }
        for one in lattice.sets
    ]
    return {"rows": list(lattice.names), "sets": sets, "lines": [list(line) for line in lattice.lines]}


def to_dot(lattice: Lattice) -> str:
    """A Graphviz digraph, larger sets above."""
    lines = ["digraph lattice {", "  rankdir=BT;", '  node [shape=box, style="rounded,filled", fontname="sans-serif"];']
    for place, one in enumerate(lattice.sets):
        label = _quoted("\n".join(lattice.label(place)))
        width = ", penwidth=3" if one.rows == lattice.result else ""
        tip = _quoted(_told(one))
        lines.append(f'  s{place} [label={label}, fillcolor="{COLOURS[one.outcome]}", tooltip={tip}{width}];')
    lines += [f"  s{low} -> s{high} [arrowhead=none];" for low, high in lattice.lines]
    return "\n".join([*lines, "}"]) + "\n"


def _quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'


def _told(one: Tried) -> str:
    return WORDS[one.outcome] + (f": {one.note}" if one.note else "")


# --- SVG --------------------------------------------------------------------------------------------------------------


@frozen
class _Box:
    left: int
    top: int
    width: int
    height: int


def to_svg(lattice: Lattice) -> str:
    """An image of its own, with a legend; tool tips say what decided about a set."""
    boxes, width, height = _layout(lattice)
    shown = [outcome for outcome in Outcome if any(one.outcome is outcome for one in lattice.sets)]
    whole = height + _LINE * len(shown) + 2 * _MARGIN
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{whole}"'
        ' font-family="sans-serif" font-size="12">',
        f'<rect width="{width}" height="{whole}" fill="white"/>',
    ]
    for low, high in lattice.lines:
        start, end = boxes[low], boxes[high]
        x, y = start.left + start.width // 2, end.left + end.width // 2
        parts.append(f'<line x1="{x}" y1="{start.top}" x2="{y}" y2="{end.top + end.height}" stroke="#999"/>')
    for place, box in enumerate(boxes):
        parts += _box(lattice, place, box)
    for place, outcome in enumerate(shown):
        top = height + _MARGIN + place * _LINE
        parts.append(f'<rect x="{_MARGIN}" y="{top}" width="11" height="11" fill="{COLOURS[outcome]}" stroke="#555"/>')
        parts.append(f'<text x="{_MARGIN + 18}" y="{top + 10}">{WORDS[outcome]}</text>')
    return "\n".join([*parts, "</svg>"]) + "\n"


def _box(lattice: Lattice, place: int, box: _Box) -> list[str]:
    one = lattice.sets[place]
    thick = 3 if one.rows == lattice.result else 1
    shape = f'x="{box.left}" y="{box.top}" width="{box.width}" height="{box.height}" rx="4"'
    found = [
        f"<g><title>{escape(_told(one))}</title>",
        f'<rect {shape} fill="{COLOURS[one.outcome]}" stroke="#333" stroke-width="{thick}"/>',
    ]
    middle = box.left + box.width // 2
    for number, line in enumerate(lattice.label(place)):
        top = box.top + _LINE * (number + 1)
        found.append(f'<text x="{middle}" y="{top}" text-anchor="middle">{escape(line)}</text>')
    return [*found, "</g>"]


def _layout(lattice: Lattice) -> tuple[list[_Box], int, int]:
    """A box per set: one level per size, the largest at the top, levels centred. Sizes in pixels."""
    places = range(len(lattice.sets))
    levels = [list(level) for _, level in groupby(places, key=lambda place: len(lattice.sets[place].rows))]
    widths = [max(len(line) for line in lattice.label(place)) * _CHARACTER + 14 for place in places]
    heights = [len(lattice.label(place)) * _LINE + 8 for place in places]
    spans = [sum(widths[one] for one in level) + _GAP * (len(level) - 1) for level in levels]
    whole = max([*spans, 240]) + 2 * _MARGIN
    boxes: dict[int, _Box] = {}
    top = _MARGIN
    for level, span in zip(reversed(levels), reversed(spans), strict=True):
        left = (whole - span) // 2
        for place in level:
            boxes[place] = _Box(left, top, widths[place], heights[place])
            left += widths[place] + _GAP
        top += max(heights[place] for place in level) + _RISE - _LINE
    return [boxes[place] for place in places], whole, top - _RISE + _LINE
