"""Amazon Neptune's openCypher: no EXISTS blocks, no subqueries, no regular expressions, `datetime` only."""

from __future__ import annotations

from uniqgen_ir.backends.cypher.dialects.base import (
    NEO4J_TIMES,
    OPENCYPHER_CASTS,
    OPENCYPHER_FUNCTIONS,
    CypherDialect,
    ExistsForm,
    without,
)

NEPTUNE = CypherDialect(
    name="neptune",
    tested="documentation; our own reader",
    exists=ExistsForm.PREDICATE,
    subquery=None,
    times={"datetime": NEO4J_TIMES["datetime"]},
    functions=without(OPENCYPHER_FUNCTIONS, "matches"),
    casts=OPENCYPHER_CASTS,
)
