"""What is known at one place of a query."""

from __future__ import annotations

from attrs import define, field

from uniqgen_ir.grammar.cypher import ast
from uniqgen_ir.validate.cypher.known import KnownFacts
from uniqgen_ir.validate.cypher.network import Edge, Place
from uniqgen_ir.validate.cypher.types import Type


@define
class State:
    """Variables and their types; conditions that hold; variables that an OPTIONAL MATCH may leave without a value."""

    types: dict[str, Type] = field(factory=dict[str, Type])
    facts: KnownFacts = field(factory=KnownFacts)
    optional: dict[str, ast.Match] = field(factory=dict[str, ast.Match])
    edges: list[tuple[Edge, list[Place]]] = field(factory=list["tuple[Edge, list[Place]]"])
    """relationships of the patterns so far, for repairs that look at what is next to a variable"""

    def copy(self) -> State:
        """A state for a part that sees this one but leaves it as it is."""
        return State(dict(self.types), self.facts.copy(), dict(self.optional), list(self.edges))
