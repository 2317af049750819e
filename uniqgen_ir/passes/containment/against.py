"""A query against its specification: is it what was asked for, too wide, too narrow, or something else?"""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from typing import Any

from attrs import frozen

from uniqgen_ir.ir.analysis import positive_variables
from uniqgen_ir.ir.rows import Filter, OptionalBlock, Row
from uniqgen_ir.ir.schema import Schema
from uniqgen_ir.ir.table import Table
from uniqgen_ir.ir.visitor import variables_in_order
from uniqgen_ir.passes.containment.compare import INTERACTIVE, compare, contains
from uniqgen_ir.passes.containment.verdict import Comparison, Relation, Verdict, witness_json


class Judgement(StrEnum):
    """How a query lies to its specification."""

    EQUIVALENT = "equivalent"
    CONTAINED = "contained"
    """every answer is one of the specification's, and it is not known whether any is missing"""
    TOO_NARROW = "too narrow"
    """answers of the specification are missing"""
    TOO_WIDE = "too wide"
    """all answers of the specification, and others"""
    DIFFERENT = "different"
    """answers are missing, and there are others"""
    UNKNOWN = "unknown"


@frozen(eq=False)
class AgainstSpecification:
    """The judgement with what stands behind it.

    `missing`: ids of rows of the specification that the query does not say; `surplus`: ids of rows of the query that
    the specification does not say. `comparison` holds proofs and witnesses: forward is query in specification.
    """

    judgement: Judgement
    missing: tuple[str, ...]
    surplus: tuple[str, ...]
    comparison: Comparison

    @property
    def reason(self) -> str:
        """One sentence about the judgement and the rows."""
        parts = [_SENTENCES[self.judgement]]
        if self.missing:
            parts.append(f"it does not say what {_rows(self.missing)} of the specification says")
        if self.surplus:
            parts.append(f"the specification does not say what its {_rows(self.surplus)} says")
        if self.judgement is Judgement.UNKNOWN:
            parts.append(self.comparison.reason)
        return "; ".join(parts)

    def to_json(self) -> dict[str, Any]:
        """Judgement, rows and witnesses."""
        found: dict[str, Any] = {
            "verdict": self.judgement.value,
            "missing": list(self.missing),
            "surplus": list(self.surplus),
            "reason": self.reason,
        }
        for key, verdict in (("not_in_specification", self.comparison.forward), ("lost", self.comparison.backward)):
            if verdict.witness is not None:
                found[key] = witness_json(verdict.witness)
        return found


_SENTENCES = {
    Judgement.EQUIVALENT: "the query gives exactly the answers of the specification",
    Judgement.CONTAINED: "the query gives no answer that the specification does not give",
    Judgement.TOO_NARROW: "the query loses answers of the specification",
    Judgement.TOO_WIDE: "the query gives answers that the specification does not give",
    Judgement.DIFFERENT: "the query loses answers of the specification and gives others",
    Judgement.UNKNOWN: "whether the query gives the answers of the specification is not decided",
}


def _rows(names: Sequence[str]) -> str:
    return f"row {names[0]}" if len(names) == 1 else f"rows {', '.join(names[:-1])} and {names[-1]}"


def compare_against(
    query: Table, specification: Table, schema: Schema | None = None, *, budget: int = INTERACTIVE
) -> AgainstSpecification:
    """How a query lies to its specification, as sets of answers, on every graph that obeys the schema.

    Columns align by position; a query that shows fewer columns or more is different. Order is no part of it.
    """
    found = compare(query, specification, schema, budget=budget, as_sets=True)
    judgement = _judgement(found)
    unequal = judgement in (Judgement.TOO_NARROW, Judgement.TOO_WIDE, Judgement.DIFFERENT, Judgement.UNKNOWN)
    aligned = found.forward.witness is not None or found.backward.witness is not None
    if not unequal or not aligned:
        return AgainstSpecification(judgement, (), (), found)
    missing = () if found.forward.holds else _not_said(specification, query, schema, budget)
    surplus = () if found.backward.holds else _not_said(query, specification, schema, budget)
    return AgainstSpecification(judgement, missing, surplus, found)


def _judgement(found: Comparison) -> Judgement:
    forward, backward = found.forward.holds, found.backward.holds
    match found.relation:
        case Relation.EQUIVALENT:
            return Judgement.EQUIVALENT
        case Relation.A_IN_B:
            return Judgement.TOO_NARROW
        case Relation.B_IN_A:
            return Judgement.TOO_WIDE
        case Relation.INCOMPARABLE:
            return Judgement.DIFFERENT
        case Relation.UNKNOWN:
            if forward:
                return Judgement.CONTAINED
            return Judgement.TOO_NARROW if backward is False else Judgement.UNKNOWN


def _not_said(one: Table, other: Table, schema: Schema | None, budget: int) -> tuple[str, ...]:
    """Rows of the first table that refuse answers of the second, in order."""
    rows = [row for row in one.rows if not isinstance(row.atom, OptionalBlock)]
    named: list[str] = []
    while _refuses(one, rows, other, schema, budget):
        found = _refusing(one, rows, other, schema, budget)
        named += [row.id for row in found]
        rows = [row for row in rows if row not in found]
    return tuple(row.id for row in one.rows if row.id in named)


def _refusing(one: Table, rows: Sequence[Row], other: Table, schema: Schema | None, budget: int) -> list[Row]:
    """Rows without which a smallest part that refuses answers refuses none. Rows that only bind are not among them."""
    kept = list(rows)
    for row in reversed(rows):
        rest = [other_row for other_row in kept if other_row is not row]
        if _refuses(one, rest, other, schema, budget):
            kept = rest
    return [row for row in kept if _accepts_without(one, kept, row, other, schema, budget)] or kept


def _part(one: Table, rows: Sequence[Row]) -> Table | None:
    """The table with these rows; None where they do not bind its head and what their conditions look at."""
    bound = positive_variables(rows)
    shown = set(variables_in_order(one.with_rows(()))) & positive_variables(one.rows)
    looked_at = {name for row in rows if isinstance(row.atom, Filter) for name in variables_in_order(row)}
    return one.with_rows(rows) if rows and shown <= bound and looked_at <= bound else None


def _refuses(one: Table, rows: Sequence[Row], other: Table, schema: Schema | None, budget: int) -> bool:
    part = _part(one, rows)
    return part is not None and _within(other, part, schema, budget).holds is False


def _accepts_without(
    one: Table, rows: Sequence[Row], row: Row, other: Table, schema: Schema | None, budget: int
) -> bool:
    """Whether the rows without this one refuse nothing any more, so that the refusal is its doing."""
    part = _part(one, [other_row for other_row in rows if other_row is not row])
    return part is not None and _within(other, part, schema, budget).holds is True


def _within(narrower: Table, wider: Table, schema: Schema | None, budget: int) -> Verdict:
    return contains(wider, narrower, schema, budget=budget, as_sets=True)
