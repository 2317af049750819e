"""Ladybug, the successor of Kuzu: tables with types, walks everywhere, one MATCH in an EXISTS block."""

from __future__ import annotations

from uniqgen_ir.backends.cypher.dialects.base import OPENCYPHER_FUNCTIONS, CountForm, CypherDialect, ExistsForm
from uniqgen_ir.ir.vocabulary import XSD_BOOLEAN, XSD_DOUBLE, XSD_INTEGER, XSD_STRING

LADYBUG = CypherDialect(
    name="ladybug",
    tested="the embedded engine, in differential tests",
    different=False,
    trails=False,
    undirected=False,
    exists=ExistsForm.MATCH,
    count=CountForm.OWN,
    subquery=None,
    type_of="label({0})",
    joined="concat({0}, {1})",
    exact_casts=True,
    typed_null=True,
    date_part="date_part('{part}', {value})",
    contains_in_list="list_contains({list}, {item})",
    first_index=1,
    times={"date": "date({0})", "localdatetime": "timestamp({0})"},
    functions={**OPENCYPHER_FUNCTIONS, "upper": "upper", "lower": "lower", "split": "string_split"},
    casts={
        "integer": ("cast({0} AS INT64)", XSD_INTEGER),
        "decimal": ("cast({0} AS DOUBLE)", None),
        "double": ("cast({0} AS DOUBLE)", XSD_DOUBLE),
        "float": ("cast({0} AS DOUBLE)", XSD_DOUBLE),
        "boolean": ("cast({0} AS BOOL)", XSD_BOOLEAN),
        "string": ("cast({0} AS STRING)", XSD_STRING),
        "date": ("cast({0} AS DATE)", None),
        "datetime": ("cast({0} AS TIMESTAMP)", None),
    },
)
