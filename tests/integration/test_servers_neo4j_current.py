"""What is written for Cypher 25, on a current Neo4j: it accepts every golden text, and answers as it should."""

from __future__ import annotations

import neo4j
import pytest

from tests.golden.neo4j_texts import queries
from tests.integration.test_servers_random import WORLDS, bolt_judge, judge_all
from tests.servers import loading
from tests.servers.neo4j import Neo4j

DIALECT = "neo4j-25"

pytestmark = pytest.mark.xdist_group("neo4j-current")


def explained(session: neo4j.Session, text: str, parameters: dict[str, object]) -> str | None:
    """What the server says against a query; None where it would run it."""
    try:
        session.run(f"CYPHER 25 EXPLAIN {text}", parameters).consume()  # pyright: ignore[reportArgumentType]
    except neo4j.exceptions.Neo4jError as error:
        return error.message
    return None


def test_it_accepts_every_golden_text(neo4j_current_server: Neo4j) -> None:
    asked = [one for one in queries() if one.dialect == DIALECT]
    assert len(asked) >= 20
    with loading.driver(neo4j_current_server) as driver, driver.session() as session:
        assert explained(session, "MATCH (a RETURN a", {}) is not None
        faults = {
            one.text: explained(session, one.text, {**one.params, **dict.fromkeys(one.unbound, 1)}) for one in asked
        }
    assert {text: fault for text, fault in faults.items() if fault is not None} == {}


@pytest.mark.slow
@pytest.mark.parametrize("worlds", ["monotone", "groups"])
def test_it_answers_as_the_reference_does(
    neo4j_current_server: Neo4j, monkeypatch: pytest.MonkeyPatch, worlds: str
) -> None:
    with bolt_judge(neo4j_current_server, DIALECT, monkeypatch) as judge:
        judge_all(WORLDS[worlds], judge)
