"""UQ5xx: backends and dialects."""

from __future__ import annotations

from typing import Final

from uniqgen_ir.ir.codes.base import Code

FAMILY: Final[tuple[Code, ...]] = (
    Code(
        "UQ500",
        "unsupported",
        "the dialect cannot say this",
        "A row or a part of the head uses something that the dialect has no words for.",
        "Leaving it out would answer another question.",
        "uniqgen compile t.ctable --dialect neo4j    # with: x: ?a !(ex:p) ?b",
        "uniqgen compile t.ctable --dialect sparql",
    ),
    Code(
        "UQ502",
        "unknown_dialect",
        "unknown dialect",
        "There is no dialect with this name.",
        "Dialects differ in syntax and in meaning, so none is picked in its place.",
        "uniqgen compile t.ctable --dialect neo5j",
        "uniqgen compile t.ctable --dialect neo4j",
    ),
    Code(
        "UQ503",
        "unwritable_text",
        "this text cannot be written in a query",
        "An IRI, a name or a value holds characters that the language cannot carry, such as a space in an IRI or half of a "
        "surrogate pair.",
        "Changing the characters would ask for another thing.",
        "?x ex:p <http://example.org/a b>",
        "?x ex:p <http://example.org/a%20b>",
    ),
    Code(
        "UQ504",
        "unbounded_path",
        "a path without a bound",
        "The path may repeat without a limit, which this dialect or engine cannot run in bounded time.",
        "An engine may walk the whole graph, or stop at a bound of its own without saying so.",
        "?a ex:parent+ ?b",
        "?a ex:parent{1,8} ?b",
    ),
    Code(
        "UQ505",
        "path_too_long",
        "the path expands to too many steps",
        "The bounds of the path make more joins than a query can hold.",
        "Such a query would not end in time on any engine.",
        "?a (ex:p | ex:q){1,40} ?b",
        "?a (ex:p | ex:q){1,4} ?b",
    ),
    Code(
        "UQ506",
        "mapping_gap",
        "the mapping cannot represent this row",
        "The property graph keeps this predicate, class or value in a form in which the row has no meaning.",
        "A query that looks right would answer nothing or something else.",
        "?drug med:name ?n . ?n med:part ?x    # med:name is a property: it has no outgoing edges",
        "?drug med:name ?n",
    ),
    Code(
        "UQ507",
        "name_clash",
        "two names become one",
        "The mapping or its preset writes two predicates as one property or relationship type.",
        "A property graph that keeps both under one name answers for either of them.",
        "?x rdfs:label ?a . ?x ex:name ?b    # both are the property `name`",
        "mapping m {\n  ex:name => .full_name\n}",
    ),
    Code(
        "UQ509",
        "unnamed_predicate",
        "a predicate that varies",
        "The predicate or class is a variable, and this dialect has no lossless way to return its IRI.",
        "A relationship type is a name of the property graph, not the IRI that the table speaks of.",
        "?a ?p ?b",
        "?a ex:knows ?b",
    ),
)
