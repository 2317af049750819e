"""Rows that the shell needs are not dropped by the chase."""

from __future__ import annotations

import pytest

from uniqgen_ir.grammar.ctable import parse_table
from uniqgen_ir.ir.evaluation.evaluate import ReferenceStore
from uniqgen_ir.ir.graph import Graph
from uniqgen_ir.ir.protocols import ReferenceAnswer
from uniqgen_ir.ir.terms import IRI, Literal
from uniqgen_ir.passes.relaxation import RelaxationOptions, chase_and_backchase
from uniqgen_ir.passes.search.result import Status
from uniqgen_ir.passes.verify import verify

GRAPH = Graph(
    [
        (IRI("urn:a"), IRI("urn:kind"), IRI("urn:K")),
        (IRI("urn:b"), IRI("urn:kind"), IRI("urn:K")),
        (IRI("urn:b"), IRI("urn:size"), Literal.of(3)),
    ]
)


@pytest.mark.parametrize("shell", ["argmax ?x by ?n", "order by ?n"])
@pytest.mark.parametrize("strategy", ["greedy", "beam"])
def test_what_a_sort_key_or_a_measure_needs_is_kept_or_nothing_is(shell: str, strategy: str) -> None:
    head = "select ?x" if shell.startswith("order") else "select distinct ?x"
    table = parse_table(f"ctable t {{\n {head}\n k: ?x <urn:kind> <urn:K>\n n: ?x <urn:size> ?n\n {shell}\n}}\n")
    options = RelaxationOptions(strategy=strategy)  # type: ignore[arg-type]
    whole = chase_and_backchase(table, ReferenceStore(GRAPH), [ReferenceAnswer((IRI("urn:b"),))], options)
    assert whole.table is not None
    assert "n" in {row.id for row in whole.table.rows}
    assert not whole.table.row("n").note.required, "the pin is the search's, not the writer's"
    assert verify(whole.table) == ()
    none = chase_and_backchase(table, ReferenceStore(GRAPH), [ReferenceAnswer((IRI("urn:a"),))], options)
    assert none.status is Status.NONE
