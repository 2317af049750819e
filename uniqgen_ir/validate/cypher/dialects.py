"""What engines that speak Cypher cannot do.

A *feature* is something that a query may use; a dialect lists those that its engine lacks, each with what to write
instead, and the functions that it lacks.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from attrs import field, frozen

from uniqgen_ir.ir.diagnostics import fail


@frozen(kw_only=True)
class Dialect:
    """An engine by its name in messages. `lacks`: feature → what to write instead (None: there is nothing).

    `functions`: those that it lacks, in lower case → the one to write instead. `version` of Neo4j's Cypher.
    """

    title: str
    lacks: Mapping[str, str | None] = field(factory=dict[str, "str | None"])
    functions: Mapping[str, str | None] = field(factory=dict[str, "str | None"])
    version: int | None = None
    apoc: bool = False


_CYPHER_25: Final = ("FILTER", "LET", "NEXT", "GROUP BY", "match mode")
_NEO4J_ONLY: Final[dict[str, str | None]] = {
    **dict.fromkeys(_CYPHER_25),
    "FILTER": "write WITH * WHERE …",
    "LET": "write WITH *, … AS …",
    "path selector": None,
    "quantifier": "write `*1..3` inside the brackets",
    "group": None,
    "type expression": "list the types with `|`",
    "COLLECT subquery": "write OPTIONAL MATCH and collect()",
}
_COUNT: Final = "write OPTIONAL MATCH and count()"
_INLINE: Final = "write the condition in the WHERE of the clause"

DIALECTS: Final[dict[str, Dialect]] = {
    "neo4j-5": Dialect(title="Neo4j 5", version=5, apoc=True),
    "neo4j-25": Dialect(title="Neo4j (Cypher 25)", version=25, apoc=True),
    "neptune": Dialect(
        title="Neptune",
        lacks={
            **_NEO4J_ONLY,
            "shortestPath": None,
            "label expression": "write one label, or `n:A OR n:B` in WHERE",
            "inline WHERE": _INLINE,
            "inline WHERE of a relationship": _INLINE,
            "EXISTS subquery": "write the pattern itself as a condition",
            "COUNT subquery": _COUNT,
            "CALL with imports": "write CALL { WITH x … }",
            "pattern comprehension": "write OPTIONAL MATCH and collect()",
            "reduce": None,
            "quantifier function": "write size([x IN list WHERE …]) and compare it",
            "regular expression": "write CONTAINS, STARTS WITH or ENDS WITH",
            "power": "multiply",
            "parameter in SKIP or LIMIT": "write the number itself",
            "LOAD CSV": None,
        },
        functions={
            "elementid": "id",
            **dict.fromkeys(("date", "localdatetime"), "datetime"),
            **dict.fromkeys(("time", "localtime", "duration", "point", "point.distance", "distance", "randomuuid")),
            **dict.fromkeys(("lower",), "toLower"),
            **dict.fromkeys(("upper",), "toUpper"),
            **dict.fromkeys(("percentilecont", "stdev", "stdevp", "isnan", "valuetype", "nullif", "btrim")),
        },
    ),
    "memgraph": Dialect(
        title="Memgraph",
        lacks={
            **_NEO4J_ONLY,
            "shortestPath": "write -[:TYPE *BFS ..6]-",
            "label negation": "write NOT n:Label in WHERE",
            "inline WHERE of a relationship": _INLINE,
            "COUNT subquery": _COUNT,
            "several WHEN values": None,
        },
        functions={
            "time": "localTime",
            "elementid": "id",
            **dict.fromkeys(("lower",), "toLower"),
            **dict.fromkeys(("upper",), "toUpper"),
            **dict.fromkeys(("nullif", "isnan", "stdev", "stdevp", "percentilecont", "percentiledisc")),
        },
    ),
    "falkordb": Dialect(
        title="FalkorDB",
        lacks={
            **_NEO4J_ONLY,
            "shortestPath in MATCH": "write it in WITH or RETURN",
            "label expression": "write `:A:B` for both, or `n:A OR n:B` in WHERE",
            "inline WHERE": _INLINE,
            "inline WHERE of a relationship": _INLINE,
            "EXISTS subquery": "write the pattern itself as a condition",
            "COUNT subquery": _COUNT,
            "CALL with imports": "write CALL { WITH x … }",
            "regular expression": "write CONTAINS, STARTS WITH or ENDS WITH",
            "concatenation": "write +",
            "paging before RETURN": "page in WITH or RETURN",
        },
        functions={
            "elementid": "id",
            "lower": "toLower",
            "upper": "toUpper",
            "datetime": "localdatetime",
            **dict.fromkeys(("char_length", "character_length"), "size"),
        },
    ),
    "ladybug": Dialect(
        title="Ladybug",
        lacks={
            **_NEO4J_ONLY,
            "shortestPath": "write -[:TYPE* SHORTEST 1..6]-",
            "inline WHERE": _INLINE,
            "inline WHERE of a relationship": _INLINE,
            "EXISTS without MATCH": "write EXISTS { MATCH … }",
            "COUNT without MATCH": "write COUNT { MATCH … }",
            "CALL subquery": None,
            "list comprehension": "write list_filter or list_transform",
            "pattern comprehension": "write OPTIONAL MATCH and collect()",
            "map projection": "return the properties one by one",
            "reduce": None,
            "concatenation": "write +",
            "label test": "write the label in the pattern",
        },
        functions={
            "elementid": "id",
            "type": "label",
            "split": "string_split",
            "replace": "regexp_replace",
            "datetime": "timestamp",
            "duration": "interval",
        },
    ),
}
"""Every dialect that is known, by its name."""

_ALIASES: Final = {
    **dict.fromkeys(("neo4j", "neo4j5", "cypher5", "cypher-5"), "neo4j-5"),
    **dict.fromkeys(("neo4j25", "cypher25", "cypher-25"), "neo4j-25"),
    **dict.fromkeys(("kuzu", "kùzu", "real-ladybug"), "ladybug"),
    **dict.fromkeys(("amazon-neptune", "neptune-opencypher"), "neptune"),
}
_ANY: Final = frozenset({"cypher", "opencypher"})


def dialect_of(name: str | None) -> Dialect | None:
    """The dialect of this name; None where any will do. Raises DiagnosticError (UQ502)."""
    if name is None or name.lower() in _ANY:
        return None
    plain = name.lower().replace("_", "-")
    found = DIALECTS.get(_ALIASES.get(plain, plain))
    if found is None:
        known = ", ".join(sorted((*DIALECTS, "neo4j")))
        raise fail("UQ502", f"there is no dialect {name} of Cypher", hint=f"there are {known}")
    return found
