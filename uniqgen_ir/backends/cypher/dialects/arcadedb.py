"""ArcadeDB's Cypher: Neo4j's, one MATCH in an EXISTS block."""

from __future__ import annotations

from uniqgen_ir.backends.cypher.dialects.base import (
    NEO4J_TIMES,
    OPENCYPHER_CASTS,
    OPENCYPHER_FUNCTIONS,
    CypherDialect,
    ExistsForm,
)

ARCADEDB = CypherDialect(
    name="arcadedb",
    tested="25 queries on ArcadeDB 26.10; our own reader",
    exists=ExistsForm.MATCH,
    times=NEO4J_TIMES,
    functions=OPENCYPHER_FUNCTIONS,
    casts=OPENCYPHER_CASTS,
)
