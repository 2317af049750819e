"""Queries a second through the gate. `python benchmarks/bench_check.py [seconds]`."""

from __future__ import annotations

import sys
import time
from itertools import cycle

import uniqgen_ir as uq

LIBRARY = {
    "nodes": {
        "Author": {"name": "STRING", "born": "INTEGER"},
        "Book": {"title": "STRING", "pages": "INTEGER", "printed": "DATE"},
        "Subject": {"name": "STRING"},
        "Reader": {"card": "STRING", "name": "STRING"},
    },
    "rels": [
        {"type": "WROTE", "from": "Author", "to": "Book", "props": {}},
        {"type": "ABOUT", "from": "Book", "to": "Subject", "props": {}},
        {"type": "BORROWED", "from": "Reader", "to": "Book", "props": {"days": "INTEGER"}},
    ],
}
EX = "PREFIX ex: <http://example.org/> "
BOOKS = {
    "prefixes": {"ex": "http://example.org/"},
    "classes": {
        "ex:Author": {"ex:name": ["xsd:string"], "ex:wrote": ["ex:Book"]},
        "ex:Book": {"ex:title": ["xsd:string"], "ex:pages": ["xsd:integer"]},
    },
}
QUERIES = {
    "Cypher, clean": (
        LIBRARY,
        "cypher",
        (
            "MATCH (a:Author)-[:WROTE]->(b:Book) WHERE b.pages > 300 RETURN a.name, count(b) AS n ORDER BY n LIMIT 5",
            "MATCH (r:Reader)-[w:BORROWED]->(b:Book)-[:ABOUT]->(s:Subject {name: 'whales'})\n"
            "WHERE w.days > 20 AND NOT EXISTS { (r)-[:BORROWED]->(:Book {title: 'Moby Dick'}) }\n"
            "WITH r, collect(b.title) AS titles WHERE size(titles) > 2 RETURN r.name, titles",
        ),
    ),
    "Cypher, mended": (
        LIBRARY,
        "cypher",
        ("MATCH (b:book)-[:WROTE]->(a:Author) WHERE b.pages > '300' RETURN a.nam",),
    ),
    "SPARQL, clean": (
        BOOKS,
        "sparql",
        (
            EX
            + "SELECT ?n (COUNT(?b) AS ?c) { ?a a ex:Author ; ex:name ?n ; ex:wrote ?b FILTER(?n != 'x') } GROUP BY ?n",
        ),
    ),
    "SPARQL, mended": (BOOKS, "sparql", ("SELECT ?n WHERE { ?a a ex:Author ; ex:nam ?n }",)),
}


def main() -> None:
    """Print the rate of each kind of query, on one core."""
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 3.0
    for name, (schema, language, queries) in QUERIES.items():
        vocabulary = uq.vocabulary(schema)
        for query in queries:
            assert uq.check(query, language=language, schema=vocabulary).valid is name.endswith("clean"), query
        count, start = 0, time.process_time()
        for query in cycle(queries):
            uq.check(query, language=language, schema=vocabulary)
            count += 1
            if time.process_time() - start > seconds:
                break
        print(f"{name:<16} {count / (time.process_time() - start):8.0f} /s")


if __name__ == "__main__":
    main()
