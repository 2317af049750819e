"""What engines cannot do, and how to say it for them."""

from __future__ import annotations

import pytest

from tests.unit.validate.library import judged, kinds, refused, silent
from uniqgen_ir.ir.diagnostics import DiagnosticError, Severity

REWRITTEN = {
    "inline condition": (
        "neptune",
        "MATCH (b:Book WHERE b.pages > 3) RETURN b.title",
        "MATCH (b:Book) WHERE b.pages > 3 RETURN b.title",
    ),
    "inline condition beside another": (
        "falkordb",
        "MATCH (b:Book WHERE b.pages > 3)-[:ABOUT]->(s) WHERE s.name = 'x' RETURN b.title",
        "MATCH (b:Book)-[:ABOUT]->(s) WHERE b.pages > 3 AND s.name = 'x' RETURN b.title",
    ),
    "inline condition of a relationship": (
        "memgraph",
        "MATCH (a:Author)-[k:KNOWS WHERE k.since > 1990]->(c) RETURN c.name",
        "MATCH (a:Author)-[k:KNOWS]->(c) WHERE k.since > 1990 RETURN c.name",
    ),
    "EXISTS": (
        "neptune",
        "MATCH (a:Author) WHERE EXISTS { (a)-[:WROTE]->(:Book) } RETURN a.name",
        "MATCH (a:Author) WHERE (a)-[:WROTE]->(:Book) RETURN a.name",
    ),
    "EXISTS with MATCH": (
        "ladybug",
        "MATCH (a:Author) WHERE EXISTS { (a)-[:WROTE]->(:Book) } RETURN a.name",
        "MATCH (a:Author) WHERE EXISTS { MATCH (a)-[:WROTE]->(:Book) } RETURN a.name",
    ),
    "labels": (
        "falkordb",
        "MATCH (a:Author&Translator) RETURN a.name",
        "MATCH (a:Author:Translator) RETURN a.name",
    ),
    "function": (
        "falkordb",
        "MATCH (a:Author) RETURN lower(a.name) AS name",
        "MATCH (a:Author) RETURN toLower(a.name) AS name",
    ),
    "quantifier": (
        "memgraph",
        "MATCH (a:Author)-[:KNOWS]->{1,3}(c:Author) RETURN c.name",
        "MATCH (a:Author)-[:KNOWS*1..3]->(c:Author) RETURN c.name",
    ),
    "concatenation": (
        "ladybug",
        "MATCH (a:Author) RETURN a.name || '!' AS name",
        "MATCH (a:Author) RETURN a.name + '!' AS name",
    ),
    "date": (
        "neptune",
        "MATCH (r:Reader) WHERE r.joined > localdatetime('2020-01-01') RETURN r.card",
        "MATCH (r:Reader) WHERE r.joined > datetime('2020-01-01') RETURN r.card",
    ),
}


@pytest.mark.parametrize("name", REWRITTEN)
def test_rewrites(name: str) -> None:
    dialect, query, fixed = REWRITTEN[name]
    silent(query)
    refused(query, "dialect_unsupported", fixed, dialect=dialect)


@pytest.mark.parametrize(
    ("dialect", "query"),
    [
        (
            "neptune",
            "MATCH p = shortestPath((a:Author {name: 'x'})-[:KNOWS*..6]-(c:Author {name: 'y'})) RETURN length(p)",
        ),
        ("memgraph", "MATCH p = allShortestPaths((a:Author {name: 'x'})-[:KNOWS*..6]-(c:Author {name: 'y'})) RETURN p"),
        ("neptune", "MATCH (a:Author) RETURN reduce(n = 0, x IN [1] | n + x) AS n"),
        ("neptune", "MATCH (a:Author) WHERE a.name =~ 'x.*' RETURN a"),
        ("neptune", "MATCH (a:Author) RETURN COUNT { (a)-[:WROTE]->() } AS n"),
        ("neptune", "MATCH (a:Author) RETURN a LIMIT $n"),
        ("memgraph", "MATCH (a:!Translator) RETURN a"),
        ("falkordb", "MATCH (a:Author) RETURN COLLECT { MATCH (a)-[:WROTE]->(b) RETURN b.title } AS titles"),
        ("ladybug", "MATCH (a:Author) RETURN [x IN [1, 2] | x + 1] AS more"),
        ("ladybug", "MATCH (a:Author) RETURN a {.name} AS it"),
        ("kuzu", "MATCH (a:Author) CALL (a) { MATCH (a)-[:WROTE]->(b) RETURN count(b) AS n } RETURN n"),
        ("neptune", "MATCH (a:Author) RETURN apoc.text.join(collect(a.name), ',') AS names"),
        ("memgraph", "MATCH (a:Author) FILTER a.born > 3 RETURN a"),
    ],
)
def test_what_nothing_replaces(dialect: str, query: str) -> None:
    refused(query, "dialect_unsupported", dialect=dialect)


@pytest.mark.parametrize(
    ("dialect", "query"),
    [
        ("neptune", "MATCH (a:Author)-[:KNOWS*1..3]->(c:Author) RETURN c.name ORDER BY c.name LIMIT 3"),
        ("falkordb", "MATCH (a:Author) RETURN [x IN collect(a) | x.name] AS names"),
        ("ladybug", "MATCH (a:Author)-[k:KNOWS]->(c:Author) WHERE a.name =~ 'x.*' RETURN c.name"),
        ("memgraph", "MATCH (a:Author) WHERE a.name =~ 'x.*' RETURN a"),
        ("neo4j25", "MATCH (a:Author) FILTER a.born > 3 RETURN a"),
        ("cypher", "MATCH (a:Author) LET n = a.born RETURN n"),
        ("neo4j-25", "MATCH (a:Author)-[:WROTE]->(b) RETURN a.name, count(b) AS n GROUP BY a.name"),
    ],
)
def test_what_they_can_do(dialect: str, query: str) -> None:
    silent(query, dialect=dialect)


def test_words_of_cypher_25_are_faults_of_syntax_in_cypher_5() -> None:
    for query in ("MATCH (a:Author) FILTER a.born > 3 RETURN a", "MATCH (a:Author) LET n = a.born RETURN n"):
        assert kinds(judged(query), Severity.ERROR) == {"syntax"}
        silent(f"CYPHER 25 {query}")


def test_an_unknown_dialect_is_refused_by_name() -> None:
    with pytest.raises(DiagnosticError) as caught:
        judged("MATCH (a:Author) RETURN a", dialect="dbase")
    assert caught.value.diagnostics[0].code == "UQ502"
