"""Inverse predicates, turned to the direction that the schema declares."""

from __future__ import annotations

from collections.abc import Iterable

from attrs import evolve

from uniqgen_ir.ir.rows import Row, Triple
from uniqgen_ir.ir.schema import Schema
from uniqgen_ir.ir.table import Table
from uniqgen_ir.ir.terms import IRI, Literal
from uniqgen_ir.ir.visitor import rewrite_rows
from uniqgen_ir.passes.normal.rule import RuleResult, Settings
from uniqgen_ir.passes.trace import Step


def forward_predicates(table: Table, settings: Settings) -> RuleResult:
    """`?x treated_by ?y` as `?y treats ?x`, where the schema declares `treats … inverse treated_by`."""
    turned = inverse_of(settings.schema) if settings.schema is not None else {}
    steps: list[Step] = []

    def forward(row: Row) -> Iterable[Row]:
        atom = row.atom
        if not isinstance(atom, Triple) or not isinstance(atom.predicate, IRI) or isinstance(atom.object, Literal):
            return (row,)
        predicate = turned.get(atom.predicate)
        if predicate is None:
            return (row,)
        reason = f"{atom.predicate} is the inverse of {predicate}"
        steps.append(Step("normalize.inverse", (row.id,), (row.id,), reason))
        return (evolve(row, atom=Triple(atom.object, predicate, atom.subject)),)

    return (table.with_rows(rewrite_rows(table.rows, forward)) if turned else table), tuple(steps)


def inverse_of(schema: Schema) -> dict[IRI, IRI]:
    """For each predicate that is only the inverse of another: that other. Of a mutual pair the first declared stays."""
    turned: dict[IRI, IRI] = {}
    for relation in schema.relations:
        if relation.inverse is not None and relation.inverse != relation.iri and relation.iri not in turned:
            turned.setdefault(relation.inverse, relation.iri)
    return turned
