"""Unions: *which medicines treat A or B?* is what treats A, or what treats B."""

from __future__ import annotations

from attrs import evolve

from uniqgen_ir.agents.composed.reading import Composed, Reading, ReadPlain, renamed, words_of
from uniqgen_ir.ir.diagnostics import Diagnostic
from uniqgen_ir.ir.rows import Either, Origin, Row, RowNote
from uniqgen_ir.ir.table import Shell
from uniqgen_ir.kg.linking.mentions import LinkedQuestion, Mention


def joined_by_or(linked: LinkedQuestion) -> tuple[Mention, int, Mention] | None:
    """The names or values right before and right after an *or*, and the place of that word."""
    anchors = linked.anchors
    for place, token in enumerate(linked.tokens):
        if token.lower == "or":
            before = next((one for one in anchors if one.end == place), None)
            after = next((one for one in anchors if place + 1 <= one.start <= place + 2), None)
            if before is not None and after is not None:
                return before, place, after
    return None


def read_union(linked: LinkedQuestion, read: ReadPlain) -> Composed | Diagnostic | None:
    """The answers of the question with the one name, and with the other; None where no *or* joins two names."""
    joined = joined_by_or(linked)
    if joined is None or any(token.lower in {"or", "nor"} for token in linked.tokens[joined[1] + 1 :]):
        return None
    before, place, after = joined
    one = read(words_of([*linked.tokens[:place], *linked.tokens[after.end :]]))
    other = read(words_of([*linked.tokens[: before.start], *linked.tokens[after.start :]]))
    if isinstance(one, Diagnostic):
        return one
    if isinstance(other, Diagnostic):
        return other
    return _either(one, other)


def _either(one: Reading, other: Reading) -> Composed | None:
    first, second = one.planned.table, other.planned.table
    plain = first.shell == second.shell == Shell()
    if not plain or one.best.answer_classes != other.best.answer_classes:
        return None
    rows = renamed(second.rows, {other.planned.answer: one.planned.answer}, first.rows)
    atoms = {row.atom for row in rows}
    shared = tuple(row for row in first.rows if row.atom in atoms)
    common = {row.atom for row in shared}
    branches = tuple(
        tuple(row for row in each if row.atom not in common and row.note.origin is not Origin.PRAGMATIC)
        for each in (first.rows, rows)
    )
    if not all(branches):
        return None
    row = Row("either", Either(branches), note=RowNote(Origin.EXPLICIT, reason='"or"'))
    table = first.with_rows((*shared, row))
    found = {each.key: each for each in (*other.references, *one.references)}
    answers = one.best.answers | other.best.answers
    planned = evolve(one.planned, table=table)
    references = tuple(found.values()) if first.columns == (one.planned.answer,) else ()
    return Composed(planned, (one, other), references, answers, settled=not references)
