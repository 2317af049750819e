"""IRIs that the compiler itself needs to know."""

from __future__ import annotations

from typing import Final

RDF: Final = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
RDFS: Final = "http://www.w3.org/2000/01/rdf-schema#"
OWL: Final = "http://www.w3.org/2002/07/owl#"
XSD: Final = "http://www.w3.org/2001/XMLSchema#"
SKOS: Final = "http://www.w3.org/2004/02/skos/core#"

RDF_TYPE: Final = RDF + "type"
RDF_LANG_STRING: Final = RDF + "langString"
RDF_JSON: Final = RDF + "JSON"
"""What has no term of its own in an answer: a list, a map, a node or relationship of a property graph."""
RDFS_LABEL: Final = RDFS + "label"
SKOS_ALT_LABEL: Final = SKOS + "altLabel"
SKOS_PREF_LABEL: Final = SKOS + "prefLabel"

XSD_STRING: Final = XSD + "string"
XSD_BOOLEAN: Final = XSD + "boolean"
XSD_INTEGER: Final = XSD + "integer"
XSD_DECIMAL: Final = XSD + "decimal"
XSD_DOUBLE: Final = XSD + "double"
XSD_FLOAT: Final = XSD + "float"
XSD_DATE: Final = XSD + "date"
XSD_DATE_TIME: Final = XSD + "dateTime"
XSD_TIME: Final = XSD + "time"
XSD_DURATION: Final = XSD + "duration"
XSD_G_YEAR: Final = XSD + "gYear"
XSD_G_YEAR_MONTH: Final = XSD + "gYearMonth"

_INTEGERS: Final = (
    *("integer", "int", "long", "short", "byte"),
    *("nonNegativeInteger", "positiveInteger", "nonPositiveInteger", "negativeInteger"),
    *("unsignedInt", "unsignedLong", "unsignedShort", "unsignedByte"),
)
INTEGER_DATATYPES: Final = frozenset(XSD + name for name in _INTEGERS)
NUMERIC_DATATYPES: Final = INTEGER_DATATYPES | {XSD_DECIMAL, XSD_DOUBLE, XSD_FLOAT}
TEMPORAL_DATATYPES: Final = frozenset({XSD_DATE, XSD_DATE_TIME, XSD_TIME, XSD_G_YEAR, XSD_G_YEAR_MONTH})

BUILTIN_PREFIXES: Final[dict[str, str]] = {"rdf": RDF, "rdfs": RDFS, "owl": OWL, "xsd": XSD}
"""Prefixes that every table may use without declaring them."""

# property graphs without a mapping: names of labels, types and properties behind these
PG: Final = "urn:pg:"
PG_NODE: Final = "urn:pg:Node"
PG_LABEL: Final = "urn:pg:label:"
PG_TYPE: Final = "urn:pg:type:"
PG_PROPERTY: Final = "urn:pg:property:"
PG_RELATIONSHIP: Final = "urn:pg:relationship:"
PG_SOURCE: Final = "urn:pg:source"
PG_TARGET: Final = "urn:pg:target"
