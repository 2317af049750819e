"""ISO GQL (39075): every MATCH says its mode, because the standard leaves the default to each product."""

from __future__ import annotations

from uniqgen_ir.backends.cypher.dialects.base import CypherDialect
from uniqgen_ir.ir.vocabulary import XSD_BOOLEAN, XSD_DOUBLE, XSD_INTEGER, XSD_STRING

GQL = CypherDialect(
    name="gql",
    tested="the standard as described; our own reader for what it shares with Cypher",
    match="MATCH REPEATABLE ELEMENTS",
    match_apart="MATCH DIFFERENT EDGES",
    trails=False,
    identity="ELEMENT_ID({0})",
    hops="",
    quantifier="{{{low},{high}}}",
    type_of=None,
    joined="({0} || {1})",
    subquery=None,
    template="gql.j2",
    groups_by_names=True,
    date_part=None,
    times={
        "date": "CAST({0} AS DATE)",
        "datetime": "CAST({0} AS ZONED DATETIME)",
        "localdatetime": "CAST({0} AS LOCAL DATETIME)",
        "time": "CAST({0} AS ZONED TIME)",
        "localtime": "CAST({0} AS LOCAL TIME)",
    },
    functions={"upper": "UPPER", "lower": "LOWER", "length": "CHAR_LENGTH"},
    casts={
        "integer": ("CAST({0} AS INTEGER)", XSD_INTEGER),
        "double": ("CAST({0} AS FLOAT64)", XSD_DOUBLE),
        "boolean": ("CAST({0} AS BOOLEAN)", XSD_BOOLEAN),
        "string": ("CAST({0} AS STRING)", XSD_STRING),
    },
)
