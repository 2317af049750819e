"""Weak acyclicity: a condition under which the chase ends on every query (Fagin, Kolaitis, Miller, Popa 2005).

Positions are the two ends of a predicate and the members of a class. A rule that carries a value from one position to
another gives an edge; one that makes a new value there gives a *special* edge. No cycle through a special edge: the
chase ends.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TypeAlias

from attrs import frozen

from uniqgen_ir.ir.suggestions import local_name
from uniqgen_ir.ir.terms import IRI, Variable
from uniqgen_ir.passes.saturate.dependencies import Rule
from uniqgen_ir.passes.saturate.patterns import TYPE, Pattern

Position: TypeAlias = tuple[str, str]
"""An IRI (or `*`, any predicate) and `subject`, `object` or `member`."""


@frozen
class Cycle:
    """A cycle through a special edge: each step's position and the rule that leads on from it."""

    steps: tuple[tuple[Position, str], ...]

    def __str__(self) -> str:
        parts = [f"{_show(position)} -[{rule}]->" for position, rule in self.steps]
        return " ".join([*parts, _show(self.steps[0][0])])


def _show(position: Position) -> str:
    name, place = position
    return local_name(name) if place == "member" else f"{local_name(name) if name != '*' else '*'}.{place}"


@frozen
class _Edge:
    target: Position
    rule: str
    special: bool


def offending_cycle(rules: Iterable[Rule]) -> Cycle | None:
    """A cycle that makes new values for ever, None where the rules are weakly acyclic."""
    edges = _edges(tuple(rules))
    for source, leaving in edges.items():
        for edge in leaving:
            if edge.special:
                back = _path(edges, edge.target, source)
                if back is not None:
                    return Cycle(((source, edge.rule), *back))
    return None


def _edges(rules: tuple[Rule, ...]) -> dict[Position, list[_Edge]]:
    named = {one for rule in rules for pattern in (*rule.body, *rule.head) for one in _names(pattern)}
    edges: dict[Position, list[_Edge]] = {}
    for rule in rules:
        made = [
            place
            for pattern in rule.head
            for variable, place in _places(pattern, named)
            if variable in rule.existential
        ]
        for variable, source in (found for pattern in rule.body for found in _places(pattern, named)):
            kept = [place for pattern in rule.head for one, place in _places(pattern, named) if one == variable]
            if kept:
                leaving = edges.setdefault(source, [])
                leaving += [_Edge(place, rule.name, False) for place in kept]
                leaving += [_Edge(place, rule.name, True) for place in made]
    return edges


def _names(pattern: Pattern) -> Iterator[Position]:
    _, predicate, object_ = pattern
    if predicate == TYPE and isinstance(object_, IRI):
        yield object_.value, "member"
    elif isinstance(predicate, IRI):
        yield from ((predicate.value, "subject"), (predicate.value, "object"))


def _places(pattern: Pattern, named: set[Position]) -> Iterator[tuple[Variable, Position]]:
    """The variables of a pattern with their positions; under a variable predicate every position counts."""
    subject, predicate, object_ = pattern
    for term, place in ((subject, "subject"), (object_, "object")):
        if not isinstance(term, Variable):
            continue
        if predicate == TYPE and isinstance(object_, IRI):
            yield term, (object_.value, "member")
        elif isinstance(predicate, IRI):
            yield term, (predicate.value, place)
        else:
            yield from ((term, one) for one in sorted(named))


def _path(
    edges: dict[Position, list[_Edge]], start: Position, goal: Position
) -> tuple[tuple[Position, str], ...] | None:
    """The steps of a shortest walk from `start` to `goal`; empty where they are the same."""
    waiting: list[tuple[Position, tuple[tuple[Position, str], ...]]] = [(start, ())]
    seen = {start}
    while waiting:
        place, taken = waiting.pop(0)
        if place == goal:
            return taken
        for edge in edges.get(place, ()):
            if edge.target not in seen:
                seen.add(edge.target)
                waiting.append((edge.target, (*taken, (place, edge.rule))))
    return None
