"""Rows that follow from other rows on every graph: found by mapping a row into the others.

A row follows if its private variables (in no other row, not in the answer) can be replaced so that what it says
stands among
the others, or is weaker than something that stands there. With a schema, domains, ranges, subclasses and inverses
count too;
a real graph may violate its schema, so such findings are marked `needs_data` and confirmed on the graph.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from attrs import frozen

from uniqgen_ir.ir.analysis import expression_variables, row_variables
from uniqgen_ir.ir.expressions import And, Comparison, ComparisonOperator, Expression
from uniqgen_ir.ir.paths import Alternative, Inverse, Path, Repeat
from uniqgen_ir.ir.paths import Sequence as PathSequence
from uniqgen_ir.ir.paths import Step as PathStep
from uniqgen_ir.ir.rows import Filter, NotBlock, PathAtom, Row, Triple, TypeAtom
from uniqgen_ir.ir.schema import Schema
from uniqgen_ir.ir.terms import IRI, Literal, Variable
from uniqgen_ir.ir.values import compare


@frozen
class Implication:
    """Why a row follows. `needs_data`: only on graphs that obey the schema."""

    reason: str
    because: tuple[str, ...]
    needs_data: bool = False


def implication(
    row: Row, others: Sequence[Row], fixed: frozenset[Variable], schema: Schema | None
) -> Implication | None:
    """Why the row follows from the others, or None. `fixed`: variables of the answer, which stand for themselves."""
    private = row_variables(row) - fixed - frozenset[Variable]().union(*(row_variables(one) for one in others))
    for other, mapping, reason, needs_data in _matches(row, others, private, schema):
        conditions = _conjuncts(row.where)
        if all(_condition_holds(one, mapping, others) for one in conditions):
            return Implication(reason, (other.id,), needs_data)
    return None


Mapped = tuple[Row, Mapping[Variable, object], str, bool]


def _matches(row: Row, others: Sequence[Row], private: frozenset[Variable], schema: Schema | None) -> Iterator[Mapped]:
    for other in others:
        match row.atom:
            case Filter(condition):
                if _condition_holds(condition, {}, [other]):
                    yield other, {}, "another row says the same or more", False
            case NotBlock():
                if other.atom == row.atom:
                    yield other, {}, "another row says the same", False
            case Triple() | TypeAtom() | PathAtom():
                yield from _atom_matches(row.atom, other, private, schema)
            case _:
                if other.atom == row.atom:
                    yield other, {}, "another row says the same", False


def _atom_matches(
    atom: Triple | TypeAtom | PathAtom, other: Row, private: frozenset[Variable], schema: Schema | None
) -> Iterator[Mapped]:
    if not isinstance(other.atom, Triple | TypeAtom | PathAtom):
        return
    mapping = _map_terms(_terms(atom), _terms(other.atom), private) if _same_kind(atom, other.atom) else None
    if mapping is not None:
        yield other, mapping, "another row says the same or more", False
    if isinstance(atom, PathAtom) and isinstance(other.atom, Triple) and isinstance(other.atom.predicate, IRI):
        for forwards in (True, False):
            ends = (other.atom.subject, other.atom.object)
            mapping = _map_terms((atom.subject, atom.object), ends if forwards else ends[::-1], private)
            if mapping is not None and accepts_edge(atom.path, other.atom.predicate, forwards=forwards):
                yield other, mapping, "an edge in another row is such a path", False
    if schema is not None:
        yield from _schema_matches(atom, other, private, schema)


def _schema_matches(
    atom: Triple | TypeAtom | PathAtom, other: Row, private: frozenset[Variable], schema: Schema
) -> Iterator[Mapped]:
    if isinstance(atom, TypeAtom) and isinstance(atom.type, IRI):
        for place, given in _types_given(other, schema):
            mapping = _map_terms((atom.subject,), (place,), private)
            if mapping is not None and is_subclass(given, atom.type, schema):
                yield other, mapping, f"the schema gives that type (through {other.id})", True
    if isinstance(atom, Triple) and isinstance(other.atom, Triple):
        mapping = _map_terms((atom.subject, atom.object), (other.atom.object, other.atom.subject), private)
        inverse = any(
            {relation.iri, relation.inverse} == {atom.predicate, other.atom.predicate} for relation in schema.relations
        )
        if mapping is not None and inverse:
            yield other, mapping, "the schema declares the inverse", True


def _types_given(other: Row, schema: Schema) -> Iterator[tuple[object, IRI]]:
    atom = other.atom
    if isinstance(atom, TypeAtom) and isinstance(atom.type, IRI):
        yield atom.subject, atom.type
    if isinstance(atom, Triple):
        domains = [(one.iri, one.domain) for one in schema.relations]
        domains += [(one.iri, one.domain) for one in schema.properties]
        for iri, domain in domains:
            if iri == atom.predicate and domain is not None:
                yield atom.subject, domain
        for relation in schema.relations:
            if relation.iri == atom.predicate and relation.range is not None:
                yield atom.object, relation.range


def is_subclass(lower: IRI, upper: IRI, schema: Schema) -> bool:
    """Whether the schema makes every instance of `lower` an instance of `upper`."""
    parents = {one.iri: one.parents for one in schema.classes}
    seen, waiting = {lower}, [lower]
    while waiting:
        for parent in parents.get(waiting.pop(), ()):
            if parent not in seen:
                seen.add(parent)
                waiting.append(parent)
    return upper in seen


def accepts_edge(path: Path, predicate: IRI, *, forwards: bool) -> bool:
    """Whether one edge of this predicate, walked in this direction, is a whole walk along the path."""
    match path:
        case PathStep(one):
            return forwards and one == predicate
        case Inverse(inner):
            return accepts_edge(inner, predicate, forwards=not forwards)
        case Alternative(paths):
            return any(accepts_edge(one, predicate, forwards=forwards) for one in paths)
        case Repeat(inner, minimum, maximum):
            once = minimum <= 1 and (maximum is None or maximum >= 1)
            return once and accepts_edge(inner, predicate, forwards=forwards)
        case PathSequence(paths):
            rest = [one for one in paths if not _accepts_nothing(one)]
            return len(rest) == 1 and accepts_edge(rest[0], predicate, forwards=forwards)
        case _:
            return False


def _accepts_nothing(path: Path) -> bool:
    return isinstance(path, Repeat) and path.minimum == 0


def _same_kind(atom: Triple | TypeAtom | PathAtom, other: Triple | TypeAtom | PathAtom) -> bool:
    return type(atom) is type(other) and not (
        isinstance(atom, PathAtom) and isinstance(other, PathAtom) and atom.path != other.path
    )


def _terms(atom: Triple | TypeAtom | PathAtom) -> tuple[object, ...]:
    match atom:
        case Triple(subject, predicate, object_):
            return subject, predicate, object_
        case TypeAtom(subject, type_):
            return subject, type_
        case PathAtom(subject, _, object_):
            return subject, object_


def _map_terms(
    terms: Iterable[object], targets: Iterable[object], private: frozenset[Variable]
) -> dict[Variable, object] | None:
    mapping: dict[Variable, object] = {}
    for term, target in zip(terms, targets, strict=True):
        if isinstance(term, Variable) and term in private:
            if mapping.setdefault(term, target) != target:
                return None
        elif term != target:
            return None
    return mapping


def _conjuncts(condition: Expression | None) -> tuple[Expression, ...]:
    if condition is None:
        return ()
    return condition.operands if isinstance(condition, And) else (condition,)


def _condition_holds(condition: Expression, mapping: Mapping[Variable, object], others: Iterable[Row]) -> bool:
    """Whether every conjunct of the condition, variables replaced, is said by a condition of the other rows."""
    said = [
        part
        for row in others
        for part in (*_conjuncts(row.where), *(_conjuncts(row.atom.condition) if isinstance(row.atom, Filter) else ()))
    ]
    return all(any(_weaker(part, one, mapping) for one in said) for part in _conjuncts(condition))


def _weaker(condition: Expression, said: Expression, mapping: Mapping[Variable, object]) -> bool:
    if condition == said:
        return all(mapping.get(one, one) == one for one in expression_variables(condition))
    first, second = _bound_of(condition), _bound_of(said)
    if first is None or second is None:
        return False
    (variable, operator, limit), (other, other_operator, other_limit) = first, second
    if mapping.get(variable, variable) != other:
        return False
    return _interval_contains(operator, limit, other_operator, other_limit)


def _bound_of(condition: Expression) -> tuple[Variable, ComparisonOperator, Literal] | None:
    match condition:
        case Comparison(operator, Variable() as variable, Literal() as limit):
            return variable, operator, limit
        case Comparison(operator, Literal() as limit, Variable() as variable):
            return variable, operator.flipped, limit
        case _:
            return None


def _interval_contains(
    operator: ComparisonOperator, limit: Literal, other: ComparisonOperator, other_limit: Literal
) -> bool:
    """Whether `v other other_limit` makes `v operator limit` true for every v."""
    op = ComparisonOperator
    if (operator, limit) == (other, other_limit):
        return True
    if other is op.EQUAL:
        return compare(operator, other_limit, limit) is True
    if operator in (op.GREATER, op.GREATER_EQUAL) and other in (op.GREATER, op.GREATER_EQUAL):
        strict = operator is op.GREATER and other is op.GREATER_EQUAL
        return compare(op.GREATER if strict else op.GREATER_EQUAL, other_limit, limit) is True
    if operator in (op.LESS, op.LESS_EQUAL) and other in (op.LESS, op.LESS_EQUAL):
        strict = operator is op.LESS and other is op.LESS_EQUAL
        return compare(op.LESS if strict else op.LESS_EQUAL, other_limit, limit) is True
    return False
