"""What Cypher's own operators do is written with them again, where a table that was read from Cypher spells it out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import pytest

from uniqgen_ir.backends.engines.source import GraphSource
from uniqgen_ir.backends.registry import open_store, renderer
from uniqgen_ir.backends.store import RenderingStore
from uniqgen_ir.grammar.ctable import parse_table
from uniqgen_ir.grammar.cypher import read_cypher
from uniqgen_ir.ir.diagnostics import DiagnosticError
from uniqgen_ir.ir.evaluation.evaluate import evaluate
from uniqgen_ir.ir.graph import Graph
from uniqgen_ir.ir.table import Table
from uniqgen_ir.kg.property_graph.script import script_facts

GRAPH = Graph(
    script_facts(
        """CREATE (a:P {name: 'Ann', born: 1957, x: 7, y: -2}), (b:P {name: 'Bob', born: -7, x: 0, y: 3}),
        (c:P {name: 'Cy'}),
        (a)-[:K]->(b), (b)-[:K]->(c), (b)-[:K]->(b), (c)-[:L]->(a)""",
        "graph",
    )
)
QUERIES = (
    "MATCH (p:P) RETURN p.name AS n, p.born / 10 AS d, p.born % 10 AS r",
    "MATCH (p:P) WHERE p.born / 10 = 195 RETURN p.name AS n",
    "MATCH (p:P) RETURN p.x / p.y AS d, p.y % p.x AS r",
    "MATCH (p:P) RETURN 7 / 2 AS a, -7 / 2 AS b, -7 % 2 AS c, 1 / 0 AS d",
    "MATCH (p:P) RETURN p.x + p.y AS s, p.name + p.name AS t",
    "MATCH (p:P) RETURN substring(p.name, 0, 2) AS a, substring(p.name, 1) AS b, left(p.name, 1) AS c",
    "MATCH (p:P) RETURN avg(p.born) AS m, count(*) AS n",
    "MATCH (p:P)-[:K]->(q) RETURN p.name AS n, avg(q.x) AS m",
    "MATCH (p:P)-[:K]->(q) WITH p, avg(q.x) AS m WHERE m < 1 RETURN p.name AS n, m",
    "MATCH (p:P) RETURN p.name AS n, COUNT { (p)-[:K]->() } AS k, COUNT { (p)<-[:L]-(q:P) WHERE q.x IS NULL } AS l",
    "MATCH (p:P) WHERE COUNT { (p)-[:K]->(q)-[:L]->() } < 2 RETURN p.name AS n",
    "MATCH (p:P) WHERE COUNT { (p)-[:K]->(q) } > 1 RETURN p.name AS n",
)


def table_of(query: str) -> Table:
    table = read_cypher(query).table
    assert table is not None
    return table


@pytest.fixture(scope="module", params=["ladybug", "kglite"])
def store(request: pytest.FixtureRequest) -> Iterator[RenderingStore]:
    with open_store(request.param, GraphSource(GRAPH)) as opened:
        yield opened


@pytest.mark.parametrize("query", QUERIES)
def test_operators_give_the_answers_of_the_reference(store: RenderingStore, query: str) -> None:
    table = table_of(query)
    assert Counter(store.select(table, timeout=30).rows) == Counter(evaluate(table, GRAPH).rows)


@pytest.mark.parametrize(
    ("query", "written"),
    [
        ("MATCH (p:P) RETURN p.x / 10 AS d", "(p.x / $p0) AS d"),
        ("MATCH (p:P) RETURN p.x / p.y AS d", "CASE WHEN p.y <> 0 THEN (p.x / p.y) END AS d"),
        ("MATCH (p:P) RETURN p.x % 3 AS d", "(p.x % $p0) AS d"),
        ("MATCH (p:P) RETURN p.x + p.y AS d", "(p.x + p.y) AS d"),
        ("MATCH (p:P) RETURN p.x / 2.0 AS d", "((p.x) * 1.0 / ($p0)) AS d"),
        ("MATCH (p:P) RETURN avg(p.x) AS d", "avg(p.x) AS d"),
        ("MATCH (p:P) RETURN substring(p.name, 0, 2) AS d", "substring(p.name, 0, 2) AS d"),
        ("MATCH (p:P) RETURN COUNT { (p)-[:K]->() } AS d", "COUNT { MATCH (p)-[:K]->(node) } AS d"),
    ],
)
def test_the_operator_itself_is_written(query: str, written: str) -> None:
    assert written in renderer("neo4j").render(table_of(query)).text


@pytest.mark.parametrize("dialect", ["ladybug", "memgraph", "falkordb", "neptune", "gql"])
def test_a_count_is_refused_where_it_cannot_be_written(dialect: str) -> None:
    with pytest.raises(DiagnosticError, match="UQ500"):
        renderer(dialect).render(table_of("MATCH (p:P) RETURN COUNT { (p)-[:K]->() } AS d"))


def test_another_cast_of_a_quotient_is_not_taken_for_a_division() -> None:
    """`integer(?x / 2)` cuts the quotient of whatever ?x is: where it may be no integer, that is no `/`."""
    table = parse_table("ctable t {\n select integer(?x / 2) as ?d\n ?p <urn:pg:property:x> ?x\n}\n")
    assert "toInteger((" in renderer("neo4j").render(table).text
