"""Real servers for tests: each is started once in a test run, where it can be; tests that need it skip otherwise.

Tests of one server are marked `xdist_group`, so that parallel runs start it once and its tests do not meet.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.servers import arcadedb, neo4j, virtuoso
from tests.servers.arcadedb import ArcadeDB
from tests.servers.neo4j import Neo4j
from tests.servers.virtuoso import Virtuoso


def _need(missing: str | None) -> None:
    """Skip where a server cannot be started, but not where all must be there (`UNIQGEN_TEST_SERVERS=required`)."""
    if missing is None:
        return
    if os.environ.get("UNIQGEN_TEST_SERVERS") == "required":
        pytest.fail(missing)
    pytest.skip(missing)


@pytest.fixture(scope="session")
def neo4j_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Neo4j]:
    """A Neo4j with an empty database."""
    _need(neo4j.missing())
    with neo4j.served(tmp_path_factory.mktemp("neo4j")) as server:
        yield server


@pytest.fixture(scope="session")
def neo4j_current_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Neo4j]:
    """A Neo4j that knows Cypher 25, with an empty database."""
    _need(neo4j.missing(neo4j.CURRENT))
    with neo4j.served(tmp_path_factory.mktemp("neo4j-current"), release=neo4j.CURRENT) as server:
        yield server


@pytest.fixture(scope="session")
def arcadedb_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ArcadeDB]:
    """An ArcadeDB with an empty database."""
    _need(arcadedb.missing())
    with arcadedb.served(tmp_path_factory.mktemp("arcadedb")) as server:
        yield server


@pytest.fixture
def arcadedb_of_its_own(tmp_path: Path) -> Iterator[ArcadeDB]:
    """For statements without an end: ArcadeDB goes on with what nobody waits for, beside all later tests."""
    _need(arcadedb.missing())
    with arcadedb.served(tmp_path) as server:
        yield server


@pytest.fixture(scope="session")
def virtuoso_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Virtuoso]:
    """A Virtuoso without graphs of ours."""
    _need(virtuoso.missing())
    with virtuoso.served(tmp_path_factory.mktemp("virtuoso")) as server:
        yield server


@pytest.fixture
def bolt_login(monkeypatch: pytest.MonkeyPatch) -> None:
    """User and password of the test servers' Neo4j in the environment."""
    monkeypatch.setenv("UNIQGEN_BOLT_USER", neo4j.USER)
    monkeypatch.setenv("UNIQGEN_BOLT_PASSWORD", neo4j.PASSWORD)
