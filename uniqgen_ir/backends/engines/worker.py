"""A worker process that can be killed: starting, talking with a deadline, ending."""

from __future__ import annotations

import marshal
import os
import select
import struct
import subprocess
import sys
import time
import weakref
from pathlib import Path
from typing import IO, Any


class WorkerDied(Exception):
    """The process ended before it answered; the message is what it said last."""


class WorkerTimeout(Exception):
    """The deadline passed; the process was killed."""


class Worker:
    """One process that runs `script` with some arguments and answers marshalled messages. Not thread-safe."""

    def __init__(self, script: Path, arguments: list[str]) -> None:
        # -P keeps the script's folder off the path: its modules must not hide libraries of the same name
        command = [sys.executable, "-P", str(script), *arguments, str(os.getpid())]
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, bufsize=0
        )
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._requests: IO[bytes] = self._process.stdin
        self._replies: IO[bytes] = self._process.stdout
        self._end = weakref.finalize(self, _end, self._process)

    @property
    def process_id(self) -> int:
        return self._process.pid

    @property
    def alive(self) -> bool:
        return self._process.poll() is None

    def ask(self, message: tuple[Any, ...], timeout: float | None = None) -> tuple[Any, ...]:
        """The reply. Raises WorkerTimeout (the process is gone then) or WorkerDied."""
        deadline = None if timeout is None else time.monotonic() + timeout
        body = marshal.dumps(message)
        try:
            self._send(struct.pack("<I", len(body)) + body)
            (length,) = struct.unpack("<I", self._receive(4, deadline))
            reply: tuple[Any, ...] = marshal.loads(self._receive(length, deadline))
            return reply
        except (BrokenPipeError, ConnectionResetError) as error:
            raise self._died() from error
        except BaseException:
            # whatever stopped us, the reply is still under way: the next question must not read it
            self.end()
            raise

    def _send(self, data: bytes) -> None:
        view = memoryview(data)
        while view:
            view = view[self._requests.write(view) or 0 :]

    def _receive(self, length: int, deadline: float | None) -> bytes:
        received = bytearray()
        while len(received) < length:
            left = None if deadline is None else deadline - time.monotonic()
            if left is not None and (left <= 0 or not self._readable(left)):
                raise WorkerTimeout
            chunk = os.read(self._replies.fileno(), min(length - len(received), 1 << 20))
            if not chunk:
                raise self._died()
            received += chunk
        return bytes(received)

    def _readable(self, seconds: float) -> bool:
        poll = select.poll()
        poll.register(self._replies, select.POLLIN | select.POLLHUP)
        return bool(poll.poll(max(1, int(seconds * 1000))))

    def _died(self) -> WorkerDied:
        self._process.kill()
        stderr = self._process.stderr
        words = stderr.read().decode(errors="replace").strip().rsplit("\n", 1)[-1] if stderr else ""
        self.end()
        return WorkerDied(words or f"ended with status {self._process.returncode}")

    def kill(self) -> None:
        """Kill the process, from any thread; whoever waits for its reply gets WorkerDied."""
        self._process.kill()

    def end(self) -> None:
        """Kill the process and wait for it. A second call does nothing."""
        self._end()


def _end(process: subprocess.Popen[bytes]) -> None:
    process.kill()
    process.wait()
    for pipe in (process.stdin, process.stdout, process.stderr):
        if pipe:
            pipe.close()
