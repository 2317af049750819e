"""The picture of a table as SVG, without scripts and without anything from elsewhere."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Iterator
from html import escape
from typing import Final

from attrs import frozen

from uniqgen_ir.ir.pictures_model import Box, Dot, Line, Picture, Shape
from uniqgen_ir.ir.table import Table

CHARACTER: Final = 7.2
"""Width of a character in pixels, at 12 pixels of a monospaced face."""
_HEIGHT: Final = 30.0
_ACROSS: Final = 90.0
"""Least room between two columns: an edge's label stands there."""
_DOWN: Final = 34.0
_MARGIN: Final = 24.0
_LONGEST: Final = 40


@frozen
class Placed:
    """A dot with its centre and width, in pixels."""

    dot: Dot
    x: float
    y: float
    width: float


def draw(table: Table) -> str:
    """One `svg` element. Classes name shapes and states, so that the page chooses the colours."""
    picture = Picture(table, {})
    outer = picture.draw()
    placed = _placed(outer, picture.lines)
    routes = [(line, _route(line, placed, count)) for line, count in _counted(picture.lines)]
    reached = [one.x + one.width / 2 for one in placed.values()] + [route.reach(line.label) for line, route in routes]
    width = max(reached, default=0.0) + _MARGIN
    height = max((one.y for one in placed.values()), default=0.0) + _HEIGHT / 2 + _MARGIN
    parts = [
        *(_box(inner, placed) for inner in _inner(outer)),
        *(_edge(line, route) for line, route in routes),
        *(_node(one) for one in placed.values()),
    ]
    title = escape(f"{table.name}: {len(placed)} things, {len(picture.lines)} connections")
    arrow = (
        '<marker id="arrow" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" orient="auto">'
        '<path d="M0 0 L8 4 L0 8 z" class="tip"/></marker>'
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" viewBox="0 0 {width:.0f} {height:.0f}" '
        f'width="{width:.0f}" height="{height:.0f}"><title>{title}</title><defs>{arrow}</defs>{"".join(parts)}</svg>'
    )


def _placed(outer: Box, lines: list[Line]) -> dict[str, Placed]:
    """Columns by the distance from the first answer, in each column dots of one block together."""
    dots = list(_dots(outer))
    layers = _layers(dots, lines)
    columns: dict[int, list[Dot]] = defaultdict(list)
    for dot in dots:
        columns[layers[dot.name]].append(dot)
    room = _room(lines, layers)
    placed: dict[str, Placed] = {}
    left = _MARGIN
    tallest = max((len(column) for column in columns.values()), default=1)
    for layer in sorted(columns):
        width = max(_width(dot) for dot in columns[layer])
        top = _MARGIN + (tallest - len(columns[layer])) * (_HEIGHT + _DOWN) / 2
        for place, dot in enumerate(columns[layer]):
            y = top + place * (_HEIGHT + _DOWN) + _HEIGHT / 2
            placed[dot.name] = Placed(dot, left + width / 2, y, _width(dot))
        left += width + room.get(layer, _ACROSS)
    return placed


def _room(lines: list[Line], layers: dict[str, int]) -> dict[int, float]:
    """Pixels to the right of each column: enough for the longest label that stands there."""
    room: dict[int, float] = defaultdict(lambda: _ACROSS)
    for line in lines:
        layer = min(layers[line.start], layers[line.end])
        room[layer] = max(room[layer], len(_short(line.label)) * CHARACTER + 50.0)
    return room


def _layers(dots: list[Dot], lines: list[Line]) -> dict[str, int]:
    near: dict[str, list[str]] = defaultdict(list)
    for line in lines:
        near[line.start].append(line.end)
        near[line.end].append(line.start)
    answers = [dot.name for dot in dots if dot.shape is Shape.ANSWER]
    layers: dict[str, int] = {}
    # what hangs together with no answer before it begins a picture of its own in the first column
    for first in [*answers, *(dot.name for dot in dots)]:
        if first in layers:
            continue
        layers[first] = 0
        waiting = deque([first])
        while waiting:
            name = waiting.popleft()
            for other in near[name]:
                if other not in layers:
                    layers[other] = layers[name] + 1
                    waiting.append(other)
    return layers


def _dots(box: Box) -> Iterator[Dot]:
    yield from box.dots
    for inner in box.boxes:
        yield from _dots(inner)


def _inner(box: Box) -> Iterator[Box]:
    for inner in box.boxes:
        yield inner
        yield from _inner(inner)


def _short(text: str) -> str:
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"


def _width(dot: Dot) -> float:
    return len(_short(dot.label)) * CHARACTER + 24.0


def _node(one: Placed) -> str:
    round_ = _HEIGHT / 2 if one.dot.shape in (Shape.ANSWER, Shape.VARIABLE) else 5.0
    return (
        f'<g class="dot {one.dot.shape.value} {one.dot.state}"><title>{escape(one.dot.label)}</title>'
        f'<rect x="{one.x - one.width / 2:.1f}" y="{one.y - _HEIGHT / 2:.1f}" width="{one.width:.1f}" '
        f'height="{_HEIGHT}" rx="{round_}"/>'
        f'<text x="{one.x:.1f}" y="{one.y + 4:.1f}">{escape(_short(one.dot.label))}</text></g>'
    )


def _counted(lines: list[Line]) -> Iterator[tuple[Line, int]]:
    """Each line with how many came before it between the same two dots: they must not lie on each other."""
    seen: dict[frozenset[str], int] = defaultdict(int)
    for line in lines:
        ends = frozenset((line.start, line.end))
        yield line, seen[ends]
        seen[ends] += 1


@frozen
class Route:
    """The way of a line, and where its label stands: begins, beside a line within one column; else its middle."""

    path: str
    x: float
    y: float
    within: bool

    def reach(self, label: str) -> float:
        """How far to the right the label goes."""
        width = len(_short(label)) * CHARACTER
        return self.x + (width if self.within else width / 2)


def _route(line: Line, placed: dict[str, Placed], count: int) -> Route:
    start, end = placed[line.start], placed[line.end]
    bend = (count + 1) // 2 * 26.0 * (1 if count % 2 else -1)
    if abs(end.x - start.x) < 1.0:
        side = _beside(start, end, placed) + 30.0 + abs(bend)
        x1, x2 = start.x + start.width / 2, end.x + end.width / 2
        path = _curve((x1, start.y), (start.x + side, start.y), (start.x + side, end.y), (x2, end.y))
        # where a cubic curve whose pulling points stand above each other is furthest out
        return Route(path, (x1 + x2) / 8 + 0.75 * (start.x + side) + 6.0, (start.y + end.y) / 2 + 4.0, within=True)
    right = 1.0 if end.x > start.x else -1.0
    x1, x2 = start.x + right * start.width / 2, end.x - right * end.width / 2
    half = (x1 + x2) / 2
    path = _curve((x1, start.y), (half, start.y + bend), (half, end.y + bend), (x2, end.y))
    return Route(path, half, (start.y + end.y) / 2 + bend * 0.75 - 5.0, within=False)


def _edge(line: Line, route: Route) -> str:
    marker = ' marker-end="url(#arrow)"' if line.arrow else ""
    kind = f"line {line.state}{' dashed' if line.dashed else ''}{'' if line.arrow else ' note'}"
    kind += " within" if route.within else ""
    label = f'<text x="{route.x:.1f}" y="{route.y:.1f}">{escape(_short(line.label))}</text>' if line.label else ""
    return f'<g class="{kind}"><title>{escape(line.label)}</title><path d="{route.path}"{marker}/>{label}</g>'


def _beside(start: Placed, end: Placed, placed: dict[str, Placed]) -> float:
    """How far from their middle the column reaches between two of its dots: a line passes beside what stands there."""
    low, high = sorted((start.y, end.y))
    column = [one for one in placed.values() if abs(one.x - start.x) < 1.0 and low <= one.y <= high]
    return max(one.width for one in column) / 2


def _curve(*points: tuple[float, float]) -> str:
    """A cubic curve: its start, two points that pull it, its end."""
    first, *others = (f"{x:.1f} {y:.1f}" for x, y in points)
    return f"M{first} C{' '.join(others)}"


def _box(box: Box, placed: dict[str, Placed]) -> str:
    inside = [placed[dot.name] for dot in _dots(box)]
    if not inside:
        return ""
    left = min(one.x - one.width / 2 for one in inside) - 10.0
    top = min(one.y for one in inside) - _HEIGHT / 2 - 16.0
    right = max(one.x + one.width / 2 for one in inside) + 10.0
    bottom = max(one.y for one in inside) + _HEIGHT / 2 + 8.0
    return (
        f'<g class="box {box.state}"><rect x="{left:.1f}" y="{top:.1f}" width="{right - left:.1f}" '
        f'height="{bottom - top:.1f}" rx="8"/>'
        f'<text x="{left + 6:.1f}" y="{top + 11:.1f}">{escape(_short(box.label))}</text></g>'
    )
