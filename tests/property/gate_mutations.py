"""Queries with a few words changed, and what the gate must do with each of them."""

from __future__ import annotations

import re
from functools import partial
from random import Random
from typing import Final

from tests.timing import timed
from tests.unit.validate.library import VOCABULARY
from tests.unit.validate_sparql import test_conditions, test_scope, test_syntax, test_values
from tests.unit.validate_sparql.sparql_gate import PROLOGUE, SCHEMA
from uniqgen_ir.ir.diagnostics import errors
from uniqgen_ir.validate.cypher.dialects import DIALECTS
from uniqgen_ir.validate.gate import check, vocabulary_of

LANGUAGES: Final = ("cypher", "sparql")
MOST_SECONDS: Final = 1.0
"""of CPU time for one query"""
CYPHER = (
    "MATCH (a:Author {name: 'x'})-[w:WROTE]->(b:Book)<-[:BORROWED]-(r) WHERE b.pages > 300 AND r.name CONTAINS 'A' "
    "RETURN DISTINCT a.name AS name, count(b) AS n ORDER BY n DESC, name SKIP 3 LIMIT 10",
    "MATCH (b:Book) OPTIONAL MATCH (b)-[:ABOUT]->(s:Subject)-[:BROADER*1..3]->(t) "
    "WHERE t.name <> 'x' OR s.name IS NULL WITH b, collect(t {.name, n: size(t.name)}) AS topics "
    "WHERE size(topics) > 2 RETURN b.title, topics",
    "MATCH p = shortestPath((a:Author)-[:KNOWS*..6]-(c:Author)) WHERE all(x IN relationships(p) WHERE x.since > 1990) "
    "RETURN [n IN nodes(p) | n.name] AS names, length(p)",
    "MATCH (a:Author) WHERE EXISTS { (a)-[:WROTE]->(b:Book WHERE b.printed > date('2000-01-01')) } "
    "AND NOT (a)-[:KNOWS]->() CALL (a) { MATCH (a)-[:WROTE]->(b) RETURN count(b) AS n UNION ALL RETURN 0 AS n } "
    "RETURN a.name, n, $limit",
    "UNWIND [1, 2, null] AS x MATCH (r:Reader&!Author) WHERE r.joined.year = x "
    "RETURN CASE x WHEN 1 THEN 'a' ELSE r.card END AS y",
    "MATCH (x:Author|Book) ((u)-[:KNOWS]->(v)){1,3} (y) "
    "RETURN reduce(n = 0, i IN range(1, 3) | n + i) AS n, x['name'], y.born",
    "```cypher\nMATCH (a:author)-[:wrote]-(b) RETURN a.nam\n```\nThis returns the authors.",
)
_WORD = re.compile(r"\w+|\s+|[^\w\s]")
_INSERTED = (
    *(
        "(",
        ")",
        "[",
        "]",
        "{",
        "}",
        "'",
        '"',
        "`",
        "-",
        ">",
        "<",
        "|",
        ":",
        "*",
        ",",
        ".",
        "$",
        "=",
        "<>",
        ";",
        "//",
        "/*",
    ),
    *(
        "NULL",
        "NOT",
        "OR",
        "WHERE",
        "MATCH",
        "RETURN",
        "WITH",
        "UNION",
        "OPTIONAL",
        "CALL",
        "AS",
        "IN",
        "null",
        "0",
        "9e9",
    ),
    *(
        "a",
        "b",
        ":Author",
        ":Nothing",
        "-[:WROTE]->",
        ".name",
        "count(*)",
        "\x00",
        "\ud800",
        "é",
        "\u2028",
        "```",
        "</s>",
    ),
)


_NAMES = (
    *("Author", "Book", "Subject", "Reader", "Translator", "WROTE", "ABOUT", "BROADER", "BORROWED", "KNOWS", "Nothing"),
    *("name", "title", "pages", "born", "days", "since", "printed", "card", "a", "b", "c", "r", "s", "t", "x", "n"),
)
SPARQL = (
    *(
        PROLOGUE + query
        for module in (test_conditions, test_scope, test_syntax, test_values)
        for query, _, _ in module.CASES
    ),
    PROLOGUE
    + "SELECT ?n (COUNT(DISTINCT ?c) AS ?k) WHERE { ?p a ex:Person ; ex:name ?n ; (ex:knows|^ex:knows)+/ex:worksFor ?c "
    'OPTIONAL { ?c ex:founded ?f FILTER(?f > "2000-01-01T00:00:00"^^xsd:dateTime) } MINUS { ?p ex:email ?e } '
    'VALUES ?n { "x" "y" } BIND(STRLEN(?n) AS ?l) FILTER NOT EXISTS { ?p ex:knows ?p } } '
    "GROUP BY ?n HAVING(COUNT(?c) > 2) ORDER BY DESC(?k) LIMIT 5 OFFSET 2",
    PROLOGUE + "SELECT * WHERE { { SELECT ?p (MAX(?a) AS ?m) { ?p ex:age ?a } GROUP BY ?p } UNION { ?p ex:born ?b } "
    'GRAPH ?g { ?p rdfs:label ?l FILTER(LANG(?l) = "en" && REGEX(?l, "^A", "i")) } }',
    PROLOGUE
    + "CONSTRUCT { ?p ex:knows [ ex:name ?n ] } WHERE { ?p ex:knows/ex:name ?n SERVICE <http://a/> { ?p ex:age ?a } }",
    "```sparql\n" + PROLOGUE + 'ASK { ?p ex:nam "x"@en }\n```\nThis asks for it.',
)
_SPARQL_NAMES = (
    *("Person", "Company", "name", "born", "age", "worksFor", "knows", "email", "founded", "label", "nothing"),
    *("p", "n", "c", "f", "e", "a", "b", "l", "g", "x"),
)
_SPARQL_INSERTED = (
    *(
        "(",
        ")",
        "{",
        "}",
        "<",
        ">",
        "'",
        '"',
        "?",
        "$",
        "^",
        "/",
        "|",
        "+",
        "*",
        "!",
        ";",
        ".",
        ",",
        "@en",
        "^^",
        "#",
        "&&",
        "||",
    ),
    *(
        "OPTIONAL",
        "FILTER",
        "UNION",
        "MINUS",
        "SELECT",
        "WHERE",
        "GROUP BY",
        "HAVING",
        "BIND",
        "AS",
        "VALUES",
        "EXISTS",
        "NOT",
    ),
    *(
        "ex:name",
        "ex:Person",
        "a",
        "?p",
        "?zz",
        "COUNT(?p)",
        "1",
        "9e9",
        '"x"',
        "xsd:date",
        "DISTINCT",
        "SERVICE",
        "INSERT",
    ),
    *("\x00", "\ud800", "é", "\u2028", "```", "</s>", "\\u0041"),
)


def renamed(language: str, random: Random) -> str:
    """Names in the place of others, and arrows turned round: most of these can still be read."""
    seeds, names = (CYPHER, _NAMES) if language == "cypher" else (SPARQL, _SPARQL_NAMES)
    words = _WORD.findall(random.choice(seeds))
    places = [place for place, word in enumerate(words) if word in names]
    for place in random.sample(places, min(len(places), random.randint(1, 4))):
        words[place] = random.choice(names)
    text = "".join(words)
    return text.replace("]->", "]-") if random.random() < 0.2 else text


def mutated(language: str, random: Random) -> str:
    """Up to six words taken out, put in, doubled, replaced or exchanged."""
    seeds, inserted = (CYPHER, _INSERTED) if language == "cypher" else (SPARQL, _SPARQL_INSERTED)
    words = _WORD.findall(random.choice(seeds))
    for _ in range(random.randint(1, 6)):
        place = random.randrange(len(words)) if words else 0
        match random.randrange(5):
            case 0:
                del words[place : place + random.randint(1, 4)]
            case 1:
                words.insert(place, random.choice(inserted))
            case 2 if words:
                words[place] = random.choice(inserted)
            case 3 if words:
                other = random.randrange(len(words))
                words[place], words[other] = words[other], words[place]
            case _:
                words[place:place] = words[place : place + random.randint(1, 8)]
    return "".join(words)


_VOCABULARIES = {"cypher": VOCABULARY, "sparql": vocabulary_of(SCHEMA)}


def mutant(language: str, random: Random) -> str:
    """A query with a few words changed; every second one only in its names."""
    return mutated(language, random) if random.random() < 0.5 else renamed(language, random)


def seconds_of(language: str, text: str, random: Random) -> float:
    """How long the gate takes for a query, in seconds of CPU time.

    Raises AssertionError where it takes too long, points outside the text, or proposes a query that it refuses itself.
    """
    dialect = random.choice((None, *DIALECTS)) if language == "cypher" else None
    vocabulary = _VOCABULARIES[language]
    judged = partial(check, text, language=language, schema=vocabulary, dialect=dialect)
    report, seconds = timed(MOST_SECONDS, judged)
    assert report.to_json()["valid"] is report.valid
    report.for_model()
    for one in report.diagnostics:
        assert one.span is None or 0 <= one.span.start <= one.span.end <= len(text), one
        edits = one.fix.edits if one.fix is not None else ()
        assert all(0 <= edit.start <= edit.end <= len(text) for edit in edits), one
    if report.fixed_query is not None:
        again = check(report.fixed_query, language=language, schema=vocabulary, dialect=dialect)
        assert errors(again.diagnostics) == (), report.fixed_query
    return seconds
