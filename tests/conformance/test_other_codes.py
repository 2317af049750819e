"""Codes that a page of `spec/cases/` cannot show: their inputs hold fences, or need a store or the command line."""

from __future__ import annotations

from pathlib import Path

import pytest

from uniqgen_ir.cli.main import main
from uniqgen_ir.grammar.ctable import parse_table
from uniqgen_ir.grammar.cypher import read_cypher
from uniqgen_ir.grammar.sparql import read_sparql
from uniqgen_ir.ir.diagnostics import DiagnosticError
from uniqgen_ir.ir.evaluation.evaluate import ReferenceStore
from uniqgen_ir.ir.graph import Graph
from uniqgen_ir.ir.protocols import ReferenceAnswer
from uniqgen_ir.ir.terms import IRI, Literal
from uniqgen_ir.passes.base import PassContext
from uniqgen_ir.passes.chase import Chase
from uniqgen_ir.passes.search.budget import Budget

EX = "http://example.org/"
OSLO = IRI(f"{EX}oslo")
TABLE = parse_table(
    f"prefix ex: <{EX}>\nctable t {{\n  select distinct ?x\n  ?x ex:in ex:norway\n  ?x ex:size 7 @required\n}}\n"
)
GRAPH = Graph([(OSLO, IRI(f"{EX}in"), IRI(f"{EX}norway")), (IRI(f"{EX}rome"), IRI(f"{EX}size"), Literal.of(7))])


def test_uq144_a_fence_around_sparql() -> None:
    text = "```sparql\nASK { ?x a <http://example.org/City> }\n```"
    (found,) = read_sparql(text).diagnostics
    assert found.code == "UQ144"
    assert found.fix is not None
    assert read_sparql(found.fix.apply(text)).table is not None


def test_uq196_a_fence_around_cypher() -> None:
    result = read_cypher("```cypher\nMATCH (p:Person) RETURN p\n```")
    assert "UQ196" in {one.code for one in result.diagnostics}


def test_uq415_a_pinned_row_that_loses_the_reference_answer() -> None:
    context = PassContext(store=ReferenceStore(GRAPH), references=(ReferenceAnswer((OSLO,)),))
    with pytest.raises(DiagnosticError, match="UQ415"):
        Chase().run(TABLE, context)


def test_uq416_a_budget_that_ends_too_soon() -> None:
    budget = Budget(ms=1e-9)
    context = PassContext(store=ReferenceStore(GRAPH), references=(ReferenceAnswer((OSLO,)),), budget=budget)
    with pytest.raises(DiagnosticError, match="UQ416"):
        Chase().run(TABLE.only(["c1"]), context)


def test_uq652_no_such_page(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", "UQ20"]) == 1
    assert "UQ652" in capsys.readouterr().err


def test_uq653_a_file_in_no_known_language(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "query.txt").write_text("ask", encoding="utf-8")
    assert main(["compile", str(tmp_path / "query.txt"), "--to", "sparql"]) == 2
    assert "UQ653" in capsys.readouterr().err


def _ask(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    main(["ask", *arguments])
    return capsys.readouterr().err


def test_uq661_nothing_leads_on_from_what_was_found(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    graph = tmp_path / "lonely.ttl"
    label = "<http://www.w3.org/2000/01/rdf-schema#label>"
    graph.write_text(f'<{EX}lonely> {label} "Lonely Island" .\n', encoding="utf-8")
    assert "UQ661" in _ask(capsys, "Which river flows through Lonely Island?", "--graph", str(graph))


def test_uq662_words_that_fit_no_relation(capsys: pytest.CaptureFixture[str]) -> None:
    assert "UQ662" in _ask(capsys, "Which Japan is Tokyo?", "--graph", "almanac")


def test_uq665_reference_answers_that_no_table_gives(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "known.txt").write_text("http://almanac.example/place/Paris\n", encoding="utf-8")
    arguments = ("Which medicines treat obesity?", "--graph", "almanac", "--oracle", str(tmp_path / "known.txt"))
    assert "UQ665" in _ask(capsys, *arguments)
