"""The built-in functions of Cypher 5 and 25, by name in lower case."""

from __future__ import annotations

from typing import Final

AGGREGATES: Final = frozenset(
    {
        *("count", "sum", "avg", "min", "max", "collect", "stdev", "stdevp", "percentilecont", "percentiledisc"),
        *("st_dev", "st_devp", "percentile_cont", "percentile_disc"),
    }
)
"""Functions that range over rows."""

_SCALAR: Final = frozenset(
    {
        *("coalesce", "elementid", "endnode", "head", "id", "last", "length", "nullif", "properties", "randomuuid"),
        *("size", "startnode", "timestamp", "toboolean", "tobooleanornull", "tofloat", "tofloatornull", "tointeger"),
        *("tointegerornull", "tostring", "tostringornull", "type", "valuetype", "char_length", "character_length"),
        *("keys", "labels", "nodes", "range", "relationships", "reverse", "tail", "tobooleanlist", "tofloatlist"),
        *("tointegerlist", "tostringlist", "exists", "isempty", "abs", "ceil", "ceiling", "floor", "isnan", "rand"),
        *("round", "sign", "e", "exp", "log", "ln", "log10", "sqrt", "acos", "asin", "atan", "atan2", "cos", "cosh"),
        *(
            "coth",
            "cot",
            "degrees",
            "haversin",
            "pi",
            "radians",
            "sin",
            "sinh",
            "tan",
            "tanh",
            "btrim",
            "left",
            "lower",
        ),
        *(
            "ltrim",
            "normalize",
            "replace",
            "right",
            "rtrim",
            "split",
            "substring",
            "tolower",
            "toupper",
            "trim",
            "upper",
        ),
        *(
            "date",
            "datetime",
            "localdatetime",
            "localtime",
            "time",
            "duration",
            "point",
            "local_datetime",
            "local_time",
        ),
        *("zoned_datetime", "zoned_time", "path_length", "element_id", "graph.names", "all", "any", "none", "single"),
        *("allreduce", "vector", "vector_dimension_count", "vector_distance", "vector_norm", "tobytes", "distance"),
        *("shortestpath", "allshortestpaths", "file", "linenumber", "uuid", "cast", "format", "collect_list"),
    }
)

FUNCTIONS: Final = _SCALAR | AGGREGATES
"""Every function that needs no namespace."""

EXTERNAL: Final = (
    "apoc.load.",
    "apoc.import.",
    "apoc.export.",
    "apoc.cypher.run",
    "dbms.",
    "apoc.systemdb",
    "apoc.nlp.",
)
"""Beginnings of functions and procedures that reach outside the graph."""

WRITING_PROCEDURES: Final = (
    *("apoc.create.", "apoc.merge.", "apoc.refactor.", "apoc.periodic.", "apoc.trigger.", "apoc.atomic.", "apoc.lock."),
    *(
        "apoc.nodes.delete",
        "apoc.schema.assert",
        "apoc.cypher.dowrite",
        "apoc.do.",
        "db.create",
        "db.index.fulltext.create",
    ),
    *(
        "db.index.fulltext.drop",
        "apoc.graph.from",
        "db.createlabel",
        "gds.graph.drop",
        "apoc.cypher.doit",
        "apoc.custom.",
    ),
)
"""Beginnings of procedures that change the graph."""


def begins_with(name: str, beginnings: tuple[str, ...]) -> bool:
    """Whether a name, without regard to case, begins with one of them."""
    return name.lower().startswith(beginnings)
