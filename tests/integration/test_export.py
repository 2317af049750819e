"""`uniqgen export`: every format, what is refused, and the graph that comes back when it is loaded elsewhere."""

from __future__ import annotations

import csv
import json
import os
import resource
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.servers import loading
from tests.servers import neo4j as neo4j_program
from tests.servers.arcadedb import ArcadeDB
from tests.servers.loading import BoltServer
from tests.servers.neo4j import Neo4j
from uniqgen_ir.cli.main import main
from uniqgen_ir.driver import KnowledgeGraph, read, run_table
from uniqgen_ir.ir.protocols import Answers
from uniqgen_ir.kg.export.ntriples import write_ntriples
from uniqgen_ir.kg.load import iter_facts

QUERIES = (
    "PREFIX ol: <http://almanac.example/olympics/> SELECT ?g ?y { ?g a ol:OlympicGames ; ol:year ?y }",
    "PREFIX ol: <http://almanac.example/olympics/> SELECT ?g ?c { ?g ol:hostCity ?c }",
    "PREFIX ol: <http://almanac.example/olympics/> SELECT ?g ?d { ?g ol:openingDate ?d FILTER(MONTH(?d) = 2) }",
    'PREFIX ol: <http://almanac.example/olympics/> SELECT ?g { ?g ol:season "Winter" ; ol:nations ?n FILTER(?n > 60) }',
)
HOSTILE = r"""
<urn:a> <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> <urn:Thing> .
<urn:a> <urn:text> "it's \"quoted\", \\ and\nbroken; `so`" .
<urn:a> <urn:many> "one;two" .
<urn:a> <urn:many> "" .
<urn:a> <urn:when> "2001-02-03"^^<http://www.w3.org/2001/XMLSchema#date> .
<urn:a> <urn:price> "1.50"^^<http://www.w3.org/2001/XMLSchema#decimal> .
<urn:a> <urn:mixed> "7"^^<http://www.w3.org/2001/XMLSchema#integer> .
<urn:b> <urn:mixed> "seven"@en .
<urn:a> <urn:knows> <urn:b> .
<urn:a> <urn:knows> <urn:b> .
<urn:b> <urn:knows> _:x .
"""


@pytest.fixture
def hostile(tmp_path: Path) -> Path:
    file = tmp_path / "hostile.nt"
    file.write_text(HOSTILE, encoding="utf-8")
    return file


def export(graph: str | Path, target: str, folder: Path, *more: str) -> int:
    return main(["export", "--graph", str(graph), "--to", target, str(folder), *more])


def test_n_triples_hold_the_same_facts(hostile: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert export(hostile, "nt", tmp_path / "out", "--format", "json") == 0
    (file,) = json.loads(capsys.readouterr().out)["files"]
    assert file["name"] == str(tmp_path / "out" / "graph.nt")
    assert list(iter_facts([file["name"]])) == list(iter_facts([str(hostile)]))
    assert export("almanac", "nt", tmp_path / "almanac") == 0
    assert set(iter_facts([str(tmp_path / "almanac" / "graph.nt")])) == set(iter_facts(["almanac"]))


def rows(file: Path) -> list[dict[str, str]]:
    with file.open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))


def test_neo4j_csv_has_a_line_for_each_node_and_types_for_columns(hostile: Path, tmp_path: Path) -> None:
    assert export(hostile, "neo4j-csv", tmp_path / "out") == 0
    nodes = {one["id:ID"]: one for one in rows(tmp_path / "out" / "nodes.csv")}
    assert sorted(nodes) == ["_:b0", "urn:a", "urn:b"]
    a = nodes["urn:a"]
    assert a[":LABEL"] == "Entity\x1fThing"
    assert a["text:string"] == 'it\'s "quoted", \\ and\nbroken; `so`'
    assert a["many:string[]"].split("\x1f") == ["", "one;two"]
    assert (a["when:date"], a["price:double"], a["mixed:string"]) == ("2001-02-03", "1.5", "7")
    assert nodes["urn:b"]["mixed:string"] == "seven"
    edges = rows(tmp_path / "out" / "relationships.csv")
    assert [(one[":START_ID"], one[":TYPE"], one[":END_ID"]) for one in edges] == [
        ("urn:a", "KNOWS", "urn:b"),
        ("urn:b", "KNOWS", "_:b0"),
    ]


def test_neptune_csv_escapes_the_separator_of_lists(hostile: Path, tmp_path: Path) -> None:
    assert export(hostile, "neptune-csv", tmp_path / "out") == 0
    nodes = {one["~id"]: one for one in rows(tmp_path / "out" / "nodes.csv")}
    assert nodes["urn:a"]["many:String[]"] == ";one\\;two"
    assert nodes["urn:a"]["when:Date"] == "2001-02-03"
    edges = rows(tmp_path / "out" / "relationships.csv")
    assert [one["~id"] for one in edges] == ["e0", "e1"]
    assert (edges[0]["~from"], edges[0]["~label"], edges[0]["~to"]) == ("urn:a", "knows", "urn:b")


@pytest.mark.parametrize(
    ("facts", "target", "code"),
    [
        ('<urn:a> <urn:x:name> "1" .\n<urn:a> <urn:y:name> "2" .\n', "cypher", "UQ684"),
        ("<urn:a> <urn:x:knows> <urn:b> .\n<urn:a> <urn:y:knows> <urn:b> .\n", "neo4j-csv", "UQ684"),
        ('<urn:a> <urn:id> "1" .\n', "cypher", "UQ684"),
        ('<urn:a> <urn:p> "a\\u001Fb" .\n<urn:a> <urn:p> "c" .\n', "neo4j-csv", "UQ686"),
    ],
)
def test_what_would_be_lost_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], facts: str, target: str, code: str
) -> None:
    file = tmp_path / "g.nt"
    file.write_text(facts)
    assert export(file, target, tmp_path / "out") == 1
    assert code in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


def test_two_nodes_with_one_key_are_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "g.nt"
    file.write_text("<urn:x/m.1> <urn:p> <urn:y/m.1> .\n")
    assert export(file, "cypher", tmp_path / "out", "--mapping", "freebase") == 1
    assert "UQ684" in capsys.readouterr().err


def test_an_empty_folder_of_the_user_stays(hostile: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "mine").mkdir()
    hostile.write_text("<urn:a> <urn:x:p> <urn:b> .\n<urn:a> <urn:y:p> <urn:b> .\n")
    assert export(hostile, "cypher", tmp_path / "mine") == 1
    assert export(hostile, "cypher", tmp_path / "new" / "below") == 1
    assert capsys.readouterr().err.count("UQ684") == 2
    assert list((tmp_path / "mine").iterdir()) == []
    assert not (tmp_path / "new").exists()


def test_a_folder_that_holds_something_is_left_alone(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "kept").write_text("x")
    assert export("almanac", "nt", tmp_path) == 1
    assert "UQ687" in capsys.readouterr().err
    assert [one.name for one in tmp_path.iterdir()] == ["kept"]
    assert export("almanac", "nt", tmp_path / "kept") == 1
    assert "UQ687" in capsys.readouterr().err


def test_a_full_disk_is_said_and_leaves_no_half_of_a_file(tmp_path: Path) -> None:
    def small_files() -> None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, 200_000))

    for target, code in (("neo4j-csv", "UQ685"), ("nt", "UQ687")):
        folder = tmp_path / target
        done = subprocess.run(
            [sys.executable, "-m", "uniqgen_ir", "export", "--graph", "almanac", "--to", target, str(folder)],
            capture_output=True,
            text=True,
            preexec_fn=small_files,
            env={**os.environ, "TMPDIR": str(tmp_path)},
        )
        assert done.returncode == 1, done.stderr
        assert code in done.stderr
        assert not folder.exists()
    assert [one.name for one in tmp_path.glob("uniqgen-export-*")] == []


# -- loaded elsewhere


@pytest.fixture
def script(tmp_path: Path) -> list[str]:
    """The statements of the games of the bundled graph as a Cypher script."""
    games = [one for one in iter_facts(["almanac"]) if "/olympics/" in str(one[0])]
    write_ntriples(games, tmp_path)
    with KnowledgeGraph(["almanac"]) as bundled:
        (file,) = bundled.vocabulary_files
    assert export(tmp_path / "graph.nt", "cypher", tmp_path / "script", "--schema", file) == 0
    text = (tmp_path / "script" / "graph.cypher").read_text(encoding="utf-8")
    return text.removesuffix(";\n").split(";\n")


def expected() -> Iterator[tuple[str, Answers]]:
    with KnowledgeGraph(["almanac"]) as bundled:
        for text in QUERIES:
            yield text, run_table(read(text, "sparql").table, bundled, "oxigraph")


def gives_the_same(server: BoltServer, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whether queries over what was loaded answer as over the graph that was exported."""
    monkeypatch.setenv("UNIQGEN_BOLT_USER", server.user)
    monkeypatch.setenv("UNIQGEN_BOLT_PASSWORD", server.password)
    with KnowledgeGraph(["almanac"]) as bundled:
        files = bundled.vocabulary_files
    with KnowledgeGraph([server.address], schemas=files) as graph:
        for text, answers in expected():
            found = run_table(read(text, "sparql").table, graph, "bolt")
            assert answers.rows
            assert sorted(found.rows, key=str) == sorted(answers.rows, key=str), text


@pytest.mark.xdist_group("neo4j")
def test_a_script_gives_neo4j_the_same_graph(
    script: list[str], neo4j_server: Neo4j, monkeypatch: pytest.MonkeyPatch
) -> None:
    with loading.driver(neo4j_server) as driver, driver.session() as session:
        loading.clear(session)
        for statement in script:
            session.run(statement).consume()
    gives_the_same(neo4j_server, monkeypatch)


@pytest.mark.xdist_group("arcadedb")
def test_a_script_gives_arcadedb_the_same_graph(
    script: list[str], arcadedb_server: ArcadeDB, monkeypatch: pytest.MonkeyPatch
) -> None:
    with loading.driver(arcadedb_server) as driver, driver.session() as session:
        session.run("MATCH (n) DETACH DELETE n").consume()
        for statement in script:
            if not statement.startswith("CREATE CONSTRAINT"):
                session.run(statement).consume()
    gives_the_same(arcadedb_server, monkeypatch)


@pytest.mark.slow
def test_bulk_files_give_neo4j_the_same_graph(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if neo4j_program.missing():
        pytest.skip(str(neo4j_program.missing()))
    assert export("almanac", "neo4j-csv", tmp_path / "csv") == 0
    home = tmp_path / "home"
    neo4j_program.bulk_import(home, tmp_path / "csv")
    with neo4j_program.served(home) as server:
        gives_the_same(server, monkeypatch)
