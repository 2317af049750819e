"""Reformulation by chase and backchase (Deutsch, Popa, Tannen 1999): one vocabulary's query in the words of another.

The mapping between the vocabularies is a set of dependencies. The chase adds everything that follows from the query:
the universal plan. What of it lies in the target vocabulary is the widest candidate; if it is equivalent to the query
under the dependencies, it is minimised and returned.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations
from typing import Final, TypeAlias

from attrs import evolve, frozen

from uniqgen_ir.ir.analysis import needs, positive_variables
from uniqgen_ir.ir.diagnostics import errors
from uniqgen_ir.ir.rows import Filter, Row, Triple, TypeAtom
from uniqgen_ir.ir.schema import Schema
from uniqgen_ir.ir.table import Table
from uniqgen_ir.ir.terms import IRI
from uniqgen_ir.ir.visitor import variables_in_order
from uniqgen_ir.passes.containment.compare import INTERACTIVE, contains
from uniqgen_ir.passes.containment.verdict import Verdict
from uniqgen_ir.passes.minimize import minimize
from uniqgen_ir.passes.saturate.saturate import saturate
from uniqgen_ir.passes.trace import Step
from uniqgen_ir.passes.verify import verify

Vocabulary: TypeAlias = Callable[[IRI], bool]
"""Whether a predicate or class belongs to the vocabulary that is wanted."""


_MOST_ROWS: Final = 12
"""Up to so many rows of the candidate, all of its parts are tried."""


@frozen(eq=False)
class Reformulation:
    """`table` says the query in the wanted words; None where they cannot say it, `reason` tells why.

    `verdict` is what the candidate lacks, with a graph on which it gives another answer.
    """

    table: Table | None
    reason: str
    universal: Table
    steps: tuple[Step, ...]
    verdict: Verdict | None = None


def reformulate(table: Table, schema: Schema, wanted: Vocabulary, *, budget: int = INTERACTIVE) -> Reformulation:
    """The query in the wanted vocabulary, equivalent on every graph that obeys the schema and its rules.

    Rows other than triples, classes and conditions on what these bind cannot be carried over. Raises DiagnosticError
    UQ403 where the table has no answer under the schema.
    """
    universal, steps = saturate(_with_free_conditions(table), schema)
    carried = [row for row in universal.rows if _is_wanted(row, wanted)]
    bound = positive_variables(carried)
    carried = [row for row in carried if needs(row, bound) <= bound]
    candidate = universal.with_rows(carried)
    if not carried or errors(verify(candidate)):
        return Reformulation(None, "the vocabulary does not bind what the head asks for", universal, steps)
    verdict = contains(table, candidate, schema, budget=budget)
    if not verdict.holds:
        reason = "the vocabulary does not say all that the query asks" if verdict.holds is False else verdict.reason
        return Reformulation(None, reason, universal, steps, verdict)
    back = contains(candidate, table, schema, budget=budget)
    if not back.holds:
        return Reformulation(None, back.reason, universal, steps, back)
    small, made = minimize(candidate, schema, budget=budget)
    smaller = _smallest(table, candidate, len(small.rows), schema, budget)
    return Reformulation(smaller or small, "equivalent under the rules", universal, (*steps, *made), verdict)


def _with_free_conditions(table: Table) -> Table:
    """The table with each row's condition as a row of its own, so that it can outlive the row."""
    taken = {row.id for row in table.rows}
    rows: list[Row] = []
    for row in table.rows:
        rows.append(evolve(row, where=None))
        if row.where is not None:
            name = f"{row.id}.where"
            while name in taken:
                name += "'"
            rows.append(Row(name, Filter(row.where), note=row.note))
    return table.with_rows(rows)


def _smallest(table: Table, candidate: Table, size: int, schema: Schema, budget: int) -> Table | None:
    """A part of the candidate with fewer rows than `size` that says as much, fewest first; None where there is none.

    Minimal is not smallest: one edge may say what two others say together.
    """
    if len(candidate.rows) > _MOST_ROWS:
        return None
    shown = set(variables_in_order(candidate.with_rows(()))) & positive_variables(candidate.rows)
    for count in range(1, size):
        for rows in combinations(candidate.rows, count):
            bound = positive_variables(rows)
            if not shown <= bound or not all(needs(row, bound) <= bound for row in rows):
                continue  # most parts: to look at what they bind is quick
            part = candidate.with_rows(rows)
            if errors(verify(part)):
                continue
            if contains(table, part, schema, budget=budget, witnesses=False).holds:
                return part
    return None


def _is_wanted(row: Row, wanted: Vocabulary) -> bool:
    match row.atom:
        case Triple(_, IRI() as predicate, _):
            return wanted(predicate)
        case TypeAtom(_, IRI() as class_):
            return wanted(class_)
        case Filter():
            return True
        case _:
            return False
