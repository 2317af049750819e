"""Directions and end points of relationships, wherever a pattern can stand."""

from __future__ import annotations

import pytest

from tests.unit.validate.library import refused, silent, warned

WRONG = {
    "plain": (
        "MATCH (b:Book)-[:WROTE]->(a:Author) RETURN a.name",
        "MATCH (b:Book)<-[:WROTE]-(a:Author) RETURN a.name",
    ),
    "leftwards": (
        "MATCH (a:Author)<-[w:WROTE]-(b:Book) RETURN w.share",
        "MATCH (a:Author)-[w:WROTE]->(b:Book) RETURN w.share",
    ),
    "one end without a label": (
        "MATCH (s:Subject)-[:ABOUT]->(x) RETURN x",
        "MATCH (s:Subject)<-[:ABOUT]-(x) RETURN x",
    ),
    "without a type": ("MATCH (b:Book)-->(a:Author) RETURN a", "MATCH (b:Book)<--(a:Author) RETURN a"),
    "alternatives": (
        "MATCH (b:Book)-[:WROTE|TRANSLATED]->(p:Author) RETURN p",
        "MATCH (b:Book)<-[:WROTE|TRANSLATED]-(p:Author) RETURN p",
    ),
    "second of two": (
        "MATCH (a:Author)-[:WROTE]->(b:Book)-[:WROTE]->(c:Author) RETURN c",
        "MATCH (a:Author)-[:WROTE]->(b:Book)<-[:WROTE]-(c:Author) RETURN c",
    ),
    "no labels at all": (
        "MATCH (a)-[:WROTE]->(b)-[:WROTE]->(c) RETURN c",
        "MATCH (a)-[:WROTE]->(b)<-[:WROTE]-(c) RETURN c",
    ),
    "variable length": (
        "MATCH (b:Book)-[:WROTE*1..2]->(a:Author) RETURN a",
        "MATCH (b:Book)<-[:WROTE*1..2]-(a:Author) RETURN a",
    ),
    "quantified": (
        "MATCH (b:Book)-[:WROTE]->{1,2}(a:Author) RETURN a",
        "MATCH (b:Book)<-[:WROTE]-{1,2}(a:Author) RETURN a",
    ),
    "pattern as a condition": (
        "MATCH (a:Author) WHERE NOT (a)<-[:WROTE]-(:Book) RETURN a",
        "MATCH (a:Author) WHERE NOT (a)-[:WROTE]->(:Book) RETURN a",
    ),
    "EXISTS": (
        "MATCH (a:Author) WHERE EXISTS { MATCH (b:Book)-[:WROTE]->(a) } RETURN a",
        "MATCH (a:Author) WHERE EXISTS { MATCH (b:Book)<-[:WROTE]-(a) } RETURN a",
    ),
    "COUNT": (
        "MATCH (a:Author) RETURN COUNT { (a)<-[:WROTE]-(:Book) } AS n",
        "MATCH (a:Author) RETURN COUNT { (a)-[:WROTE]->(:Book) } AS n",
    ),
    "comprehension": (
        "MATCH (b:Book) RETURN [(b)-[:WROTE]->(a) | a.name] AS names",
        "MATCH (b:Book) RETURN [(b)<-[:WROTE]-(a) | a.name] AS names",
    ),
    "OPTIONAL MATCH": (
        "MATCH (b:Book) OPTIONAL MATCH (s:Subject)-[:ABOUT]->(b) RETURN b, s",
        "MATCH (b:Book) OPTIONAL MATCH (s:Subject)<-[:ABOUT]-(b) RETURN b, s",
    ),
    "type known from an earlier clause": (
        "MATCH (:Author)-[:WROTE]->(b) WITH b AS c MATCH (c)<-[:ABOUT]-(s) RETURN s",
        "MATCH (:Author)-[:WROTE]->(b) WITH b AS c MATCH (c)-[:ABOUT]->(s) RETURN s",
    ),
    "subquery": (
        "MATCH (b:Book) CALL (b) { MATCH (b)-[:WROTE]->(a) RETURN count(a) AS n } RETURN b.title, n",
        "MATCH (b:Book) CALL (b) { MATCH (b)<-[:WROTE]-(a) RETURN count(a) AS n } RETURN b.title, n",
    ),
}


@pytest.mark.parametrize("name", WRONG)
def test_an_arrow_that_points_the_wrong_way_is_turned_round(name: str) -> None:
    query, fixed = WRONG[name]
    refused(query, "wrong_direction", fixed)


@pytest.mark.parametrize(
    "query",
    [
        "MATCH (r:Reader)-[:WROTE]->(b:Book) RETURN r",
        "MATCH (a:Author)-[:ABOUT]->(b:Book) RETURN a",
        "MATCH (b:Book)-[:WROTE]-(c:Book) RETURN b",
        "MATCH (r:Reader)--(s:Subject) RETURN r",
        "MATCH (r:Reader)-[:BORROWED*2]->(b:Book) RETURN b",
    ],
)
def test_ends_that_no_direction_fits(query: str) -> None:
    refused(query, "endpoint_mismatch")


@pytest.mark.parametrize(
    "query",
    [
        "MATCH (a:Author)-[:WROTE]->(b:Book)<-[:BORROWED]-(r:Reader) RETURN r.name",
        "MATCH (a:Author)-[:WROTE]-(b:Book) RETURN a.name",
        "MATCH (a:Author)-[:WROTE|BORROWED]->(b:Book) RETURN a.name",
        "MATCH (a:Author)-[r:!KNOWS]->(b:Book) RETURN type(r)",
        "MATCH (a:Author)-[:TRANSLATED]->(b:Book) RETURN a.name",
        "MATCH (a:Author)-[:KNOWS*..3]->(:Author)-[:WROTE]->(b) RETURN b.title",
        "MATCH (s:Subject)-[:BROADER*0..4]->(t:Subject) RETURN t.name",
        "MATCH (b:Book)-[:ABOUT]->(:Subject)-[:BROADER]->(t) RETURN t.name",
        "MATCH (b:Book) WHERE b.title = '(a)<-[:WROTE]-(b)' RETURN b.pages",
        "MATCH (a:Author)-[:WROTE]->(b:Book), (a)-[:KNOWS]->(c:Author) RETURN c.name",
        "MATCH (a:Author) ((x)-[:KNOWS]->(y)){1,3} (z:Author) RETURN z.name",
    ],
)
def test_patterns_that_fit_pass(query: str) -> None:
    silent(query)


def test_a_relation_from_a_kind_to_itself_without_an_arrow_is_pointed_out() -> None:
    warned("MATCH (s:Subject {name: 'x'})-[:BROADER]-(t:Subject) RETURN t.name", "undirected_self_relation")


def test_not_where_the_direction_says_nothing() -> None:
    silent("MATCH (a:Author {name: 'x'})-[:KNOWS]-(b:Author) RETURN b.name")
    silent("MATCH (s:Subject {name: 'x'})-[:BROADER*1..2]-(t:Subject) RETURN t.name")
