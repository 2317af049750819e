"""Relationships that tables speak of as things, or in shapes that Cypher has a word for.

A thing is a variable that stands for a relationship: `?r source ?a`, `?r target ?b`, its class, its properties. Where
a mapping keeps a mediator class as a relationship type, or the names are those of a property graph (`urn:pg:`), these
rows are one pattern `(a)-[r:TYPE]->(b)`. So are both directions of a relationship, one of several types, and one of
any type.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TypeAlias

from attrs import define, evolve, field, frozen

from uniqgen_ir.backends.cypher.layout import Layout
from uniqgen_ir.backends.marks import NESTED
from uniqgen_ir.ir.expressions import Call, Expression, Membership, Not
from uniqgen_ir.ir.rows import Either, Filter, Row, Triple, TypeAtom
from uniqgen_ir.ir.terms import IRI, Literal, Term, Variable
from uniqgen_ir.ir.vocabulary import PG_TYPE


@frozen
class Relationship:
    """`(subject)-[thing:types]->(object)`; no types: any. `kind` is the variable that holds its type."""

    row: Row
    subject: Term
    predicates: tuple[str, ...]
    types: tuple[str, ...]
    object: Term
    undirected: bool = False
    thing: Variable | None = None
    kind: Variable | None = None


@define
class _Thing:
    """What the rows say about one relationship."""

    rows: list[Row] = field(factory=list[Row])
    types: tuple[str, ...] = ()
    ends: tuple[Term, Term] | None = None
    undirected: bool = False
    half: dict[str, Term] = field(factory=dict[str, Term])
    fallback: tuple[str, ...] = ()
    """its types where no row names its class"""
    kind: Variable | None = None


Part: TypeAlias = "Row | Relationship"


def recognize(rows: Sequence[Row], layout: Layout) -> list[Part]:
    """The rows, with relationships in place of those that say one."""
    if layout.lossless:
        return [_alternative_types(row, layout) or row for row in rows]
    things = _things(rows, layout)
    firsts = {id(thing.rows[0]): _relationship(variable, thing) for variable, thing in things}
    taken = {id(row) for _, thing in things for row in thing.rows}
    kinds = _kind_conditions(rows)
    edges = {id(row): _edge(row, layout, kinds) for row in rows if id(row) not in taken}
    for row in rows:
        # that a predicate is a type, its relationship says
        kind = _kind_variable(row.atom.condition) if isinstance(row.atom, Filter) else None
        if kind is None:
            continue
        for place, edge in list(edges.items()):
            if edge is not None and edge.kind == kind:
                edges[place] = evolve(edge, row=_together([edge.row, row]))
                taken.add(id(row))
    found: list[Part] = []
    for row in rows:
        if id(row) in firsts:
            found.append(firsts[id(row)])
        elif id(row) not in taken:
            edge = edges[id(row)]
            found.append(row if edge is None else edge)
    return found


def _alternative_types(row: Row, layout: Layout) -> Relationship | None:
    """One step of one of several types. Facts of different types are different facts, so each counts as it does in an
    `either`."""
    edge = _edge(row, layout, {})
    return None if edge is None or edge.kind is not None or edge.undirected else edge


# ---- things --------------------------------------------------------------------------------------------------------


def _things(rows: Sequence[Row], layout: Layout) -> list[tuple[Variable, _Thing]]:
    """Every mention of a relationship with both its ends; one variable may be mentioned several times."""
    things: dict[Variable, list[_Thing]] = {}
    for row in rows:
        _note_ends(row, layout, things)
    whole = {variable: [one for one in found if one.ends is not None] for variable, found in things.items()}
    for row in rows:
        _note_class(row, layout, whole)
    return [(variable, thing) for variable, found in whole.items() for thing in found]


def _note_ends(row: Row, layout: Layout, things: dict[Variable, list[_Thing]]) -> None:
    both = _both_ends(row, layout)
    if both is not None:
        variable, *ends = both
        things.setdefault(variable, []).append(_Thing([row], ends=(ends[0], ends[1]), undirected=True))
        return
    match row.atom:
        case Triple(Variable() as variable, IRI(name), object_) if row.where is None:
            end = layout.mediator_end(name)
            if end is not None:
                _note_end(row, end, object_, things.setdefault(variable, []))
        case _:
            pass


def _note_end(row: Row, end: tuple[str, tuple[str, ...]], object_: Term, mentions: list[_Thing]) -> None:
    open_ones = (one for one in mentions if one.ends is None and end[0] not in one.half)
    thing = next(open_ones, None)
    if thing is None:
        thing = _Thing()
        mentions.append(thing)
    thing.rows.append(row)
    thing.half[end[0]] = object_
    thing.fallback = end[1]
    if len(thing.half) == 2:
        thing.ends = (thing.half["source"], thing.half["target"])


def _both_ends(row: Row, layout: Layout) -> tuple[Variable, Term, Term] | None:
    """The ends of a relationship in either direction: `{r source a . r target b} or {r source b . r target a}`."""
    if not isinstance(row.atom, Either) or len(row.atom.branches) != 2 or row.where is not None:
        return None
    forward, backward = row.atom.branches
    if len(forward) != 2 or len(backward) != 3:
        return None
    atoms = [one.atom for one in (*forward, *backward[:2])]
    triples = [one for one in atoms if isinstance(one, Triple) and isinstance(one.predicate, IRI)]
    if len(triples) != 4 or any(one.where is not None for one in (*forward, *backward)):
        return None
    found = [layout.mediator_end(one.predicate.value) for one in triples if isinstance(one.predicate, IRI)]
    ends = [one[0] for one in found if one is not None]
    subjects = {one.subject for one in triples}
    a, b, c, d = (one.object for one in triples)
    subject = triples[0].subject
    if ends != ["source", "target"] * 2 or len(subjects) != 1 or not isinstance(subject, Variable):
        return None
    return (subject, a, b) if (a, b) == (d, c) and _is_apart(backward[2], a, b) else None


def _is_apart(row: Row, one: Term, other: Term) -> bool:
    """`not same_term(a, b)`: a loop is there only once."""
    match row.atom:
        case Filter(Not(Call("same_term", (left, right)))):
            return {left, right} == {one, other}
        case _:
            return False


def _note_class(row: Row, layout: Layout, things: dict[Variable, list[_Thing]]) -> None:
    atoms = [branch[0].atom for branch in row.atom.branches] if isinstance(row.atom, Either) else [row.atom]
    if isinstance(row.atom, Either) and any(len(branch) != 1 for branch in row.atom.branches):
        return
    types = [one for one in atoms if isinstance(one, TypeAtom) and isinstance(one.subject, Variable)]
    if len(types) != len(atoms) or len({one.subject for one in types}) != 1 or row.where is not None:
        return
    subject = types[0].subject
    mentions = things.get(subject, []) if isinstance(subject, Variable) else []
    thing = next((one for one in mentions if not one.types and one.kind is None), None)
    if thing is None:
        return
    names = [layout.mediator_type(one.type.value) for one in types if isinstance(one.type, IRI)]
    if len(names) == len(types) and all(names):
        thing.types = tuple(one for one in names if one is not None)
        thing.rows.append(row)
    elif len(types) == 1 and isinstance(types[0].type, Variable):
        thing.kind = types[0].type
        thing.rows.append(row)


def _relationship(variable: Variable, thing: _Thing) -> Relationship:
    assert thing.ends is not None
    subject, object_ = thing.ends
    types = thing.types or thing.fallback
    return Relationship(_together(thing.rows), subject, (), types, object_, thing.undirected, variable, thing.kind)


def _together(rows: Sequence[Row]) -> Row:
    """The first row, under the ids of all: the text comes from each."""
    return evolve(rows[0], id=NESTED.join(dict.fromkeys(row.id for row in rows)))


# ---- one step ------------------------------------------------------------------------------------------------------


def _kind_conditions(rows: Sequence[Row]) -> dict[Variable, Expression]:
    """Conditions that say which types a predicate that varies may be."""
    found: dict[Variable, Expression] = {}
    for row in rows:
        if isinstance(row.atom, Filter):
            variable = _kind_variable(row.atom.condition)
            if variable is not None:
                found[variable] = row.atom.condition
    return found


def _kind_variable(condition: Expression) -> Variable | None:
    match condition:
        case Call("starts_with", (Call("str", (Variable() as variable,)), Literal(prefix))) if prefix == PG_TYPE:
            return variable
        case Membership(Variable() as variable, options, False) if all(isinstance(one, IRI) for one in options):
            return variable
        case _:
            return None


def _types_of(condition: Expression | None, variable: Variable) -> tuple[str, ...] | None:
    """The predicates that a condition leaves, none for any type; None where it says something else."""
    if condition is None or _kind_variable(condition) != variable:
        return None
    if isinstance(condition, Membership):
        return tuple(one.value for one in condition.options if isinstance(one, IRI))
    return ()


def _edge(row: Row, layout: Layout, kinds: dict[Variable, Expression]) -> Relationship | None:
    steps, both = _steps(row)
    if not steps:
        return None
    subject, object_ = steps[0].subject, steps[0].object
    if any((one.subject, one.object) != (subject, object_) for one in steps):
        return None
    first = steps[0].predicate
    if isinstance(first, Variable) and len(steps) == 1:
        condition = _inner_condition(row) or kinds.get(first)
        predicates = _types_of(condition, first)
        if predicates is None:
            return None
        types = _plain_types(predicates, layout)
        return None if types is None else Relationship(row, subject, predicates, types, object_, both, None, first)
    names = tuple(one.predicate.value for one in steps if isinstance(one.predicate, IRI))
    if len(names) != len(steps) or len(set(names)) != len(names) or (len(names) == 1 and not both):
        return None
    types = _plain_types(names, layout)
    return None if types is None else Relationship(row, subject, names, types, object_, both)


def _inner_condition(row: Row) -> Expression | None:
    if isinstance(row.atom, Either):
        return row.atom.branches[0][0].where
    return row.where


def _plain_types(predicates: Iterable[str], layout: Layout) -> tuple[str, ...] | None:
    """The types, where every predicate is one relationship type stored forwards."""
    types = [layout.plain_type(one) for one in predicates]
    return tuple(one for one in types if one is not None) if all(types) else None


def _steps(row: Row) -> tuple[list[Triple], bool]:
    """The alternatives of one step from subject to object, and whether each is there in both directions."""
    match row.atom:
        case Triple():
            return [row.atom], False
        case Either(branches):
            forward = list(_forward(branches))
            backward = list(_backward(branches))
            if len(forward) == len(branches):
                return forward, False
            both = len(forward) == len(backward) and len(forward) + len(backward) == len(branches)
            turned = [Triple(one.object, one.predicate, one.subject) for one in backward if _is_end(one.object)]
            return (forward, True) if both and sorted(map(str, turned)) == sorted(map(str, forward)) else ([], False)
        case _:
            return [], False


def _is_end(term: Term) -> bool:
    return not isinstance(term, Literal)


def _forward(branches: Iterable[tuple[Row, ...]]) -> Iterator[Triple]:
    for branch in branches:
        if len(branch) == 1 and isinstance(branch[0].atom, Triple):
            yield branch[0].atom


def _backward(branches: Iterable[tuple[Row, ...]]) -> Iterator[Triple]:
    for branch in branches:
        if len(branch) == 2 and isinstance(branch[0].atom, Triple):
            triple = branch[0].atom
            if _is_apart(branch[1], triple.subject, triple.object):
                yield triple
