"""The canonical database of a block: its terms as nodes, its patterns as facts (Chandra and Merlin 1977).

Every variable stands for itself unless an assignment gives it a value: then variables of one value share a node. Values
matter to conditions and to graphs that are made from the block.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import Final, TypeAlias
from urllib.parse import quote

from attrs import frozen

from uniqgen_ir.ir.evaluation.expressions import Scope, evaluate_expression
from uniqgen_ir.ir.expressions import Expression
from uniqgen_ir.ir.graph import Fact, Graph
from uniqgen_ir.ir.terms import IRI, BlankNode, GroundTerm, Literal, Term, Variable
from uniqgen_ir.ir.values import effective_boolean_value
from uniqgen_ir.passes.containment.blocks import Block
from uniqgen_ir.passes.containment.homomorphism import Masks

FROZEN: Final = "urn:frozen:"
"""What the IRIs begin with that stand for variables."""

Assignment: TypeAlias = Mapping[Variable, GroundTerm]
"""Values of variables; a variable that is not in it stands for a value of its own."""

NO_VALUES: Final[Assignment] = {}


def frozen_value(variable: Variable) -> IRI:
    """The value of a variable of which nothing is known."""
    return IRI(FROZEN + quote(variable.name, safe="~"))


_SCOPE: Final = Scope({}, lambda _rows, _solution: False, Literal.of("now"))


def is_true(expression: Expression, values: Mapping[Variable, GroundTerm]) -> bool:
    """Whether a condition without `exists` holds for these values; an error is no."""
    return effective_boolean_value(evaluate_expression(expression, dict(values), _SCOPE)) is True


@frozen(eq=False)
class Target:
    """A block as a database. `index` gives the node of every term of the block, parameters included."""

    block: Block
    values: Assignment
    index: Mapping[Term, int]
    nodes: tuple[GroundTerm | Variable, ...]
    """what each node is: a constant, or a variable without a value"""
    facts: tuple[tuple[int, int, int, int], ...]
    """subject, predicate and object as nodes, and the place of the edge in the block"""
    defaults: Assignment = NO_VALUES

    @classmethod
    def of(
        cls, block: Block, values: Assignment, defaults: Assignment = NO_VALUES, extra: Iterable[Term] = ()
    ) -> Target:
        """The database; `extra` are terms that are not in the block but that others ask for.

        `defaults` are values for variables without one, used where a value is needed but not to tell nodes apart.
        """
        index: dict[Term, int] = {}
        numbers: dict[GroundTerm | Variable, int] = {}

        def number(term: Term) -> int:
            found = index.get(term)
            if found is None:
                one = values.get(term, term) if isinstance(term, Variable) else term
                assert isinstance(one, IRI | Literal | BlankNode | Variable)
                found = index[term] = numbers.setdefault(one, len(numbers))
            return found

        facts: list[tuple[int, int, int, int]] = []
        for place, edge in enumerate(block.edges):
            subject, predicate, object_ = edge.pattern
            facts.append((number(subject), number(predicate), number(object_), place))
        for term in (*block.terms, *block.rigid, *extra):
            number(term)
        return cls(block, values, index, tuple(numbers), tuple(facts), defaults)

    @property
    def everything(self) -> int:
        """The set of all nodes."""
        return (1 << len(self.nodes)) - 1

    def node(self, term: Term) -> int | None:
        """The node of a constant or of a term of the block; None where the block has none."""
        return self._numbers.get(self.values.get(term, term) if isinstance(term, Variable) else term)

    @cached_property
    def _numbers(self) -> dict[object, int]:
        return {one: place for place, one in enumerate(self.nodes)}

    @cached_property
    def by_predicate(self) -> dict[int, tuple[Masks, int, int]]:
        """For each predicate: objects by subject, the set of subjects, the set of objects."""
        found: dict[int, dict[int, int]] = {}
        for subject, predicate, object_, _ in self.facts:
            masks = found.setdefault(predicate, {})
            masks[subject] = masks.get(subject, 0) | 1 << object_
        whole: dict[int, tuple[Masks, int, int]] = {}
        for predicate, masks in found.items():
            subjects = objects = 0
            for subject, ends in masks.items():
                subjects |= 1 << subject
                objects |= ends
            whole[predicate] = masks, subjects, objects
        return whole

    @cached_property
    def triples(self) -> tuple[tuple[int, int, int], ...]:
        """The facts without repetition."""
        return tuple(dict.fromkeys((subject, predicate, object_) for subject, predicate, object_, _ in self.facts))

    @cached_property
    def node_values(self) -> tuple[GroundTerm, ...]:
        """The value of each node."""
        return tuple(
            self.defaults.get(one) or frozen_value(one) if isinstance(one, Variable) else one for one in self.nodes
        )

    @cached_property
    def solution(self) -> dict[Variable, GroundTerm]:
        """The value of every variable of the block: the answer that its canonical database was made for."""
        return {term: self.node_values[node] for term, node in self.index.items() if isinstance(term, Variable)}

    @cached_property
    def terms_of(self) -> dict[int, tuple[Term, ...]]:
        """The terms of the block that each node stands for."""
        found: dict[int, list[Term]] = {}
        for term, node in self.index.items():
            found.setdefault(node, []).append(term)
        return {node: tuple(terms) for node, terms in found.items()}

    @cached_property
    def graph(self) -> Graph:
        """The facts with values; those that no graph holds (a literal as a subject) are left out."""
        facts: list[Fact] = []
        for subject, predicate, object_ in self.triples:
            one, name, other = (self.node_values[node] for node in (subject, predicate, object_))
            if isinstance(one, IRI | BlankNode) and isinstance(name, IRI):
                facts.append((one, name, other))
        return Graph(facts)
