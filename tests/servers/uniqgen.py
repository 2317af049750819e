"""A real `uniqgen serve` for tests: a process on loopback and a free port."""

from __future__ import annotations

import sys
import urllib.error
import urllib.request
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from attrs import frozen

from tests.servers.processes import free_port, running

START_SECONDS = 240.0


@frozen
class Served:
    """A running service: its address and its process."""

    url: str
    process_id: int

    def memory(self) -> float:
        """Resident memory of the process, in megabytes."""
        status = Path(f"/proc/{self.process_id}/status").read_text(encoding="ascii")
        return int(status.split("VmRSS:")[1].split()[0]) / 1024.0


@contextmanager
def serving(folder: Path, *options: str) -> Generator[Served]:
    """A service with these options beside its port; `folder` takes its log. Ended, and waited for, at the end."""
    port = free_port()
    url = f"http://127.0.0.1:{port}"
    command = [sys.executable, "-m", "uniqgen_ir", "serve", "--port", str(port), *options]
    with running(command, folder / "serve.log", lambda: _ready(url), START_SECONDS) as process:
        yield Served(url, process.pid)


def _ready(url: str) -> bool:
    direct = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    try:
        with direct.open(f"{url}/health", timeout=5) as reply:
            return bool(reply.status == 200)
    except (urllib.error.URLError, OSError):
        return False
