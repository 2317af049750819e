"""Which rows follow from the others on every graph, found by the checker's own means: the frozen query.

The other rows become a small graph in which each variable is a node of its own; a row follows if it has a match there
that leaves every variable it shares in place. Conditions must be said by the others, or be weaker than what they say.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from attrs import evolve

from uniqgen_ir.ir.analysis import active_rows, binds, expression_variables, positive_variables, row_variables
from uniqgen_ir.ir.evaluate import evaluate
from uniqgen_ir.ir.evaluate_paths import walk as walk_path
from uniqgen_ir.ir.expressions import And, Comparison, ComparisonOperator, Expression
from uniqgen_ir.ir.graph import Fact, Graph
from uniqgen_ir.ir.rows import Either, Filter, PathAtom, Row, Triple, TypeAtom, Values
from uniqgen_ir.ir.table import Column, Shell, Table
from uniqgen_ir.ir.terms import IRI, BlankNode, GroundTerm, Literal, Parameter, Term, Variable
from uniqgen_ir.ir.values import compare
from uniqgen_ir.ir.visitor import walk
from uniqgen_ir.ir.vocabulary import RDF_TYPE
from uniqgen_ir.passes.certificate_claims import SchemaFacts

_FROZEN: Final = "urn:uniqgen:frozen:"

Mapped = Mapping[Variable, object]


def following(
    table: Table,
    names: Sequence[str],
    rows: Sequence[Row],
    fixed: frozenset[Variable],
    schema: SchemaFacts,
    mappings: Mapping[str, Mapping[str, str]],
) -> frozenset[str]:
    """Which of the named rows follow from the rest of `rows`, one after the other; `fixed` stand for themselves.

    With a schema: on every graph that obeys it. `mappings` are those that the trace gives for a row, terms as text:
    each is looked up, none is looked for.
    """
    left, found, progress = list(rows), set[str](), True
    while progress:
        progress = False
        for row in [one for name in names for one in left if one.id == name]:
            others = [one for one in left if one is not row]
            if (
                row.id not in active_rows(table, (one.id for one in left))  # it says nothing any more
                or _follows(table, row, others, fixed, schema)
                or (row.id in mappings and _folds(table, left, others, fixed, schema, mappings[row.id]))
            ):
                left, progress = others, True
                found.add(row.id)
    return frozenset(found)


def _folds(
    table: Table,
    left: Sequence[Row],
    others: Sequence[Row],
    fixed: frozenset[Variable],
    schema: SchemaFacts,
    given: Mapping[str, str],
) -> bool:
    """Whether the mapping leads all that is left into the other rows, and leaves the fixed variables in place."""
    before, after = (active_rows(table, (one.id for one in some)) for some in (left, others))
    left, others = [one for one in left if one.id in before], [one for one in others if one.id in after]
    terms = {str(one): one for row in left for one in walk(row) if isinstance(one, Variable | IRI | Literal)}
    mapping: dict[Variable, Term] = {
        variable: terms[target]
        for name, target in given.items()
        if isinstance(variable := terms.get(name), Variable) and target in terms
    }  # names that no row has stand for places on a path, which are looked up here
    if not fixed <= positive_variables(others) or any(mapping.get(one, one) != one for one in fixed):
        return False
    facts = Graph(_obeying({fact for one in others if (fact := _frozen(one, {})) is not None}, schema))
    said = [part for one in others for part in _said(one)]
    return all(_is_there(one, others, mapping, facts, said) for one in left)


def _is_there(
    row: Row, others: Sequence[Row], mapping: Mapping[Variable, Term], facts: Graph, said: Sequence[Expression]
) -> bool:
    """Whether the others say what the row says once its variables are mapped; of an `either`, what one branch says."""
    if row in others and all(mapping.get(one, one) == one for one in row_variables(row)):
        return True
    match row.atom:
        case Filter():
            there = True
        case Triple() | TypeAtom():
            moved = _frozen(row, mapping)
            there = moved is not None and moved in facts
        case PathAtom(subject, path, object_):
            nodes = facts.terms()
            start, end = _moved(subject, mapping), _moved(object_, mapping)
            if isinstance(start, Variable | Parameter) or start not in nodes:
                return False
            there = end in nodes and end in set[object](walk_path(path, start, facts, lambda: None))
        case Either(branches):
            there = any(all(_is_there(one, others, mapping, facts, said) for one in branch) for branch in branches)
        case _:
            return False
    return there and all(_is_said(part, mapping, said) for part in _said(row))


def _follows(table: Table, row: Row, others: Sequence[Row], fixed: frozenset[Variable], schema: SchemaFacts) -> bool:
    private = row_variables(row) - fixed - frozenset[Variable]().union(*(row_variables(one) for one in others))
    said = [part for one in others for part in _said(one)]
    if not binds(row) - private <= positive_variables(others):
        return False
    if isinstance(row.atom, Filter):
        return all(_is_said(part, {}, said) for part in _said(row))
    mappings = _matches(table, row, others, private, schema)
    return any(all(_is_said(part, mapping, said) for part in _said(row)) for mapping in mappings)


def _matches(
    table: Table, row: Row, others: Sequence[Row], private: frozenset[Variable], schema: SchemaFacts
) -> Iterator[Mapped]:
    if any(one.atom == row.atom for one in others):
        yield {}
    if isinstance(row.atom, PathAtom):
        yield from _same_paths(row.atom, others, private)
    if not isinstance(row.atom, Triple | TypeAtom | PathAtom):
        return
    edges = [one for one in others if isinstance(one.atom, Triple | TypeAtom)]
    graph = Graph(_obeying({fact for one in edges if (fact := _frozen(one, {})) is not None}, schema))
    shared = tuple(sorted(row_variables(evolve(row, where=None)) - private, key=str))
    own = tuple(sorted(row_variables(evolve(row, where=None)) & private, key=str))
    pins = (Row("frozen", Values(shared, (tuple(_node(one) for one in shared),))),) if shared else ()
    head = tuple(Column(one) for one in (*shared, *own))
    if not head:
        return
    asked = evolve(table, head=head, rows=(*pins, evolve(row, where=None)), shell=Shell(), question=None)
    for line in evaluate(asked, graph).rows:
        terms = line[len(shared) :]
        yield {variable: _thawed(term) for variable, term in zip(own, terms, strict=True) if term is not None}


def _obeying(facts: set[Fact], schema: SchemaFacts) -> set[Fact]:
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


def _same_paths(atom: PathAtom, others: Sequence[Row], private: frozenset[Variable]) -> Iterator[Mapped]:
    for other in (one.atom for one in others):
        if isinstance(other, PathAtom) and other.path == atom.path:
            mapping: dict[Variable, object] = {}
            for term, target in ((atom.subject, other.subject), (atom.object, other.object)):
                if isinstance(term, Variable) and term in private:
                    mapping.setdefault(term, target)
            ends = [mapping.get(one, one) if isinstance(one, Variable) else one for one in (atom.subject, atom.object)]
            if ends == [other.subject, other.object]:
                yield mapping


def _node(variable: Variable) -> IRI:
    return IRI(_FROZEN + variable.name)


def _thawed(term: GroundTerm) -> object:
    is_frozen = isinstance(term, IRI) and term.value.startswith(_FROZEN)
    return Variable(term.value.removeprefix(_FROZEN)) if is_frozen and isinstance(term, IRI) else term


def _moved(term: Term, mapping: Mapping[Variable, Term]) -> Term:
    """Where the mapping leads the term, as a node of the small graph."""
    moved = mapping.get(term, term) if isinstance(term, Variable) else term
    return _node(moved) if isinstance(moved, Variable) else moved


def _frozen(row: Row, mapping: Mapping[Variable, Term]) -> Fact | None:
    match row.atom:
        case Triple(subject, predicate, object_):
            terms = (subject, predicate, object_)
        case TypeAtom(subject, type_):
            terms = (subject, IRI(RDF_TYPE), type_)
        case _:
            return None
    first, middle, last = (_moved(one, mapping) for one in terms)
    ground = isinstance(first, IRI | Literal | BlankNode) and isinstance(last, IRI | Literal | BlankNode)
    return (first, middle, last) if ground and isinstance(middle, IRI) else None  # type: ignore[return-value]


def _said(row: Row) -> tuple[Expression, ...]:
    parts = [row.where] if row.where is not None else []
    parts += [row.atom.condition] if isinstance(row.atom, Filter) else []
    return tuple(one for part in parts for one in (part.operands if isinstance(part, And) else (part,)))


def _is_said(condition: Expression, mapping: Mapped, said: Iterable[Expression]) -> bool:
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
