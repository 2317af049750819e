"""The dialects of Cypher: what differs between engines, a table for each."""

from __future__ import annotations

from typing import Final

from uniqgen_ir.backends.cypher.dialects.arcadedb import ARCADEDB
from uniqgen_ir.backends.cypher.dialects.base import CypherDialect
from uniqgen_ir.backends.cypher.dialects.falkordb import FALKORDB
from uniqgen_ir.backends.cypher.dialects.gql import GQL
from uniqgen_ir.backends.cypher.dialects.kglite import KGLITE
from uniqgen_ir.backends.cypher.dialects.ladybug import LADYBUG
from uniqgen_ir.backends.cypher.dialects.memgraph import MEMGRAPH
from uniqgen_ir.backends.cypher.dialects.neo4j import NEO4J, NEO4J_25
from uniqgen_ir.backends.cypher.dialects.neptune import NEPTUNE

DIALECTS: Final[dict[str, CypherDialect]] = {
    one.name: one for one in (NEO4J, NEO4J_25, NEPTUNE, MEMGRAPH, FALKORDB, LADYBUG, KGLITE, ARCADEDB, GQL)
}

__all__ = ["DIALECTS", "CypherDialect"]
