"""Values that never compare, null, conditions that contradict each other or say nothing."""

from __future__ import annotations

import pytest

from tests.unit.validate.library import refused, silent, warned

MISMATCHES = {
    "number and string": ("b.pages > '300'", "b.pages > 300"),
    "decimal and string": ("b.price = '9.5'", "b.price = 9.5"),
    "string and number": ("b.title = 1984", "b.title = '1984'"),
    "date and string": ("b.printed >= '2000-01-01'", "b.printed >= date('2000-01-01')"),
    "date and date with time": ("b.printed < datetime('2000-01-01')", "b.printed < date('2000-01-01')"),
    "truth and string": ("b.inPrint = 'true'", "b.inPrint = true"),
    "items of a list": ("b.pages IN ['1', '2']", "b.pages IN [1, 2]"),
    "no list": ("b.title IN 'x'", "b.title IN ['x']"),
    "string operator": ("b.pages CONTAINS '3'", "toString(b.pages) CONTAINS '3'"),
    "the other side": ("'300' < b.pages", "300 < b.pages"),
}


@pytest.mark.parametrize("name", MISMATCHES)
def test_values_that_never_compare_are_cast(name: str) -> None:
    condition, fixed = MISMATCHES[name]
    refused(f"MATCH (b:Book) WHERE {condition} RETURN b", "type_mismatch", f"MATCH (b:Book) WHERE {fixed} RETURN b")


@pytest.mark.parametrize(
    ("query", "fixed"),
    [
        ("MATCH (b:Book {pages: '300'}) RETURN b", "MATCH (b:Book {pages: 300}) RETURN b"),
        (
            "MATCH ()-[w:BORROWED]->(b) WHERE w.remarks CONTAINS 'x' RETURN b",
            "MATCH ()-[w:BORROWED]->(b) WHERE 'x' IN w.remarks RETURN b",
        ),
        (
            "MATCH (a:Author)-[k:KNOWS*1..3]->(c) WHERE k.since < 1990 RETURN c.name",
            "MATCH (a:Author)-[k:KNOWS*1..3]->(c) WHERE all(x IN k WHERE x.since < 1990) RETURN c.name",
        ),
        ("MATCH (a:Author) RETURN avg(a.name) AS x", "MATCH (a:Author) RETURN avg(toFloat(a.name)) AS x"),
        ("MATCH (a:Author) RETURN toUpper(a.born) AS x", "MATCH (a:Author) RETURN toUpper(toString(a.born)) AS x"),
        ("MATCH (b:Book) RETURN length(b.title) AS n", "MATCH (b:Book) RETURN size(b.title) AS n"),
        ("MATCH (b:Book) RETURN b.title - 1 AS n", "MATCH (b:Book) RETURN toFloat(b.title) - 1 AS n"),
        ("MATCH (b:Book) WHERE b = 'x' RETURN b", None),
        ("MATCH (b:Book) RETURN b.pages.year AS x", None),
        ("MATCH (b:Book) RETURN b.printed.hour AS x", None),
        ("MATCH (a:Author), (b:Book) WHERE a.born = b.title RETURN a", None),
        ("MATCH p = (a:Author)-[:WROTE]->(b) RETURN p.name", None),
    ],
)
def test_operators_and_functions_that_cannot_take_their_operands(query: str, fixed: str | None) -> None:
    refused(query, "type_mismatch", fixed)


@pytest.mark.parametrize(
    "condition",
    [
        "b.pages > 3.5",
        "b.price = 9",
        "b.printed > date('2000-01-01')",
        "b.printed.year > 1999",
        "b.pages = $pages",
        "toInteger(b.title) > 3",
        "b.title + b.pages = 'x1'",
        "b.title IN ['x', 'y']",
        "b.title IN [x IN ['x'] | toUpper(x)]",
        "b.printed > date() - duration('P1Y')",
        "b.inPrint",
        "size(b.title) > 3",
        "b.pages IS NOT NULL",
        "NOT b.title IN ['x']",
    ],
)
def test_values_that_compare(condition: str) -> None:
    silent(f"MATCH (b:Book) WHERE {condition} RETURN b")


@pytest.mark.parametrize(
    ("condition", "fixed"),
    [
        ("b.pages = null", "b.pages IS NULL"),
        ("null = b.pages", "b.pages IS NULL"),
        ("b.pages <> NULL", "b.pages IS NOT NULL"),
        ("NOT b.pages = null", "NOT b.pages IS NULL"),
        ("b.pages = null OR b.pages > 3", "b.pages IS NULL OR b.pages > 3"),
    ],
)
def test_comparisons_with_null(condition: str, fixed: str) -> None:
    mended = f"MATCH (b:Book) WHERE {fixed} RETURN b"
    refused(f"MATCH (b:Book) WHERE {condition} RETURN b", "null_comparison", mended)


def test_null_where_no_test_replaces_it() -> None:
    refused("MATCH (b:Book) WHERE b.pages > null RETURN b", "null_comparison")
    refused("MATCH (b:Book {pages: null}) RETURN b", "null_comparison")
    refused("MATCH (b:Book) WHERE b.title CONTAINS null RETURN b", "null_comparison")


@pytest.mark.parametrize(
    "condition",
    [
        "b.pages > 5 AND b.pages < 3",
        "b.pages > 5 AND b.pages < 6",
        "b.title = 'x' AND b.title = 'y'",
        "b.title = 'x' AND b.title <> 'x'",
        "b.pages IN [1, 2] AND b.pages = 3",
        "b.pages IN [1, 2] AND b.pages > 2",
        "b.pages IS NULL AND b.pages > 2",
        "b.pages IS NULL AND b.pages IS NOT NULL",
        "b.title STARTS WITH 'x' AND NOT b.title STARTS WITH 'x'",
        "b.printed > date('2010-01-01') AND b.printed < date('2009-01-01')",
        "NOT (b.pages > 3 OR b.pages <= 3)",
        "b.pages <> b.pages",
        "1 = 2",
        "false",
        "b.pages IN []",
        "5 < b.pages < 3",
    ],
)
def test_conditions_that_cannot_hold(condition: str) -> None:
    refused(f"MATCH (b:Book) WHERE {condition} RETURN b", "unsatisfiable")


@pytest.mark.parametrize(
    "query",
    [
        "MATCH (b:Book {title: 'x'}) WHERE b.title = 'y' RETURN b",
        "MATCH (b:Book) WHERE b.pages > 5 MATCH (b)-[:ABOUT]->(s) WHERE b.pages < 3 RETURN s",
        "MATCH (b:Book) WHERE b.pages > 5 WITH b WHERE b.pages < 3 RETURN b",
        "MATCH (b:Book) WHERE b.pages > 5 RETURN COUNT { (b)-[:ABOUT]->() WHERE b.pages < 3 } AS n",
        "MATCH (b:Book)-[:ABOUT]->(s) WITH count(s) AS n WHERE n > 3 AND n < 2 RETURN n",
    ],
)
def test_conditions_in_different_places(query: str) -> None:
    refused(query, "unsatisfiable")


@pytest.mark.parametrize(
    "query",
    [
        "MATCH (b:Book) WHERE b.pages >= 5 AND b.pages <= 5 RETURN b",
        "MATCH (b:Book) WHERE b.price > 5 AND b.price < 6 RETURN b",
        "MATCH (b:Book) WHERE b.pages < 3 OR b.pages > 5 RETURN b",
        "MATCH (b:Book) WHERE b.title = 'x' WITH b.pages AS n MATCH (b:Book) WHERE b.title = 'y' RETURN b, n LIMIT 3",
        "MATCH (a:Author {name: 'x'})-[:KNOWS]->(c:Author {name: 'y'}) RETURN a, c",
        "MATCH (b:Book) WHERE b.pages IN [1, 2] AND b.pages <> 1 RETURN b",
        "MATCH (b:Book) WHERE rand() < 0.5 AND b.pages > 1 RETURN b",
    ],
)
def test_conditions_that_can_hold(query: str) -> None:
    silent(query)


@pytest.mark.parametrize(
    "condition",
    [
        "true",
        "1 = 1",
        "b.pages = b.pages",
        "b.pages <> 3 OR b.pages <> 5",
        "b.pages < 5 OR b.pages > 3",
        "b.pages IS NULL OR b.pages IS NOT NULL",
        "b.title = 'x' OR 1 = 1",
        "b.title CONTAINS ''",
    ],
)
def test_conditions_that_say_nothing(condition: str) -> None:
    warned(f"MATCH (b:Book) WHERE {condition} RETURN b", "tautology")


@pytest.mark.parametrize("condition", ["b.pages", "b.title AND b.inPrint", "NOT b.title", "b.pages > 3 OR 'x'", "b"])
def test_conditions_that_are_no_truth_values(condition: str) -> None:
    refused(f"MATCH (b:Book) WHERE {condition} RETURN b", "type_mismatch")


def test_nodes_and_relationships_of_paths_have_the_properties_of_some() -> None:
    silent("MATCH p = (:Author)-[:KNOWS*1..2]->() RETURN [x IN nodes(p) | x.born], [r IN relationships(p) | r.since]")
    refused("MATCH p = (:Author)-[:KNOWS*1..2]->() RETURN [x IN nodes(p) | x.height]", "unknown_property")
    refused("MATCH p = (:Author)-[:KNOWS*1..2]->() RETURN [r IN relationships(p) | r.height]", "unknown_property")


def test_one_item_in_the_place_of_a_list() -> None:
    refused(
        "MATCH (:Reader)-[:BORROWED {remarks: 'torn'}]->(b) RETURN b",
        "type_mismatch",
        "MATCH (:Reader)-[:BORROWED {remarks: ['torn']}]->(b) RETURN b",
    )
