"""The frozen query: rows as a small graph in which each variable is a node, and the conditions that they say."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from uniqgen_ir.ir.analysis import expression_variables
from uniqgen_ir.ir.expressions import And, Comparison, ComparisonOperator, Expression
from uniqgen_ir.ir.graph import Fact
from uniqgen_ir.ir.rows import Filter, Row, Triple, TypeAtom
from uniqgen_ir.ir.terms import IRI, BlankNode, GroundTerm, Literal, Term, Variable
from uniqgen_ir.ir.values import compare
from uniqgen_ir.ir.vocabulary import RDF_TYPE
from uniqgen_ir.passes.certificates.schema_facts import SchemaFacts

_FROZEN: Final = "urn:uniqgen:frozen:"

Mapped = Mapping[Variable, object]


def node_of(variable: Variable) -> IRI:
    return IRI(_FROZEN + variable.name)


def thawed(term: GroundTerm) -> object:
    is_frozen = isinstance(term, IRI) and term.value.startswith(_FROZEN)
    return Variable(term.value.removeprefix(_FROZEN)) if is_frozen and isinstance(term, IRI) else term


def moved_term(term: Term, mapping: Mapping[Variable, Term]) -> Term:
    """Where the mapping leads the term, as a node of the small graph."""
    moved = mapping.get(term, term) if isinstance(term, Variable) else term
    return node_of(moved) if isinstance(moved, Variable) else moved


def frozen_fact(row: Row, mapping: Mapping[Variable, Term]) -> Fact | None:
    match row.atom:
        case Triple(subject, predicate, object_):
            terms = (subject, predicate, object_)
        case TypeAtom(subject, type_):
            terms = (subject, IRI(RDF_TYPE), type_)
        case _:
            return None
    first, middle, last = (moved_term(one, mapping) for one in terms)
    ground = isinstance(first, IRI | Literal | BlankNode) and isinstance(last, IRI | Literal | BlankNode)
    return (first, middle, last) if ground and isinstance(middle, IRI) else None  # type: ignore[return-value]


def obeying(facts: set[Fact], schema: SchemaFacts) -> set[Fact]:
    """The facts and all that the schema adds to them."""
    while True:
        more: set[Fact] = set()
        for start, name, end in facts:
            more |= {(start, IRI(RDF_TYPE), IRI(high)) for low, high in schema.domains if low == name.value}
            if name.value == RDF_TYPE and isinstance(end, IRI):
                more |= {(start, name, IRI(high)) for low, high in schema.subclasses if low == end.value}
            if not isinstance(end, Literal):
                more |= {(end, IRI(RDF_TYPE), IRI(high)) for low, high in schema.ranges if low == name.value}
                more |= {(end, IRI(other), start) for one, other in schema.inverses if one == name.value}
                more |= {(end, IRI(one), start) for one, other in schema.inverses if other == name.value}
        if more <= facts:
            return facts
        facts = facts | more


def said_by(row: Row) -> tuple[Expression, ...]:
    parts = [row.where] if row.where is not None else []
    parts += [row.atom.condition] if isinstance(row.atom, Filter) else []
    return tuple(one for part in parts for one in (part.operands if isinstance(part, And) else (part,)))


def is_said(condition: Expression, mapping: Mapped, said: Iterable[Expression]) -> bool:
    """Whether one of the conditions is this one, or a tighter bound on the same variable."""
    for one in said:
        if one == condition and all(mapping.get(name, name) == name for name in expression_variables(condition)):
            return True
        wanted, given = _bound(condition), _bound(one)
        speaks = wanted is not None and given is not None and mapping.get(wanted[0], wanted[0]) == given[0]
        if speaks and wanted is not None and given is not None and _within(given[1:], wanted[1:]):
            return True
    return False


def _bound(condition: Expression) -> tuple[Variable, ComparisonOperator, Literal] | None:
    match condition:
        case Comparison(operator, Variable() as variable, Literal() as limit):
            return variable, operator, limit
        case Comparison(operator, Literal() as limit, Variable() as variable):
            return variable, operator.flipped, limit
        case _:
            return None


def _within(given: tuple[ComparisonOperator, Literal], wanted: tuple[ComparisonOperator, Literal]) -> bool:
    """Whether every value that the given bound allows is allowed by the wanted one."""
    op = ComparisonOperator
    (has, limit), (asks, other) = given, wanted
    if given == wanted:
        return True
    if has is op.EQUAL:
        return compare(asks, limit, other) is True
    for strict, loose in ((op.GREATER, op.GREATER_EQUAL), (op.LESS, op.LESS_EQUAL)):
        if has in (strict, loose) and asks in (strict, loose):
            return compare(strict if (has, asks) == (loose, strict) else loose, limit, other) is True
    return False
