"""Answers that are kept: a cache by content, and files of recorded calls that can be played again without a server."""

from __future__ import annotations

import json
import sqlite3
import threading
from pathlib import Path
from types import TracebackType
from typing import IO, Self

from attrs import define, field

from uniqgen_ir.agents.llm.messages import Reply, Request
from uniqgen_ir.ir.diagnostics import fail

CACHE_FILE = "models.sqlite"
_BUSY_SECONDS = 10.0


@define(eq=False)
class ReplyCache:
    """Replies by the content of their request, in an SQLite file that several processes may share.

    A cache that cannot be used costs time, never an answer: whatever goes wrong with the file is no error.
    """

    path: Path
    _lock: threading.Lock = field(factory=threading.Lock, init=False)
    _database: sqlite3.Connection | None = field(default=None, init=False)
    _broken: bool = field(default=False, init=False)

    def get(self, key: str) -> Reply | None:
        """The reply kept under a key."""
        with self._lock:
            database = self._opened()
            if database is None:
                return None
            try:
                found = database.execute("SELECT reply FROM replies WHERE key = ?", (key,)).fetchone()
                return None if found is None else Reply.from_json(json.loads(found[0]))
            except (sqlite3.Error, ValueError, KeyError, TypeError):
                return None

    def put(self, key: str, reply: Reply) -> None:
        """Keep a reply."""
        with self._lock:
            database = self._opened()
            if database is None:
                return
            try:
                text = json.dumps(reply.to_json(), ensure_ascii=False)
                with database:
                    database.execute("INSERT OR REPLACE INTO replies (key, reply) VALUES (?, ?)", (key, text))
            except sqlite3.Error:
                self._broken = True

    def close(self) -> None:
        with self._lock:
            if self._database is not None:
                self._database.close()
                self._database = None

    def _opened(self) -> sqlite3.Connection | None:
        if self._broken or self._database is not None:
            return None if self._broken else self._database
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            # the lock above orders its use by threads
            database = sqlite3.connect(self.path, timeout=_BUSY_SECONDS, check_same_thread=False)
            database.execute("CREATE TABLE IF NOT EXISTS replies (key TEXT PRIMARY KEY, reply TEXT NOT NULL)")
        except (sqlite3.Error, OSError):
            self._broken = True
            return None
        self._database = database
        return database


@define(eq=False)
class Recorder:
    """Writes each call to a file, one JSON object a line: `key`, `purpose`, `model`, `messages`, `reply`.

    A context manager. Opening raises DiagnosticError (UQ650).
    """

    path: Path
    _lock: threading.Lock = field(factory=threading.Lock, init=False)
    _file: IO[str] = field(init=False)

    def __attrs_post_init__(self) -> None:
        try:
            self._file = self.path.open("a", encoding="utf-8")
        except OSError as error:
            raise fail("UQ650", f"cannot write {self.path}: {error.strerror}") from error

    def put(self, model: str, request: Request, reply: Reply) -> None:
        """Add one call."""
        line = {
            "key": request.key(model),
            "purpose": request.purpose,
            "model": model,
            "messages": [one.to_json() for one in request.messages],
            "reply": reply.to_json(),
        }
        with self._lock:
            self._file.write(json.dumps(line, ensure_ascii=False) + "\n")
            self._file.flush()

    def close(self) -> None:
        self._file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def read_recording(path: Path) -> dict[str, Reply]:
    """The replies of a recorded file by key; of two with one key, the later. Raises DiagnosticError (UQ650, UQ696)."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise fail("UQ650", f"the file of recorded calls {path} cannot be read: {error}") from error
    found: dict[str, Reply] = {}
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            data = json.loads(line)
            found[str(data["key"])] = Reply.from_json(data["reply"])
        except (ValueError, KeyError, TypeError) as error:
            raise fail("UQ696", f"line {number} of {path} is no recorded call") from error
    return found
