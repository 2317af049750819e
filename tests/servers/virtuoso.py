"""A real Virtuoso 7 for tests: SPARQL over HTTP on loopback and free ports, without the cap of 10,000 rows."""

from __future__ import annotations

import shutil
import subprocess
import urllib.error
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import quote

from attrs import frozen

from tests.servers.processes import free_port, running

START_SECONDS = 300.0
_SETTINGS = """
[Database]
DatabaseFile = {folder}/virtuoso.db
ErrorLogFile = {folder}/virtuoso.log
LockFile = {folder}/virtuoso.lck
TransactionFile = {folder}/virtuoso.trx
xa_persistent_file = {folder}/virtuoso.pxa
FileExtend = 200
TempStorage = TempDatabase
[TempDatabase]
DatabaseFile = {folder}/virtuoso-temp.db
TransactionFile = {folder}/virtuoso-temp.trx
[Parameters]
ServerPort = 127.0.0.1:{sql_port}
DisableUnixSocket = 1
MaxClientConnections = 20
CheckpointInterval = 0
DirsAllowed = {folder}
NumberOfBuffers = 20000
MaxDirtyBuffers = 12000
ThreadsPerQuery = 2
CaseMode = 2
MaxMemPoolSize = 200000000
[HTTPServer]
ServerPort = 127.0.0.1:{http_port}
ServerRoot = {folder}
ServerThreads = 20
Charset = UTF-8
[Client]
SQL_QUERY_TIMEOUT = 0
[SPARQL]
ResultSetMaxRows = 10000000
MaxQueryCostEstimationTime = 0
MaxQueryExecutionTime = 0
"""


@frozen
class Virtuoso:
    """A running server. `folder` is the only one from which it reads files."""

    http_port: int
    sql_port: int
    folder: Path
    process_id: int

    def endpoint(self, graph: str) -> str:
        """The address of one named graph, as `--graph` takes it."""
        return f"sparql+http://127.0.0.1:{self.http_port}/sparql?default-graph-uri={quote(graph, safe='')}"

    def load(self, graph: str, files: Sequence[Path]) -> None:
        """Load N-Triples files (in `folder`) into a named graph, in place of what it held."""
        loads = [f"DB.DBA.TTLP_MT(file_to_string_output('{file}'), '', '{graph}', 0, 2)" for file in files]
        self.execute("log_enable(3, 1)", f"SPARQL CLEAR SILENT GRAPH <{graph}>", *loads)

    def execute(self, *statements: str) -> None:
        """Run SQL statements. Raises RuntimeError with what the server says."""
        command = ["isql-vt", f"127.0.0.1:{self.sql_port}", "dba", "dba", "ERRORS=STDOUT"]
        command.append(f"exec={'; '.join(statements)};")
        done = subprocess.run(command, capture_output=True, text=True, timeout=600)
        if done.returncode or "*** Error" in done.stdout:
            raise RuntimeError(f"Virtuoso: {done.stdout[-800:]}{done.stderr[-800:]}")


def missing() -> str | None:
    """Why the server cannot be started here; None where it can."""
    absent = [one for one in ("virtuoso-t", "isql-vt") if shutil.which(one) is None]
    return f"Virtuoso is not installed (no {absent[0]}): `make servers` does" if absent else None


@contextmanager
def served(folder: Path) -> Iterator[Virtuoso]:
    """A server whose data lie in the folder. Raises ServerDidNotStart."""
    http_port, sql_port = free_port(), free_port()
    settings = folder / "virtuoso.ini"
    settings.write_text(_SETTINGS.format(folder=folder, http_port=http_port, sql_port=sql_port))
    command = ["virtuoso-t", "+foreground", "+configfile", str(settings)]
    address = f"http://127.0.0.1:{http_port}/sparql?query=ASK%7B%7D"
    with running(command, folder / "server.log", lambda: _ready(address), START_SECONDS, folder=folder) as process:
        yield Virtuoso(http_port, sql_port, folder, process.pid)


def _ready(address: str) -> bool:
    direct = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    try:
        with direct.open(address, timeout=5) as reply:
            return bool(reply.status == 200)
    except (urllib.error.URLError, OSError):
        return False
