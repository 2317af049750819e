"""A real SPARQL server for tests: `oxigraph serve-read-only` on loopback and a free port."""

from __future__ import annotations

import shutil
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.servers.processes import free_port, running

START_SECONDS = 120.0


def binary() -> str | None:
    """The server beside this Python or on the path; it comes with the extra `test`."""
    beside = Path(sys.executable).with_name("oxigraph")
    return str(beside) if beside.exists() else shutil.which("oxigraph")


@contextmanager
def served(graph: Path, folder: Path) -> Iterator[str]:
    """The address of an endpoint over a graph file; `folder` takes the store. Ended, and waited for, at the end."""
    program = binary()
    assert program is not None, "the extra `test` brings oxigraph"
    store = folder / "store"
    subprocess.run(
        [program, "load", "--location", store, "--file", graph], check=True, capture_output=True, timeout=120
    )
    port = free_port()
    command = [program, "serve-read-only", "--location", str(store), "--bind", f"127.0.0.1:{port}"]
    with running(command, folder / "server.log", lambda: _ready(port), START_SECONDS):
        yield f"http://127.0.0.1:{port}/query"


def missing() -> str | None:
    """Why the server cannot be started here; None where it can."""
    return None if binary() else "oxigraph is not installed: the extra `test` brings it"


def _ready(port: int) -> bool:
    direct = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    try:
        with direct.open(f"http://127.0.0.1:{port}/query?query=ASK%7B%7D", timeout=2) as reply:
            return bool(reply.status == 200)
    except (urllib.error.URLError, OSError):
        return False
