"""FalkorDB: walks between fixed patterns, trails inside `*`; parallel relationships without a name count once."""

from __future__ import annotations

from uniqgen_ir.backends.cypher.dialects.base import (
    NEO4J_TIMES,
    OPENCYPHER_CASTS,
    OPENCYPHER_FUNCTIONS,
    CypherDialect,
    ExistsForm,
    without,
)

FALKORDB = CypherDialect(
    name="falkordb",
    tested="statements run one by one on FalkorDB 4.22; our own reader",
    different=False,
    undirected=False,
    named_relationships=True,
    exists=ExistsForm.COMPREHENSION,
    subquery=None,
    times=without(NEO4J_TIMES, "datetime", "time"),
    functions=without(OPENCYPHER_FUNCTIONS, "matches"),
    casts=OPENCYPHER_CASTS,
)
