"""Line charts as SVG, written by hand: no plotting package is needed, and the files stay small and readable."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final
from xml.sax.saxutils import escape

from attrs import field, frozen

Point = tuple[float, float]

COLOURS: Final = ("#1f6fb4", "#c2571a", "#3a7d44", "#8a4fa3", "#8a6d1b", "#5b5b5b", "#b03060", "#2a8c8c")
_DASHES: Final = ("", "7 3", "2 3", "9 3 2 3")
_LEFT, _TOP, _WIDTH, _HEIGHT, _LEGEND, _LINE = 60, 44, 430, 260, 285, 18


@frozen(kw_only=True)
class Chart:
    """Series of points, joined in their order. `x` and `y` are the ranges of the axes; `falling` turns the x axis.

    `spread` gives the low and high end of a bar through each point of a series.
    """

    title: str
    x_label: str
    y_label: str
    x: Point
    y: Point
    series: Mapping[str, Sequence[Point]]
    spread: Mapping[str, Sequence[Point]] = field(factory=dict[str, Sequence[Point]])
    x_ticks: Sequence[float] = ()
    falling: bool = False
    note: str = ""

    def svg(self) -> str:
        """The chart as a document of its own."""
        height = max(_TOP + _HEIGHT + 64, _TOP + _LINE * len(self.series) + 30)
        parts = [
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{_LEFT + _WIDTH + _LEGEND}" height="{height}" '
            'font-family="sans-serif" font-size="12" role="img">',
            f"<title>{escape(self.title)}</title>",
            '<rect width="100%" height="100%" fill="white"/>',
            f'<text x="{_LEFT}" y="22" font-size="14">{escape(self.title)}</text>',
            *self._axes(),
        ]
        for place, (name, points) in enumerate(self.series.items()):
            parts += self._line(place, name, points)
        if self.note:
            parts.append(f'<text x="{_LEFT}" y="{_TOP + _HEIGHT + 54}" fill="#555">{escape(self.note)}</text>')
        return "\n".join([*parts, "</svg>"]) + "\n"

    def _axes(self) -> list[str]:
        bottom, right = _TOP + _HEIGHT, _LEFT + _WIDTH
        parts = [f'<path d="M{_LEFT},{_TOP} V{bottom} H{right}" fill="none" stroke="#444"/>']
        for step in range(6):
            value = self.y[0] + (self.y[1] - self.y[0]) * step / 5
            height = self._y(value)
            parts.append(f'<line x1="{_LEFT}" y1="{height}" x2="{right}" y2="{height}" stroke="#e4e4e4"/>')
            parts.append(f'<text x="{_LEFT - 8}" y="{height + 4}" text-anchor="end">{_number(value)}</text>')
        parts += [
            f'<text x="{self._x(value)}" y="{bottom + 16}" text-anchor="middle">{value:g}</text>'
            for value in self.x_ticks
        ]
        middle = _LEFT + _WIDTH // 2
        parts.append(f'<text x="{middle}" y="{bottom + 34}" text-anchor="middle">{escape(self.x_label)}</text>')
        up = _TOP + _HEIGHT // 2
        turned = f'transform="rotate(-90 14 {up})"'
        parts.append(f'<text x="14" y="{up}" text-anchor="middle" {turned}>{escape(self.y_label)}</text>')
        return parts

    def _line(self, place: int, name: str, points: Sequence[Point]) -> list[str]:
        colour = COLOURS[place % len(COLOURS)]
        dash = _DASHES[place % len(_DASHES)]
        stroke = f'stroke="{colour}" stroke-width="2"' + (f' stroke-dasharray="{dash}"' if dash else "")
        path = " ".join(
            f"{'M' if number == 0 else 'L'}{self._x(x)},{self._y(y)}" for number, (x, y) in enumerate(points)
        )
        parts = [f'<path d="{path}" fill="none" {stroke}/>'] if points else []
        for (x, _), (low, high) in zip(points, self.spread.get(name, ()), strict=False):
            # beside each other, so that bars of one place can be told apart
            along = round(self._x(x) + 2.0 * (place - (len(self.series) - 1) / 2), 1)
            parts.append(f'<path d="M{along},{self._y(low)} V{self._y(high)}" stroke="{colour}" opacity="0.6"/>')
        parts += [f'<circle cx="{self._x(x)}" cy="{self._y(y)}" r="3" fill="{colour}"/>' for x, y in points]
        left, height = _LEFT + _WIDTH + 16, _TOP + 8 + _LINE * place
        parts.append(f'<line x1="{left}" y1="{height}" x2="{left + 26}" y2="{height}" {stroke}/>')
        parts.append(f'<text x="{left + 32}" y="{height + 4}">{escape(name)}</text>')
        return parts

    def _x(self, value: float) -> float:
        share = (value - self.x[0]) / ((self.x[1] - self.x[0]) or 1.0)
        return round(_LEFT + _WIDTH * (1.0 - share if self.falling else share), 1)

    def _y(self, value: float) -> float:
        share = (value - self.y[0]) / ((self.y[1] - self.y[0]) or 1.0)
        return round(_TOP + _HEIGHT * (1.0 - share), 1)


def _number(value: float) -> str:
    return f"{value:.0f}" if abs(value) >= 10 else f"{value:.2f}"
