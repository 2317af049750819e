"""The SPARQL Protocol: a real server over a real graph, and a server that misbehaves in every way that we know."""

from __future__ import annotations

import json
import shutil
import socket
import ssl
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from queue import SimpleQueue
from urllib.parse import parse_qs, urlsplit

import pytest

from tests.servers import oxigraph
from tests.servers.misbehaving import Answering, Received, Server, reply, serving
from tests.servers.processes import free_port
from uniqgen_ir.backends.base import RenderedQuery
from uniqgen_ir.backends.engines.sparql.engine import SparqlHttpEngine
from uniqgen_ir.backends.engines.sparql.exchange import is_loopback
from uniqgen_ir.backends.registry import open_endpoint
from uniqgen_ir.cli.main import main
from uniqgen_ir.driver import KnowledgeGraph, read, run_raw, run_table
from uniqgen_ir.ir.diagnostics import DiagnosticError
from uniqgen_ir.ir.evaluation.evaluate import evaluate
from uniqgen_ir.ir.graph import Fact, Graph
from uniqgen_ir.ir.protocols import Answers, StoreError, StoreTimeout, StoreUnavailable
from uniqgen_ir.ir.rows import Row, Triple
from uniqgen_ir.ir.table import Column, Form, Shell, Table
from uniqgen_ir.ir.terms import IRI, BlankNode, GroundTerm, Literal, Variable
from uniqgen_ir.ir.vocabulary import XSD_DECIMAL, XSD_INTEGER

EX = "http://example.org/"
X, Y = Variable("x"), Variable("y")
P = IRI(f"{EX}p")
ALL = Table("all", (Column(X), Column(Y)), (Row("c1", Triple(X, P, Y)),))
FACTS: list[Fact] = [
    (IRI(f"{EX}a"), P, Literal("line\nbreak \"and\" quote", )),
    (IRI(f"{EX}a"), P, Literal.tagged("Grüße", "de")),
    (IRI(f"{EX}a"), P, Literal("1.5", XSD_DECIMAL)),
    (IRI(f"{EX}b"), P, IRI(f"{EX}a")),
    *((IRI(f"{EX}n{number}"), IRI(f"{EX}next"), IRI(f"{EX}n{number + 1}")) for number in range(250)),
]  # fmt: skip
GRAPH = Graph(FACTS)
JSON = "application/sparql-results+json"
XML = "application/sparql-results+xml"
SOON = 20.0
"""Seconds within which anything that should happen at once has happened on a busy machine."""
LONG = 60.0
"""Seconds that a query has where it is ended long before."""


def n_triples(facts: list[Fact]) -> str:
    return "".join(" ".join(map(_text, one)) + " .\n" for one in facts)


def _text(term: GroundTerm) -> str:
    if not isinstance(term, Literal):
        return str(term)
    return json.dumps(term.lexical, ensure_ascii=False) + str(term).rpartition('"')[2]


@pytest.fixture(scope="module")
def endpoint(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder = tmp_path_factory.mktemp("oxigraph")
    file = folder / "graph.nt"
    file.write_text(n_triples(FACTS), encoding="utf-8")
    with oxigraph.served(file, folder) as url:
        yield url


def at_once(seconds: float) -> None:
    """Waiting that does not wait."""
    assert seconds >= 0


def raw(text: str) -> RenderedQuery:
    return RenderedQuery(text, {}, (), "sparql-http")


def body_of(rows: int, total: int | None = None, name: str = "x") -> bytes:
    """Results with so many rows, or the count of a total."""
    if total is not None:
        cells = [{"rows": {"type": "literal", "datatype": XSD_INTEGER, "value": str(total)}}]
        return json.dumps({"head": {"vars": ["rows"]}, "results": {"bindings": cells}}).encode()
    bindings = [{name: {"type": "uri", "value": f"{EX}{number}"}} for number in range(rows)]
    return json.dumps({"head": {"vars": [name]}, "results": {"bindings": bindings}}).encode()


def query_of(received: Received) -> str:
    form = received.body.decode() if received.line.startswith("POST") else urlsplit(received.line.split()[1]).query
    return parse_qs(form)["query"][0]


def ask(
    answer: Answering, *, text: str = "SELECT ?x {}", timeout: float = 10, limit: int | None = None
) -> tuple[Answers, Server]:
    with serving(answer) as server:
        engine = SparqlHttpEngine(server.url, wait=at_once)
        return engine.select(raw(text), timeout=timeout, limit=limit), server


def failing(answer: Answering, kind: type[DiagnosticError], code: str, *, timeout: float = 10) -> tuple[str, Server]:
    """The message of the error that the answer must cause."""
    with serving(answer) as server:
        engine = SparqlHttpEngine(server.url, wait=at_once)
        with pytest.raises(kind) as caught:
            engine.select(raw("SELECT ?x {}"), timeout=timeout)
        found = caught.value
        assert [one.code for one in found.diagnostics] == [code]
        assert isinstance(found, StoreError)
        assert found.query == "SELECT ?x {}"
        return found.diagnostics[0].message, server


def always(data: bytes) -> Answering:
    def answer(connection: socket.socket, received: Received, number: int) -> None:
        del received, number
        connection.sendall(data)

    return answer


# -- a real server


def test_answers_are_those_of_the_reference(endpoint: str) -> None:
    with open_endpoint(f"sparql+{endpoint}") as store:
        answers = store.select(ALL, timeout=20)
    assert sorted(answers.rows, key=str) == sorted(evaluate(ALL, GRAPH).rows, key=str)
    assert answers.columns == ("x", "y")
    assert answers.complete
    assert store.statistics.calls == 1


def test_yes_and_no(endpoint: str) -> None:
    with open_endpoint(f"sparql+{endpoint}") as store:
        for object_, truth in ((IRI(f"{EX}a"), True), (IRI(f"{EX}zzz"), False)):
            table = Table("t", (), (Row("c1", Triple(X, P, object_)),), Shell(Form.ASK))
            assert store.select(table).rows == ((Literal.of(truth),),)


def test_a_query_too_long_for_an_address_is_posted(endpoint: str) -> None:
    names = " ".join(f"<{EX}{'long' * 20}{number}>" for number in range(200))
    text = f"SELECT ?x WHERE {{ VALUES ?x {{ {names} <{EX}b> }} ?x <{EX}p> ?y }}"
    assert len(text) > 10_000
    with SparqlHttpEngine(endpoint) as engine:
        assert engine.select(raw(text)).rows == ((IRI(f"{EX}b"),),)


def test_a_limit_says_whether_it_cut(endpoint: str) -> None:
    edges = Table("t", (Column(X),), (Row("c1", Triple(X, IRI(f"{EX}next"), Y)),))
    with open_endpoint(f"sparql+{endpoint}") as store:
        assert not store.select(edges, limit=100).complete
        assert store.select(edges, limit=250).complete
        full = store.select(edges)
        assert (len(full.rows), full.complete, full.diagnostics) == (250, True, ())


def test_what_the_server_does_not_accept_keeps_its_words(endpoint: str) -> None:
    with SparqlHttpEngine(endpoint) as engine, pytest.raises(StoreError) as caught:
        engine.select(raw("SELECT ?x { broken"))
    assert caught.value.diagnostics[0].code == "UQ603"
    assert "expected" in caught.value.diagnostics[0].message
    assert caught.value.query == "SELECT ?x { broken"


def test_a_query_past_its_time_ends(endpoint: str) -> None:
    product = " ".join(f"?a{number} ?p{number} ?b{number} ." for number in range(5))
    start = time.monotonic()
    with SparqlHttpEngine(endpoint) as engine, pytest.raises(StoreTimeout) as caught:
        engine.select(raw(f"SELECT (COUNT(*) AS ?n) {{ {product} }}"), timeout=0.5)
    assert time.monotonic() - start < SOON
    assert caught.value.diagnostics[0].code == "UQ601"


def test_a_path_that_is_none_is_told(endpoint: str) -> None:
    with (
        SparqlHttpEngine(endpoint.replace("/query", "/nothing/here")) as engine,
        pytest.raises(StoreUnavailable) as caught,
    ):
        engine.select(raw("ASK {}"))
    assert caught.value.diagnostics[0].code == "UQ641"
    assert "/query" in (caught.value.diagnostics[0].hint or "")


def test_the_driver_runs_tables_and_text(endpoint: str) -> None:
    with KnowledgeGraph([f"sparql+{endpoint}"]) as graph:
        table = read(f"SELECT ?y {{ <{EX}b> <{EX}p> ?y }}", "sparql").table
        for engine in ("oxigraph", "sparql-http"):
            assert run_table(table, graph, engine, timeout=20).rows == ((IRI(f"{EX}a"),),)
        assert run_raw("ASK {}", "sparql", graph, "oxigraph", timeout=20, limit=None).rows == ((Literal.of(True),),)


@pytest.mark.parametrize("engine", ["reference", "ladybug"])
def test_what_needs_the_facts_is_refused_by_name(endpoint: str, engine: str) -> None:
    with KnowledgeGraph([f"sparql+{endpoint}"]) as graph, pytest.raises(DiagnosticError, match="UQ644"):
        graph.store(engine)


Uniqgen = Callable[..., tuple[int, str, str]]


@pytest.fixture
def uniqgen(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Uniqgen:
    """Runs a command on a query: exit code, standard output, standard error."""

    def run(command: str, text: str, *arguments: str) -> tuple[int, str, str]:
        file = tmp_path / "query.rq"
        file.write_text(text, encoding="utf-8")
        code = main([command, str(file) if command == "run" else text, *arguments])
        return code, *capsys.readouterr()

    return run


def test_the_command_line(endpoint: str, uniqgen: Uniqgen) -> None:
    graph = ("--graph", f"sparql+{endpoint}")
    code, out, _ = uniqgen("run", f"SELECT ?y {{ <{EX}b> <{EX}p> ?y }}", *graph, "--format", "json")
    assert code == 0
    assert json.loads(out) == {"columns": ["y"], "rows": [[f"{EX}a"]]}
    code, _, words = uniqgen("ask", "Who?", *graph)
    assert code == 1
    assert "UQ644" in words
    code, _, words = uniqgen("run", "ASK {}", "--graph", f"sparql+http://127.0.0.1:{free_port()}/x")
    assert code == 3
    assert "UQ602" in words


TABLE = """
prefix ex: <http://example.org/>
ctable t {
  select ?x
  c1: ?x ex:p ?y
  c2: ?x ex:p "1.5"^^<http://www.w3.org/2001/XMLSchema#decimal>
  c3: ?x ex:next ?z
}
"""


def test_the_search_finds_over_http_what_it_finds_embedded(
    endpoint: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("UNIQGEN_CACHE", str(tmp_path / "cache"))
    table, answers, graph = tmp_path / "t.ctable", tmp_path / "answers.txt", tmp_path / "graph.nt"
    table.write_text(TABLE, encoding="utf-8")
    answers.write_text(f"{EX}a\n", encoding="utf-8")
    graph.write_text(n_triples(FACTS), encoding="utf-8")
    found = []
    for source in (f"sparql+{endpoint}", str(graph)):
        code = main(["chase", str(table), "--graph", source, "--answers", str(answers), "--format", "json"])
        assert code == 0
        found.append({**json.loads(capsys.readouterr().out), "ms": None})
    assert found[0] == found[1]
    assert [one["row"] for one in found[0]["dropped"]] == ["c3"]


def test_a_batch_over_http(endpoint: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    batch = tmp_path / "batch.jsonl"
    queries = ["ASK {}", "SELECT ?x { broken", f"SELECT ?y {{ <{EX}b> <{EX}p> ?y }}"]
    lines = [{"id": place, "language": "sparql", "query": text} for place, text in enumerate(queries)]
    batch.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    assert main(["run", "--batch", str(batch), "--graph", f"sparql+{endpoint}"]) == 0
    first, second, third = map(json.loads, capsys.readouterr().out.splitlines())
    assert (first["rows"], third["rows"]) == ([[True]], [[f"{EX}a"]])
    assert second["error"]["code"].startswith("UQ1")


def no_thread_is_left(seconds: float) -> bool:
    """Whether all threads of exchanges end within so many seconds."""
    end = time.monotonic() + seconds
    while any(one.name == "uniqgen-http" for one in threading.enumerate()):
        if time.monotonic() > end:
            return False
        time.sleep(0.02)
    return True


def test_agreeing_on_encryption_ends_at_the_deadline(endpoint: str) -> None:
    start = time.monotonic()
    with SparqlHttpEngine(endpoint.replace("http://", "https://"), wait=at_once) as engine, pytest.raises(StoreTimeout):
        engine.select(raw("ASK {}"), timeout=0.3)
    assert time.monotonic() - start < SOON
    assert no_thread_is_left(SOON)


def test_certificates_are_checked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    openssl = shutil.which("openssl")
    if openssl is None:
        pytest.skip("openssl is not there to make a certificate")
    key, certificate = tmp_path / "key.pem", tmp_path / "certificate.pem"
    subject = ["-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1"]
    made = ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-keyout", key, "-out", certificate]
    subprocess.run([openssl, *made, *subject], check=True, capture_output=True)
    tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    tls.load_cert_chain(certificate, key)
    with serving(always(reply("200 OK", body_of(3))), tls) as server:
        engine = SparqlHttpEngine.open(f"sparql+{server.url}")
        with pytest.raises(StoreUnavailable, match="certificate"):
            engine.select(raw("SELECT ?x {}"), timeout=20)
        monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
        assert len(engine.select(raw("SELECT ?x {}"), timeout=20).rows) == 3


def test_a_proxy_is_never_asked_for_this_machine(endpoint: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("http_proxy", "HTTP_PROXY", "all_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:1")
    for name in ("no_proxy", "NO_PROXY"):
        monkeypatch.delenv(name, raising=False)
    with SparqlHttpEngine(endpoint) as engine:
        assert engine.select(raw("ASK {}"), timeout=10).rows == ((Literal.of(True),),)


def test_a_proxy_is_asked_for_other_machines(monkeypatch: pytest.MonkeyPatch) -> None:
    with serving(always(reply("200 OK", body_of(1)))) as server:
        monkeypatch.setenv("http_proxy", f"http://me:pass@{urlsplit(server.url).netloc}")
        monkeypatch.setenv("no_proxy", "")
        engine = SparqlHttpEngine("http://endpoint.invalid/sparql")
        assert len(engine.select(raw("SELECT ?x {}"), timeout=10).rows) == 1
    assert server.received[0].line.startswith("GET http://endpoint.invalid/sparql?query=")
    assert "Proxy-Authorization: Basic bWU6cGFzcw==" in server.received[0].head


# -- addresses


@pytest.mark.parametrize(
    "source", ["sparql+http://", "sparql+http://me:pw@host/x", "sparql+http://host:99999/", "sparql+ftp://h/"]
)
def test_addresses_that_are_none(source: str) -> None:
    with pytest.raises(DiagnosticError, match="UQ640") as caught:
        SparqlHttpEngine.open(source)
    assert "pw" not in str(caught.value)


def test_a_remote_graph_stands_alone() -> None:
    with (
        KnowledgeGraph(["sparql+http://localhost/x", "almanac"]) as graph,
        pytest.raises(DiagnosticError, match="UQ640"),
    ):
        graph.store("oxigraph")


def test_what_is_this_machine() -> None:
    assert all(map(is_loopback, ("localhost", "127.0.0.1", "127.8.0.1", "::1", "a.localhost")))
    assert not any(map(is_loopback, ("example.org", "10.0.0.1", "localhost.example.org")))


# -- deadlines


def test_a_body_that_drips_ends_at_the_deadline() -> None:
    def drip(connection: socket.socket, received: Received, number: int) -> None:
        del received, number
        connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 100000\r\n\r\n")
        for _ in range(3000):
            connection.sendall(b" ")
            time.sleep(0.02)

    start = time.monotonic()
    failing(drip, StoreTimeout, "UQ601", timeout=0.4)
    assert time.monotonic() - start < SOON


def test_a_head_that_drips_ends_at_the_deadline() -> None:
    def drip(connection: socket.socket, received: Received, number: int) -> None:
        del received, number
        for byte in b"HTTP/1.1 200 OK\r\n" + b"X-Padding: " + b"a" * 5000:
            connection.sendall(bytes([byte]))
            time.sleep(0.02)

    start = time.monotonic()
    failing(drip, StoreTimeout, "UQ601", timeout=0.4)
    assert time.monotonic() - start < SOON


def test_silence_ends_at_the_deadline_and_leaves_no_thread() -> None:
    def silent(connection: socket.socket, received: Received, number: int) -> None:
        del received, number
        connection.recv(1)  # until the client closes

    failing(silent, StoreTimeout, "UQ601", timeout=0.3)
    assert no_thread_is_left(SOON)


# -- ended by another thread


def ended(answer: Answering, begun: threading.Event) -> StoreError:
    """What the caller gets whose query is ended by another thread, once the server says that it has begun."""
    numbers: SimpleQueue[int] = SimpleQueue()
    with serving(answer) as server, SparqlHttpEngine(server.url) as engine, ThreadPoolExecutor(1) as threads:

        def slow() -> object:
            numbers.put(threading.get_ident())
            return engine.select(raw("SELECT ?x {}"), timeout=LONG)

        running = threads.submit(slow)
        assert begun.wait(SOON)
        engine.interrupt_thread(0)  # no thread has this number
        assert not running.done()
        thread = numbers.get()
        while not running.done():
            engine.interrupt_thread(thread)  # what had not begun quite is ended by the next call
            time.sleep(0.02)
        found = running.exception()
        assert isinstance(found, StoreTimeout)
        assert no_thread_is_left(SOON)
        return found


def test_a_query_that_is_ended_closes_its_connection() -> None:
    begun, closed = threading.Event(), threading.Event()

    def silent(connection: socket.socket, received: Received, number: int) -> None:
        del received, number
        begun.set()
        connection.settimeout(LONG)
        if connection.recv(1) == b"":
            closed.set()

    assert ended(silent, begun).diagnostics[0].code == "UQ601"
    assert closed.wait(SOON)


def test_a_query_that_is_ended_is_not_sent_again() -> None:
    begun = threading.Event()
    sent: list[int] = []

    def busy(connection: socket.socket, received: Received, number: int) -> None:
        del received
        sent.append(number)
        connection.sendall(reply("503 Service Unavailable", b"", "text/plain", "Retry-After: 9"))
        begun.set()

    ended(busy, begun)
    assert sent == [1]


# -- what is tried again


def test_a_busy_server_is_asked_again_after_the_time_that_it_wants() -> None:
    waited: list[float] = []

    def busy(connection: socket.socket, received: Received, number: int) -> None:
        del received
        connection.sendall(
            reply("503 Busy", b"later", "text/plain", "Retry-After: 2") if number < 3 else reply("200 OK", body_of(2))
        )

    with serving(busy) as server:
        engine = SparqlHttpEngine(server.url, wait=waited.append)
        assert len(engine.select(raw("SELECT ?x {}"), timeout=30).rows) == 2
    assert len(server.received) == 3
    assert waited == [2.0, 2.0]


@pytest.mark.parametrize(
    ("status", "extra", "sent"),
    [("503 Busy", "Retry-After: 1", 3), ("503 Busy", "Retry-After: 3600", 1), ("502 Bad", "X: y", 3),
     ("504 Late", "X: y", 1), ("504 Late", "Retry-After: 0", 3)],
)  # fmt: skip
def test_patience_ends(status: str, extra: str, sent: int) -> None:
    answer = always(reply(status, b"<html><style>x{}</style><h1>Overloaded</h1></html>", "text/html", extra))
    message, server = failing(answer, StoreUnavailable, "UQ602")
    assert len(server.received) == sent
    assert status[:3] in message
    assert "Overloaded" in message
    assert "<" not in message


@pytest.mark.parametrize("status", ["400 Bad", "500 Broken"])
def test_what_the_server_refuses_is_not_sent_again(status: str) -> None:
    message, server = failing(always(reply(status, b"SP030: syntax error\nmore", "text/plain")), StoreError, "UQ603")
    assert len(server.received) == 1
    assert "SP030: syntax error" in message
    assert "more" not in message


def test_connections_that_fail_are_tried_again() -> None:
    waited: list[float] = []
    engine = SparqlHttpEngine(f"http://127.0.0.1:{free_port()}/sparql", wait=waited.append)
    with pytest.raises(StoreUnavailable, match="UQ602"):
        engine.select(raw("ASK {}"), timeout=10)
    assert len(waited) == 2


def test_a_password_is_asked_for_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("UNIQGEN_SPARQL_USER", raising=False)
    failing(always(reply("401 No", b"who are you", "text/plain")), StoreUnavailable, "UQ641")


def test_user_and_password_travel_to_the_server_only(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("UNIQGEN_SPARQL_USER", "me")
    monkeypatch.setenv("UNIQGEN_SPARQL_PASSWORD", "pass")
    with serving(always(reply("200 OK", body_of(1)))) as other:
        elsewhere = other.url.replace("127.0.0.1", "localhost")
        _, server = ask(always(reply("307 Moved", b"", "text/plain", f"Location: {elsewhere}")))
    assert "Authorization: Basic bWU6cGFzcw==" in server.received[0].head
    assert "Authorization" not in other.received[0].head


def test_redirections_are_followed_with_the_query_but_not_for_ever() -> None:
    with serving(always(reply("200 OK", body_of(1)))) as other:
        answers, _ = ask(always(reply("302 Found", b"", "text/plain", f"Location: {other.url}?query=old&x=1")))
    assert len(answers.rows) == 1
    assert parse_qs(urlsplit(other.received[0].line.split()[1]).query) == {"query": ["SELECT ?x {}"], "x": ["1"]}
    failing(always(reply("302 Found", b"", "text/plain", "Location: /sparql")), StoreUnavailable, "UQ641")


def test_a_server_without_get_is_posted_to() -> None:
    def only_post(connection: socket.socket, received: Received, number: int) -> None:
        del number
        posted = received.line.startswith("POST")
        connection.sendall(reply("200 OK", body_of(1)) if posted else reply("405 No", b"", "text/plain"))

    answers, server = ask(only_post)
    assert len(answers.rows) == 1
    assert query_of(server.received[1]) == "SELECT ?x {}"


# -- rows that a server leaves out


def capped(cap: int, total: int | None, *extra: str, status: str = "200 OK") -> Answering:
    """A server that sends `cap` rows of `total`, and counts right; None: it cannot count."""

    def answer(connection: socket.socket, received: Received, number: int) -> None:
        del number
        if "COUNT(*)" not in query_of(received):
            connection.sendall(reply(status, body_of(cap), JSON, *extra))
        elif total is None:
            connection.sendall(reply("400 Bad", b"no subqueries", "text/plain"))
        else:
            connection.sendall(reply("200 OK", body_of(0, total)))

    return answer


@pytest.mark.parametrize("cap", [100, 1000, 10_000, 1024])
def test_a_silent_cap_is_found_by_counting(cap: int) -> None:
    answers, server = ask(capped(cap, cap + 7))
    assert len(answers.rows) == cap
    assert not answers.complete
    assert [one.code for one in answers.diagnostics] == ["UQ643"]
    assert f"{cap + 7:,}" in answers.diagnostics[0].message
    assert len(server.received) == 2


def test_a_round_number_that_is_right_stays_complete() -> None:
    answers, _ = ask(capped(1000, 1000))
    assert (answers.complete, answers.diagnostics) == (True, ())


def test_a_server_that_cannot_count_leaves_a_doubt_which_is_told() -> None:
    answers, _ = ask(capped(1000, None))
    assert not answers.complete
    assert "counting them failed" in answers.diagnostics[0].message


@pytest.mark.parametrize(
    ("extra", "status"), [("X-SPARQL-MaxRows: 33", "200 OK"), ("X-SQL-State: S1TAT", "200 OK"), ("X: y", "206 Partial")]
)
def test_a_cap_that_the_reply_tells_needs_no_count(extra: str, status: str) -> None:
    answers, server = ask(capped(33, 33, extra, status=status))
    assert not answers.complete
    assert answers.diagnostics[0].code == "UQ643"
    assert len(server.received) == 1


def test_a_limit_of_the_query_is_no_cap() -> None:
    for text in ("SELECT ?x {} LIMIT 100", "SELECT ?x {} LIMIT 100 OFFSET 5"):
        answers, server = ask(capped(100, 999), text=text)
        assert answers.complete
        assert len(server.received) == 1
    answers, _ = ask(capped(100, 100), limit=50)
    assert (len(answers.rows), answers.complete, answers.diagnostics) == (50, False, ())


def test_the_count_keeps_prefixes_and_comments(endpoint: str) -> None:
    text = f"# all\nPREFIX e: <{EX}>\nBASE <{EX}>\nSELECT ?x {{ ?x e:next ?y }} LIMIT 200 # end"
    with SparqlHttpEngine(endpoint) as engine:
        answers = engine.select(raw(text))
    # the comment hides the limit, so the server was asked to count
    assert (len(answers.rows), answers.complete, answers.diagnostics) == (200, True, ())


def test_the_command_line_tells_of_a_cap(uniqgen: Uniqgen) -> None:
    with serving(capped(100, 120)) as server:
        text, graph = "SELECT ?x { ?x <http://example.org/p> ?y }", f"sparql+{server.url}"
        _, out, words = uniqgen("run", text, "--graph", graph, "--format", "json")
        _, _, plain_words = uniqgen("run", text, "--graph", graph)
    assert json.loads(out)["complete"] is False
    assert json.loads(out)["diagnostics"][0]["code"] == "UQ643"
    assert "UQ643" in words
    assert "UQ643" in plain_words


# -- what comes back broken, or in XML


def test_a_body_that_is_cut_off_is_not_used() -> None:
    whole = reply("200 OK", body_of(50))
    message, _ = failing(always(whole[:-100]), StoreUnavailable, "UQ642")
    assert "bytes" in message


def test_a_body_without_a_length_that_is_cut_off_is_not_used() -> None:
    body = body_of(50)[:-100]
    data = f"HTTP/1.1 200 OK\r\nContent-Type: {JSON}\r\nConnection: close\r\n\r\n".encode() + body
    failing(always(data), StoreUnavailable, "UQ642")


def test_a_chunked_body_that_is_cut_off_is_not_used() -> None:
    head = f"HTTP/1.1 200 OK\r\nContent-Type: {JSON}\r\nTransfer-Encoding: chunked\r\n\r\n".encode()
    body = body_of(5)
    failing(always(head + f"{len(body):x}\r\n".encode() + body), StoreUnavailable, "UQ642")


@pytest.mark.parametrize("data", [b"", b"nonsense\r\n\r\n", b"HTTP/1.1 999999 X\r\n\r\n"])
def test_what_is_not_http_is_told(data: bytes) -> None:
    failing(always(data), StoreUnavailable, "UQ602")


SAMPLE = b"""<?xml version="1.0"?>
<sparql xmlns="http://www.w3.org/2005/sparql-results#">
 <head><variable name="x"/><variable name="y"/></head>
 <results>
  <result><binding name="x"><uri>http://example.org/a?b&amp;c</uri></binding>
   <binding name="y"><literal xml:lang="DE">Gr\xc3\xbc\xc3\x9fe  &lt;b&gt;</literal></binding></result>
  <result><binding name="y"><literal datatype="http://www.w3.org/2001/XMLSchema#integer">01</literal></binding></result>
  <result><binding name="x"><bnode>r1</bnode></binding><binding name="y"><literal></literal></binding></result>
 </results>
</sparql>"""


def test_results_in_xml() -> None:
    answers, server = ask(always(reply("200 OK", SAMPLE, f"{XML}; charset=utf-8")))
    assert answers.columns == ("x", "y")
    assert answers.rows == (
        (IRI("http://example.org/a?b&c"), Literal.tagged("Grüße  <b>", "de")),
        (None, Literal("01", XSD_INTEGER)),
        (BlankNode("r1"), Literal("")),
    )
    assert "sparql-results+json" in server.received[0].head


@pytest.mark.parametrize(("kind", "body", "truth"), [
    (XML, b'<sparql xmlns="http://www.w3.org/2005/sparql-results#"><head/><boolean>true</boolean></sparql>', True),
    (JSON, b'{"head": {}, "boolean": false}', False),
    ("text/plain", b'\n{"head": {}, "boolean": true}', True),
    ("", b'<sparql xmlns="http://www.w3.org/2005/sparql-results#"><boolean> false </boolean></sparql>', False),
])  # fmt: skip
def test_yes_and_no_in_both_formats(kind: str, body: bytes, truth: bool) -> None:
    answers, _ = ask(always(reply("200 OK", body, kind)), text="ASK {}")
    assert answers.rows == ((Literal.of(truth),),)


BOMB = b'<!DOCTYPE sparql [<!ENTITY a "aaaa">]><sparql xmlns="http://www.w3.org/2005/sparql-results#">&a;</sparql>'


@pytest.mark.parametrize(("kind", "body"), [
    (XML, SAMPLE[:300]),
    (XML, BOMB),
    (XML, b"<html><body>hello</body></html>"),
    (XML, SAMPLE.replace(b'binding name="y"', b'binding name="z"')),
    (XML, b'<sparql xmlns="http://www.w3.org/2005/sparql-results#"><boolean>maybe</boolean></sparql>'),
    ("text/html", b"<html>hello</html>"),
    ("text/csv", b"x\n1\n"),
    (JSON, b"[]"),
    (JSON, b'{"head": {"vars": ["x"]}}'),
    (JSON, b'{"head": {"vars": ["x"]}, "results": {"bindings": [{"y": {"type": "uri", "value": "a"}}]}}'),
    (JSON, b'{"head": {"vars": ["x"]}, "results": {"bindings": [{"x": {"type": "triple", "value": {}}}]}}'),
    (JSON, b'{"head": {"vars": ["x"]}, "results": {"bindings": [{"x": {"type": "uri"}}]}}'),
    (JSON, b"\xff\xfe"),
    (JSON, b"[" * 100_000),
])  # fmt: skip
def test_results_that_break_the_rules_are_refused(kind: str, body: bytes) -> None:
    failing(always(reply("200 OK", body, kind)), StoreUnavailable, "UQ642")


def test_another_number_of_columns_than_asked_for_is_refused() -> None:
    with (
        serving(always(reply("200 OK", body_of(1)))) as server,
        open_endpoint(f"sparql+{server.url}") as store,
        pytest.raises(StoreUnavailable, match="UQ642"),
    ):
        store.select(ALL, timeout=10)


@pytest.mark.parametrize(
    "text", ["DELETE WHERE { ?s ?p ?o }", "PREFIX e: <urn:e:> INSERT DATA { e:a e:b e:c }", "DROP ALL"]
)
def test_an_update_is_never_sent(text: str) -> None:
    with serving(always(reply("200 OK", body_of(1)))) as server, pytest.raises(StoreError, match="UQ603"):
        SparqlHttpEngine(server.url).select(raw(text))
    assert server.received == []


def test_a_closed_engine_says_so() -> None:
    engine = SparqlHttpEngine("http://127.0.0.1:1/")
    engine.close()
    with pytest.raises(StoreUnavailable, match="UQ602"):
        engine.select(raw("ASK {}"))
