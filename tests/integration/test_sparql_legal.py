"""What is legal in SPARQL although nothing binds it: compiled and run with a warning, refused where it must be."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from uniqgen_ir.backends.engines.source import GraphSource
from uniqgen_ir.backends.registry import open_store
from uniqgen_ir.cli.main import main
from uniqgen_ir.driver import KnowledgeGraph, check, read, run_pipeline, run_table
from uniqgen_ir.ir.diagnostics import DiagnosticError, Severity
from uniqgen_ir.ir.evaluation.evaluate import evaluate
from uniqgen_ir.ir.graph import Graph
from uniqgen_ir.ir.terms import IRI, Literal

A, B, P, Q = (IRI(f"http://example.org/{name}") for name in "abpq")
GRAPH = Graph([(A, P, B), (A, Q, Literal.of(1)), (B, Q, Literal.of(2))])

LEGAL = [
    ("SELECT ?x ?z { ?x <http://example.org/p> ?y }", "UQ202"),
    ("SELECT ?x { ?x <http://example.org/q> ?y FILTER(?z > 1) }", "UQ203"),
    ("SELECT ?x { ?x <http://example.org/q> ?y FILTER(?z > 1 || ?y = 2) }", "UQ203"),
    ("SELECT ?x { ?x <http://example.org/q> ?y FILTER(!BOUND(?z)) }", "UQ203"),
    ("SELECT ?x ?w { ?x <http://example.org/q> ?y BIND(?z + 1 AS ?w) }", "UQ203"),
    ("SELECT ?x (COALESCE(?z, ?y) AS ?w) { ?x <http://example.org/q> ?y }", "UQ203"),
    ("SELECT ?x { ?x <http://example.org/q> ?y } ORDER BY ?z", "UQ203"),
    ("SELECT (COUNT(?z) AS ?n) { ?x <http://example.org/q> ?y }", "UQ203"),
    ("SELECT ?z (COUNT(?x) AS ?n) { ?x <http://example.org/q> ?y } GROUP BY ?z", "UQ203"),
    ("SELECT ?x { ?x <http://example.org/q> ?y MINUS { ?x <http://example.org/p> ?w FILTER(?y = 1) } }", "UQ203"),
    ("SELECT * { OPTIONAL { ?x <http://example.org/p> ?y } OPTIONAL { ?z <http://example.org/q> ?y } }", "UQ432"),
]


@pytest.mark.parametrize(("text", "code"), LEGAL)
def test_it_is_run_with_a_warning(text: str, code: str) -> None:
    table = read(text, "sparql").table
    warnings = check(table)
    if not (code == "UQ203" and "MINUS" in text):
        assert code in {one.code for one in warnings}
    assert all(one.severity is Severity.WARNING for one in warnings)
    wanted = evaluate(table, GRAPH)
    with open_store("oxigraph", GraphSource(GRAPH)) as store:
        found = store.select(table)
    assert (found.columns, sorted(found.rows, key=str)) == (wanted.columns, sorted(wanted.rows, key=str))


@pytest.mark.parametrize("text", ["SELECT ?x ?z { ?x <http://example.org/p> ?y }", *[text for text, _ in LEGAL[1:3]]])
def test_the_searching_passes_and_hand_written_tables_refuse_it(text: str) -> None:
    table = read(text, "sparql").table
    with pytest.raises(DiagnosticError, match=r"UQ20[23]"):
        run_pipeline(table, "normalize")
    with pytest.raises(DiagnosticError, match="UQ202"):
        check(read("ctable t {\n  select ?x, ?z\n  ?x a <http://example.org/C>\n}", "ctable").table)


def test_the_other_faults_stay_errors_in_sparql() -> None:
    with pytest.raises(DiagnosticError):
        read("SELECT ?x { ?x <http://example.org/p> ?y FILTER(COUNT(?y) > 1) }", "sparql")


@pytest.mark.parametrize("command", ["run", "compile"])
def test_the_command_line_warns_and_goes_on(command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    graph, query = tmp_path / "graph.nt", tmp_path / "query.rq"
    graph.write_text(f"{A} {P} {B} .\n", encoding="utf-8")
    query.write_text(LEGAL[0][0], encoding="utf-8")
    more = ["--to", "sparql"] if command == "compile" else ["--graph", str(graph)]
    assert main([command, str(query), *more, "--format", "json"]) == 0
    out, words = capsys.readouterr()
    assert "warning UQ202" in words
    if command == "run":
        assert json.loads(out) == {"columns": ["x", "z"], "rows": [[A.value, None]]}
    else:
        assert "UQ202" in {one["code"] for one in json.loads(out)["diagnostics"]}


@pytest.mark.parametrize(("path", "ends"), [
    ("?x <http://example.org/p>* <urn:none>", {"urn:none"}),
    ("<urn:none> <http://example.org/p>? ?x", {"urn:none"}),
    ("?x <http://example.org/p>* <http://example.org/b>", {A.value, B.value}),
    ("?x (<http://example.org/p>|<http://example.org/z>*) <http://example.org/b>", {A.value, B.value}),
    ("?x <http://example.org/p>+ <urn:none>", set()),
    ("?x (<http://example.org/p>*/<http://example.org/q>*) <urn:none>", {"urn:none"}),
])  # fmt: skip
def test_a_path_of_no_step_needs_no_edge(path: str, ends: set[str]) -> None:
    table = read(f"SELECT ?x {{ {path} }}", "sparql").table
    with open_store("oxigraph", GraphSource(GRAPH)) as store:
        found = store.select(table).rows
    assert sorted(found, key=str) == sorted(evaluate(table, GRAPH).rows, key=str)
    assert {one.value for (one,) in found if isinstance(one, IRI)} == ends


def test_a_yes_no_question_about_a_path_of_no_step() -> None:
    with open_store("oxigraph", GraphSource(GRAPH)) as store:
        for ends, truth in ((("<urn:n>", "<urn:n>"), True), (("<urn:n>", "<urn:m>"), False)):
            table = read(f"ASK {{ {ends[0]} <http://example.org/p>* {ends[1]} }}", "sparql").table
            assert store.select(table).rows == evaluate(table, GRAPH).rows == ((Literal.of(truth),),)


def test_joined_texts_have_no_language() -> None:
    table = read('SELECT (GROUP_CONCAT(?o) AS ?g) { VALUES ?o { "1"@en "2"@en } }', "sparql").table
    with KnowledgeGraph(["almanac"]) as graph:
        found = {run_table(table, graph, engine).rows for engine in ("oxigraph", "reference")}
    assert found <= {((Literal("1 2"),),), ((Literal("2 1"),),)}
