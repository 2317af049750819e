"""A real SPARQL server for tests: `oxigraph serve-read-only` on loopback and a free port."""

from __future__ import annotations

import shutil
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

START_SECONDS = 20.0


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
    log = folder / "server.log"
    with log.open("wb") as output:
        command = [program, "serve-read-only", "--location", str(store), "--bind", f"127.0.0.1:{port}"]
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=output, stderr=output)
        try:
            _wait_for(port, process, log)
            yield f"http://127.0.0.1:{port}/query"
        finally:
            process.terminate()
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


def free_port() -> int:
    """A port of this machine that nobody uses now."""
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        port: int = one.getsockname()[1]
        return port


def _wait_for(port: int, process: subprocess.Popen[bytes], log: Path) -> None:
    direct = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    end = time.monotonic() + START_SECONDS
    while time.monotonic() < end:
        if process.poll() is not None:
            break
        try:
            with direct.open(f"http://127.0.0.1:{port}/query?query=ASK%7B%7D", timeout=2) as reply:
                if reply.status == 200:
                    return
        except (urllib.error.URLError, OSError):
            time.sleep(0.05)
    raise RuntimeError(f"oxigraph did not start: {log.read_text(errors='replace')[-500:]}")
