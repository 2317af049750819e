"""The operations of a service: name, schemas, and what does the work.

An operation gets the workbench and arguments that fit its schema, and returns the command line's JSON. It raises
DiagnosticError for what is wrong with a query, StoreError where a store fails.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, TypeAlias

from attrs import frozen

from uniqgen_ir.service import answering, querying, reference
from uniqgen_ir.service import schemas as s
from uniqgen_ir.service.workbench import Workbench

_SPARQL: Final = "PREFIX med: <http://almanac.example/medicine/>\nSELECT ?drug WHERE { ?drug med:treats med:Tetany }"
_TABLE: Final = """prefix med: <http://almanac.example/medicine/>
ctable drugs {
  select distinct ?drug
  treats: ?drug med:treats med:Tetany
  approved: ?drug med:status "approved"
}
"""
Work: TypeAlias = Callable[[Workbench, dict[str, Any]], dict[str, Any]]


@frozen(kw_only=True)
class Operation:
    """One thing that a service does. `takes` and `gives` are JSON schemas; `description` is for people and models."""

    name: str
    title: str
    description: str
    takes: s.Schema
    gives: s.Schema
    work: Work
    example: dict[str, Any]
    """arguments that the bundled graph can answer"""


ASK: Final = Operation(
    name="ask",
    title="Answer a question",
    description="Answers a question in English from the graph: reads it as a constraint table, drops what the graph "
    "does not support, and runs the minimal query in SPARQL and Cypher. Says why where it cannot answer.",
    takes=s.taken(
        {
            "question": s.text("the question", s.QUESTION_LIMIT),
            "languages": s.listed("query languages to answer in", s.choice("one", "sparql", "cypher"), 2),
            "ids": s.flag("answer with IRIs in place of labels"),
            "trace": s.flag("give every step of the search, too"),
            "seconds": s.SECONDS,
        },
        "question",
    ),
    gives=s.given(
        {
            "question": s.TEXT,
            "answers": {"type": "array", "items": s.ANYTHING},
            "abstained": s.nullable(s.TEXT),
            "queries": s.TEXTS_BY_NAME,
            "table": s.nullable(s.TEXT),
            "engines_agree": s.BOOLEAN,
            "partial": s.flag("true where a store or a model failed, and `diagnostics` say how"),
            "diagnostics": s.DIAGNOSTICS,
        },
        "question",
        "answers",
        "abstained",
        "queries",
        "partial",
        "diagnostics",
    ),
    work=answering.ask,
    example={"question": "Which drugs treat tetany?"},
)
COMPILE: Final = Operation(
    name="compile",
    title="Translate a table or query",
    description="Translates a constraint table, SPARQL or Cypher into SPARQL, Cypher of a dialect, or a table. Runs "
    "nothing.",
    takes=s.taken(
        {
            **s.TEXT_IN_LANGUAGE,
            "to": s.choice("what to write", "sparql", "cypher", "ctable", "json"),
            "dialect": s.choice("the dialect of the output", *s.DIALECTS),
            "inline": s.flag("write values into the query in place of parameters"),
            "strict": s.flag("an assumption about names of a property graph is an error"),
        },
        "query",
        "language",
        "to",
    ),
    gives=s.given(
        {
            "query": s.ANYTHING,
            "params": s.OBJECT,
            "columns": s.TEXTS,
            "dialect": s.TEXT,
            "source_map": s.OBJECT,
            "assumptions": s.OBJECTS,
            "diagnostics": s.DIAGNOSTICS,
        },
        "query",
        "diagnostics",
    ),
    work=querying.compile_query,
    example={"query": _SPARQL, "language": "sparql", "to": "cypher"},
)
CHECK: Final = Operation(
    name="check",
    title="Check a query",
    description="Judges a query against the schema of the graph without running it: syntax, names, types, directions, "
    "read-only. Gives coded diagnostics, a mended query where one is certain, and words for the model that wrote it.",
    takes=s.taken(
        {
            **s.TEXT_IN_LANGUAGE,
            "dialect": s.choice("the engine that is meant", *s.DIALECTS),
        },
        "query",
    ),
    gives=s.given(
        {
            "valid": s.BOOLEAN,
            "diagnostics": s.DIAGNOSTICS,
            "fixed_query": s.nullable(s.TEXT),
            "fix_is_safe": s.BOOLEAN,
            "for_model": s.TEXT,
        },
        "valid",
        "diagnostics",
        "fixed_query",
    ),
    work=querying.check_query,
    example={"query": _SPARQL, "language": "sparql"},
)
RUN: Final = Operation(
    name="run",
    title="Run a query, reading only",
    description="Runs a constraint table, SPARQL or Cypher query on the graph. Whatever writes, or reaches outside the "
    "graph, is refused before it is sent.",
    takes=s.taken(
        {
            **s.TEXT_IN_LANGUAGE,
            "engine": s.ENGINE,
            "params": {**s.OBJECT, "description": "values of the parameters, by name"},
            "rows": s.whole(s.ROWS, 1, 1_000_000),
            "seconds": s.SECONDS,
            "typed": s.flag("cells with type and datatype, as in SPARQL results"),
        },
        "query",
        "language",
    ),
    gives=s.ANSWERS,
    work=querying.run_query,
    example={"query": _TABLE, "language": "ctable", "rows": 10},
)
CHASE: Final = Operation(
    name="chase",
    title="Relax and minimise a table",
    description="Finds the largest part of a constraint table that gives the reference answers on the graph, then "
    "leaves out what is redundant; says for every row why it was kept, dropped or redundant.",
    takes=s.taken(
        {
            **s.TEXT_IN_LANGUAGE,
            "answers": s.listed(
                "reference answers: IRIs, names, literals, objects with `value` and `confidence`; lists for tuples",
                s.ANYTHING,
                10_000,
            ),
            "strategy": s.choice("how to search (default: exact)", "exact", "greedy", "beam"),
            "seconds": s.SECONDS,
        },
        "query",
        "language",
        "answers",
    ),
    gives=s.given(
        {
            "status": s.choice("how it ended", "ok", "none", "stopped"),
            "table": s.nullable(s.TEXT),
            "kept": s.OBJECTS,
            "dropped": s.OBJECTS,
            "redundant": s.OBJECTS,
            "diagnostics": s.DIAGNOSTICS,
        },
        "status",
        "table",
        "kept",
        "dropped",
        "redundant",
    ),
    work=querying.chase,
    example={"query": _TABLE, "language": "ctable", "answers": ["calcium chloride"]},
)
EXPLAIN: Final = Operation(
    name="explain",
    title="The page of a diagnostic",
    description="What a diagnostic code means, why it is an error, an example, and what to write instead.",
    takes=s.taken({"code": s.text("a code as in UQ301, or its short name as in unknown_label", 60)}, "code"),
    gives=s.given(
        dict.fromkeys(("code", "kind", "title", "what", "why", "example", "instead", "page"), s.TEXT),
        "code",
        "kind",
        "title",
        "page",
    ),
    work=reference.explain,
    example={"code": "UQ301"},
)
SCHEMA: Final = Operation(
    name="schema",
    title="The schema of the graph",
    description="Classes, relations, properties and prefixes of the graph, as the text of a .cts file: the names to "
    "write queries with.",
    takes=s.taken({}),
    gives=s.given(
        {
            "schema": s.TEXT,
            "prefixes": s.TEXTS_BY_NAME,
            "inferred": s.BOOLEAN,
        },
        "schema",
        "prefixes",
        "inferred",
    ),
    work=reference.schema,
    example={},
)

OPERATIONS: Final[tuple[Operation, ...]] = (ASK, COMPILE, CHECK, RUN, CHASE, EXPLAIN, SCHEMA)
