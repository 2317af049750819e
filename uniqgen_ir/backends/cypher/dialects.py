"""The dialects of Cypher: what differs between engines, as a table."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from attrs import frozen


@frozen
class CypherDialect:
    """What a dialect of Cypher can say.

    `several_matches_in_exists`: an EXISTS block may hold more than one MATCH.
    `union_subquery`: what follows a UNION may be wrapped (`CALL { … }`).
    `typed_null`: a NULL that is returned needs a type.
    `date_part` and `contains_in_list` are templates, of a part of a date and of a membership test in a list property.
    `functions` renames functions.
    """

    name: str
    several_matches_in_exists: bool
    union_subquery: bool
    typed_null: bool
    date_part: str
    contains_in_list: str
    functions: Mapping[str, str | None]


_COMMON: Final[dict[str, str | None]] = {"upper": "toUpper", "lower": "toLower", "length": "size", "matches": "=~"}

DIALECTS: Final[dict[str, CypherDialect]] = {
    dialect.name: dialect
    for dialect in (
        CypherDialect(
            name="neo4j",
            several_matches_in_exists=True,
            union_subquery=True,
            typed_null=False,
            date_part="{value}.{part}",
            contains_in_list="{item} IN {list}",
            functions=_COMMON,
        ),
        CypherDialect(
            name="ladybug",
            several_matches_in_exists=False,
            union_subquery=False,
            typed_null=True,
            date_part="date_part('{part}', {value})",
            contains_in_list="list_contains({list}, {item})",
            functions={**_COMMON, "upper": "upper", "lower": "lower"},
        ),
    )
}
