"""Server processes for tests: started on loopback, waited for, ended; never outliving the test run."""

from __future__ import annotations

import shutil
import socket
import subprocess
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

STOP_SECONDS = 20.0


class ServerDidNotStart(RuntimeError):
    """The process ended, or did not answer in time; the message holds the end of its log."""


def free_port() -> int:
    """A port of this machine that nobody uses now."""
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        port: int = one.getsockname()[1]
        return port


def cache_folder(name: str) -> Path:
    """Where downloaded programs are kept between test runs."""
    return Path.home() / ".cache" / "uniqgen-tests" / name


@contextmanager
def running(
    command: Sequence[str],
    log: Path,
    ready: Callable[[], bool],
    seconds: float,
    environment: Mapping[str, str] | None = None,
    folder: Path | None = None,
) -> Iterator[subprocess.Popen[bytes]]:
    """A process that answers, within so many seconds of its start; ended, and waited for, at the end.

    Raises ServerDidNotStart.
    """
    # the server must not outlive a test process that is killed
    tied = ["setpriv", "--pdeathsig", "KILL", "--"] if shutil.which("setpriv") else []
    with log.open("wb") as output:
        process = subprocess.Popen(
            [*tied, *command], stdin=subprocess.DEVNULL, stdout=output, stderr=output, env=environment, cwd=folder
        )
        try:
            _wait(process, ready, seconds, log)
            yield process
        finally:
            process.terminate()
            try:
                process.wait(STOP_SECONDS)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


def _wait(process: subprocess.Popen[bytes], ready: Callable[[], bool], seconds: float, log: Path) -> None:
    end = time.monotonic() + seconds
    while process.poll() is None and time.monotonic() < end:
        if ready():
            return
        time.sleep(0.1)
    raise ServerDidNotStart(f"{process.args!r} did not start: {log.read_text(errors='replace')[-800:]}")
