"""The strategy `exact` and what surrounds it: pictures, cancellation, names, evidence of the schema in traces."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from attrs import evolve

from uniqgen_ir.cli.main import main
from uniqgen_ir.driver import KnowledgeGraph, read
from uniqgen_ir.ir.evaluation.evaluate import ReferenceStore
from uniqgen_ir.ir.graph import Graph
from uniqgen_ir.ir.protocols import Answers, ReferenceAnswer
from uniqgen_ir.ir.schema import ClassDeclaration, RelationDeclaration, Schema
from uniqgen_ir.ir.table import Table
from uniqgen_ir.ir.terms import IRI
from uniqgen_ir.passes.certificates.checker import verify_trace
from uniqgen_ir.passes.lattice import lattice_of, to_dot, to_json, to_svg
from uniqgen_ir.passes.relaxation import RelaxationOptions, chase_and_backchase
from uniqgen_ir.passes.search.budget import Cancellation
from uniqgen_ir.passes.search.exact.hitting import HittingSets
from uniqgen_ir.passes.search.exact.masks import Mask
from uniqgen_ir.passes.search.result import ChaseReport, Status
from uniqgen_ir.passes.trace import Step, seal

GRAPH = """
@prefix e: <http://e.x/> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
e:g1 a e:Games ; e:season e:Summer ; e:host e:bcn .
e:g2 a e:Games ; e:season e:Winter ; e:host e:lil .
e:g3 a e:Games ; e:season e:Winter ; e:host e:ath .
e:bcn rdfs:label "Barcelona" ; e:in e:spain . e:lil rdfs:label "Lillehammer" ; e:in e:norway .
e:ath rdfs:label "Athens" . e:Summer rdfs:label "summer" .
"""
TABLE = """prefix e: <http://e.x/>
ctable t {
  select distinct ?c
  c1: ?g e:host ?c
  c2: ?g e:season e:Winter
  c3: ?g a e:Games
  c4: ?c e:in ?land
}
"""


def iri(name: str) -> IRI:
    return IRI("http://e.x/" + name)


@pytest.fixture
def files(tmp_path: Path) -> Path:
    (tmp_path / "g.ttl").write_text(GRAPH, encoding="utf-8")
    (tmp_path / "t.ctable").write_text(TABLE, encoding="utf-8")
    (tmp_path / "names.txt").write_text("Barcelona\nLillehammer\n", encoding="utf-8")
    return tmp_path


def search(folder: Path, **options: Any) -> tuple[ChaseReport, Table, ReferenceStore]:
    with KnowledgeGraph([str(folder / "g.ttl")]) as graph:
        store = ReferenceStore(graph.loaded.graph)
    table = read(TABLE, "ctable").table
    references = [ReferenceAnswer((iri("bcn"),)), ReferenceAnswer((iri("lil"),))]
    settings = RelaxationOptions(**{"strategy": "exact"} | options)
    return chase_and_backchase(table, store, references, settings), table, store


def chase(folder: Path, *arguments: str) -> int:
    return main(
        ["chase", str(folder / "t.ctable"), "--graph", str(folder / "g.ttl"), "--engine", "reference", *arguments]
    )


def test_names_are_resolved_and_the_story_says_what_stands_there_instead(
    files: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert chase(files, "--answers", str(files / "names.txt"), "--explain", "--format", "json") == 0
    out, told = capsys.readouterr()
    report = json.loads(out)
    assert report["optimal"]
    assert report["answers"] == ["http://e.x/bcn", "http://e.x/lil"]
    assert "c2 `?g e:season e:Winter` dropped: Barcelona, a reference answer," in told
    assert "(Barcelona has summer there)" in told


def test_answers_that_name_nothing_are_an_error(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (files / "nobody.txt").write_text("Atlantis\n", encoding="utf-8")
    assert chase(files, "--answers", str(files / "nobody.txt")) == 1
    assert "UQ663" in capsys.readouterr().err


@pytest.mark.parametrize("ending", ["svg", "dot", "json"])
def test_the_lattice_is_written(files: Path, ending: str) -> None:
    picture = files / f"l.{ending}"
    assert chase(files, "--answers", str(files / "names.txt"), "--lattice", str(picture)) == 0
    text = picture.read_text(encoding="utf-8")
    assert "c1" in text
    assert ending != "svg" or ElementTree.fromstring(text).tag.endswith("svg")


def test_a_lattice_of_another_kind_is_refused(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert chase(files, "--answers", str(files / "names.txt"), "--lattice", str(files / "l.png")) != 0
    assert "UQ653" in capsys.readouterr().err


def test_lines_of_a_lattice_lead_to_the_next_larger_sets(files: Path) -> None:
    report, table, _ = search(files, strategy="greedy")
    lattice = lattice_of(report, [row.id for row in table.rows])
    for low, high in lattice.lines:
        small, large = lattice.sets[low].rows, lattice.sets[high].rows
        assert small < large
        assert not any(small < one.rows < large for one in lattice.sets)
    data = to_json(lattice)
    assert isinstance(data["sets"], list)
    assert sum(bool(isinstance(one, dict) and one["result"]) for one in data["sets"]) == 1
    assert to_dot(lattice).count("->") == len(lattice.lines)
    assert to_svg(lattice).count("<title>") == len(lattice.sets)


def test_a_batch_takes_its_schema_and_refuses_what_it_would_ignore(
    files: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = [{"id": 1, "table": TABLE, "answers": ["Barcelona"]}, {"id": 2, "table": TABLE, "dialect": "neo4j"}]
    batch = files / "batch.jsonl"
    batch.write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    assert main(["chase", "--batch", str(batch), "--graph", str(files / "g.ttl"), "--engine", "reference"]) == 0
    first, second = map(json.loads, capsys.readouterr().out.splitlines())
    assert first["status"] == "ok"
    assert second["error"]["code"] == "UQ651"
    assert '"dialect"' in second["error"]["message"]


def test_a_cancelled_search_returns_what_it_has(files: Path) -> None:
    """The interrupt comes while the store works on its fourth statement."""
    cancellation = Cancellation()

    def interrupting(self: ReferenceStore, table: Table, **options: Any) -> Answers:
        if self.statistics.calls == 3:
            cancellation.cancelled = True
            raise KeyboardInterrupt
        return whole(self, table, **options)

    whole: Callable[..., Answers] = ReferenceStore.select
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ReferenceStore, "select", interrupting)
        report, _, _ = search(files, cancellation=cancellation)
    assert report.status is Status.STOPPED
    assert report.kept
    assert not report.optimal


SCHEMA = Schema(
    name="games",
    classes=(ClassDeclaration(iri("OlympicGames"), parents=(iri("Games"),)),),
    relations=(RelationDeclaration(iri("season"), domain=iri("OlympicGames")),),
)


def test_what_follows_from_the_schema_is_proved(files: Path) -> None:
    report, table, store = search(files, strategy="greedy", evidence="schema", theta=0.5, schema=SCHEMA)
    implied = {one.row for one in report.redundant}
    assert implied == {"c3"}
    verdict = verify_trace(report.steps, store, table)
    assert verdict.valid
    assert not any("c3" in one for one in verdict.unproved)
    bare = forged(report.steps, NO_SCHEMA)
    assert any("c3" in one for one in verify_trace(bare, store, table).unproved)


NO_SCHEMA: dict[str, Any] = {
    name: [] for name in ("subclasses", "domains", "ranges", "inverses", "functional", "keys", "dependencies")
}


def forged(steps: tuple[Step, ...], schema: dict[str, Any]) -> tuple[Step, ...]:
    """The trace with another schema, its seal mended."""
    head = evolve(steps[0], evidence={**steps[0].evidence, "schema": schema})
    history = [one for one in steps[1:] if not one.rule.startswith("certificate.")]
    mended = seal([head, *history])
    rest = (
        evolve(one, evidence={**one.evidence, "sealed": mended}) if one.rule == "certificate.result" else one
        for one in steps[1:]
    )
    return (head, *rest)


def test_a_set_of_a_block_that_only_other_blocks_hold_together_is_none() -> None:
    """Found by random tables: `apart` meets the key through its condition alone, and what binds the key is dropped."""
    text = """prefix e: <http://e.x/>
    ctable t {
      select distinct ?x
      c1: ?x e:knows ?x
      c3: ?x e:in ?y
      c4: ?y e:knows e:b
      apart: ?x != ?y
    }"""
    facts = [("a", "knows", "b"), ("b", "in", "a"), ("a", "in", "a"), ("d", "knows", "b"), ("c", "in", "d")]
    store = ReferenceStore(Graph((iri(one), iri(name), iri(other)) for one, name, other in facts))
    options = RelaxationOptions(strategy="exact")
    report = chase_and_backchase(read(text, "ctable").table, store, (ReferenceAnswer((iri("a"),)),), options)
    assert report.status is Status.OK
    assert {one.row for one in report.dropped} == {"c1", "apart"}


def test_hitting_sets_count_active_rows_only() -> None:
    """Row 4 hits the clause, and needs row 2 to be active; 1 and 8 do by themselves what takes two rows there."""

    def active(rows: Mask) -> Mask:
        return rows if rows & 2 else rows & ~4

    search_ = HittingSets(15, [1, 2, 4, 8], active, lambda: None)
    search_.add([4 | 8, 1 | 4])
    assert search_.smallest() in (2 | 4, 1 | 8)
    search_.add([4])
    assert search_.smallest() == 2 | 4
