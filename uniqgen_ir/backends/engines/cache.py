"""Built stores, kept in the user's cache folder.

The folder is `$UNIQGEN_CACHE`, otherwise `~/.cache/uniqgen`. A store is built beside its place and moved there in one
step, so one that was left half-written is never taken for a whole one; a lock lets one process build while others wait.
A seal in the store lists its files with their sizes, small ones with their hash: a store that was damaged later (a full
disk, a cleaner of old files, a copy that was cut off) is built again.
"""

from __future__ import annotations

import atexit
import json
import os
import shutil
import tempfile
import uuid
from collections.abc import Callable, Generator
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from typing import Final

from uniqgen_ir.backends.engines.faults import unavailable
from uniqgen_ir.ir.diagnostics import DiagnosticError

_SEAL: Final = "seal.json"
_HASHED: Final = 1 << 20
_CHANGING: Final = ("LOG", "LOCK", "OPTIONS")
"""What stores write into when they are only read: journals of what they did, not data."""


def cache_root() -> Path:
    """The cache folder; it need not exist."""
    named = os.environ.get("UNIQGEN_CACHE")
    return Path(named).expanduser() if named else Path.home() / ".cache" / "uniqgen"


def folder_of(engine: str, key: str | None, build: Callable[[Path], None]) -> tuple[Path, Callable[[], None] | None]:
    """The folder of a store as `built` gives it, or, without a key, a temporary one and what takes it away.

    Raises what `built` and `build` raise.
    """
    if key is not None:
        return built(engine, key, build), None
    folder = Path(tempfile.mkdtemp(prefix="uniqgen-"))
    build(folder)
    return folder, lambda: shutil.rmtree(folder, ignore_errors=True)


def built(engine: str, key: str, build: Callable[[Path], None]) -> Path:
    """The folder that holds the store `key` of an engine (name and version); `build` fills a new folder first.

    Where the cache cannot be written, the store is built in a temporary folder that goes when the process ends.
    Raises StoreUnavailable where there is no room, and what `build` raises about the graph.
    """
    place = cache_root() / engine / key
    if _whole(place):
        return place
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        probe = place.parent / f"building-{uuid.uuid4().hex}"
        probe.mkdir()
    except OSError:
        return _temporary(engine, build)
    try:
        with _locked(place.with_name(key + ".lock")):
            if not _whole(place):
                shutil.rmtree(place, ignore_errors=True)
                _fill(probe, engine, build)
                (probe / _SEAL).write_text(json.dumps(_inventory(probe)), encoding="utf-8")
                probe.rename(place)
    finally:
        shutil.rmtree(probe, ignore_errors=True)
    return place


def _whole(place: Path) -> bool:
    """Whether a store is there, with every file as it was when the store was built."""
    try:
        sealed: object = json.loads((place / _SEAL).read_text(encoding="utf-8"))
        return sealed == _inventory(place)
    except (OSError, ValueError):
        return False


def _inventory(place: Path) -> dict[str, list[int | str]]:
    """Size and, of small files, hash of every file that holds data."""
    found: dict[str, list[int | str]] = {}
    for file in sorted(place.rglob("*")):
        if file.is_file() and file.name != _SEAL and not file.name.startswith(_CHANGING):
            size = file.stat().st_size
            small = size <= _HASHED
            found[str(file.relative_to(place))] = [size, sha256(file.read_bytes()).hexdigest() if small else ""]
    return found


def _temporary(engine: str, build: Callable[[Path], None]) -> Path:
    place = Path(tempfile.mkdtemp(prefix="uniqgen-"))
    atexit.register(shutil.rmtree, place, ignore_errors=True)
    _fill(place, engine, build)
    return place


def _fill(place: Path, engine: str, build: Callable[[Path], None]) -> None:
    try:
        build(place)
    except DiagnosticError:
        raise
    except Exception as error:  # the libraries say a full disk in their own ways
        raise unavailable(engine, f"its store cannot be built in {place.parent}: {error}") from error


@contextmanager
def _locked(path: Path) -> Generator[None]:
    """Hold the lock file. It stays on disk: removing it would let two processes lock two different files."""
    try:
        import fcntl
    except ImportError:  # no such locks on this system: two builders then do the same work, and one of them wins
        yield
        return
    with path.open("w") as handle:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield
