"""Stores under stress: many threads, dead servers, damaged caches, no room, no rights. No wrong row, hang or leak."""

from __future__ import annotations

import os
import random
import resource
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.servers import loading, oxigraph
from tests.servers.arcadedb import ArcadeDB
from tests.servers.neo4j import Neo4j
from tests.servers.virtuoso import Virtuoso
from uniqgen_ir.backends.engines.source import GraphSource
from uniqgen_ir.backends.registry import open_bolt, open_endpoint, open_store
from uniqgen_ir.backends.store import RenderingStore
from uniqgen_ir.driver import read
from uniqgen_ir.ir.graph import Fact, Graph
from uniqgen_ir.ir.protocols import StoreUnavailable
from uniqgen_ir.ir.rows import Row, Triple
from uniqgen_ir.ir.table import Column, Table
from uniqgen_ir.ir.terms import IRI, Variable
from uniqgen_ir.kg.export.ntriples import write_ntriples
from uniqgen_ir.kg.load import GraphFiles

THREADS = 8
EACH = 500
P = IRI("urn:next")
FACTS: list[Fact] = [(IRI(f"urn:n{number}"), P, IRI(f"urn:n{(number * 7 + 1) % 400}")) for number in range(400)]
EMBEDDED = ("oxigraph", "ladybug", "kglite")


def of(number: int) -> Table:
    return Table("t", (Column(Variable("x")),), (Row("c1", Triple(IRI(f"urn:n{number}"), P, Variable("x"))),))


def hammer(store: RenderingStore, each: int = EACH) -> None:
    """Every thread asks for other answers; each must get its own."""

    def work(seed: int) -> list[int]:
        numbers = random.Random(seed).choices(range(400), k=each)
        return [
            number
            for number in numbers
            if store.select(of(number), timeout=60).rows != ((IRI(f"urn:n{(number * 7 + 1) % 400}"),),)
        ]

    with ThreadPoolExecutor(THREADS) as pool:
        assert list(pool.map(work, range(THREADS))) == [[]] * THREADS


@contextmanager
def no_thread_left() -> Iterator[None]:
    """Fail where threads that were started inside outlive it (by more than 5 s)."""
    before = set(threading.enumerate())
    yield
    deadline = time.monotonic() + 5
    while (left := set(threading.enumerate()) - before) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not left


@pytest.mark.parametrize("engine", EMBEDDED)
@pytest.mark.parametrize("each", [40, pytest.param(EACH, marks=pytest.mark.slow)])
def test_threads_on_an_embedded_engine(engine: str, each: int) -> None:
    with no_thread_left(), open_store(engine, GraphSource(Graph(FACTS))) as store:
        hammer(store, each)


@pytest.mark.parametrize("each", [40, pytest.param(EACH, marks=pytest.mark.slow)])
def test_threads_on_a_sparql_server(tmp_path: Path, each: int) -> None:
    write_ntriples(FACTS, tmp_path)
    with (
        oxigraph.served(tmp_path / "graph.nt", tmp_path) as url,
        no_thread_left(),
        open_endpoint(f"sparql+{url}") as store,
    ):
        hammer(store, each)


def test_a_sparql_server_that_is_killed_is_said_at_once(tmp_path: Path) -> None:
    write_ntriples(FACTS, tmp_path)
    with oxigraph.served(tmp_path / "graph.nt", tmp_path) as url, open_endpoint(f"sparql+{url}") as store:
        assert store.select(of(1)).rows
    start = time.monotonic()
    with open_endpoint(f"sparql+{url}") as store, pytest.raises(StoreUnavailable):
        store.select(of(1), timeout=60)
    assert time.monotonic() - start < 20


@pytest.mark.xdist_group("neo4j")
@pytest.mark.parametrize("each", [40, pytest.param(EACH, marks=pytest.mark.slow)])
def test_threads_on_neo4j(neo4j_server: Neo4j, bolt_login: None, each: int) -> None:
    del bolt_login
    with loading.driver(neo4j_server) as driver, driver.session() as session:
        loading.clear(session)
        loading.load(session, FACTS, None)
    with no_thread_left(), open_bolt(neo4j_server.address) as store:
        hammer(store, each)


@pytest.mark.xdist_group("virtuoso")
@pytest.mark.parametrize("each", [40, pytest.param(EACH, marks=pytest.mark.slow)])
def test_threads_on_virtuoso(virtuoso_server: Virtuoso, each: int) -> None:
    write_ntriples(FACTS, virtuoso_server.folder)
    virtuoso_server.load("urn:stress", [virtuoso_server.folder / "graph.nt"])
    with no_thread_left(), open_endpoint(virtuoso_server.endpoint("urn:stress")) as store:
        hammer(store, each)


@pytest.mark.xdist_group("arcadedb")
@pytest.mark.parametrize("each", [40, pytest.param(EACH, marks=pytest.mark.slow)])
def test_threads_on_arcadedb(arcadedb_server: ArcadeDB, monkeypatch: pytest.MonkeyPatch, each: int) -> None:
    monkeypatch.setenv("UNIQGEN_BOLT_USER", arcadedb_server.user)
    monkeypatch.setenv("UNIQGEN_BOLT_PASSWORD", arcadedb_server.password)
    with loading.driver(arcadedb_server) as driver, driver.session() as session:
        session.run("MATCH (n) DETACH DELETE n").consume()
        session.run("UNWIND range(0, 399) AS n CREATE (:Node {id: 'urn:n' + n})").consume()
        session.run(
            "MATCH (a:Node), (b:Node) WHERE b.id = 'urn:n' + ((toInteger(substring(a.id, 5)) * 7 + 1) % 400)"
            " CREATE (a)-[:NEXT]->(b)"
        ).consume()
    with no_thread_left(), open_bolt(arcadedb_server.address) as store:
        hammer(store, each)


# -- caches


@pytest.fixture
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "cache"
    monkeypatch.setenv("UNIQGEN_CACHE", str(folder))
    return folder


def cached(folder: Path) -> Path:
    """The one store in the cache."""
    (found,) = (one for one in folder.glob("*/*") if one.is_dir())
    return found


def answers(engine: str, file: Path) -> int:
    with open_store(engine, GraphFiles.of([str(file)])) as store:
        return len(store.select(read("SELECT ?x ?y { ?x <urn:next> ?y }", "sparql").table, timeout=60).rows)


def _cut(file: Path) -> None:
    file.write_bytes(file.read_bytes()[: file.stat().st_size // 2])


def _spoil(file: Path) -> None:
    data = bytearray(file.read_bytes())
    data[len(data) // 3] ^= 0xFF
    file.write_bytes(bytes(data))


DAMAGES: dict[str, Callable[[Path], None]] = {
    "cut off": _cut,
    "empty": lambda file: file.write_bytes(b"") and None,
    "gone": Path.unlink,
    "changed": _spoil,
}


@pytest.mark.parametrize("engine", EMBEDDED)
@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_cache_heals(engine: str, damage: str, tmp_path: Path, own_cache: Path) -> None:
    write_ntriples(FACTS, tmp_path)
    file = tmp_path / "graph.nt"
    assert answers(engine, file) == 400
    store = cached(own_cache)
    for name in ("*.sst", "*.lbug", "*.kgl", "catalogue.json", "CURRENT", "seal.json"):
        for one in list(store.glob(name))[:1]:
            if damage == "changed" and one.stat().st_size > 1 << 20:
                continue  # what is larger is known by its size alone
            DAMAGES[damage](one)
            assert answers(engine, file) == 400, one


@pytest.mark.parametrize("engine", EMBEDDED)
def test_a_whole_cache_is_not_built_again(engine: str, tmp_path: Path, own_cache: Path) -> None:
    write_ntriples(FACTS, tmp_path)
    assert answers(engine, tmp_path / "graph.nt") == 400
    before = (cached(own_cache) / "seal.json").stat().st_mtime_ns
    for _ in range(2):
        assert answers(engine, tmp_path / "graph.nt") == 400
    assert (cached(own_cache) / "seal.json").stat().st_mtime_ns == before


ASKER = """
import sys
from uniqgen_ir.cli.main import main
sys.exit(main(["run", sys.argv[2], "--graph", sys.argv[1], "--engine", sys.argv[3], "--format", "json"]))
"""


@pytest.mark.parametrize("engine", EMBEDDED)
def test_a_full_disk_is_said_and_the_next_run_is_right(engine: str, tmp_path: Path, own_cache: Path) -> None:
    def little_room() -> None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (2000, 2000))

    write_ntriples(FACTS, tmp_path)
    query = tmp_path / "q.rq"
    query.write_text("SELECT ?x ?y { ?x <urn:next> ?y }")
    command = [sys.executable, "-c", ASKER, str(tmp_path / "graph.nt"), str(query), engine]
    environment = {**os.environ, "UNIQGEN_CACHE": str(own_cache)}
    full = subprocess.run(command, capture_output=True, text=True, env=environment, preexec_fn=little_room, timeout=120)
    assert full.returncode in (1, 3), full.stderr
    assert "error UQ" in full.stderr
    assert "Traceback" not in full.stderr
    assert answers(engine, tmp_path / "graph.nt") == 400


@pytest.mark.parametrize("engine", EMBEDDED)
def test_a_folder_that_may_only_be_read(
    engine: str, tmp_path: Path, own_cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_ntriples(FACTS, tmp_path)
    assert answers(engine, tmp_path / "graph.nt") == 400
    # a store that somebody else built is used where nothing can be written beside it; root may write anywhere, so the
    # folder is put where a file stands in the way
    blocked = tmp_path / "blocked"
    blocked.write_text("a file")
    monkeypatch.setenv("UNIQGEN_CACHE", str(blocked / "cache"))
    assert answers(engine, tmp_path / "graph.nt") == 400
    shutil.rmtree(own_cache)


def test_two_processes_build_one_cache(tmp_path: Path, own_cache: Path) -> None:
    write_ntriples(FACTS, tmp_path)
    query = tmp_path / "q.rq"
    query.write_text("SELECT ?x ?y { ?x <urn:next> ?y }")
    command = [sys.executable, "-c", ASKER, str(tmp_path / "graph.nt"), str(query), "ladybug"]
    running = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(2)]
    found = [one.communicate(timeout=120)[0] for one in running]
    assert found[0].count("urn:n") == found[1].count("urn:n") == 800
    assert cached(own_cache)
