"""Blocks that look at what is around them: SPARQL's scopes are narrower than a table's."""

from __future__ import annotations

import pytest

from uniqgen_ir.backends.engines.source import GraphSource
from uniqgen_ir.backends.registry import open_store
from uniqgen_ir.grammar.ctable import parse_table
from uniqgen_ir.ir.evaluation.evaluate import evaluate
from uniqgen_ir.ir.graph import Graph
from uniqgen_ir.ir.terms import IRI, Literal

P, AGE = IRI("http://e/p"), IRI("http://e/age")
NODES = [IRI(f"http://e/n{number}") for number in range(6)]
GRAPH = Graph(
    [(one, AGE, Literal.of(number)) for number, one in enumerate(NODES)]
    + [(one, P, other) for one, other in zip(NODES, NODES[2:], strict=False)]
)
BODIES = {
    "conditions as branches": "?x e:age ?a\n either { ?a > 3 } or { ?a < 1 }",
    "a condition beside a pattern": "?x e:age ?a\n either { ?x e:p ?y . ?a > 1 } or { ?y e:p ?x . ?a > 3 }",
    "not in a branch": "?x e:age ?a\n either { not { ?x e:p ?z } } or { ?a = 0 }",
    "two of them": "?x e:age ?a\n either { ?a > 3 } or { ?a < 2 }\n either { ?a > 4 } or { ?a < 1 }",
    "a branch in an optional": "?x e:age ?a\n optional { ?x e:p ?y . either { ?a > 2 } or { ?a < 1 } }",
    "a condition in an optional": "?x e:age ?a\n optional { ?x e:p ?y . ?a > 2 }",
}


@pytest.mark.parametrize("title", BODIES)
def test_a_block_sees_the_rows_around_it(title: str) -> None:
    head = "?x ?y" if "?y" in BODIES[title] else "?x"
    table = parse_table(f"prefix e: <http://e/>\nctable t {{\n select distinct {head}\n {BODIES[title]}\n}}\n")
    expected = evaluate(table, GRAPH).rows
    assert expected
    with open_store("oxigraph", GraphSource(GRAPH)) as store:
        assert set(store.select(table).rows) == set(expected)
