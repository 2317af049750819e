"""A plain question that was read, and a question that was put together from such ones."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias

from attrs import evolve, field, frozen

from uniqgen_ir.agents.expectation import Expectation
from uniqgen_ir.agents.plans import Plan
from uniqgen_ir.agents.tables import PlannedTable, free_id
from uniqgen_ir.ir.diagnostics import Diagnostic
from uniqgen_ir.ir.protocols import ReferenceAnswer
from uniqgen_ir.ir.rows import Row
from uniqgen_ir.ir.terms import Variable
from uniqgen_ir.ir.visitor import Node, fresh_variable, rewrite, variables_in_order, walk_rows
from uniqgen_ir.kg.lexicon_words import Token
from uniqgen_ir.kg.linking.mentions import LinkedQuestion


@frozen
class Reading:
    """One plain question, its table, the readings that were weighed (the best first), the answers that the evidence
    vouches for, and how sure the best reading is.
    """

    linked: LinkedQuestion
    expected: Expectation
    plans: tuple[Plan, ...]
    planned: PlannedTable
    references: tuple[ReferenceAnswer, ...]
    confidence: float

    @property
    def best(self) -> Plan:
        return self.plans[0]


ReadPlain: TypeAlias = Callable[[str], Reading | Diagnostic]
"""Reads a plain question, or says why not."""


@frozen
class Composed:
    """A table put together from the readings of plain questions.

    `references` are answers that the evidence vouches for. Where `settled`, the table is asked as it is: what is true
    or false, or a figure, leaves nothing that rows could be searched by.
    """

    planned: PlannedTable
    readings: tuple[Reading, ...]
    references: tuple[ReferenceAnswer, ...] = ()
    candidates: frozenset[int] = field(default=frozenset(), repr=False)
    settled: bool = False


def words_of(tokens: Sequence[Token]) -> str:
    """The tokens as a text again; a possessive is joined to its word."""
    return "".join(token.text if token.text[:1] in "'’" else f" {token.text}" for token in tokens).strip()


def renamed(rows: Sequence[Row], names: Mapping[Variable, Variable], others: Sequence[Row]) -> tuple[Row, ...]:
    """The rows with some variables renamed, all others so that `others` do not have them, and with ids of their own."""
    taken = {one for row in others for one in variables_in_order(row)}
    chosen = dict(names)
    for variable in dict.fromkeys(one for row in rows for one in variables_in_order(row)):
        if variable not in chosen:
            chosen[variable] = fresh_variable(variable.name, {*taken, *chosen.values()})
    ids = {row.id for row in walk_rows(others)}

    def new(node: Node) -> Node:
        return chosen.get(node, node) if isinstance(node, Variable) else node

    return tuple(evolve(rewrite(row, new), id=free_id(row.id, ids)) for row in rows)
