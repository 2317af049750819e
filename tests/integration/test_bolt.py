"""The Bolt engine on a real Neo4j: answers, limits, refusals, and every way in which a connection fails."""

from __future__ import annotations

import json
import signal
import socket
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path
from queue import SimpleQueue
from types import FrameType

import neo4j
import pytest

from tests.servers import loading, proxy
from tests.servers.neo4j import Neo4j
from tests.servers.processes import free_port
from uniqgen_ir.backends.base import RenderedQuery
from uniqgen_ir.backends.engines.bolt.address import BoltAddress
from uniqgen_ir.backends.engines.bolt.engine import BoltEngine
from uniqgen_ir.backends.engines.bolt.guard import writing_word
from uniqgen_ir.backends.registry import open_bolt
from uniqgen_ir.cli.main import main
from uniqgen_ir.driver import KnowledgeGraph, compile_table, read, run_raw, run_table
from uniqgen_ir.ir.diagnostics import DiagnosticError
from uniqgen_ir.ir.protocols import StoreError, StoreTimeout, StoreUnavailable
from uniqgen_ir.ir.terms import IRI, Literal
from uniqgen_ir.ir.vocabulary import RDF_JSON, XSD, XSD_DATE, XSD_DATE_TIME, XSD_DOUBLE, XSD_INTEGER
from uniqgen_ir.kg.load import iter_facts

pytestmark = pytest.mark.xdist_group("neo4j")

LONG = 60.0
"""Seconds that a slow query has, on a server that would need minutes for it."""
SOON = 20.0
"""Seconds within which anything that should happen at once has happened on a busy machine."""
SLOW = "UNWIND range(1, 2000000000) AS x WITH x WHERE x % 7 = 8 RETURN count(x) AS n"
ROWS = "UNWIND range(1, 200000) AS x RETURN x, 'some text that takes room' AS y"


@pytest.fixture(scope="module")
def server(neo4j_server: Neo4j) -> Neo4j:
    """The server with the bundled graph."""
    with loading.driver(neo4j_server) as driver, driver.session() as session, KnowledgeGraph(["almanac"]) as graph:
        loading.load(session, iter_facts(["almanac"]), graph.mapping)
        session.run("CREATE (:Entity:Programmer {name: 'Ada', id: 'p7', born: date('1815-12-10')})").consume()
    return neo4j_server


@pytest.fixture
def engine(server: Neo4j, bolt_login: None) -> Iterator[BoltEngine]:
    del bolt_login
    with BoltEngine(BoltAddress.read(server.address), "neo4j") as opened:
        yield opened


@pytest.fixture
def almanac(server: Neo4j, bolt_login: None) -> Iterator[KnowledgeGraph]:
    """The bundled graph, its vocabulary, on the server."""
    del bolt_login
    with KnowledgeGraph(["almanac"]) as bundled:
        files = bundled.vocabulary_files
    with KnowledgeGraph([server.address], schemas=files) as graph:
        yield graph


def raw(text: str) -> RenderedQuery:
    return RenderedQuery(text, {}, (), "neo4j")


def fault(caught: pytest.ExceptionInfo[StoreError] | pytest.ExceptionInfo[DiagnosticError]) -> str:
    return caught.value.diagnostics[0].code


OLD_DRUGS = """prefix med: <http://almanac.example/medicine/>
ctable old_drugs "Which medicines were approved before 1960?" {
  select distinct ?drug ?year
  kind: ?drug a med:Medicine
  year: ?drug med:approvedYear ?year where ?year < 1960
}
"""


def test_tables_give_the_answers_of_the_embedded_engine(almanac: KnowledgeGraph) -> None:
    table = read(OLD_DRUGS, "ctable").table
    with KnowledgeGraph(["almanac"]) as bundled:
        expected = run_table(table, bundled, "oxigraph")
    found = run_table(table, almanac, "bolt")
    assert len(expected.rows) > 3
    assert sorted(found.rows, key=str) == sorted(expected.rows, key=str)
    assert found.columns == ("drug", "year")


def test_cypher_without_a_mapping_speaks_of_the_graph_as_it_is(server: Neo4j, bolt_login: None) -> None:
    del bolt_login
    query = "MATCH (p:Programmer {name: 'Ada'}) RETURN p, p.born AS born"
    with KnowledgeGraph([server.address]) as graph:
        (row,) = run_table(read(query, "cypher").table, graph, "bolt").rows
    node, born = row
    assert isinstance(node, Literal)
    assert node.datatype == RDF_JSON
    shown = json.loads(node.lexical)
    assert shown.pop("id")
    properties = {"name": "Ada", "id": "p7", "born": "1815-12-10"}
    assert shown == {"labels": ["Entity", "Programmer"], "properties": properties}
    assert born == Literal("1815-12-10", XSD_DATE)


def test_an_answer_in_json_shows_a_node(
    server: Neo4j, bolt_login: None, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    del bolt_login
    file = tmp_path / "q.cypher"
    file.write_text("MATCH (p:Programmer) RETURN p")
    assert main(["run", str(file), "--graph", server.address, "--format", "json"]) == 0
    ((node,),) = json.loads(capsys.readouterr().out)["rows"]
    assert node["labels"] == ["Entity", "Programmer"]
    assert node["properties"]["born"] == "1815-12-10"


def test_every_kind_of_value_comes_back_as_a_term(engine: BoltEngine) -> None:
    text = """RETURN 1 AS a, 1.5 AS b, true AS c, 'é' AS d, date('2001-02-03') AS e,
      datetime('2001-02-03T04:05:06.500Z') AS f, localdatetime('2001-02-03T04:05:06') AS g,
      localtime('04:05:06') AS h, duration('P1DT2H') AS i,
      [1, null, 'x'] AS j, {k: [true]} AS k, null AS l, 0.0/0.0 AS m, 1.0/0.0 AS n"""
    (row,) = engine.select(raw(text)).rows
    assert row == (
        Literal("1", XSD_INTEGER),
        Literal("1.5", XSD_DOUBLE),
        Literal.of(True),
        Literal("é"),
        Literal("2001-02-03", XSD_DATE),
        Literal("2001-02-03T04:05:06.5+00:00", XSD_DATE_TIME),
        Literal("2001-02-03T04:05:06", XSD_DATE_TIME),
        Literal("04:05:06", XSD + "time"),
        Literal("P1DT2H", XSD + "duration"),
        Literal('[1, null, "x"]', RDF_JSON),
        Literal('{"k": [true]}', RDF_JSON),
        None,
        Literal("NaN", XSD_DOUBLE),
        Literal("INF", XSD_DOUBLE),
    )


def test_relationships_and_paths_are_shown_whole(engine: BoltEngine) -> None:
    (row,) = engine.select(raw("MATCH p = (a)-[r:TREATS]->(b) RETURN r, p LIMIT 1")).rows
    relationship, path = (json.loads(cell.lexical) for cell in row if isinstance(cell, Literal))
    assert relationship["type"] == "TREATS"
    assert {relationship["start"], relationship["end"]} == {one["id"] for one in path["nodes"]}
    assert path["relationships"] == [relationship]


def test_a_node_with_a_key_is_its_iri(engine: BoltEngine) -> None:
    (row,) = engine.select(raw("MATCH (m:Medicine {name: 'lisinopril'}) RETURN m")).rows
    assert row == (IRI("http://almanac.example/medicine/Lisinopril"),)


def test_a_limit_says_whether_it_cut(engine: BoltEngine) -> None:
    text = "UNWIND range(1, 10) AS x RETURN x"
    cut, whole = engine.select(raw(text), limit=9), engine.select(raw(text), limit=10)
    assert (len(cut.rows), cut.complete) == (9, False)
    assert (len(whole.rows), whole.complete) == (10, True)


# -- refusals


@pytest.mark.parametrize(
    "text",
    [
        "CREATE (n) RETURN n",
        "MATCH (n) SET n.x = 1",
        "MATCH (n) DETACH DELETE n",
        "MERGE (n:X)",
        "LOAD CSV FROM 'file:///x' AS l RETURN l",
        "MATCH (n) \\u0053ET n.x = 1",
        "MATCH (n) CALL (n) { RETURN 1 AS one } IN TRANSACTIONS RETURN one",
    ],
)
def test_a_writing_text_is_not_sent(text: str, bolt_login: None) -> None:
    del bolt_login
    # nobody listens there: a text that was sent would be an unreachable server
    nobody = BoltAddress.read(f"bolt://127.0.0.1:{free_port()}")
    with BoltEngine(nobody, "neo4j") as engine, pytest.raises(StoreError, match="only reading queries") as caught:
        engine.select(raw(text))
    assert fault(caught) == "UQ603"


@pytest.mark.parametrize(
    "text",
    [
        "MATCH (n:`create`) WHERE n.name = 'SET x' RETURN n.set // delete",
        "MATCH (n)-[:CREATE]->(m) RETURN n.delete, $merge /* drop */",
        "MATCH (offset) RETURN offset, {set: 1} AS reset",
    ],
)
def test_words_in_names_and_texts_do_not_write(text: str) -> None:
    assert writing_word(text) is None


def test_a_session_refuses_what_writes(server: Neo4j, engine: BoltEngine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("uniqgen_ir.backends.engines.bolt.engine.writing_word", {}.get)
    with pytest.raises(StoreError) as caught:
        engine.select(raw("CREATE (n:Written) RETURN n"))
    assert fault(caught) == "UQ603"
    assert "read access mode" in caught.value.diagnostics[0].message
    with loading.driver(server) as driver, driver.session() as session:
        assert session.run("MATCH (n:Written) RETURN count(n)").single(strict=True)[0] == 0


def test_the_command_line_refuses_what_writes(
    server: Neo4j, bolt_login: None, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    del bolt_login
    file = tmp_path / "q.cypher"
    file.write_text("MATCH (n) DETACH DELETE n")
    for extra in ((), ("--raw",)):
        assert main(["run", str(file), "--graph", server.address, *extra]) == 1
        assert "UQ184" in capsys.readouterr().err


def test_faults_have_codes(server: Neo4j, engine: BoltEngine, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(StoreError) as caught:
        engine.select(raw("MATCH (n RETURN n"))
    assert fault(caught) == "UQ603"
    assert caught.value.query == "MATCH (n RETURN n"
    nowhere = BoltAddress.read(f"{server.address}/nowhere")
    with BoltEngine(nowhere, "neo4j") as other, pytest.raises(StoreUnavailable) as missing:
        other.select(raw("RETURN 1"))
    assert fault(missing) == "UQ647"
    monkeypatch.setenv("UNIQGEN_BOLT_PASSWORD", "wrong")
    with BoltEngine(BoltAddress.read(server.address), "neo4j") as other, pytest.raises(StoreUnavailable) as login:
        other.select(raw("RETURN 1"))
    assert fault(login) == "UQ646"
    assert "wrong" not in str(login.value)
    monkeypatch.delenv("UNIQGEN_BOLT_USER")
    with BoltEngine(BoltAddress.read(server.address), "neo4j") as other, pytest.raises(StoreUnavailable) as login:
        other.select(raw("RETURN 1"))
    assert fault(login) == "UQ646"


@pytest.mark.parametrize(
    "address",
    [
        "bolt://",
        "bolt://me:secret@localhost",
        "bolt://localhost:99999",
        "bolt://localhost/a/b",
        "bolt://localhost?x=1",
        "neo4j://:7687",
    ],
)
def test_a_bad_address_is_refused(address: str) -> None:
    with pytest.raises(DiagnosticError) as caught:
        BoltAddress.read(address)
    assert fault(caught) == "UQ645"
    assert "secret" not in str(caught.value)


def test_an_address_names_host_database_and_dialect() -> None:
    found = BoltAddress.read("neo4j+s://[::1]:7000/films?dialect=memgraph")
    assert found == BoltAddress("neo4j+s://[::1]:7000", "films", "memgraph")
    with pytest.raises(DiagnosticError) as caught:
        open_bolt("bolt://localhost?dialect=neo5j")
    assert fault(caught) == "UQ502"


def test_two_graphs_are_not_joined() -> None:
    with KnowledgeGraph(["bolt://localhost", "almanac"]) as graph, pytest.raises(DiagnosticError) as caught:
        graph.store("bolt")
    assert fault(caught) == "UQ645"


def test_a_server_that_is_not_there_is_said_at_once(
    bolt_login: None, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    del bolt_login
    file = tmp_path / "q.cypher"
    file.write_text("MATCH (n) RETURN n LIMIT 1")
    start = time.monotonic()
    assert main(["run", str(file), "--graph", f"bolt://127.0.0.1:{free_port()}", "--timeout", "60"]) == 3
    assert time.monotonic() - start < SOON
    assert "UQ602" in capsys.readouterr().err


def test_what_needs_the_facts_is_refused_by_name(server: Neo4j) -> None:
    with KnowledgeGraph([server.address]) as graph, pytest.raises(DiagnosticError) as caught:
        graph.facts()
    assert fault(caught) == "UQ644"


# -- time


def _running(server: Neo4j) -> list[str]:
    with loading.driver(server) as driver, driver.session(database="system") as session:
        texts = session.run("SHOW TRANSACTIONS YIELD currentQuery RETURN currentQuery")
        return [str(one[0]) for one in texts if "2000000000" in str(one[0]) and "SHOW" not in str(one[0])]


def _ends(server: Neo4j, seconds: float, *, left: int = 0) -> bool:
    end = time.monotonic() + seconds
    while len(_running(server)) > left:
        if time.monotonic() > end:
            return False
        time.sleep(0.1)
    return True


def test_a_timeout_ends_the_query_here_and_on_the_server(server: Neo4j, engine: BoltEngine) -> None:
    start = time.monotonic()
    with pytest.raises(StoreTimeout) as caught:
        engine.select(raw(SLOW), timeout=1.0)
    assert time.monotonic() - start < SOON
    assert fault(caught) == "UQ601"
    assert _ends(server, SOON)
    assert engine.select(raw("RETURN 1 AS x")).rows == ((Literal.of(1),),)


class Stop(Exception):
    """What interrupts the caller."""


def test_an_interrupted_caller_ends_the_query_on_the_server(server: Neo4j, engine: BoltEngine) -> None:
    def interrupt(number: int, frame: FrameType | None) -> None:
        del number, frame
        raise Stop

    before = signal.signal(signal.SIGALRM, interrupt)
    signal.setitimer(signal.ITIMER_REAL, 1.0)
    try:
        with pytest.raises(Stop):
            engine.select(raw(SLOW))
    finally:
        signal.signal(signal.SIGALRM, before)
    assert _ends(server, SOON)


def _begun(server: Neo4j, many: int) -> None:
    end = time.monotonic() + SOON
    while len(_running(server)) < many:
        assert time.monotonic() < end
        time.sleep(0.05)


def test_the_query_of_one_thread_is_ended_here_and_on_the_server(server: Neo4j, engine: BoltEngine) -> None:
    numbers: SimpleQueue[int] = SimpleQueue()

    def slow() -> object:
        numbers.put(threading.get_ident())
        return engine.select(raw(SLOW), timeout=LONG)

    with ThreadPoolExecutor(2) as threads:
        first, second = threads.submit(slow), threads.submit(slow)
        one, other = numbers.get(timeout=SOON), numbers.get(timeout=SOON)
        _begun(server, 2)
        engine.interrupt_thread(one)
        ended = next(as_completed((first, second), timeout=SOON))
        assert isinstance(ended.exception(), StoreTimeout)
        assert _ends(server, SOON, left=1)
        assert not (first.done() and second.done()), "the query of another thread was ended"
        engine.interrupt_thread(other)
        assert isinstance((second if ended is first else first).exception(SOON), StoreTimeout)
        assert _ends(server, SOON)
    engine.interrupt_thread(one)  # it waits for nothing
    assert engine.select(raw("RETURN 1 AS x")).rows == ((Literal.of(1),),)


def test_closing_the_engine_ends_what_runs(server: Neo4j, bolt_login: None) -> None:
    del bolt_login
    engine = BoltEngine(BoltAddress.read(server.address), "neo4j")
    with ThreadPoolExecutor(1) as threads:
        running = threads.submit(engine.select, raw(SLOW), timeout=LONG)
        _begun(server, 1)
        engine.close()
        assert isinstance(running.exception(SOON), StoreUnavailable)
    assert _ends(server, SOON)


def test_fast_queries_do_not_wait_for_a_slow_one(server: Neo4j, engine: BoltEngine) -> None:
    numbers: SimpleQueue[int] = SimpleQueue()

    def slow() -> object:
        numbers.put(threading.get_ident())
        return engine.select(raw(SLOW), timeout=LONG)

    with ThreadPoolExecutor(1) as threads:
        running = threads.submit(slow)
        _begun(server, 1)
        for number in range(20):
            assert engine.select(raw(f"RETURN {number} AS x"), timeout=SOON).rows == ((Literal.of(number),),)
        assert not running.done()
        engine.interrupt_thread(numbers.get())
        assert isinstance(running.exception(SOON), StoreTimeout)


# -- broken connections


def _port(server: Neo4j) -> int:
    return int(server.address.rpartition(":")[2])


def behind(way: proxy.Proxy) -> BoltEngine:
    return BoltEngine(BoltAddress.read(f"bolt://127.0.0.1:{way.port}"), "neo4j")


def test_a_server_that_dies_in_the_middle_gives_no_rows(server: Neo4j, bolt_login: None) -> None:
    del bolt_login
    with (
        proxy.before(_port(server), most=300_000) as way,
        behind(way) as engine,
        pytest.raises(StoreUnavailable) as caught,
    ):
        engine.select(raw(ROWS), timeout=20)
    assert fault(caught) == "UQ602"
    assert "which are not used" in caught.value.diagnostics[0].message


def test_a_connection_that_died_meanwhile_is_replaced(server: Neo4j, bolt_login: None) -> None:
    del bolt_login
    with proxy.before(_port(server)) as way, behind(way) as engine:
        assert engine.select(raw("RETURN 1 AS x")).rows == ((Literal.of(1),),)
        way.cut()
        assert engine.select(raw("RETURN 2 AS x")).rows == ((Literal.of(2),),)
        assert way.accepted >= 2


def test_a_server_that_says_nothing_is_given_up(bolt_login: None) -> None:
    del bolt_login
    with socket.create_server(("127.0.0.1", 0)) as silent:
        engine = BoltEngine(BoltAddress.read(f"bolt://127.0.0.1:{silent.getsockname()[1]}"), "neo4j")
        start = time.monotonic()
        with engine, pytest.raises(StoreTimeout):
            engine.select(raw("RETURN 1"), timeout=1.0)
        assert time.monotonic() - start < SOON


def test_a_closed_engine_says_so_and_leaves_no_thread(server: Neo4j, bolt_login: None) -> None:
    del bolt_login
    before = threading.active_count()
    engine = BoltEngine(BoltAddress.read(server.address), "neo4j")
    engine.select(raw("RETURN 1"))
    engine.close()
    engine.close()
    assert threading.active_count() == before
    with pytest.raises(StoreUnavailable, match="closed"):
        engine.select(raw("RETURN 1"))


# -- what the server knows


def test_names_that_the_server_lacks_are_said(
    server: Neo4j, bolt_login: None, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    del bolt_login
    file = tmp_path / "q.cypher"
    file.write_text("MATCH (m:Medicin)-[:TREATS]->(c) RETURN c.name AS name")
    assert main(["run", str(file), "--graph", server.address]) == 0
    said = capsys.readouterr().err
    assert "UQ657" in said
    assert "label:Medicin" in said
    assert "type:TREATS" not in said


def test_a_query_is_compiled_for_the_names_of_the_server(server: Neo4j, bolt_login: None) -> None:
    del bolt_login
    text = "SELECT ?x { ?x <http://e/name> ?y . ?x <http://e/TREATS> ?z }"
    with KnowledgeGraph([server.address]) as plain:
        query = compile_table(read(text, "sparql").table, "neo4j", plain)
    assert query.assumptions == ()
    assert "(x:Entity)-[:TREATS]->" in query.text
    assert "x.name" in query.text


def test_a_schema_is_read_from_the_server(server: Neo4j, bolt_login: None, capsys: pytest.CaptureFixture[str]) -> None:
    del bolt_login
    assert main(["schema", "infer", "--graph", server.address]) == 0
    schema = capsys.readouterr().out
    assert "# Medicine: " in schema
    assert "approvedYear" in schema
    assert "# TREATS: " in schema


def test_raw_text_is_sent_as_it_is(server: Neo4j, bolt_login: None) -> None:
    del bolt_login
    with KnowledgeGraph([server.address]) as graph:
        answers = run_raw("MATCH (n:Medicine) RETURN count(*) AS n", "cypher", graph, "bolt", timeout=5, limit=None)
    assert answers.columns == ("n",)
    assert answers.rows[0][0] != Literal.of(0)


def test_the_driver_is_loaded_only_where_it_is_needed() -> None:
    assert neo4j.__version__
    from uniqgen_ir.backends.engines.remote import is_bolt

    assert is_bolt("neo4j+s://x")
    assert not is_bolt("neo4j.nt")
