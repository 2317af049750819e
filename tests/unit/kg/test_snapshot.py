"""Snapshots: what lies inside, that they are the same each time, and that a changed one is refused."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from uniqgen_ir.cli.main import main
from uniqgen_ir.driver import KnowledgeGraph, snapshot_graph
from uniqgen_ir.ir.diagnostics import DiagnosticError
from uniqgen_ir.ir.graph import Fact, Graph
from uniqgen_ir.ir.terms import IRI, Literal
from uniqgen_ir.ir.vocabulary import RDF_TYPE, RDFS_LABEL
from uniqgen_ir.kg.snapshot.cut import cut
from uniqgen_ir.kg.snapshot.files import read_snapshot


def node(name: str) -> IRI:
    return IRI(f"http://example.org/{name}")


CHAIN: list[Fact] = [
    *((node(first), node("next"), node(second)) for first, second in ("ab", "bc", "cd", "de")),
    *((node(one), IRI(RDFS_LABEL), Literal(one.upper())) for one in "abcde"),
    *((node(one), IRI(RDF_TYPE), node("Letter")) for one in "abcde"),
]


@pytest.mark.parametrize(("hops", "inside"), [(0, "c"), (1, "bcd"), (2, "abcde"), (9, "abcde")])
def test_what_lies_within_so_many_hops_is_inside(hops: int, inside: str) -> None:
    made = cut(lambda: CHAIN, [node("c")], hops)
    assert made.nodes == {node(one) for one in inside}
    facts = Graph(made.facts(lambda: CHAIN))
    assert set(facts) == {
        fact
        for fact in CHAIN
        if fact[0] in made.nodes
        and (fact[2] in made.nodes or isinstance(fact[2], Literal) or fact[1].value == RDF_TYPE)
    }


def test_the_walk_stops_at_hubs_but_not_at_its_start() -> None:
    facts = [(node("hub"), node("of"), node(f"n{number}")) for number in range(10)]
    facts.append((node("start"), node("of"), node("hub")))
    stopped = cut(lambda: facts, [node("start")], 3, hub_limit=5)
    assert stopped.nodes == {node("start"), node("hub")}
    assert stopped.hubs == {node("hub")}
    assert len(cut(lambda: facts, [node("hub")], 1, hub_limit=5).nodes) == 12


def test_a_snapshot_is_a_graph_and_the_same_each_time(tmp_path: Path) -> None:
    for name in ("first", "second"):
        with KnowledgeGraph(["almanac"]) as graph:
            snapshot_graph(graph, tmp_path / name, ["Lake Placid"], hops=2)
    first, second = ((tmp_path / name / "graph.nt").read_bytes() for name in ("first", "second"))
    assert first == second
    manifest = read_snapshot(tmp_path / "first")
    with KnowledgeGraph([str(tmp_path / "first")]) as graph:
        assert len(graph.loaded.graph) == manifest.facts > 10


def test_a_changed_snapshot_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "cut"
    made = ["snapshot", str(folder), "--graph", "almanac", "--around", "Lake Placid", "--hops", "1"]
    assert main([*made, "--format", "json"]) == 0
    assert json.loads(capsys.readouterr().out)["around"] == ["Lake Placid"]
    assert main(["snapshot", str(folder), "--check"]) == 0
    with (folder / "graph.nt").open("a") as stream:
        stream.write("<urn:a> <urn:b> <urn:c> .\n")
    assert main(["snapshot", str(folder), "--check"]) == 1
    (folder / "snapshot.json").write_text("[]")
    assert main(["snapshot", str(folder), "--check"]) == 1
    assert capsys.readouterr().err.count("UQ688") == 2


def test_what_is_not_in_the_graph_is_refused_by_name(tmp_path: Path) -> None:
    with KnowledgeGraph(["almanac"]) as graph, pytest.raises(DiagnosticError, match="called `Nowhere`"):
        snapshot_graph(graph, tmp_path / "cut", ["Lake Placid", "Nowhere"])
    assert main(["snapshot", str(tmp_path / "cut"), "--graph", "almanac"]) == 2
