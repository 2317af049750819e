"""Neo4j: Cypher 5, and Cypher 25."""

from __future__ import annotations

from attrs import evolve

from uniqgen_ir.backends.cypher.dialects.base import (
    NEO4J_CASTS,
    NEO4J_TIMES,
    OPENCYPHER_FUNCTIONS,
    CountForm,
    CypherDialect,
)

NEO4J = CypherDialect(
    name="neo4j",
    tested="the parser and analyser of Neo4j for Cypher 5",
    identity="elementId({0})",
    count=CountForm.MATCHES,
    times=NEO4J_TIMES,
    functions=OPENCYPHER_FUNCTIONS,
    casts=NEO4J_CASTS,
)

NEO4J_25 = evolve(
    NEO4J,
    name="neo4j-25",
    tested="the parser and analyser of Neo4j for Cypher 25",
    # in Cypher 25 a subquery says what it takes from outside
    subquery="CALL ()",
)
