"""What the tests of the SPARQL gate share: a schema, prefixes, and a short way to ask."""

from __future__ import annotations

from typing import Any, Final

from uniqgen_ir.validate.gate import check
from uniqgen_ir.validate.policy import Policy
from uniqgen_ir.validate.report import Report

SCHEMA: Final[dict[str, Any]] = {
    "prefixes": {
        "ex": "http://example.org/ns#",
        "rdfs": "http://www.w3.org/2000/01/rdf-schema#",
        "xsd": "http://www.w3.org/2001/XMLSchema#",
        "rdf": "http://www.w3.org/1999/02/22-rdf-syntax-ns#",
    },
    "classes": {
        "ex:Person": {
            "ex:name": ["xsd:string"],
            "ex:born": ["xsd:date"],
            "ex:age": ["xsd:integer"],
            "ex:worksFor": ["ex:Company"],
            "ex:knows": ["ex:Person"],
            "ex:email": ["xsd:string"],
            "rdfs:label": ["rdf:langString"],
        },
        "ex:Company": {
            "ex:name": ["xsd:string"],
            "ex:founded": ["xsd:dateTime"],
            "rdfs:label": ["rdf:langString"],
        },
    },
}
PROLOGUE: Final = (
    "PREFIX ex: <http://example.org/ns#>\n"
    "PREFIX xsd: <http://www.w3.org/2001/XMLSchema#>\n"
    "PREFIX rdfs: <http://www.w3.org/2000/01/rdf-schema#>\n"
)


def judge(query: str, *, schema: dict[str, Any] | None = SCHEMA, policy: Policy | None = None) -> Report:
    """The report on a query after the prologue."""
    return check(PROLOGUE + query, language="sparql", schema=schema, policy=policy)


def said(query: str, *, schema: dict[str, Any] | None = SCHEMA) -> set[str]:
    """What is said of a query, as `error unknown_class`; what is merely good to know is left out."""
    found = judge(query, schema=schema).diagnostics
    return {f"{one.severity.value} {one.kind}" for one in found if one.severity.value != "information"}


def mended(query: str) -> str | None:
    """The query with its faults mended, without the prologue."""
    fixed = judge(query).fixed_query
    return None if fixed is None else fixed.removeprefix(PROLOGUE)
