"""Which graph sources are servers. Imports nothing, so that asking costs nothing."""

from __future__ import annotations

from typing import Final

ENDPOINT_SCHEMES: Final = {"sparql+http": "http", "sparql+https": "https"}
"""How a SPARQL endpoint is written as a graph source, and how HTTP writes it."""


def is_endpoint(source: str) -> bool:
    """Whether a graph source is the address of a SPARQL endpoint."""
    return source.partition(":")[0].lower() in ENDPOINT_SCHEMES
