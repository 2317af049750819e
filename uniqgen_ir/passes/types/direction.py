"""Would the triple fit the other way round?"""

from __future__ import annotations

from attrs import frozen

from uniqgen_ir.ir.diagnostics import Edit, Fix
from uniqgen_ir.ir.inference import Key, ScopeTyping
from uniqgen_ir.ir.inference.paths import predicate_ends
from uniqgen_ir.ir.inference.scope import unrelated
from uniqgen_ir.ir.rows import Row, Triple
from uniqgen_ir.ir.schema_index import SchemaIndex
from uniqgen_ir.ir.terms import IRI, Literal, Term
from uniqgen_ir.ir.types import ANY, NODE, LiteralType, Type, can_be_node, meet
from uniqgen_ir.passes.types.places import Places


@frozen
class Flip:
    """A triple that fits its relation only the other way round."""

    row: Row
    triple: Triple
    contradiction: bool
    """as written, it has no solution"""


def flip_of(row: Row, scope: ScopeTyping, index: SchemaIndex | None) -> Flip | None:
    """The flip of a triple of a declared predicate whose ends do not fit, and fit when swapped; otherwise None."""
    triple = row.atom
    if index is None or not isinstance(triple, Triple) or not isinstance(triple.predicate, IRI):
        return None
    if index.predicate(triple.predicate) is None:
        return None
    start, end = predicate_ends(triple.predicate, index)
    object_ = _type_elsewhere(triple.object, row, scope, index)
    if _fit(object_, start, index) is not True:
        return None
    subject = _type_elsewhere(triple.subject, row, scope, index)
    forward = (_fit(subject, start, index), _fit(object_, end, index))
    if all(one is True for one in forward) or _fit(subject, end, index) is not True:
        return None
    if not can_be_node(end) and not isinstance(subject, LiteralType):
        # of a variable that could be anything, nothing says that it was meant as the value
        return None
    return Flip(row, triple, contradiction=None in forward)


def _type_elsewhere(term: Term, row: Row, scope: ScopeTyping, index: SchemaIndex) -> Type:
    """What the other rows say of the term."""
    if isinstance(term, Literal):
        return LiteralType(frozenset({term.datatype}))
    current: Type = NODE if isinstance(term, IRI) else ANY
    key: Key = term
    against = [one.later for one in scope.conflicts if one.later.key == key]
    # rows often say the same: each type counts once
    types = {one.type: None for one in (*scope.evidence.get(key, ()), *against) if one.row.id != row.id}
    for type_ in types:
        current = meet(current, type_, index.never_both) or current
    return current


def _fit(found: Type, wanted: Type, index: SchemaIndex) -> bool | None:
    """True: it fits; False: nothing declared is both; None: a contradiction."""
    if meet(found, wanted, index.never_both) is None:
        return None
    return not unrelated(found, wanted, index)


def flip_fix(flip: Flip, places: Places) -> Fix | None:
    """The edit that turns the triple round: ends swapped, or `^` before the predicate if one end stands elsewhere."""
    triple = flip.triple
    predicate = places.predicate_token(flip.row, triple.predicate)
    if predicate is None:
        return None
    subject, object_ = places.token(flip.row, triple.subject), places.token(flip.row, triple.object)
    title = f"swap the ends of {places.text(triple.predicate)}"
    if subject and object_ and places.source and subject.end <= predicate.start and predicate.end <= object_.start:
        swapped = (
            Edit(subject.start, subject.end, places.source[object_.start : object_.end]),
            Edit(object_.start, object_.end, places.source[subject.start : subject.end]),
        )
        return Fix(title, swapped)
    return Fix(title, (Edit(predicate.start, predicate.start, "^"),))
