"""A real Neo4j Community server for tests: on loopback and a free port, with a password, over Bolt only.

`python -m tests.servers.neo4j` downloads the one with long-term support (Maven, about a minute and 130 MB the first
time) and, where there is a Java for it, a current one.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from attrs import frozen

from tests.servers.processes import cache_folder, free_port, running

POM = Path(__file__).with_name("pom.xml")
USER = "neo4j"
PASSWORD = "only-for-tests"
START_SECONDS = 300.0
_CHANGE = "ALTER CURRENT USER SET PASSWORD FROM $old TO $new"
_OPENS = ("java.base/java.nio", "java.base/java.io", "java.base/sun.nio.ch")


@frozen
class Neo4j:
    """A running server."""

    address: str
    process_id: int
    user: str = USER
    password: str = PASSWORD


@frozen
class Release:
    """One version of the server: what starts it, and the Java that it needs."""

    version: str
    main: str
    java_version: int

    @property
    def jars(self) -> Path:
        """The folder of the downloaded program; it need not exist."""
        return cache_folder(f"neo4j-{self.version}")

    @property
    def java(self) -> str | None:
        """A Java that is new enough: the one on the path, or another that is installed."""
        installed = sorted(map(str, Path("/usr/lib/jvm").glob("*/bin/java")))
        found = [one for one in (shutil.which("java"), *installed) if one is not None]
        return next((one for one in found if _java_version(one) >= self.java_version), None)


LTS = Release("5.26.30", "org.neo4j.server.CommunityEntryPoint", 17)
CURRENT = Release("2026.09.0", "org.neo4j.server.Neo4jCommunity", 25)


def _java_version(java: str) -> int:
    """The version of a Java, by the file that stands beside it; 0 where there is none."""
    about = Path(java).resolve().parents[1] / "release"
    found = re.search(r'JAVA_VERSION="(\d+)', about.read_text()) if about.is_file() else None
    return int(found[1]) if found is not None else 0


def missing(release: Release = LTS) -> str | None:
    """Why the server cannot be started here; None where it can."""
    if release.java is None:
        return f"Neo4j {release.version} needs Java {release.java_version}"
    return None if release.jars.is_dir() else f"Neo4j {release.version} is not downloaded: `make servers` does"


def fetch(release: Release = LTS) -> None:
    """Download the program into the cache folder. Raises CalledProcessError."""
    if release.jars.is_dir():
        return
    part = release.jars.with_name(f"{release.jars.name}.{os.getpid()}.part")
    command = ["mvn", "-q", "-B", "-f", str(POM), f"-Dneo4j.version={release.version}"]
    command += ["dependency:copy-dependencies", "-DincludeScope=runtime", f"-DoutputDirectory={part}"]
    try:
        subprocess.run(command, check=True)
        part.rename(release.jars)
    finally:
        shutil.rmtree(part, ignore_errors=True)


def bulk_import(folder: Path, files: Path) -> None:
    """Make the data of a new server from the files of an export, as `neo4j-admin database import` does."""
    _prepare(folder, 0)
    command = [str(LTS.java), "-cp", f"{LTS.jars}/*", *(f"--add-opens={one}=ALL-UNNAMED" for one in _OPENS)]
    command += ["org.neo4j.cli.AdminTool", "database", "import", "full", "neo4j", "--array-delimiter=U+001F"]
    command += ["--multiline-fields=true", f"--nodes={files / 'nodes.csv'}"]
    command += [f"--relationships={files / 'relationships.csv'}"]
    settings = {**os.environ, "NEO4J_HOME": str(folder), "NEO4J_CONF": str(folder / "conf")}
    done = subprocess.run(command, capture_output=True, text=True, env=settings, cwd=folder)
    if done.returncode:
        raise RuntimeError(f"{done.stdout[-800:]}{done.stderr[-800:]}")


def _prepare(folder: Path, port: int) -> None:
    for name in ("conf", "logs", "data", "plugins", "import", "licenses", "lib", "run"):
        (folder / name).mkdir(parents=True, exist_ok=True)
    (folder / "conf" / "neo4j.conf").write_text(_settings(port))


@contextmanager
def served(folder: Path, port: int | None = None, release: Release = LTS) -> Iterator[Neo4j]:
    """A server whose data lie in the folder. Raises ServerDidNotStart."""
    port = port or free_port()
    _prepare(folder, port)
    address = f"bolt://127.0.0.1:{port}"
    command = [str(release.java), "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-cp", f"{release.jars}/*"]
    command += [f"--add-opens={one}=ALL-UNNAMED" for one in _OPENS]
    command += [release.main, f"--home-dir={folder}", f"--config-dir={folder / 'conf'}"]
    with running(command, folder / "server.log", lambda: _ready(address), START_SECONDS) as process:
        yield Neo4j(address, process.pid)


def _settings(port: int) -> str:
    lines = {
        "server.default_listen_address": "127.0.0.1",
        "server.bolt.listen_address": f"127.0.0.1:{port}",
        "server.bolt.advertised_address": f"127.0.0.1:{port}",
        "server.http.enabled": "false",
        "server.https.enabled": "false",
        "dbms.usage_report.enabled": "false",
        "dbms.security.auth_minimum_password_length": "1",
        "server.memory.heap.initial_size": "256m",
        "server.memory.heap.max_size": "1g",
        "server.memory.pagecache.size": "128m",
        "db.tx_log.preallocate": "false",
    }
    return "".join(f"{name}={value}\n" for name, value in lines.items())


def _ready(address: str) -> bool:
    """Whether the server answers with our password, which is set at the first start."""
    import neo4j
    from neo4j.exceptions import AuthError, DriverError, Neo4jError

    for password in (PASSWORD, USER):
        try:
            with neo4j.GraphDatabase.driver(address, auth=(USER, password)) as driver:
                if password == PASSWORD:
                    with driver.session() as session:
                        return session.run("RETURN 1").single() is not None
                with driver.session(database="system") as session:
                    session.run(_CHANGE, old=password, new=PASSWORD).consume()
        except AuthError:
            continue
        except (DriverError, Neo4jError, OSError):
            return False
    return False
