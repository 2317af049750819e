"""Memgraph: no zoned times of day, other names for local ones."""

from __future__ import annotations

from uniqgen_ir.backends.cypher.dialects.base import OPENCYPHER_CASTS, OPENCYPHER_FUNCTIONS, CypherDialect, ExistsForm

MEMGRAPH = CypherDialect(
    name="memgraph",
    tested="documentation; our own reader",
    exists=ExistsForm.MATCH,
    times={
        "date": "date({0})",
        "datetime": "datetime({0})",
        "localdatetime": "localDateTime({0})",
        "localtime": "localTime({0})",
    },
    functions=OPENCYPHER_FUNCTIONS,
    casts=OPENCYPHER_CASTS,
)
