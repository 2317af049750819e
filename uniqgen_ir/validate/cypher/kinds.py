"""The kinds of nodes of a property graph as bits, so that sets of them are integers.

A kind is a set of labels that one node can carry; a *mask* has a bit for each kind that a variable may stand for.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import Final
from weakref import WeakKeyDictionary

from attrs import define, field

from uniqgen_ir.validate.vocabulary import PropertyGraph, RelationshipType

KEPT: Final = 4096
"""How many answers are kept: enough for the queries of a schema, and never more than a long-lived process can hold."""
Ends = tuple[tuple[int, int], ...]
"""Pairs of masks: what relationships lead from, and to."""


@define(eq=False, slots=False)
class KindIndex:
    """Answers questions about the kinds of one graph."""

    graph: PropertyGraph
    kinds: tuple[frozenset[str], ...]
    _labels: dict[str, int] = field(factory=dict[str, int])
    _ends: dict[tuple[frozenset[str], bool, bool], Ends] = field(factory=dict[tuple[frozenset[str], bool, bool], Ends])
    _properties: dict[str, int] = field(factory=dict[str, int])
    _by_mask: dict[int, dict[str, str]] = field(factory=dict[int, dict[str, str]])

    @classmethod
    def of(cls, graph: PropertyGraph) -> KindIndex:
        """The index of a graph; made once for each."""
        known = _KNOWN.get(graph)
        if known is None:
            known = cls(graph, tuple(sorted(graph.kinds, key=lambda kind: (len(kind), sorted(kind)))))
            _KNOWN[graph] = known
        return known

    @property
    def everything(self) -> int:
        """The mask of all kinds."""
        return (1 << len(self.kinds)) - 1

    @cached_property
    def open(self) -> int:
        """The kinds of which not every property is known."""
        known = self.graph.labels
        return self._mask(kind for kind in self.kinds if any(known.get(label) is None for label in kind))

    def _mask(self, kinds: Iterable[frozenset[str]]) -> int:
        wanted = set(kinds)
        return sum(1 << place for place, kind in enumerate(self.kinds) if kind in wanted)

    def label(self, name: str) -> int:
        """The kinds that carry a label; 0 for a label that the graph does not have."""
        found = self._labels.get(name)
        if found is None:
            found = self._labels[name] = self._mask(kind for kind in self.kinds if name in kind)
        return found

    def with_property(self, key: str) -> int:
        """The kinds that have a property, or may have it because theirs are not all known."""
        found = self._properties.get(key)
        if found is None:
            labels = {
                name for name, properties in self.graph.labels.items() if properties is not None and key in properties
            }
            found = self._mask(kind for kind in self.kinds if kind & labels) | self.open
            self._properties[key] = found
        return found

    def in_mask(self, mask: int) -> Iterator[frozenset[str]]:
        """The kinds of a mask, those with the fewest labels first."""
        return (kind for place, kind in enumerate(self.kinds) if mask >> place & 1)

    def properties(self, mask: int) -> dict[str, str]:
        """Every property that some kind of the mask has, with its type (`ANY` where kinds differ)."""
        known = self._by_mask.get(mask)
        if known is not None:
            return known
        if len(self._by_mask) >= KEPT:
            self._by_mask.clear()
        found: dict[str, str] = self._by_mask.setdefault(mask, {})
        for label in {label for kind in self.in_mask(mask) for label in kind}:
            for key, type_ in (self.graph.labels.get(label) or {}).items():
                found[key] = type_ if found.get(key, type_) == type_ else "ANY"
        return found

    def usual(self, mask: int) -> int:
        """The kinds of a mask without those that carry more labels than another of them."""
        kinds = list(self.in_mask(mask))
        return self._mask(kind for kind in kinds if not any(other < kind for other in kinds))

    def never_both(self, one: int, other: int) -> bool:
        """Whether the schema keeps every kind of the one mask apart from every kind of the other."""
        if not self.graph.disjoint or not one or not other:
            return False
        return all(self._apart(kind, second) for kind in self.in_mask(one) for second in self.in_mask(other))

    def _apart(self, kind: frozenset[str], other: frozenset[str]) -> bool:
        return any(frozenset((label, second)) in self.graph.disjoint for label in kind for second in other)

    def edge_properties(self, types: Iterable[str]) -> dict[str, str] | None:
        """The same of relationships; None where not all of them are known."""
        found: dict[str, str] = {}
        for name in types:
            known = self.graph.types[name].properties if name in self.graph.types else None
            if known is None:
                return None
            for key, type_ in known.items():
                found[key] = type_ if found.get(key, type_) == type_ else "ANY"
        return found

    def ends(self, types: frozenset[str], *, left: bool, right: bool) -> Ends:
        """What stands to the left and to the right of a relationship of one of the types.

        `left` and `right` are its arrow heads; with both or none it may lead either way.
        """
        key = (types, left, right)
        found = self._ends.get(key)
        if found is None:
            along = [pair for name in types for pair in self._ends_of(self.graph.types[name])]
            against = [(end, start) for start, end in along]
            if len(self._ends) >= KEPT:
                self._ends.clear()
            chosen = along if right and not left else against if left and not right else along + against
            found = self._ends[key] = tuple(dict.fromkeys(chosen))
        return found

    def _ends_of(self, type_: RelationshipType) -> Iterator[tuple[int, int]]:
        for start, end in type_.ends:
            yield (
                self.everything if start is None else self.label(start),
                self.everything if end is None else self.label(end),
            )

    def names(self, mask: int) -> str:
        """A mask in words: `Person or Movie`."""
        if mask == self.everything:
            return "any node"
        shown = [":".join(sorted(kind)) for kind in self.in_mask(mask)]
        # what carries more labels beside one that is named already says nothing new
        single = [one for one in shown if ":" not in one]
        shown = [one for one in shown if ":" not in one or not set(one.split(":")) & set(single)]
        return " or ".join(shown[:4]) + (" or others" if len(shown) > 4 else "")


_KNOWN: Final[WeakKeyDictionary[PropertyGraph, KindIndex]] = WeakKeyDictionary()


def step(ends: Ends, left: int, right: int) -> tuple[int, int]:
    """Both masks narrowed to what a relationship with these ends can lie between; (0, 0) where there is none."""
    narrow_left = narrow_right = 0
    for start, end in ends:
        if left & start and right & end:
            narrow_left |= start
            narrow_right |= end
    return left & narrow_left, right & narrow_right


def walk(ends: Ends, left: int, right: int, least: int, most: int | None, kinds: int) -> tuple[int, int]:
    """The same for a walk of `least` to `most` relationships (None: no bound)."""
    last = most if most is not None and most <= least + kinds else least + kinds
    reached = _reach(ends, left, least, last)
    reached_back = _reach(tuple((end, start) for start, end in ends), right, least, last)
    if not reached & right or not reached_back & left:
        return 0, 0
    return left & reached_back, right & reached


def _reach(ends: Ends, start: int, least: int, last: int) -> int:
    """Where one can be after at least `least` and at most `last` steps."""
    now, found = start, start if least == 0 else 0
    seen: set[int] = set()
    for count in range(1, last + 1):
        now = _next(ends, now)
        if not now:
            break
        if count >= least:
            found |= now
            if now in seen:
                break
            seen.add(now)
    return found


def _next(ends: Ends, mask: int) -> int:
    found = 0
    for start, end in ends:
        if mask & start:
            found |= end
    return found
