"""The queries of which Neo4j's own parser has said what it thinks: those that the golden pages become."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from uniqgen_ir.backends.base import RenderedQuery
from uniqgen_ir.backends.registry import renderer
from uniqgen_ir.grammar.ctable import parse_table
from uniqgen_ir.grammar.cypher import read_cypher
from uniqgen_ir.ir.diagnostics import DiagnosticError
from uniqgen_ir.ir.table import Table

FOLDER: Final = Path(__file__).parent
VERDICTS: Final = FOLDER / "neo4j_verdicts.json"
VERSIONS: Final = {"neo4j": "CYPHER 5", "neo4j-25": "CYPHER 25"}

_TABLE: Final = re.compile(r"^```ctable\n(.*?)^```$", re.MULTILINE | re.DOTALL)

QUERIES: Final = (
    "MATCH (a)-[r]->(b) RETURN type(r), b",
    "MATCH (a:Person)-[r:KNOWS|LIKES]-(b) WHERE r.since > 2000 RETURN a, r",
    "MATCH (a:P)-[:K*1..2]-(b) RETURN count(*)",
    "MATCH (a:P)--(b) OPTIONAL MATCH (b)-[:X]->(c)-[:X]->(d) RETURN a, c.name, d",
    "MATCH (a:A)-[:K]->(b)-[:K]->(c) WITH a, count(c) AS n MATCH (a)-[:L]->(d)-[:L]->(e) RETURN d, n ORDER BY n",
    "MATCH (a)-[:K]->(b)-[:K]->(c) MATCH (c)-[:K]->(d) WHERE NOT (a)-[:L]->(d) RETURN a.name, count(*)",
    "MATCH (a)-[r:K {w: 2}]->(b)-[:K]->(c) RETURN r.x, r",
    "UNWIND [1.5, 2, 3] AS x MATCH (a {v: x}) RETURN a.`odd name`, x ORDER BY x SKIP 1 LIMIT 2",
    "MATCH (a:A|B) WHERE a.x IS NULL AND a.born < date('2000-01-01') RETURN DISTINCT toUpper(a.name)",
    "MATCH (a:A) RETURN a.x / 10 AS d, a.x % 7 AS r, a.x + a.y AS s, substring(a.name, 0, 3) AS t ORDER BY d",
    "MATCH (a:A) WHERE a.x / a.y > 2 RETURN a.name, COUNT { (a)-[:K]->(:B) WHERE a.x > 1 } AS n",
    "MATCH (a:A)-[:K]->(b) WITH a, avg(b.x) AS m WHERE m > 2.5 RETURN a.name, m, COUNT { (a)--() } AS n ORDER BY n",
    "MATCH (a:A)-[:K|L]->(b) RETURN b.name, avg(a.x) AS m",
    "MATCH (a:A) WHERE EXISTS { MATCH (a)-[:K]->(b)-[:K]->(c) WHERE b.x = c.x } RETURN a UNION MATCH (a:C) RETURN a",
)
"""Queries that are read and written again."""


def tables() -> Iterator[Table]:
    """The tables of the golden pages, and those of the queries."""
    for page in sorted(FOLDER.glob("*/*.md")):
        if page.parent.name in ("sparql", "cypher"):
            yield parse_table(_TABLE.findall(page.read_text(encoding="utf-8"))[0])
    for query in QUERIES:
        table = read_cypher(query).table
        assert table is not None, query
        yield table


def queries() -> Iterator[RenderedQuery]:
    """Every query in every version; tables that the dialect refuses have none."""
    for table in tables():
        for dialect in VERSIONS:
            try:
                yield renderer(dialect).render(table)
            except DiagnosticError:
                continue
