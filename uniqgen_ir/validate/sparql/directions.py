"""Turning a triple or a step of a path round."""

from __future__ import annotations

from itertools import chain
from typing import Final

from uniqgen_ir.ir.diagnostics import Fix
from uniqgen_ir.ir.inference import ScopeTyping
from uniqgen_ir.ir.inference.paths import joints, path_ends
from uniqgen_ir.ir.inference.scope import unrelated
from uniqgen_ir.ir.paths import Inverse, Path, Sequence, Step
from uniqgen_ir.ir.rows import PathAtom, Row
from uniqgen_ir.ir.schema_index import SchemaIndex
from uniqgen_ir.ir.terms import IRI, Literal, Term
from uniqgen_ir.ir.types import ANY, NODE, LiteralType, Type, meet
from uniqgen_ir.passes.types.direction import Flip
from uniqgen_ir.passes.types.places import Places
from uniqgen_ir.validate.sparql.query import CheckedQuery

_LISTS: Final = ("SEMICOLON", "COMMA", "LBRACKET")
_MOST_STEPS: Final = 100
"""In a longer path no step is looked for that fits once it is turned."""


def flip_edits(query: CheckedQuery, places: Places, flip: Flip) -> Fix | None:
    """The edit that turns a triple round: its ends swapped, or, in a list of properties, `^` before the predicate."""
    row, triple = flip.row, flip.triple
    predicate = places.predicate_token(row, triple.predicate)
    if predicate is None or row.span is None:
        return None
    name = places.text(triple.predicate)
    before, after = query.token_before(predicate.start), query.token_after(row.span.end)
    if before is not None and before[0] == "CARET":
        return query.fix(f"follow {name} forwards", (before[2], before[3], ""))
    subject, object_ = places.token(row, triple.subject), places.token(row, triple.object)
    alone = after[0] not in _LISTS and subject is not None and object_ is not None
    if alone and subject is not None and object_ is not None and subject.end <= predicate.start < object_.start:
        swapped = (
            (subject.start, subject.end, query.text[object_.start : object_.end]),
            (object_.start, object_.end, query.text[subject.start : subject.end]),
        )
        return query.fix(f"swap the ends of {name}", *swapped)
    return query.fix(f"follow {name} backwards", (predicate.start, predicate.start, "^"))


def turned_step(row: Row, scope: ScopeTyping, index: SchemaIndex) -> IRI | None:
    """The one predicate of a path that makes it fit when it is turned round; None where none or several do."""
    atom = row.atom
    if not isinstance(atom, PathAtom) or not isinstance(atom.path, Sequence) or len(atom.path.paths) > _MOST_STEPS:
        return None
    ends = tuple(_around(one, row, scope, index) for one in (atom.subject, atom.object))
    found: list[IRI] = []
    for place, step in enumerate(atom.path.paths):
        turned = Inverse(step) if isinstance(step, Step) else step.path if isinstance(step, Inverse) else None
        if turned is None or not isinstance(step, Step):
            continue
        path = Sequence((*atom.path.paths[:place], turned, *atom.path.paths[place + 1 :]))
        if _fits(path, ends, index):
            found.append(step.predicate)
    return found[0] if len(found) == 1 else None


def _around(term: Term, row: Row, scope: ScopeTyping, index: SchemaIndex) -> Type:
    """What is known of an end of the path from elsewhere."""
    if isinstance(term, Literal):
        return LiteralType(frozenset({term.datatype}))
    current: Type = NODE if isinstance(term, IRI) else ANY
    for one in (*scope.evidence.get(term, ()), *(two.later for two in scope.conflicts if two.later.key == term)):
        if one.row.id != row.id:
            current = meet(current, one.type, index.never_both) or current
    return current


def _fits(path: Path, ends: tuple[Type, ...], index: SchemaIndex) -> bool:
    inside = ((one.arriving, one.leaving) for one in joints(path, index))
    pairs = chain(zip(ends, path_ends(path, index), strict=True), inside)
    return all(
        meet(one, other, index.never_both) is not None and not unrelated(one, other, index) for one, other in pairs
    )
