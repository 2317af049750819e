"""The nodes and relationships of patterns, and what the schema leaves for each of them.

Places stand for nodes: one for each variable, one for each node without a variable. What a place can be is narrowed by
labels first, then along relationships until nothing changes; a relationship that fits no pair of kinds is reported.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from attrs import define, field

from uniqgen_ir.grammar.cypher import ast
from uniqgen_ir.grammar.cypher import ast_expressions as expressions
from uniqgen_ir.grammar.cypher.context import Context
from uniqgen_ir.ir.diagnostics import Edit, Fix, Severity
from uniqgen_ir.ir.suggestions import plain_words
from uniqgen_ir.validate.cypher.kinds import Ends, KindIndex, step, walk
from uniqgen_ir.validate.cypher.names import NameChecker, listed
from uniqgen_ir.validate.cypher.types import EdgeType, ListType, NodeType, Type

ROUNDS: Final = 8
"""How often kinds are passed along relationships. Stopping early only leaves more kinds open."""
SYMMETRIC: Final = (
    *("know", "friend", "married", "spouse", "sibling", "partner", "colleague", "neighbo", "connect", "adjacent"),
    *("similar", "related", "relative", "border", "met", "linked", "same", "interact", "family", "peer", "associat"),
    *("equal", "synonym", "near", "overlap", "cowork", "match", "alias", "contact", "collab"),
)
"""Beginnings of words for relations whose direction says nothing."""


@define
class Place:
    """A node of the pattern. `declared`: a label is written somewhere."""

    mask: int
    declared: bool = False
    elements: list[ast.NodePattern] = field(factory=list[ast.NodePattern])


@define
class Edge:
    """A relationship between two places; `types` None where an unknown one is among them."""

    element: ast.RelationshipPattern
    left: int
    right: int
    types: frozenset[str] | None
    faulty: bool = False

    @property
    def bounds(self) -> tuple[int, int | None] | None:
        """How many relationships follow each other; None for exactly one."""
        length, repetition = self.element.length, self.element.repetition
        if repetition is not None:
            return repetition.minimum, repetition.maximum
        if length is None:
            return None
        return (1 if length.minimum is None else length.minimum), length.maximum


class Network:
    """The patterns of one clause over what is known from before."""

    def __init__(self, context: Context, index: KindIndex, names: NameChecker, known: Mapping[str, Type]) -> None:
        self.context = context
        self.index = index
        self.names = names
        self.known = known
        self.places: list[Place] = []
        self.edges: list[Edge] = []
        self.by_name: dict[str, int] = {}
        self.edge_names: dict[str, Edge] = {}

    def add(self, elements: Sequence[ast.PathElement]) -> None:
        """A path. Groups and paths inside it stand for themselves."""
        before: tuple[ast.PathElement, int] | None = None
        pending: ast.RelationshipPattern | None = None
        for element in elements:
            if isinstance(element, ast.NodePattern):
                place = self.place(element)
                if pending is not None and before is not None:
                    self.edge(pending, before[1], place)
                before, pending = (element, place), None
            elif isinstance(element, ast.RelationshipPattern):
                pending = element
            else:
                self.add(element.elements)
                before = pending = None

    def place(self, element: ast.NodePattern) -> int:
        name = element.variable.text if element.variable is not None else None
        number = self.by_name.get(name) if name is not None else None
        if number is None:
            number = len(self.places)
            known = self.known.get(name) if name is not None else None
            mask, declared = (
                (known.mask, known.declared) if isinstance(known, NodeType) else (self.index.everything, False)
            )
            self.places.append(Place(mask, declared))
            if name is not None:
                self.by_name[name] = number
        self.places[number].elements.append(element)
        if element.labels is not None:
            self.restrict(number, element.labels)
        return number

    def restrict(self, number: int, labels: expressions.LabelExpression) -> None:
        """Only what a label expression allows."""
        allowed = self.names.node_mask(labels)
        place = self.places[number]
        if allowed is None:
            # an unknown label is reported already: what it was meant to be is open
            place.mask, place.declared = self.index.everything, False
            return
        if place.mask & allowed:
            place.mask &= allowed
        elif self.index.graph.exclusive or not allowed or self.index.never_both(place.mask, allowed):
            self._never(labels, allowed, place)
            place.mask = allowed or place.mask
        else:
            place.mask |= allowed
        place.declared = True

    def _never(self, labels: expressions.Node, allowed: int, place: Place) -> None:
        text = self.context.text[labels.start : labels.end]
        if allowed:
            message = f"no node that is {self.index.names(place.mask)} is {text}, too"
        else:
            message = f"no node of the schema is `{text}`"
        hint = "the schema has no node with these labels together; write `|` for one or the other"
        self.context.report("UQ443", message, labels.start, labels.end, hint=hint)

    def edge(self, element: ast.RelationshipPattern, left: int, right: int) -> None:
        types = self.names.edge_types(element.types)
        name = element.variable.text if element.variable is not None else None
        known = self.known.get(name) if name is not None else None
        if isinstance(known, EdgeType) and known.types is not None and types is not None:
            types = types & known.types or types
        edge = Edge(element, left, right, types)
        self.edges.append(edge)
        if name is not None:
            self.edge_names[name] = edge

    # ---- solving -----------------------------------------------------------------------------------------------------

    def solve(self) -> None:
        """Narrow every place; report relationships that fit nowhere."""
        for edge in self.edges:
            # what labels alone say comes first, so that a fault is seen where it stands
            self.judge(edge)
        for _ in range(ROUNDS):
            before = [place.mask for place in self.places]
            for edge in self.edges:
                self.narrow(edge)
            if before == [place.mask for place in self.places]:
                break

    def judge(self, edge: Edge) -> None:
        """Report a relationship that cannot lie between its places."""
        if edge.types is None:
            return
        left, right = self.places[edge.left].mask, self.places[edge.right].mask
        if self.fits(edge, left, right)[0]:
            return
        edge.faulty = True
        element = edge.element
        if element.left != element.right and self.fits(edge, left, right, flipped=True)[0]:
            self._wrong_way(edge)
        else:
            self._no_ends(edge)

    def narrow(self, edge: Edge) -> None:
        if edge.faulty or edge.types is None:
            return
        left, right = self.places[edge.left], self.places[edge.right]
        if edge.left == edge.right:
            return
        narrow_left, narrow_right = self.fits(edge, left.mask, right.mask)
        if not narrow_left:
            self.judge(edge)
            return
        left.mask, right.mask = narrow_left, narrow_right
        if edge.bounds is None:
            ends = {
                name: self.index.ends(frozenset({name}), left=edge.element.left, right=edge.element.right)
                for name in edge.types
            }
            edge.types = frozenset(name for name, one in ends.items() if step(one, narrow_left, narrow_right)[0])

    def fits(self, edge: Edge, left: int, right: int, *, flipped: bool = False) -> tuple[int, int]:
        """Both masks narrowed to what the relationship can lie between; (0, 0) where it fits nowhere."""
        ends = self._ends(edge, flipped=flipped)
        bounds = edge.bounds
        if bounds is None:
            return step(ends, left, right)
        return walk(ends, left, right, bounds[0], bounds[1], len(self.index.kinds))

    def _ends(self, edge: Edge, *, flipped: bool) -> Ends:
        heads = (edge.element.left, edge.element.right)
        left, right = reversed(heads) if flipped else heads
        return self.index.ends(edge.types or frozenset(), left=left, right=right)

    # ---- reports -----------------------------------------------------------------------------------------------------

    def _wrong_way(self, edge: Edge) -> None:
        element = edge.element
        message = f"{self._named(edge)} points the wrong way"
        fix = flip(self.context.text, element)
        self.context.report("UQ343", message, element.start, element.end, hint=self._directions(edge), fix=fix)

    def _no_ends(self, edge: Edge) -> None:
        left, right = (self.index.names(self.places[one].mask) for one in (edge.left, edge.right))
        if edge.element.left and not edge.element.right:
            left, right = right, left
        joint = "to" if edge.element.left != edge.element.right else "and"
        way = f"from {left} to {right}" if joint == "to" else f"between {left} and {right}"
        message = f"{self._named(edge)} never leads {way}"
        self.context.report(
            "UQ342", message, edge.element.start, edge.element.end, hint=self._directions(edge) or self._between(edge)
        )

    def _named(self, edge: Edge) -> str:
        types = sorted(edge.types or ())
        return " or ".join(types) if edge.element.types is not None and len(types) <= 3 else "such a relationship"

    def _directions(self, edge: Edge) -> str | None:
        if edge.element.types is None:
            return None
        ways = [
            f"(:{start or ''})-[:{name}]->(:{end or ''})"
            for name in sorted(edge.types or ())
            for start, end in sorted(self.index.graph.types[name].ends, key=str)
        ]
        return "the schema has " + ", ".join(ways[:4]) + (" and others" if len(ways) > 4 else "") if ways else None

    def _between(self, edge: Edge) -> str:
        left, right = self.places[edge.left].mask, self.places[edge.right].mask
        fitting = [
            name
            for name in self.index.graph.types
            if step(self.index.ends(frozenset({name}), left=False, right=False), left, right)[0]
        ]
        return "between these " + listed(fitting, "there is no relationship in the schema")

    def undirected(self) -> None:
        """Warn of relationships without a direction that lead from a kind to itself and where the direction matters."""
        for edge in self.edges:
            element = edge.element
            if element.left != element.right or edge.bounds is not None or edge.faulty or element.types is None:
                continue
            for name in sorted(edge.types or ()):
                symmetric = any(word.startswith(SYMMETRIC) for word in plain_words(name).split())
                if symmetric or not self._both_ways(edge, name):
                    continue
                message = f"{name} leads both ways here, so that its two ends are mixed up"
                hint = "write an arrow, `->` or `<-`, if it matters who is at which end"
                self.context.report("UQ449", message, element.start, element.end, hint=hint, severity=Severity.WARNING)
                break

    def _both_ways(self, edge: Edge, name: str) -> bool:
        left, right = self.places[edge.left].mask, self.places[edge.right].mask
        only, against = (
            self.index.ends(frozenset({name}), left=not forward, right=forward) for forward in (True, False)
        )
        return bool(step(only, left, right)[0] and step(against, left, right)[0])

    # ---- what it says about variables --------------------------------------------------------------------------------

    def types(self) -> dict[str, Type]:
        """What each variable of the patterns is."""
        found: dict[str, Type] = {}
        for name, number in self.by_name.items():
            place = self.places[number]
            found[name] = NodeType(place.mask, place.declared)
        for name, edge in self.edge_names.items():
            one = EdgeType(edge.types)
            found[name] = one if edge.bounds is None else ListType(one)
        return found


def flip(text: str, element: ast.RelationshipPattern) -> Fix | None:
    """Turn the arrow round; None where it is not written in plain characters."""
    end = element.repetition.start if element.repetition is not None else element.end
    while text[end - 1].isspace():
        end -= 1
    start = element.start
    if element.right and text[start] == "-" and text[end - 1] == ">":
        edits = (Edit(start, start, "<"), Edit(end - 1, end, ""))
    elif element.left and text[start] == "<" and text[end - 1] == "-":
        edits = (Edit(start, start + 1, ""), Edit(end, end, ">"))
    else:
        return None
    return Fix("turn the arrow round", edits)
