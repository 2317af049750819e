"""Rows that follow from what a schema says: the checker finds the proof again, and none without the schema."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.unit.passes.test_exact import NO_SCHEMA, forged
from uniqgen_ir import driver
from uniqgen_ir.ir.evaluation.evaluate import ReferenceStore
from uniqgen_ir.ir.graph import Graph
from uniqgen_ir.ir.protocols import ReferenceAnswer
from uniqgen_ir.ir.schema import Schema
from uniqgen_ir.ir.table import Table
from uniqgen_ir.ir.terms import IRI
from uniqgen_ir.passes.certificates.checker import verify_trace
from uniqgen_ir.passes.relaxation import RelaxationOptions, chase_and_backchase
from uniqgen_ir.passes.search.result import RedundancyKind

PREFIX = "prefix e: <http://e.x/>\n"
FACTS = "f by d, d in k, d knows d, d known d, d kind k, g by h, f seen d, m by d"
GRAPH = Graph(
    (IRI(f"http://e.x/{one}"), IRI(f"http://e.x/{name}"), IRI(f"http://e.x/{other}"))
    for one, name, other in map(str.split, FACTS.split(", "))
)
A_FILM = (ReferenceAnswer((IRI("http://e.x/f"),)),)

CASES = {
    "functional: two directors are one": (
        "relation e:by functional",
        (
            *("c1: ?x e:by ?y", "c3: ?y e:in ?k", "c5: ?y e:kind ?n"),
            *("c2: ?x e:by ?z", "c4: ?z e:knows ?m", "c6: ?z e:kind ?p"),
        ),
    ),
    "key: two films of one director are one": (
        "relation e:seen key",
        ("c1: ?x e:by ?y", "c2: ?x e:seen ?y", "c3: ?z e:seen ?y", "c4: ?z e:by ?y"),
    ),
    "what a rule says exists": (
        "rule known: { ?a e:by ?b } => { ?b e:knows ?c . ?c e:in ?d }",
        ("c1: ?x e:by ?y", "c2: ?y e:knows ?m", "c3: ?m e:in ?n", "c4: ?x e:seen ?y"),
    ),
    "what a rule makes equal": (
        "rule one: { ?a e:by ?b . ?a e:seen ?c } => ?b = ?c",
        ("c1: ?x e:by ?y", "c2: ?x e:seen ?z", "c3: ?z e:in ?k", "c4: ?y e:in ?k"),
    ),
    "a rule whose head has a domain and an inverse": (
        "relation e:knows inverse e:known\n  rule known: { ?a e:by ?b } => { ?b e:knows ?b }",
        ("c1: ?x e:by ?y", "c2: ?z e:known ?y", "c4: ?x e:seen ?y"),
    ),
}


def table_of(rows: tuple[str, ...]) -> Table:
    return driver.read(PREFIX + "ctable t {\n  select distinct ?x\n  " + "\n  ".join(rows) + "\n}", "ctable").table


def schema_of(text: str, folder: Path) -> Schema:
    file = folder / "s.cts"
    file.write_text(PREFIX + "schema s {\n  " + text + "\n}\n", encoding="utf-8")
    schema = driver.load_vocabulary([str(file)]).schema
    assert schema is not None
    return schema


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("strategy", ["greedy", "exact"])
def test_the_proof_is_found_again(name: str, strategy: Any, tmp_path: Path) -> None:
    declared, rows = CASES[name]
    table, store = table_of(rows), ReferenceStore(GRAPH)
    options = RelaxationOptions(strategy=strategy, schema=schema_of(declared, tmp_path))
    report = chase_and_backchase(table, store, A_FILM, options)
    implied = {one.row for one in report.redundant if one.kind is RedundancyKind.IMPLIED}
    assert implied
    verdict = verify_trace(report.steps, store, table)
    assert (verdict.diagnostics, verdict.unproved) == ((), ())
    bare = verify_trace(forged(report.steps, NO_SCHEMA), store, table)
    assert bare.unproved


@pytest.mark.parametrize(
    "rows",
    [
        ("c1: ?x e:by ?y", "n1: not { ?y e:lives ?k }", "n2: not { ?y e:lives ?z . ?z e:in ?m }"),
        ("c1: ?x e:by ?y", "n1: not { ?y e:age ?a where ?a > 3 }", "n2: not { ?y e:age ?b where ?b > 7 }"),
        ("c1: ?x e:by ?y", "c2: ?x e:by ?z", "n1: not { ?y e:lives ?k }", "n2: not { ?z e:lives ?z }"),
        ("c1: ?x e:by ?y", "c2: ?y e:kind ?k where ?k in (e:k, e:l)", "c3: ?y e:kind ?l where ?l not in (e:m)"),
    ],
)
def test_what_follows_without_a_schema_is_found_again(rows: tuple[str, ...]) -> None:
    table, store = table_of(rows), ReferenceStore(GRAPH)
    report = chase_and_backchase(table, store, A_FILM, RelaxationOptions(strategy="exact"))
    assert RedundancyKind.IMPLIED in {one.kind for one in report.redundant}
    verdict = verify_trace(report.steps, store, table)
    assert (verdict.diagnostics, verdict.unproved) == ((), ())
