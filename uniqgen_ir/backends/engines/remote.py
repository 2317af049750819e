"""Which graph sources are servers. Imports nothing, so that asking costs nothing."""

from __future__ import annotations

from typing import Final

ENDPOINT_SCHEMES: Final = {"sparql+http": "http", "sparql+https": "https"}
"""How a SPARQL endpoint is written as a graph source, and how HTTP writes it."""


def is_endpoint(source: str) -> bool:
    """Whether a graph source is the address of a SPARQL endpoint."""
    return source.partition(":")[0].lower() in ENDPOINT_SCHEMES


BOLT_SCHEMES: Final = frozenset(f"{name}{tls}" for name in ("bolt", "neo4j") for tls in ("", "+s", "+ssc"))
"""How a server that speaks Bolt is written as a graph source."""


def is_bolt(source: str) -> bool:
    """Whether a graph source is the address of a server that speaks Bolt."""
    return source.partition(":")[0].lower() in BOLT_SCHEMES
