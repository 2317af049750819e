"""kglite: Neo4j's Cypher without element identifiers."""

from __future__ import annotations

from uniqgen_ir.backends.cypher.dialects.base import (
    NEO4J_TIMES,
    OPENCYPHER_CASTS,
    OPENCYPHER_FUNCTIONS,
    CountForm,
    CypherDialect,
)

KGLITE = CypherDialect(
    name="kglite",
    tested="the embedded engine, in differential tests",
    count=CountForm.MATCHES,
    nested_aggregates=False,
    times=NEO4J_TIMES,
    functions=OPENCYPHER_FUNCTIONS,
    casts={**OPENCYPHER_CASTS, "date": ("date({0})", None), "datetime": ("localdatetime({0})", None)},
)
