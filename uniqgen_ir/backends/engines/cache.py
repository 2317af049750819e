"""Built stores, kept in the user's cache folder.

The folder is `$UNIQGEN_CACHE`, otherwise `~/.cache/uniqgen`. A store is built beside its place and moved there in one
step, so one that was left half-written is never taken for a whole one; a lock lets one process build while others wait.
"""

from __future__ import annotations

import atexit
import os
import shutil
import tempfile
import uuid
from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path


def cache_root() -> Path:
    """The cache folder; it need not exist."""
    named = os.environ.get("UNIQGEN_CACHE")
    return Path(named).expanduser() if named else Path.home() / ".cache" / "uniqgen"


def built(engine: str, key: str, build: Callable[[Path], None]) -> Path:
    """The folder that holds the store `key` of an engine (name and version); `build` fills a new folder first.

    Where the cache cannot be written, the store is built in a temporary folder that goes when the process ends.
    """
    place = cache_root() / engine / key
    if place.is_dir():
        return place
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        probe = place.parent / f"building-{uuid.uuid4().hex}"
        probe.mkdir()
    except OSError:
        return _temporary(build)
    try:
        with _locked(place.with_name(key + ".lock")):
            if not place.is_dir():
                build(probe)
                probe.rename(place)
    finally:
        shutil.rmtree(probe, ignore_errors=True)
    return place


def forget(engine: str, key: str) -> None:
    """Remove a store that turned out to be damaged."""
    shutil.rmtree(cache_root() / engine / key, ignore_errors=True)


def _temporary(build: Callable[[Path], None]) -> Path:
    place = Path(tempfile.mkdtemp(prefix="uniqgen-"))
    atexit.register(shutil.rmtree, place, ignore_errors=True)
    build(place)
    return place


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
