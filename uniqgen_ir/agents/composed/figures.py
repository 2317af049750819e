"""Averages and sums: the question without that word gives the values, its table gives the figure."""

from __future__ import annotations

from typing import Final

from attrs import evolve

from uniqgen_ir.agents.composed.reading import Composed, Reading, ReadPlain, words_of
from uniqgen_ir.ir.diagnostics import Diagnostic
from uniqgen_ir.ir.expressions import Aggregate
from uniqgen_ir.ir.rows import Triple
from uniqgen_ir.ir.table import Column, Shell
from uniqgen_ir.ir.terms import Literal, Variable
from uniqgen_ir.ir.visitor import variables_in_order
from uniqgen_ir.ir.vocabulary import NUMERIC_DATATYPES
from uniqgen_ir.kg.lexicon_words import stem
from uniqgen_ir.kg.linking.index import GraphIndex
from uniqgen_ir.kg.linking.mentions import LinkedQuestion, positions_of

_FIGURES: Final = {"average": "avg", "mean": "avg", "total": "sum", "sum": "sum", "combined": "sum"}
_LEADING: Final = frozenset({"of", "the"})


def read_figure(linked: LinkedQuestion, index: GraphIndex, read: ReadPlain) -> Composed | Diagnostic | None:
    """The average or sum of a number that some things have; None where the question has no such word."""
    named = positions_of([one for one in (*linked.entities, *linked.values, *linked.classes) if one.strong])
    for place, token in enumerate(linked.tokens):
        function = _FIGURES.get(token.lower)
        if function is not None and place not in named and stem(token.lower) not in index.vocabulary:
            rest = linked.tokens[place + 1 :]
            while rest and rest[0].lower in _LEADING and function == "sum":
                rest = rest[1:]  # *the sum of the prices*
            found = read(words_of([*linked.tokens[:place], *rest]))
            return found if isinstance(found, Diagnostic) else _figure(found, function, index)
    return None


def _figure(found: Reading, function: str, index: GraphIndex) -> Composed | None:
    planned = found.planned
    values = [index.terms[node] for node in found.best.answers]
    rows = planned.table.rows
    # each thing has to stand for one solution: another variable would count it more than once
    owners = [one.atom.subject for one in rows if isinstance(one.atom, Triple) and one.atom.object == planned.answer]
    variables = {one for row in rows for one in variables_in_order(row)}
    numbers = all(isinstance(one, Literal) and one.datatype in NUMERIC_DATATYPES for one in values)
    if not numbers or len(owners) != 1 or variables != {planned.answer, owners[0]} or planned.table.shell != Shell():
        return None
    column = Column(Aggregate(function, planned.answer), Variable("figure"))
    table = evolve(planned.table, head=(column,), shell=Shell())
    return Composed(evolve(planned, table=table), (found,), settled=True)
