"""What containment is decided on: a table as a union of blocks, each a conjunction.

A block holds edges (triples, classes), walks (paths that stay paths), conditions and absences (`not`). `optional` is no
part of it: a table with `optional` is the union of the block that has it and the block that lacks it.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

from attrs import evolve, frozen

from uniqgen_ir.ir.analysis import expression_variables
from uniqgen_ir.ir.expressions import Expression
from uniqgen_ir.ir.paths import Path
from uniqgen_ir.ir.rows import Row
from uniqgen_ir.ir.substitution import substitute
from uniqgen_ir.ir.terms import IRI, Literal, Term, Variable
from uniqgen_ir.ir.visitor import rewrite
from uniqgen_ir.passes.saturate.patterns import Pattern, replaced


@frozen(cache_hash=True)
class Edge:
    """A triple pattern. Two edges of one `group` may not bind the same edge of a graph; None: any two may."""

    pattern: Pattern
    row: str
    group: int | None = None


@frozen(cache_hash=True)
class Walk:
    """A path between two ends."""

    subject: Term
    path: Path
    object: Term
    row: str


@frozen(cache_hash=True)
class Condition:
    """An expression that must be true."""

    expression: Expression
    row: str


@frozen(cache_hash=True)
class Absence:
    """None of the blocks may hold. Variables that they share with the block around them are rigid in them."""

    blocks: tuple[Block, ...]
    row: str


@frozen(cache_hash=True)
class Opaque:
    """A row that is compared by its spelling only; `reason` names its kind."""

    content: Row
    reason: str
    row: str


@frozen(cache_hash=True)
class Block:
    """One conjunction. `head`: a term a position of the answer, None where nothing binds it.

    `rigid` variables stand for values that are given from outside: they are mapped to themselves only.
    """

    head: tuple[Term | None, ...]
    edges: tuple[Edge, ...] = ()
    walks: tuple[Walk, ...] = ()
    conditions: tuple[Condition, ...] = ()
    absences: tuple[Absence, ...] = ()
    opaque: tuple[Opaque, ...] = ()
    rigid: frozenset[Variable] = frozenset()

    def is_rigid(self, variable: Variable) -> bool:
        """Whether the variable, or parameter, is mapped to itself only."""
        return variable in self.rigid or is_parameter(variable)

    @cached_property
    def variables(self) -> dict[Variable, None]:
        """The variables that edges and walks bind, by first occurrence; a parameter is a variable named `$…`."""
        terms = [term for edge in self.edges for term in edge.pattern]
        terms += [term for walk in self.walks for term in (walk.subject, walk.object)]
        return {term: None for term in terms if isinstance(term, Variable)}

    @cached_property
    def terms(self) -> dict[Term, None]:
        """Every term of edges, walks and head, by first occurrence."""
        found: dict[Term, None] = {}
        for edge in self.edges:
            subject, predicate, object_ = edge.pattern
            found[subject] = found[object_] = None
            if isinstance(predicate, Variable):
                found[predicate] = None
        for walk in self.walks:
            found[walk.subject] = found[walk.object] = None
        found.update((term, None) for term in self.head if term is not None)
        return found

    @cached_property
    def looked_at(self) -> frozenset[Variable]:
        """The variables that conditions mention."""
        return frozenset[Variable]().union(*(expression_variables(one.expression) for one in self.conditions))

    @property
    def impossible(self) -> bool:
        """Whether a literal stands as a subject or predicate, which no graph holds."""
        return any(isinstance(edge.pattern[0], Literal) or _not_iri(edge.pattern[1]) for edge in self.edges)

    @property
    def is_plain(self) -> bool:
        """Whether edges are all there is, and any two of them may be the same."""
        extras = self.walks or self.conditions or self.absences or self.opaque
        return not extras and all(edge.group is None for edge in self.edges)


def _not_iri(term: object) -> bool:
    return not isinstance(term, IRI | Variable)


def is_parameter(term: Term | None) -> bool:
    """Whether the term is a variable that stands for a parameter."""
    return isinstance(term, Variable) and term.name.startswith("$")


def put(expression: Expression, terms: Mapping[Variable, Term]) -> Expression:
    """The expression with terms in the place of variables (it holds no rows)."""
    if not terms:
        return expression
    return rewrite(expression, lambda one: terms.get(one, one) if isinstance(one, Variable) else one)


def put_term(term: Term, terms: Mapping[Variable, Term]) -> Term:
    return terms.get(term, term) if isinstance(term, Variable) else term


def replace(block: Block, terms: Mapping[Variable, Term]) -> Block:
    """The block with terms in the place of variables, absences included."""
    if not terms:
        return block
    return Block(
        tuple(None if term is None else put_term(term, terms) for term in block.head),
        tuple(evolve(edge, pattern=_edge_replaced(edge.pattern, terms)) for edge in block.edges),
        tuple(
            evolve(walk, subject=put_term(walk.subject, terms), object=put_term(walk.object, terms))
            for walk in block.walks
        ),
        tuple(evolve(one, expression=put(one.expression, terms)) for one in block.conditions),
        tuple(_absence_replaced(one, terms) for one in block.absences),
        tuple(evolve(one, content=substitute(one.content, terms)) for one in block.opaque),
        frozenset(one for old in block.rigid if isinstance(one := put_term(old, terms), Variable)),
    )


def _edge_replaced(pattern: Pattern, terms: Mapping[Variable, Term]) -> Pattern:
    predicate = pattern[1]
    target = terms.get(predicate) if isinstance(predicate, Variable) else None
    if isinstance(target, Literal):
        # no predicate is a literal: the block becomes one that nothing matches
        return target, predicate, pattern[2]
    return replaced(pattern, terms)


def _absence_replaced(absence: Absence, terms: Mapping[Variable, Term]) -> Absence:
    return evolve(absence, blocks=tuple(replace(block, terms) for block in absence.blocks))
