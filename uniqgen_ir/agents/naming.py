"""Reference answers that a person wrote as names, turned into what they name in the graph."""

from __future__ import annotations

from collections.abc import Sequence

from uniqgen_ir.agents.oracle import resolve_references
from uniqgen_ir.driver import KnowledgeGraph
from uniqgen_ir.ir.analysis import answer_key
from uniqgen_ir.ir.diagnostics import Diagnostic, DiagnosticError
from uniqgen_ir.ir.protocols import ReferenceAnswer
from uniqgen_ir.ir.rows import Row, Triple, Values
from uniqgen_ir.ir.table import Column, Shell, Table
from uniqgen_ir.ir.terms import Literal, Variable
from uniqgen_ir.ir.vocabulary import XSD_STRING


def named_references(
    references: Sequence[ReferenceAnswer], table: Table, graph: KnowledgeGraph, engine: str
) -> tuple[tuple[ReferenceAnswer, ...], tuple[Diagnostic, ...]]:
    """The references with names resolved as the oracle of `ask` does, and warnings.

    A plain text that a row of the table can give as a value stays a value. On a remote graph, whose labels are not at
    hand, every text does. Raises DiagnosticError where no reference names anything.
    """
    key = answer_key(table)
    texts = {
        (place, term)
        for one in references
        for place, term in enumerate(one.key[: len(key)])
        if isinstance(term, Literal) and term.datatype == XSD_STRING
    }
    if not texts or graph.endpoint is not None:
        return tuple(references), ()
    values = {
        (place, term)
        for place, variable in enumerate(key)
        for term in _given(table, variable, [term for at, term in texts if at == place], graph, engine)
    }
    if texts <= values:
        return tuple(references), ()
    from uniqgen_ir.agents.indexing import graph_index  # the index costs more than the rest: only where names are

    open_ones = [one for one in references if any((at, term) in texts - values for at, term in enumerate(one.key))]
    found = resolve_references(open_ones, graph_index(graph))
    kept = (*(one for one in references if one not in open_ones), *found.references)
    if not kept:
        raise DiagnosticError(found.diagnostics)
    return kept, found.diagnostics


def _given(
    table: Table, variable: Variable, texts: Sequence[Literal], graph: KnowledgeGraph, engine: str
) -> set[Literal]:
    """Which of the texts stand in the graph where a row has the variable as its value."""
    found: set[Literal] = set()
    for row in table.rows:
        if texts and isinstance(row.atom, Triple) and row.atom.object == variable:
            given = Row("texts", Values((variable,), tuple((text,) for text in texts)))
            asked = Table("texts", (Column(variable),), (given, Row(row.id, row.atom)), Shell(distinct=True))
            lines = graph.store(engine).select(asked, timeout=10.0).rows
            found.update(term for (term,) in lines if isinstance(term, Literal))
    return found
