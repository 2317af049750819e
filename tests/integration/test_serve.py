"""The HTTP service as its callers meet it: a real process, schemathesis, other people's requests."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Generator
from pathlib import Path

import httpx
import pytest

from tests.servers.uniqgen import Served, serving

ROOT = Path(__file__).parents[2]
SLOW = "SELECT (COUNT(*) AS ?n) WHERE { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i }"
TABLE = """prefix med: <http://almanac.example/medicine/>
ctable drugs {
  select distinct ?drug
  treats: ?drug med:treats med:Tetany
}
"""
CONFIGURATION = """\
[checks]
# a query with an error in it fits the schema, and is refused with 422
positive_data_acceptance.expected-statuses = ["2xx", "404", "422", "504"]
negative_data_rejection.expected-statuses = ["400", "404", "405", "413", "415", "422"]
# a tenth of a second is too short for some work, and the service says so
not_a_server_error.expected-statuses = ["2xx", "3xx", "4xx", "504"]
"""


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Generator[Served]:
    options = ("--graph", "almanac", "--seconds", "20", "--concurrent", "4", "--waiting", "4")
    with serving(tmp_path_factory.mktemp("serve"), *options) as one:
        yield one


@pytest.fixture
def client(service: Served) -> Generator[httpx.Client]:
    with httpx.Client(base_url=service.url, timeout=60.0, trust_env=False) as one:
        yield one


def error(reply: httpx.Response) -> tuple[int, str]:
    """The status and the code of an error."""
    return reply.status_code, reply.json()["error"]["code"]


def test_the_examples_of_the_description_work(client: httpx.Client) -> None:
    document = client.get("/openapi.json").json()
    for path, methods in document["paths"].items():
        if "post" in methods:
            example = methods["post"]["requestBody"]["content"]["application/json"]["example"]
            reply = client.post(path, json=example)
            assert reply.status_code == 200, (path, reply.text)
            assert "error" not in reply.json()
    assert client.post("/v1/ask", json={"question": "Which drugs treat tetany?"}).json()["engines_agree"] is True
    assert client.get("/v1/explain/no_such_address").json()["code"] == "UQ705"
    assert "uniqgen_requests_total" in client.get("/metrics").text


def test_probes_and_metrics(client: httpx.Client) -> None:
    assert client.get("/live").json()["status"] == "ok"
    ready = client.get("/health").json()
    assert (ready["status"], ready["graph"]) == ("ok", ["almanac"])
    text = client.get("/metrics").text
    samples = [line for line in text.splitlines() if not line.startswith("#")]
    assert all(re.fullmatch(r'[a-z_]+(\{([a-z]+="[^"]*",?)+\})? [0-9.e+-]+', line) for line in samples)
    described = [line.split()[2] for line in text.splitlines() if line.startswith("# TYPE")]
    assert {re.sub(r"_(bucket|sum|count)$", "", line.split("{")[0].split(" ")[0]) for line in samples} == set(described)


def test_what_is_no_request_is_refused_with_a_code(client: httpx.Client) -> None:
    as_json = {"Content-Type": "application/json"}
    assert error(client.post("/v1/run", content=b'{"query": ', headers=as_json)) == (400, "UQ701")
    assert error(client.post("/v1/run", content=b"\xff", headers=as_json)) == (400, "UQ701")
    assert error(client.post("/v1/ask", content=b"[" * 100_000, headers=as_json)) == (400, "UQ701")
    assert error(client.post("/v1/ask", content=b'{"question": NaN}', headers=as_json)) == (400, "UQ701")
    assert error(client.post("/v1/ask", content=b'{"question": "a", "question": "b"}', headers=as_json)) == (
        400,
        "UQ701",
    )
    assert error(client.post("/v1/ask", content=b'{"question": "\\ud800"}', headers=as_json)) == (400, "UQ701")
    assert error(client.post("/v1/ask", content=b'{"seconds": 1' + b"0" * 5000 + b"}", headers=as_json)) == (
        400,
        "UQ701",
    )
    assert error(client.post("/v1/ask", content=b"question=Who", headers={"Content-Type": "text/plain"})) == (
        415,
        "UQ705",
    )
    assert error(client.post("/v1/ask", content=b" " * 600_000, headers=as_json)) == (413, "UQ702")
    assert error(client.get("/v1/run")) == (405, "UQ705")
    assert error(client.get("/etc/passwd")) == (404, "UQ705")
    assert error(client.get("/v1/explain/UQ12")) == (404, "UQ652")


def test_warnings_alone_can_be_the_reason(client: httpx.Client) -> None:
    table = {"query": TABLE, "language": "ctable", "answers": [""]}
    assert error(client.post("/v1/chase", json=table)) == (422, "UQ663")


def test_another_host_name_is_refused(client: httpx.Client) -> None:
    assert error(client.get("/v1/schema", headers={"Host": "elsewhere.example"})) == (403, "UQ705")
    port = client.base_url.port
    assert client.get("/v1/schema", headers={"Host": f"LOCALHOST:{port}"}).status_code == 200


@pytest.mark.parametrize(
    ("query", "language"),
    [
        ("MATCH (n) DETACH DELETE n", "cypher"),
        ("MATCH (n) SET n.name = 'x' RETURN n", "cypher"),
        ("CALL { CREATE (n) RETURN n } RETURN n", "cypher"),
        ("DELETE WHERE { ?s ?p ?o }", "sparql"),
        ("LOAD <file:///etc/passwd>", "sparql"),
        ("SELECT * FROM <file:///etc/passwd> WHERE { ?s ?p ?o }", "sparql"),
        ("SELECT * WHERE { SERVICE <http://127.0.0.1/> { ?s ?p ?o } }", "sparql"),
        ("LOAD CSV FROM 'file:///etc/passwd' AS line RETURN line", "cypher"),
    ],
)
def test_what_writes_or_reaches_outside_is_refused(client: httpx.Client, query: str, language: str) -> None:
    reply = client.post("/v1/run", json={"query": query, "language": language})
    assert reply.status_code == 422
    assert reply.json()["error"]["diagnostics"]


def test_a_busy_service_says_so_and_goes_on(client: httpx.Client) -> None:
    from concurrent.futures import ThreadPoolExecutor

    def slow(_: int) -> httpx.Response:
        return client.post("/v1/run", json={"query": SLOW, "language": "sparql", "seconds": 2.0})

    with ThreadPoolExecutor(16) as threads:
        found = [error(reply) for reply in threads.map(slow, range(16))]
    assert {code for _, code in found} <= {"UQ601", "UQ703", "UQ704"}
    assert (503, "UQ703") in found
    assert any(status == 504 for status, _ in found)
    # whatever was under way was ended: the next request gets its turn at once
    assert client.post("/v1/run", json={"query": "ASK {}", "language": "sparql"}).json()["rows"] == [[True]]


def test_work_for_a_client_that_left_is_ended(tmp_path: Path) -> None:
    with (
        serving(tmp_path, "--api", "--graph", "almanac", "--seconds", "300") as one,
        httpx.Client(base_url=one.url, timeout=60.0, trust_env=False) as client,
    ):
        body = json.dumps({"query": SLOW, "language": "sparql"}).encode()
        fields = ("Host: localhost", "Content-Type: application/json", f"Content-Length: {len(body)}")
        head = "\r\n".join(("POST /v1/run HTTP/1.1", *fields, "", ""))
        _until(client, *IDLE)
        before = _cancelled(client)
        with socket.create_connection(("127.0.0.1", client.base_url.port or 0)) as line:
            line.sendall(head.encode() + body)
            _until(client, "uniqgen_requests_running 1")
        _until(client, *IDLE)
        assert _cancelled(client) == before + 1
    assert (tmp_path / "serve.log").read_text(encoding="utf-8").count("ERROR") == 0


IDLE = ("uniqgen_requests_running 0", "uniqgen_requests_waiting 0")
"""What the metrics say where nothing is under way: not even a probe of the start that was given up."""


def _until(client: httpx.Client, *lines: str) -> None:
    """Wait until the metrics say this: for a minute at most, a fifth of what the statement has."""
    end = time.monotonic() + 60.0
    while not set(lines) <= set(client.get("/metrics").text.splitlines()):
        assert time.monotonic() < end
        time.sleep(0.02)


def _cancelled(client: httpx.Client) -> int:
    """How many statements ended because their client left."""
    found = re.search(
        r'^uniqgen_requests_total\{operation="run",code="cancelled"\} (\d+)$', client.get("/metrics").text, re.M
    )
    return int(found[1]) if found is not None else 0


def test_whoever_waits_when_the_service_is_stopped_is_told_so(tmp_path: Path) -> None:
    from concurrent.futures import ThreadPoolExecutor

    with (
        serving(tmp_path, "--api", "--graph", "almanac", "--seconds", "100") as one,
        httpx.Client(base_url=one.url, timeout=120.0, trust_env=False) as client,
        ThreadPoolExecutor(2) as threads,
    ):

        def slow() -> httpx.Response:
            return client.post("/v1/run", json={"query": SLOW, "language": "sparql"})

        _until(client, *IDLE)
        replies = [threads.submit(slow) for _ in range(2)]
        _until(client, "uniqgen_requests_running 2")
        os.kill(one.process_id, signal.SIGTERM)
        assert [error(reply.result(30.0)) for reply in replies] == [(503, "UQ703")] * 2
    log = (tmp_path / "serve.log").read_text(encoding="utf-8")
    assert "Traceback" not in log
    assert "ERROR" not in log


@pytest.mark.parametrize(
    "phases", ["examples,fuzzing", pytest.param("examples,coverage,fuzzing", marks=pytest.mark.slow)]
)
def test_schemathesis_finds_nothing(service: Served, tmp_path: Path, phases: str) -> None:
    (tmp_path / "schemathesis.toml").write_text(CONFIGURATION, encoding="utf-8")
    program = Path(sys.executable).with_name("schemathesis")
    options = ("--max-examples", "10", "--seed", "7", "--no-color", "--generation-database", "none")
    # the service is on this machine: a proxy would not find it
    environment = {name: value for name, value in os.environ.items() if "proxy" not in name.lower()}
    ran = subprocess.run(
        [program, "run", f"{service.url}/openapi.json", "--checks", "all", "--phases", phases, *options],
        capture_output=True,
        text=True,
        timeout=300,
        cwd=tmp_path,
        env=environment,
    )
    assert ran.returncode == 0, ran.stdout[-6000:] + ran.stderr[-2000:]
    assert "10 selected" in ran.stdout or "Tested: 10" in ran.stdout


@pytest.mark.parametrize(
    ("options", "code", "words"),
    [
        (["--graph", "no/such/file.ttl"], 1, "UQ6"),
        (["--graph", "almanac", "--store", "http://elsewhere"], 2, "UQ653"),
        (["--graph", "almanac", "--host", "256.1.1.1"], 2, "UQ653"),
    ],
)
def test_a_start_that_cannot_work_says_why(options: list[str], code: int, words: str) -> None:
    command = [sys.executable, "-m", "uniqgen_ir", "serve", "--port", "0", *options]
    ran = subprocess.run(command, capture_output=True, text=True, timeout=60, cwd=ROOT)
    assert (ran.returncode, "Traceback" in ran.stderr) == (code, False), ran.stderr
    assert words in ran.stderr


def test_a_port_in_use_is_named() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        command = [sys.executable, "-m", "uniqgen_ir", "serve", "--graph", "almanac", "--port", port]
        ran = subprocess.run(command, capture_output=True, text=True, timeout=60, cwd=ROOT)
    assert ran.returncode == 2
    assert f"port {port}" in ran.stderr
