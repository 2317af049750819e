"""Railroad diagrams: a grammar in Lark's notation as one page of SVG, without a library and without scripts."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from html import escape
from itertools import pairwise

GAP, LINE, RADIUS, BOX, CHARACTER = 12, 34, 8, 24, 7.6


@dataclass
class Shape:
    """A piece of track: it enters and leaves at height 0. `up` and `down` say how far it reaches."""

    width: float
    up: float
    down: float
    draw: Callable[[float, float], str]


def box(text: str, link: str | None) -> Shape:
    """A word (round) or the name of a rule (square, linked)."""
    width = len(text) * CHARACTER + 20

    def draw(x: float, y: float) -> str:
        kind, corner = ("rule", 2) if link else ("word", BOX / 2)
        body = (
            f'<rect class="{kind}" x="{x:g}" y="{y - BOX / 2:g}" width="{width:g}" height="{BOX}" rx="{corner:g}"/>'
            f'<text x="{x + width / 2:g}" y="{y + 4:g}">{escape(text)}</text>'
        )
        return f'<a href="#{link}">{body}</a>' if link else body

    return Shape(width, BOX / 2, BOX / 2, draw)


def nothing() -> Shape:
    """Plain track."""
    return Shape(0, 0, 0, lambda _x, _y: "")


def sequence(shapes: list[Shape]) -> Shape:
    """One after the other."""
    if len(shapes) == 1:
        return shapes[0]
    width = sum(one.width for one in shapes) + GAP * (len(shapes) - 1)

    def draw(x: float, y: float) -> str:
        parts: list[str] = []
        for number, one in enumerate(shapes):
            if number:
                parts.append(track(x, y, x + GAP, y))
                x += GAP
            parts.append(one.draw(x, y))
            x += one.width
        return "".join(parts)

    return Shape(width, max((one.up for one in shapes), default=0), max((one.down for one in shapes), default=0), draw)


def choice(shapes: list[Shape]) -> Shape:
    """The first on the line, the others below it."""
    if len(shapes) == 1:
        return shapes[0]
    inner = max(one.width for one in shapes)
    width = inner + 4 * RADIUS
    heights = [0.0]
    for above, below in pairwise(shapes):
        heights.append(heights[-1] + max(LINE, above.down + below.up + 10))

    def draw(x: float, y: float) -> str:
        parts: list[str] = []
        for one, height in zip(shapes, heights, strict=True):
            left, right = x + 2 * RADIUS, x + 2 * RADIUS + one.width
            parts.append(bend(x, y, left, y + height) + one.draw(left, y + height))
            parts.append(track(right, y + height, x + 2 * RADIUS + inner, y + height))
            parts.append(bend(x + width, y, x + width - 2 * RADIUS, y + height))
        return "".join(parts)

    return Shape(width, shapes[0].up, heights[-1] + shapes[-1].down, draw)


def loop(shape: Shape) -> Shape:
    """Once or more: a track leads back below."""
    width = shape.width + 4 * RADIUS
    height = shape.down + 14

    def draw(x: float, y: float) -> str:
        left, right = x + 2 * RADIUS, x + 2 * RADIUS + shape.width
        back = (
            f'<path d="M{right:g} {y:g} q{RADIUS} 0 {RADIUS} {RADIUS} V{y + height - RADIUS:g} q0 {RADIUS} -{RADIUS} '
            f"{RADIUS} H{left:g} q-{RADIUS} 0 -{RADIUS} -{RADIUS} V{y + RADIUS:g} q0 -{RADIUS} {RADIUS} "
            f'-{RADIUS}"/>'
        )
        return track(x, y, left, y) + shape.draw(left, y) + track(right, y, x + width, y) + back

    return Shape(width, shape.up, height, draw)


def track(x: float, y: float, to_x: float, to_y: float) -> str:
    return f'<path d="M{x:g} {y:g} L{to_x:g} {to_y:g}"/>' if (x, y) != (to_x, to_y) else ""


def bend(x: float, y: float, to_x: float, to_y: float) -> str:
    """From the main line to a branch, in two quarter circles."""
    if y == to_y:
        return track(x, y, to_x, to_y)
    side = RADIUS if to_x > x else -RADIUS
    return (
        f'<path d="M{x:g} {y:g} q{side:g} 0 {side:g} {RADIUS} V{to_y - RADIUS:g} q0 {RADIUS} {side:g} {RADIUS} '
        f'H{to_x:g}"/>'
    )


def diagram(shape: Shape) -> str:
    """The whole picture of one rule."""
    top, height = shape.up + 8, shape.up + shape.down + 16
    width = shape.width + 40
    ends = track(4, top, 20, top) + track(20 + shape.width, top, 36 + shape.width, top)
    stops = f'<path d="M4 {top - 7:g} v14 M{36 + shape.width:g} {top - 7:g} v14"/>'
    return (
        f'<svg width="{width:g}" height="{height:g}" viewBox="0 0 {width:g} {height:g}" role="img">'
        f"{stops}{ends}{shape.draw(20, top)}</svg>"
    )


@dataclass
class Reader:
    """Reads the right side of one rule. `name` gives the shape of a symbol."""

    text: str
    name: Callable[[str], Shape | None]
    tokens: list[str] = field(init=False)

    def __post_init__(self) -> None:
        text = re.sub(r"->\s*\w+", "", self.text)
        self.tokens = re.findall(r"\w+|[()|?*+]", text)

    def alternatives(self) -> Shape:
        found: list[Shape | None] = [self.one_alternative()]
        while self.tokens and self.tokens[0] == "|":
            self.tokens.pop(0)
            found.append(self.one_alternative())
        shapes = [one for one in found if one is not None]
        return choice(shapes) if shapes else nothing()

    def one_alternative(self) -> Shape | None:
        """None where all that stands in it is left out of the picture."""
        parts: list[Shape] = []
        empty = True
        while self.tokens and self.tokens[0] not in "|)":
            empty = False
            part = self.item()
            if part is None:
                continue
            parts.append(part)
        return nothing() if empty else sequence(parts) if parts else None

    def item(self) -> Shape | None:
        token = self.tokens.pop(0)
        if token == "(":
            shape: Shape | None = self.alternatives()
            self.tokens.pop(0)
        else:
            shape = self.name(token)
        while self.tokens and self.tokens[0] in "?*+":
            mark = self.tokens.pop(0)
            if shape is not None:
                shape = loop(shape) if mark in "*+" else shape
                shape = choice([nothing(), shape]) if mark in "?*" else shape
        return shape


def rules_of(grammar: str) -> Iterable[tuple[str, str, str]]:
    """Section, name and right side of every rule, in order."""
    section, name, body = "", "", ""
    for line in grammar.splitlines():
        heading = re.match(r"// -+ (.+?) -+$", line)
        start = re.match(r"\??(\w+):(.*)$", line)
        if heading or start or line.startswith(("//", "%")):
            if name:
                yield section, name, body
            name = body = ""
        if heading:
            section = heading[1]
        elif start:
            name, body = start[1], start[2]
        elif name:
            body += " " + line.strip()
    if name:
        yield section, name, body
