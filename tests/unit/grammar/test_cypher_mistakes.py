"""What is said about broken Cypher, and what the fixes make of it."""

from __future__ import annotations

import pytest

from tests.timing import within
from uniqgen_ir.grammar.cypher import parse_cypher
from uniqgen_ir.ir.diagnostics import Diagnostic, errors


def only(text: str) -> Diagnostic:
    found = errors(parse_cypher(text).diagnostics)
    assert len(found) == 1, [one.message for one in found]
    return found[0]


@pytest.mark.parametrize(
    ("text", "fixed"),
    [
        (
            "MATCH (p:Person) WHERE p.name LIKE '%Ann%' RETURN p",
            "MATCH (p:Person) WHERE p.name CONTAINS 'Ann' RETURN p",
        ),
        ("MATCH (p) WHERE p.name LIKE 'Ann%' RETURN p", "MATCH (p) WHERE p.name STARTS WITH 'Ann' RETURN p"),
        ("MATCH (p) WHERE p.x != 3 RETURN p", "MATCH (p) WHERE p.x <> 3 RETURN p"),
        ("MATCH (p) WHERE p.x == 3 RETURN p", "MATCH (p) WHERE p.x = 3 RETURN p"),
        ("MATCH (p) WHERE p.x = 3 && p.y RETURN p", "MATCH (p) WHERE p.x = 3 AND p.y RETURN p"),
        ("MATCH (p) WHERE p.x NOT IN [1] RETURN p", "MATCH (p) WHERE NOT p.x IN [1] RETURN p"),
        ("MATCH (p) WHERE a AND p.x NOT IN [1] RETURN p", "MATCH (p) WHERE a AND NOT p.x IN [1] RETURN p"),
        ("MATCH (c:Medical Condition) RETURN c", "MATCH (c:`Medical Condition`) RETURN c"),
        ("MATCH ()-[:has MD5 hash]->(h) RETURN h", "MATCH ()-[:`has MD5 hash`]->(h) RETURN h"),
        ("RETURN {'a': 1} AS m", "RETURN {a: 1} AS m"),
        ("RETURN {'a b': 1} AS m", "RETURN {`a b`: 1} AS m"),
        (
            "MATCH (a)-[:KNOWS {since: 2001}*1..3]->(b) RETURN b",
            "MATCH (a)-[:KNOWS*1..3 {since: 2001}]->(b) RETURN b",
        ),
        ("MATCH (m) WHERE size {(m)<-[:R]-()} > 5 RETURN m", "MATCH (m) WHERE COUNT {(m)<-[:R]-()} > 5 RETURN m"),
        ("MATCH (p) RETURN p LIMIT 10 <|im_end|>", "MATCH (p) RETURN p LIMIT 10"),
        ("```cypher\nMATCH (p) RETURN p\n```", "MATCH (p) RETURN p\n"),
        ("Cypher: MATCH (p) RETURN p", "MATCH (p) RETURN p"),
        ("MATHC (p) RETURN p", "MATCH (p) RETURN p"),
        ("MATCH (p:Person RETURN p", "MATCH (p:Person) RETURN p"),
        ("MATCH (p) RETURN p.name p.age", "MATCH (p) RETURN p.name, p.age"),
        ("MATCH ((p:Person)-->(q) RETURN p", "MATCH (p:Person)-->(q) RETURN p"),
    ],
)
def test_slips_have_a_fix(text: str, fixed: str) -> None:
    fix = only(text).fix
    assert fix is not None
    assert fix.apply(text) == fixed or fix.apply(text).replace(",p", ", p").replace(", p", ",p") == fixed.replace(
        ", p", ",p"
    )
    assert not errors(parse_cypher(fix.apply(text)).diagnostics)


@pytest.mark.parametrize(
    ("text", "code", "part"),
    [
        ("", "UQ180", "there is no query"),
        ("SELECT * FROM t", "UQ180", "SQL"),
        ('MATCH (n {name: "x}) RETURN n', "UQ181", "not closed"),
        ("MATCH (n) RETURN n.`x", "UQ181", "not closed"),
        ("MATCH (n) RETURN n /* x", "UQ181", "comment"),
        ("RETURN 'a\\qb' AS x", "UQ181", "\\q"),
        ("RETURN 12abc AS x", "UQ181", "no number"),
        ("RETURN 9223372036854775808 AS x", "UQ181", "64 bits"),
        ("RETURN 1e999 AS x", "UQ181", "too large"),
        ("MATCH (n {a: 'x\\u0027}) DETACH DELETE n //'}) RETURN n", "UQ181", "ends the string"),
        ("MATCH (n:`a\\u0060b`) RETURN n", "UQ181", "ends the name"),
        ("RETURN \u201cx\u201d AS y", "UQ181", "typographic quote"),
        ("MATCH (n) RETURN n WHERE n.x = 1", "UQ183", "WHERE cannot follow RETURN"),
        ("UNWIND [1] AS x WHERE x > 0 RETURN x", "UQ183", "WHERE cannot follow UNWIND"),
        ("MATCH (n) RETURN n LIMIT 1 SKIP 2", "UQ183", "SKIP cannot follow LIMIT"),
        ("MATCH (n) RETURN n LIMIT 1 LIMIT 2", "UQ183", "stands twice"),
        ("MATCH (n) RETURN n MATCH (m) RETURN m", "UQ183", "MATCH cannot follow RETURN"),
        ("MATCH (n) WITH n", "UQ183", "cannot end with WITH"),
        ("CREATE (n) MATCH (m) RETURN m", "UQ183", "without WITH"),
        ("WHERE true RETURN 1 AS x", "UQ183", "no clause to belong to"),
        ("MATCH (n) RETURN n; MATCH (m) RETURN m", "UQ195", "second statement"),
        ("MATCH (a)-->(b)(c) RETURN a", "UQ180", "relationship is missing"),
        ("MATCH (n) RETURN sum(*) AS x", "UQ180", "count(*)"),
        ("RETURN 1 + NOT true AS x", "UQ180", "round brackets"),
        ("MATCH (n) RETURN (n.x)(1) AS x", "UQ180", "function's name"),
        ("MATCH ()-[:R*1..2]->{2}() RETURN 1 AS x", "UQ180", "either a length or a quantifier"),
        ("MATCH ((a)-->(b)){3,1} RETURN 1 AS x", "UQ180", "ends below"),
        ("MATCH (n) WHERE n.x > RETURN n", "UQ180", "an expression"),
    ],
)
def test_what_is_said(text: str, code: str, part: str) -> None:
    found = only(text)
    assert found.code == code
    assert part in found.message


def test_several_faults_are_reported_in_one_go() -> None:
    text = "MATCH (p) WHERE p.x != 3 AND p.y LIKE 'a%' RETURN p.name p.age"
    assert [one.span.column for one in parse_cypher(text).diagnostics if one.span] == [21, 34, 58]


@pytest.mark.parametrize(
    "text",
    [
        "RETURN " + "(" * 5000 + "1" + ")" * 5000,
        "RETURN " + "[" * 5000,
        "RETURN " + "NOT " * 5000 + "true",
        "RETURN " + "1 + " * 5000 + "1 AS x",
        "RETURN n" + ".a" * 5000,
        "MATCH (n) WHERE " + "EXISTS { (n)-->(:B) WHERE " * 300 + "true" + "}" * 300 + " RETURN n",
    ],
)
def test_deep_texts_are_refused_in_good_time(text: str) -> None:
    parse = within(5.0, lambda: parse_cypher(text))
    assert [one.code for one in errors(parse.diagnostics)] == ["UQ182"]


@pytest.mark.parametrize(
    "text", ["MATCH" + " " * 200_000 + "@", "/*" * 50_000, "'" * 50_001, ")" * 5000, "a b c " * 3000]
)
def test_garbage_takes_no_more_than_a_moment(text: str) -> None:
    assert not within(5.0, lambda: parse_cypher(text)).valid
