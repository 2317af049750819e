"""Whatever is sent to the gate: it answers, soon, and what it mends is clean."""

from __future__ import annotations

import re
import time
from random import Random

import pytest

from tests.unit.validate.library import VOCABULARY
from uniqgen_ir.ir.diagnostics import errors
from uniqgen_ir.validate.cypher.dialects import DIALECTS
from uniqgen_ir.validate.gate import check

SEEDS = (
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


def _renamed(random: Random) -> str:
    """Names in the place of others, and arrows turned round: most of these can still be read."""
    words = _WORD.findall(random.choice(SEEDS))
    places = [place for place, word in enumerate(words) if word in _NAMES]
    for place in random.sample(places, min(len(places), random.randint(1, 4))):
        words[place] = random.choice(_NAMES)
    text = "".join(words)
    return text.replace("]->", "]-") if random.random() < 0.2 else text


def _mutated(random: Random) -> str:
    words = _WORD.findall(random.choice(SEEDS))
    for _ in range(random.randint(1, 6)):
        place = random.randrange(len(words)) if words else 0
        match random.randrange(5):
            case 0:
                del words[place : place + random.randint(1, 4)]
            case 1:
                words.insert(place, random.choice(_INSERTED))
            case 2 if words:
                words[place] = random.choice(_INSERTED)
            case 3 if words:
                other = random.randrange(len(words))
                words[place], words[other] = words[other], words[place]
            case _:
                words[place:place] = words[place : place + random.randint(1, 8)]
    return "".join(words)


def _answers_soon(text: str, random: Random) -> None:
    dialect = random.choice((None, *DIALECTS))
    started = time.process_time()
    report = check(text, language="cypher", schema=VOCABULARY, dialect=dialect)
    assert time.process_time() - started < 1.0, text
    assert report.to_json()["valid"] is report.valid
    report.for_model()
    for one in report.diagnostics:
        assert one.span is None or 0 <= one.span.start <= one.span.end <= len(text), (text, one)
    if report.fixed_query is not None:
        again = check(report.fixed_query, language="cypher", schema=VOCABULARY, dialect=dialect)
        assert errors(again.diagnostics) == (), (text, report.fixed_query)


def test_mutated_queries() -> None:
    random = Random(7)
    for _ in range(500):
        _answers_soon(_mutated(random), random)
        _answers_soon(_renamed(random), random)


@pytest.mark.slow
def test_many_mutated_queries() -> None:
    random = Random()
    for _ in range(100_000):
        _answers_soon(_mutated(random), random)
        _answers_soon(_renamed(random), random)


@pytest.mark.parametrize("text", ["(" * 5000, "MATCH " + "(a)-->" * 2000 + "(b) RETURN b", "a" * 100_000, "`" * 999])
def test_long_texts(text: str) -> None:
    started = time.perf_counter()
    assert check(text, language="cypher", schema=VOCABULARY).fixed_query is None
    assert time.perf_counter() - started < 5.0


def test_deep_conditions() -> None:
    for condition in ("NOT " * 150 + "true", "(" * 90 + "b.pages > 3" + ")" * 90, " OR ".join(["b.pages > 3"] * 400)):
        check(f"MATCH (b:Book) WHERE {condition} RETURN b", language="cypher", schema=VOCABULARY)
