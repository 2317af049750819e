"""A real ArcadeDB for tests, from its wheel: Bolt on loopback and a free port. Its Java is in the wheel, too."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path

from attrs import frozen

from tests.servers.processes import free_port, running

USER = "root"
PASSWORD = "only-for-tests"
START_SECONDS = 300.0


@frozen
class ArcadeDB:
    """A running server with one empty database."""

    address: str
    process_id: int
    user: str = USER
    password: str = PASSWORD


def missing() -> str | None:
    """Why the server cannot be started here; None where it can."""
    return (
        None if find_spec("arcadedb_embedded") else "the wheel arcadedb-embedded is not installed: `make servers` does"
    )


@contextmanager
def served(folder: Path) -> Iterator[ArcadeDB]:
    """A server whose data lie in the folder. Raises ServerDidNotStart."""
    spec = find_spec("arcadedb_embedded")
    assert spec is not None
    assert spec.origin is not None
    program = Path(spec.origin).parent
    port = free_port()
    settings = {
        "server.rootPath": str(folder),
        "server.rootPassword": PASSWORD,
        "server.httpIncomingHost": "127.0.0.1",
        "server.httpIncomingPort": str(free_port()),
        "server.plugins": "Bolt:com.arcadedb.bolt.BoltProtocolPlugin",
        "bolt.host": "127.0.0.1",
        "bolt.port": str(port),
        "server.defaultDatabases": f"kg[{USER}]",
        "bolt.defaultDatabase": "kg",
    }
    command = [str(program / "jre" / "bin" / "java"), "-Xmx1g", "--add-modules", "jdk.incubator.vector"]
    command += [
        "--enable-native-access=ALL-UNNAMED",
        *(f"-Darcadedb.{name}={value}" for name, value in settings.items()),
    ]
    command += ["-cp", f"{program}/jars/*", "com.arcadedb.server.ArcadeDBServer"]
    address = f"bolt://127.0.0.1:{port}"
    with running(command, folder / "server.log", lambda: _ready(address), START_SECONDS, folder=folder) as process:
        yield ArcadeDB(address, process.pid)


def _ready(address: str) -> bool:
    """Whether the database answers: connections are accepted before it exists."""
    import neo4j
    from neo4j.exceptions import DriverError, Neo4jError

    try:
        with neo4j.GraphDatabase.driver(address, auth=(USER, PASSWORD)) as driver, driver.session() as session:
            return session.run("RETURN 1").single() is not None
    except (DriverError, Neo4jError, OSError):
        return False
