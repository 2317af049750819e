"""The names of SPARQL engines. The checks are those of the standard for all of them; a name that is none is refused."""

from __future__ import annotations

from typing import Final

from uniqgen_ir.backends.sparql.dialects import DIALECTS
from uniqgen_ir.ir.diagnostics import fail

_OTHERS: Final = frozenset(
    {
        *("sparql11", "sparql-1.1", "allegrograph", "blazegraph", "fuseki", "graphdb", "jena", "neptune", "qlever"),
        *("rdf4j", "rdflib", "stardog", "virtuoso"),
    }
)
_KNOWN: Final = tuple(sorted({*DIALECTS, *_OTHERS}))


def check_dialect(name: str | None) -> None:
    """Raises DiagnosticError (UQ502) for a dialect that is not known."""
    if name is not None and name.lower() not in _KNOWN:
        raise fail("UQ502", f"there is no dialect {name} of SPARQL", hint=f"there are {', '.join(_KNOWN)}")
