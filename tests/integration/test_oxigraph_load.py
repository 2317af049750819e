"""Oxigraph stores are filled from files in RDF without terms of ours in between: the same answers, the same faults."""

from __future__ import annotations

from pathlib import Path

import pytest

from uniqgen_ir.backends.engines.oxigraph import OxigraphEngine
from uniqgen_ir.backends.registry import open_store
from uniqgen_ir.driver import KnowledgeGraph, read
from uniqgen_ir.ir.diagnostics import DiagnosticError
from uniqgen_ir.ir.graph import Graph
from uniqgen_ir.ir.protocols import AnswerRow
from uniqgen_ir.kg.load import GraphFiles, iter_facts

EVERYTHING = "SELECT ?s ?p ?o { ?s ?p ?o }"
ONE = """
@prefix ex: <http://example.org/> .
ex:a ex:knows _:x, [ ex:name "no name"@EN-gb ] ; ex:size 7, 7.5, true, "7" .
_:x ex:knows _:x .
"""
TWO = """<http://example.org/a> <http://example.org/knows> _:x .
_:x <http://example.org/name> "x \\u00e9 \\"y\\"" .
_:x <http://example.org/name> "x \\u00e9 \\"y\\"" .
"""


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("UNIQGEN_CACHE", str(tmp_path / "cache"))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "graph"
    made.mkdir()
    (made / "one.ttl").write_text(ONE, encoding="utf-8")
    (made / "two.nt").write_text(TWO, encoding="utf-8")
    return made


def rows(graph: KnowledgeGraph | GraphFiles) -> list[AnswerRow]:
    with open_store("oxigraph", graph) as store:
        return sorted(store.select(read(EVERYTHING, "sparql").table).rows, key=str)


def test_a_store_holds_the_facts_of_all_files(folder: Path) -> None:
    files = GraphFiles.of([str(folder)])
    assert files.quads(lambda _: pytest.fail("asked before it is read")) is not None
    facts = sorted(Graph(iter_facts([str(folder)])), key=str)
    # blank nodes of two files stay two, one that is named twice in a file is one
    assert sum(1 for one in facts if str(one[0]).startswith("_:")) == 3
    assert rows(files) == facts
    with KnowledgeGraph([str(folder)]) as graph:
        assert rows(graph) == facts


def test_other_formats_are_filled_from_their_facts(folder: Path) -> None:
    (folder / "three.tsv").write_text("a\tknows\tb\n")
    files = GraphFiles.of([str(folder)])
    assert files.quads(lambda _: pytest.fail("there are no quads")) is None
    assert rows(files) == sorted(Graph(iter_facts([str(folder)])), key=str)


@pytest.mark.parametrize(
    ("text", "code"), [("<urn:a> <urn:p> .\n", "UQ625"), ("", "UQ622"), ("<urn:a> <urn:p> <no iri> .\n", "UQ625")]
)
def test_broken_files_are_told_as_ever_and_leave_no_store(folder: Path, tmp_path: Path, text: str, code: str) -> None:
    (folder / "zero.nt").write_text(text)
    files = GraphFiles.of([str(folder)])
    with pytest.raises(DiagnosticError) as caught:
        OxigraphEngine.open(files)
    assert caught.value.diagnostics[0].code == code
    assert [one for one in (tmp_path / "cache").rglob("*") if one.is_dir() and one.parent.parent.name == "cache"] == []
