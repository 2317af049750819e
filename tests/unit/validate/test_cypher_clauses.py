"""What only the whole query shows: scope, aggregation, columns, optional parts, products, paths, parameters."""

from __future__ import annotations

import pytest

from tests.unit.validate.library import judged, kinds, refused, silent, warned
from uniqgen_ir.ir.diagnostics import Severity
from uniqgen_ir.validate.policy import Policy


@pytest.mark.parametrize(
    ("query", "fixed"),
    [
        (
            "MATCH (a:Author)-[:WROTE]->(:Book) RETURN a.name, b.title",
            "MATCH (a:Author)-[:WROTE]->(b:Book) RETURN a.name, b.title",
        ),
        (
            "MATCH (r:Reader)-[:BORROWED]->(b:Book) RETURN b.title, w.days",
            "MATCH (r:Reader)-[w:BORROWED]->(b:Book) RETURN b.title, w.days",
        ),
        (
            "MATCH (a:Author) WITH a.name AS name RETURN a.name",
            "MATCH (a:Author) WITH a.name AS name RETURN name",
        ),
        ("MATCH (author:Author) RETURN auther.name", "MATCH (author:Author) RETURN author.name"),
        ("MATCH (a:Author) WITH count(a) AS n RETURN a.name", None),
    ],
)
def test_variables_that_are_not_in_scope(query: str, fixed: str | None) -> None:
    refused(query, "undefined_variable", fixed)


@pytest.mark.parametrize(
    ("query", "fixed"),
    [
        (
            "MATCH (a:Author)-[:WROTE]->(b) RETURN a.name, count(b) AS n ORDER BY a.born",
            "MATCH (a:Author)-[:WROTE]->(b) RETURN a.name, a.born, count(b) AS n ORDER BY a.born",
        ),
        (
            "MATCH (a:Author)-[:WROTE]->(b) WHERE count(b) > 3 RETURN a.name",
            "MATCH (a:Author)-[:WROTE]->(b) WITH a, count(b) AS c WHERE c > 3 RETURN a.name",
        ),
        ("MATCH (a:Author) RETURN max(count(a)) AS n", None),
        ("MATCH (a:Author)-[:WROTE]->(b) RETURN a.born + count(b) AS n", None),
    ],
)
def test_aggregates_out_of_place(query: str, fixed: str | None) -> None:
    refused(query, "aggregation", fixed)


def test_columns_of_a_union_take_the_names_of_the_first_part() -> None:
    refused(
        "MATCH (a:Author) RETURN a.name AS name UNION MATCH (b:Book) RETURN b.title AS title",
        "union_columns",
        "MATCH (a:Author) RETURN a.name AS name UNION MATCH (b:Book) RETURN b.title AS name",
    )
    refused(
        "MATCH (a:Author) RETURN a.name AS x, a.born AS y UNION MATCH (b:Book) RETURN b.title AS x", "union_columns"
    )


@pytest.mark.parametrize(
    ("query", "fixed"),
    [
        ("MATCH (a:Author) WITH a.name RETURN name", "MATCH (a:Author) WITH a.name AS name RETURN name"),
        ("MATCH (b:Book) RETURN b.title LIMIT 3 SKIP 5", "MATCH (b:Book) RETURN b.title SKIP 5 LIMIT 3"),
        ("MATCH (b:Book) RETURN b.title WHERE b.pages > 3", "MATCH (b:Book) WHERE b.pages > 3 RETURN b.title"),
        ("MATCH (b:Book) WHERE b.title = 'O'Neill' RETURN b", 'MATCH (b:Book) WHERE b.title = "O\'Neill" RETURN b'),
        ("MATCH (b:Book) RETURN b.title, b.pages,", "MATCH (b:Book) RETURN b.title, b.pages"),
        (
            "MATCH (b:Book) WHERE b.pages BETWEEN 3 AND 9 RETURN b",
            "MATCH (b:Book) WHERE 3 <= b.pages <= 9 RETURN b",
        ),
        (
            "MATCH (a:Author)-[:WROTE]->(b) RETURN a.name AS who, count(b) AS n GROUP BY who",
            "MATCH (a:Author)-[:WROTE]->(b) RETURN a.name AS who, count(b) AS n",
        ),
        ("MATCH (b:Book) WHERE b.title LIKE 'x%' RETURN b", "MATCH (b:Book) WHERE b.title STARTS WITH 'x' RETURN b"),
        (
            "MATCH (b:Book)-[:ABOUT]->(s) WITH s, count(DISTINCT (s)-[:BROADER]->()) AS n RETURN n",
            "MATCH (b:Book)-[:ABOUT]->(s) WITH s, count(DISTINCT COUNT { (s)-[:BROADER]->() }) AS n RETURN n",
        ),
    ],
)
def test_slips_of_syntax(query: str, fixed: str) -> None:
    report = judged(query)
    assert "syntax" in kinds(report, Severity.ERROR)
    assert report.fixed_query == fixed


@pytest.mark.parametrize(
    ("query", "fixed"),
    [
        ("MATCH (b:Book) RETURN ucase(b.title) AS x", "MATCH (b:Book) RETURN toUpper(b.title) AS x"),
        ("MATCH (b:Book) RETURN toUper(b.title) AS x", "MATCH (b:Book) RETURN toUpper(b.title) AS x"),
        ("MATCH (b:Book) RETURN frobnicate(b.title) AS x", None),
    ],
)
def test_unknown_functions(query: str, fixed: str | None) -> None:
    refused(query, "unknown_function", fixed)


# optional parts


@pytest.mark.parametrize(
    "query",
    [
        "MATCH (a:Author) OPTIONAL MATCH (a)-[:WROTE]->(b) WITH a, b WHERE b.pages > 3 RETURN a, b",
        "MATCH (a:Author) OPTIONAL MATCH (a)-[:WROTE]->(b) WITH a, b.pages AS n WHERE n > 3 RETURN a, n",
        "MATCH (a:Author) OPTIONAL MATCH (a)-[:WROTE]->(b) WITH * WHERE b IS NOT NULL RETURN a, b",
        "MATCH (a:Author) OPTIONAL MATCH (a)-[:WROTE]->(b) MATCH (b)-[:ABOUT]->(s) RETURN a, s",
        "MATCH (a:Author) OPTIONAL MATCH (a)-[:WROTE]->(b) WITH a, b WHERE NOT b.title = 'x' RETURN a, b",
    ],
)
def test_an_optional_part_that_is_needed_later(query: str) -> None:
    warned(query, "optional_cancelled")


@pytest.mark.parametrize(
    "query",
    [
        "MATCH (a:Author) OPTIONAL MATCH (a)-[:WROTE]->(b) WHERE b.pages > 3 RETURN a, b",
        "MATCH (a:Author) OPTIONAL MATCH (a)-[:WROTE]->(b) WITH a, b WHERE b IS NULL RETURN a",
        "MATCH (a:Author) OPTIONAL MATCH (a)-[:WROTE]->(b) WITH a, count(b) AS n WHERE n > 3 RETURN a",
        "MATCH (a:Author) OPTIONAL MATCH (a)-[:WROTE]->(b) WITH a, b WHERE b IS NULL OR b.pages > 3 RETURN a",
        "MATCH (a:Author) OPTIONAL MATCH (a)-[:WROTE]->(b) WITH a, coalesce(b.pages, 0) AS n WHERE n < 3 RETURN a",
        "MATCH (a:Author) OPTIONAL MATCH (a)-[:WROTE]->(b) OPTIONAL MATCH (b)-[:ABOUT]->(s) RETURN a, s",
        "MATCH (a:Author) OPTIONAL MATCH (a)-[:WROTE]->(b) WITH a, b WHERE a.born > 3 RETURN a, b",
    ],
)
def test_an_optional_part_that_stays_optional(query: str) -> None:
    silent(query)


# products


@pytest.mark.parametrize(
    "query",
    [
        "MATCH (a:Author), (s:Subject) RETURN a, s",
        "MATCH (a:Author) MATCH (s:Subject) RETURN count(*) AS n",
        "MATCH (a:Author)-[:WROTE]->(b), (s:Subject) RETURN a, s",
        "MATCH (a:Author), (s:Subject) WHERE a.born > 1900 AND s.name CONTAINS 'x' RETURN a, s",
    ],
)
def test_patterns_that_nothing_connects(query: str) -> None:
    warned(query, "cartesian_product")


@pytest.mark.parametrize(
    "query",
    [
        "MATCH (a:Author), (a)-[:WROTE]->(b) RETURN a, b",
        "MATCH (a:Author), (r:Reader) WHERE a.name = r.name RETURN a, r",
        "MATCH (a:Author {name: 'x'}), (c:Author {name: 'y'}) RETURN a.born - c.born AS years",
        "MATCH (a:Author {name: 'x'}), (c:Author), p = shortestPath((a)-[:KNOWS*..6]-(c)) RETURN p",
        "MATCH (a:Author), (c:Author) WHERE EXISTS { (a)-[:KNOWS]->(c) } RETURN a, c",
        "MATCH (a:Author), (c:Author) MATCH (a)-[:KNOWS]->(c) RETURN a, c",
        "MATCH (a:Author) WITH count(a) AS n MATCH (b:Book) RETURN n, count(b) AS m",
        "MATCH (a:Author), (b:Book) WHERE b.title = a.name RETURN a",
    ],
)
def test_patterns_that_something_connects(query: str) -> None:
    silent(query)


# paths, old forms, parameters, policy


@pytest.mark.parametrize("path", ["-[:KNOWS*]->", "-[:KNOWS*2..]->", "-[:KNOWS]->+", "-[:KNOWS]->{2,}"])
def test_paths_without_a_bound(path: str) -> None:
    warned(f"MATCH (a:Author){path}(c:Author) RETURN c", "unbounded_path")


def test_shortest_paths_need_no_bound() -> None:
    silent("MATCH p = shortestPath((a:Author {name: 'x'})-[:KNOWS*]->(c:Author {name: 'y'})) RETURN p")


@pytest.mark.parametrize(
    "query",
    [
        "MATCH (a:Author) WHERE id(a) = 3 RETURN a",
        "MATCH (a:Author)-[:WROTE|:TRANSLATED]->(b) RETURN b",
    ],
)
def test_deprecated_forms(query: str) -> None:
    warned(query, "deprecated")


@pytest.mark.parametrize(
    ("query", "fixed"),
    [
        ("MATCH (b:Book) WHERE exists(b.pages) RETURN b", "MATCH (b:Book) WHERE b.pages IS NOT NULL RETURN b"),
        (
            "MATCH (a:Author) RETURN size((a)-[:WROTE]->()) AS n",
            "MATCH (a:Author) RETURN COUNT { (a)-[:WROTE]->() } AS n",
        ),
    ],
)
def test_removed_forms(query: str, fixed: str) -> None:
    refused(query, "removed_syntax", fixed)


def test_parameters_without_a_value_and_values_without_use() -> None:
    query = "MATCH (a:Author {name: $name}) RETURN a"
    silent(query, parameters=frozenset({"name"}))
    report = judged(query, parameters=frozenset({"names"}))
    assert [one.kind for one in report.diagnostics] == ["unused_parameter", "unbound_parameter"]
    assert report.fixed_query == "MATCH (a:Author {name: $names}) RETURN a"


@pytest.mark.parametrize(
    "query",
    [
        "MATCH (a:Author) SET a.born = 3 RETURN a",
        "MATCH (a:Author) CALL (a) { DETACH DELETE a } RETURN 1 AS one",
        "MATCH (a:Author) FOREACH (x IN [1] | SET a.born = x)",
        "CREATE INDEX names FOR (a:Author) ON (a.name)",
        "MERGE (a:Author {name: 'x'}) RETURN a",
    ],
)
def test_writing_is_refused_unless_the_policy_allows_it(query: str) -> None:
    refused(query, "write")
    assert judged(query, policy=Policy(read_only=False)).valid


def test_reaching_outside_is_refused_under_any_policy() -> None:
    for policy in (Policy(), Policy(read_only=False)):
        refused("LOAD CSV FROM 'file:///etc/passwd' AS line RETURN line", "external_io", policy=policy)


@pytest.mark.parametrize(
    "query",
    [
        "MATCH (b:Book) WHERE b.title CONTAINS 'DELETE' RETURN b.title AS set_name",
        "MATCH (b:Book) RETURN b.title /* CREATE */ // DETACH DELETE b",
        "MATCH (create:Book) RETURN create.title AS remove",
    ],
)
def test_words_that_only_look_like_writing(query: str) -> None:
    silent(query)


def test_a_property_that_does_not_exist_is_not_written_either() -> None:
    report = judged("MATCH (a:Author) SET a.borne = 3", policy=Policy(read_only=False))
    assert report.fixed_query == "MATCH (a:Author) SET a.born = 3"


def test_several_statements() -> None:
    report = judged("MATCH (a:Author) RETURN a; MATCH (n) DETACH DELETE n")
    assert kinds(report, Severity.ERROR) == {"multiple_statements", "write"}
