"""The dialects of SPARQL: what differs between servers, as a table."""

from __future__ import annotations

from typing import Final

from attrs import frozen


@frozen
class SparqlDialect:
    """What a dialect of SPARQL 1.1 allows and prefers.

    `prefixes`: shorten IRIs where every parser agrees on the result.
    `blanks_as_iris`: the store keeps blank nodes under IRIs, so that answers can be sent back.
    `minus_for_not`: write `not` over several triples as MINUS where the two mean the same.
    `empty_paths_in_graph`: a path of no step from a constant is found only where the graph holds the constant.
    `concat_keeps_tags`: GROUP_CONCAT of texts in one language is in that language, not a plain string as in SPARQL 1.1.
    """

    name: str
    prefixes: bool
    blanks_as_iris: bool = False
    minus_for_not: bool = False
    empty_paths_in_graph: bool = False
    concat_keeps_tags: bool = False


DIALECTS: Final[dict[str, SparqlDialect]] = {
    dialect.name: dialect
    for dialect in (
        # for people: short names, the table's own order
        SparqlDialect("sparql", prefixes=True),
        # FILTER EXISTS over several triples runs once per solution there, MINUS once in all
        SparqlDialect(
            "oxigraph",
            prefixes=False,
            blanks_as_iris=True,
            minus_for_not=True,
            empty_paths_in_graph=True,
            concat_keeps_tags=True,
        ),
        # SPARQL 1.1 over HTTP: full IRIs, nothing else assumed
        SparqlDialect("sparql-http", prefixes=False),
    )
}
