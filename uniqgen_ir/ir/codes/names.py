"""UQ2xx: names and types."""

from __future__ import annotations

from typing import Final

from uniqgen_ir.ir.codes.base import Code

FAMILY: Final[tuple[Code, ...]] = (
    Code(
        "UQ201",
        "missing_prefix",
        "unknown prefix",
        "A prefixed name uses a prefix that the file does not declare. `rdf`, `rdfs`, `owl` and `xsd` are built in.",
        "Without the prefix the name stands for no IRI, so the query could only be guessed.",
        "ctable t {\n  select ?x\n  ?x a film:Movie\n}",
        "prefix film: <http://example.org/film/>\nctable t {\n  select ?x\n  ?x a film:Movie\n}",
    ),
    Code(
        "UQ202",
        "unbound_projection",
        "a head variable is never bound",
        "The head asks for a variable that no row binds.",
        "Its column would be empty in every answer; most often the name is misspelt.",
        "ctable t {\n  select ?nmae\n  ?x rdfs:label ?name\n}",
        "ctable t {\n  select ?name\n  ?x rdfs:label ?name\n}",
    ),
    Code(
        "UQ203",
        "undefined_variable",
        "a variable is used but never bound",
        "A condition, a sort key or an expression mentions a variable that no row binds.",
        "The condition is an error for every solution, so it removes all answers.",
        'ctable t {\n  select ?x\n  ?x rdfs:label ?name\n  lower(?nmae) = "oslo"\n}',
        'ctable t {\n  select ?x\n  ?x rdfs:label ?name\n  lower(?name) = "oslo"\n}',
    ),
    Code(
        "UQ204",
        "duplicate_row_id",
        "two rows have the same id",
        "Two rows of one table (or of one block) carry the same id.",
        "Traces and results name rows by their ids; with two of them nobody can tell which is meant.",
        'ctable t {\n  select ?x\n  name: ?x rdfs:label "a"\n  name: ?x rdfs:comment "b"\n}',
        'ctable t {\n  select ?x\n  name: ?x rdfs:label "a"\n  note: ?x rdfs:comment "b"\n}',
    ),
    Code(
        "UQ205",
        "unknown_function",
        "unknown function",
        "An expression calls a function that the language does not have. Names from SPARQL and Cypher are "
        "recognised and "
        "their name here is given.",
        "A function that does not exist cannot be translated; a similar one may mean something else.",
        "ctable t {\n  select ?x\n  ?x rdfs:label ?name\n  strlen(?name) > 3\n}",
        "ctable t {\n  select ?x\n  ?x rdfs:label ?name\n  length(?name) > 3\n}",
    ),
    Code(
        "UQ206",
        "wrong_argument_count",
        "wrong number of arguments",
        "A function is called with more or fewer arguments than it takes.",
        "No query language accepts the call.",
        "ctable t {\n  select ?x\n  ?x rdfs:label ?name\n  starts_with(?name)\n}",
        'ctable t {\n  select ?x\n  ?x rdfs:label ?name\n  starts_with(?name, "Os")\n}',
    ),
    Code(
        "UQ207",
        "prefix_redefined",
        "a prefix is declared twice with different IRIs",
        "The same prefix stands for two IRIs in one file.",
        "Names with this prefix would mean different things depending on where they are read.",
        "prefix ex: <http://example.org/a/>\nprefix ex: <http://example.org/b/>\nctable t {\n  select ?x\n"
        "  ?x a ex:C\n}",
        "prefix ex: <http://example.org/a/>\nprefix exb: <http://example.org/b/>\nctable t {\n  select ?x\n"
        "  ?x a ex:C\n}",
    ),
    Code(
        "UQ208",
        "duplicate_table",
        "two tables have the same name",
        "Two tables of one file have the same name.",
        "A table is picked from a file by its name.",
        "ctable t {\n  select ?x\n  ?x a owl:Class\n}\nctable t {\n  select ?x\n  ?x a owl:Thing\n}",
        "ctable t {\n  select ?x\n  ?x a owl:Class\n}\nctable u {\n  select ?x\n  ?x a owl:Thing\n}",
    ),
)
