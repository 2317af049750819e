"""The openCypher TCK on a real Neo4j: original text beside reader, table and renderer, and the page of it."""

from __future__ import annotations

import pytest

from tests.integration.cypher_tck import FEATURES
from tests.servers import loading
from tests.servers.neo4j import Neo4j
from tools import tck_server_table
from tools.tck_table import Outcome, share
from uniqgen_ir.ir.codes import CODES

pytestmark = [
    pytest.mark.xdist_group("neo4j"),
    pytest.mark.skipif(not FEATURES.is_dir(), reason="../shared/suites/tck is absent"),
]


def judged(server: Neo4j, every: int) -> tuple[Outcome, ...]:
    with loading.driver(server) as driver, driver.session() as session:
        loading.clear(session)
        found = tck_server_table.outcomes(session, lambda place: place % every == 0)
    assert [(one.scenario.name, one.why) for one in found if one.verdict == "wrong"] == []
    assert {one.why for one in found if one.verdict == "refused"} <= set(CODES)
    assert share(found) >= 0.80
    return found


def test_a_part_of_the_scenarios(neo4j_server: Neo4j) -> None:
    assert sum(one.verdict == "right" for one in judged(neo4j_server, every=12)) >= 20


@pytest.mark.slow
def test_all_scenarios_and_the_page_of_them(neo4j_server: Neo4j) -> None:
    found = judged(neo4j_server, every=1)
    assert sum(one.verdict == "right" for one in found) >= 350
    assert tck_server_table.PAGE.read_text(encoding="utf-8") == tck_server_table.page(found)
