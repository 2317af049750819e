"""Hints about cost, where it is known how much the graph has: they refuse nothing.

The estimates are rough on purpose: a search begins with the rarest pattern of those that hang together, and a path
leads on, from each node, as often as its predicates do on average.
"""

from __future__ import annotations

from math import prod
from typing import Any, Final

from uniqgen_ir.grammar.sparql.queries import QueryParts
from uniqgen_ir.ir.diagnostics import Severity
from uniqgen_ir.ir.inference.paths import path_predicates
from uniqgen_ir.ir.paths import Path, Repeat
from uniqgen_ir.ir.rows import PathAtom, Triple, TypeAtom
from uniqgen_ir.ir.terms import IRI
from uniqgen_ir.validate.sparql.products import Component, components, inner_paths, linked_by_head
from uniqgen_ir.validate.sparql.query import CheckedQuery, Place
from uniqgen_ir.validate.statistics import MANY, SCAN, Statistics

_USUAL_LENGTH: Final = 10
_MOST: Final = 10**15


def cost_hints(query: CheckedQuery, statistics: Statistics) -> None:
    """Hints about scans, products and long paths of every SELECT."""
    for parts in query.reading.queries:
        _Costs(query, statistics, parts).hint()


class _Costs:
    def __init__(self, query: CheckedQuery, statistics: Statistics, parts: QueryParts) -> None:
        self.query = query
        self.statistics = statistics
        self.found = components(parts.where, linked_by_head(parts))

    def hint(self) -> None:
        starts = [self.start(one) for one in self.found]
        if len(starts) > 1 and prod(starts) >= MANY:
            message = f"nothing connects these patterns: about {prod(starts):,} pairs are made"
            self.say(message, _place(self.found[1]))
        for component, start in zip(self.found, starts, strict=True):
            if start >= SCAN:
                message = f"nothing here is named or compared with a value, so at least {start:,} triples are looked at"
                self.say(message, _place(component))
            for payload, place, end in component.elements:
                if isinstance(payload, PathAtom):
                    self.path(payload.path, (place, end), start)

    def start(self, component: Component) -> int:
        """How many triples a search of the patterns begins with; 1 where something fixes them, or nothing is known."""
        sizes = [size for payload, _, _ in component.elements if (size := self.size(payload)) is not None]
        return 1 if component.anchored or not sizes else max(1, min(sizes))

    def size(self, payload: Any) -> int | None:
        match payload:
            case TypeAtom(_, IRI(class_)):
                return self.statistics.classes.get(class_, 0)
            case Triple(_, IRI(predicate), _):
                return self.statistics.predicates.get(predicate, 0)
            case Triple():
                return sum(self.statistics.predicates.values())
            case _:
                return None

    def path(self, path: Path, place: Place, start: int) -> None:
        """A path that repeats: how many ways there may be."""
        for one in inner_paths(path):
            if not isinstance(one, Repeat):
                continue
            steps = sum(self.statistics.predicates.get(name.value, 0) for name in path_predicates(one.path))
            ways = steps / max(1, self.statistics.nodes)
            most = _USUAL_LENGTH if one.maximum is None else one.maximum
            count = min(_MOST, start * ways ** min(most, 50)) if ways > 1 else 0
            if count >= MANY:
                message = f"from each node {ways:.1f} triples lead on: about {count:,.0f} ways in {most} steps"
                self.say(message, place, "begin at a node that is named, or write the steps that are meant")

    def say(self, message: str, place: Place, hint: str | None = None) -> None:
        self.query.say("UQ453", message, place, Severity.INFORMATION, hint)


def _place(component: Component) -> Place:
    _, start, end = min(component.elements, key=lambda one: one[1])
    return start, end
