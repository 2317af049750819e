"""Labels, relationship types and properties that do not exist."""

from __future__ import annotations

import pytest

from tests.unit.validate.library import judged, refused, silent
from uniqgen_ir.ir.diagnostics import Severity


@pytest.mark.parametrize(
    ("query", "fixed"),
    [
        ("MATCH (a:author) RETURN a.name", "MATCH (a:Author) RETURN a.name"),
        ("MATCH (a:Authors) RETURN a.name", "MATCH (a:Author) RETURN a.name"),
        ("MATCH (b:Boook) RETURN b.title", "MATCH (b:Book) RETURN b.title"),
        ("MATCH (b) WHERE b:book RETURN b", "MATCH (b) WHERE b:Book RETURN b"),
        ("MATCH (x:Author|Bok) RETURN x", "MATCH (x:Author|Book) RETURN x"),
        ("MATCH (x:Publisher) RETURN x", None),
    ],
)
def test_labels(query: str, fixed: str | None) -> None:
    refused(query, "unknown_label", fixed)


@pytest.mark.parametrize(
    ("query", "fixed"),
    [
        ("MATCH (a:Author)-[:wrote]->(b) RETURN b", "MATCH (a:Author)-[:WROTE]->(b) RETURN b"),
        ("MATCH (b)-[:IS_ABOUT]->(s) RETURN s", "MATCH (b)-[:ABOUT]->(s) RETURN s"),
        ("MATCH (a)-[:WROTE|BOROWED]->(b) RETURN b", "MATCH (a)-[:WROTE|BORROWED]->(b) RETURN b"),
        ("MATCH (a)-[:PUBLISHED_BY]->(b) RETURN b", None),
    ],
)
def test_relationship_types(query: str, fixed: str | None) -> None:
    refused(query, "unknown_rel_type", fixed)


def test_a_type_where_a_label_stands_and_the_other_way_round() -> None:
    refused("MATCH (w:WROTE) RETURN w", "unknown_label")
    refused("MATCH (a)-[:Book]->(b) RETURN a", "unknown_rel_type")
    assert "is a relationship type" in (judged("MATCH (w:WROTE) RETURN w").diagnostics[0].hint or "")


def test_what_is_denied_is_only_a_warning() -> None:
    report = judged("MATCH (x:!Publisher) RETURN x")
    assert [(one.kind, one.severity) for one in report.diagnostics] == [("unknown_label", Severity.WARNING)]


def test_without_a_near_name_the_hint_lists_what_there_is() -> None:
    (one,) = judged("MATCH (x:Publisher) RETURN x").diagnostics
    assert one.hint == "there are Author, Book, Reader, Subject, Translator"


PROPERTIES = {
    "another case": ("MATCH (b:Book) RETURN b.Title", "MATCH (b:Book) RETURN b.title"),
    "a slip": ("MATCH (b:Book) RETURN b.titel", "MATCH (b:Book) RETURN b.title"),
    "the same role": ("MATCH (b:Book) RETURN b.name", "MATCH (b:Book) RETURN b.title"),
    "in a pattern": ("MATCH (b:Book {name: 'x'}) RETURN b.pages", "MATCH (b:Book {title: 'x'}) RETURN b.pages"),
    "of a relationship": (
        "MATCH ()-[w:BORROWED]->(b) RETURN w.remark",
        "MATCH ()-[w:BORROWED]->(b) RETURN w.remarks",
    ),
    "of another variable": (
        "MATCH (a:Author)-[:WROTE]->(b:Book) RETURN a.pages",
        "MATCH (a:Author)-[:WROTE]->(b:Book) RETURN b.pages",
    ),
    "of the relationship beside it": (
        "MATCH (r:Reader)-[:BORROWED]->(b:Book) WHERE b.days > 7 RETURN b.title",
        "MATCH (r:Reader)-[r1:BORROWED]->(b:Book) WHERE r1.days > 7 RETURN b.title",
    ),
    "of a named relationship": (
        "MATCH (r:Reader)-[w:BORROWED]->(b:Book) WHERE r.days > 7 RETURN b.title",
        "MATCH (r:Reader)-[w:BORROWED]->(b:Book) WHERE w.days > 7 RETURN b.title",
    ),
    "of a node at its end": (
        "MATCH (a:Author)-[w:WROTE]->(b:Book) RETURN w.pages",
        "MATCH (a:Author)-[w:WROTE]->(b:Book) RETURN b.pages",
    ),
    "of a kind that follows from the schema": (
        "MATCH (b:Book)-[:ABOUT]->(x) RETURN x.title",
        "MATCH (b:Book)-[:ABOUT]->(x) RETURN x.name",
    ),
    "in a projection": ("MATCH (a:Author) RETURN a {.name, .year}", "MATCH (a:Author) RETURN a {.name, .born}"),
    "under another name": (
        "MATCH (a:Author) WITH a AS c RETURN c.title",
        "MATCH (a:Author) WITH a AS c RETURN c.name",
    ),
    "of an item of a list": (
        "MATCH (b:Book) WITH collect(b) AS books UNWIND books AS one RETURN one.name",
        "MATCH (b:Book) WITH collect(b) AS books UNWIND books AS one RETURN one.title",
    ),
    "in a comprehension": (
        "MATCH p = (a:Author)-[:KNOWS*1..2]->(:Author) RETURN [r IN relationships(p) | r.since], a.nam",
        "MATCH p = (a:Author)-[:KNOWS*1..2]->(:Author) RETURN [r IN relationships(p) | r.since], a.name",
    ),
}


@pytest.mark.parametrize("name", PROPERTIES)
def test_properties(name: str) -> None:
    query, fixed = PROPERTIES[name]
    refused(query, "unknown_property", fixed)


@pytest.mark.parametrize(
    "query",
    [
        "MATCH (n) WHERE n.salary > 10 RETURN n",
        "MATCH (a:Author) RETURN a.days",
        "MATCH (n) RETURN n.days",
        "MATCH (a:Author)-[k:KNOWS]->() RETURN k.days",
    ],
)
def test_properties_that_nothing_replaces(query: str) -> None:
    refused(query, "unknown_property")


@pytest.mark.parametrize(
    "query",
    [
        "MATCH (x:Author|Book) RETURN coalesce(x.name, x.title) AS label",
        "MATCH (n) RETURN n.name",
        "MATCH (a:Author) WHERE a:Translator RETURN a.languages",
        "MATCH (a:Author) RETURN a {.*, books: [(a)-[:WROTE]->(b) | b.title]}",
        "MATCH (a:Author) RETURN properties(a), a['anything']",
        "MATCH (a:Author)-[k:KNOWS WHERE k.since > 2000]->(c) RETURN c.name",
        "WITH {title: 'x'} AS book RETURN book.anything",
        "MATCH (r:Reader) RETURN r.joined.year",
        "MATCH (a:Author) WITH a.name AS a ORDER BY a RETURN a",
        "MATCH (a:Author) RETURN a.name AS a, a.born AS born ORDER BY a.name",
    ],
)
def test_properties_that_exist(query: str) -> None:
    silent(query)


@pytest.mark.parametrize(
    "query",
    [
        "MATCH (x:Author:Book) RETURN x",
        "MATCH (x:Author&Subject) RETURN x",
        "MATCH (x) WHERE x:Book AND x:Reader RETURN x",
        "MATCH (x:Book) WHERE NOT x:Book RETURN x",
        "MATCH (x:Author) WITH x MATCH (x:Book) RETURN x",
    ],
)
def test_labels_that_never_stand_together(query: str) -> None:
    refused(query, "unsatisfiable_labels")


def test_labels_that_do() -> None:
    silent("MATCH (x:Author:Translator) RETURN x.languages, x.born")
    silent("MATCH (x:Author&!Translator) RETURN x.born")


def test_a_schema_of_tool_chains_does_not_exclude_several_labels() -> None:
    from uniqgen_ir.validate.gate import check

    schema = {
        "node_props": {"A": [{"property": "p", "type": "STRING"}], "B": [{"property": "q", "type": "STRING"}]},
        "rel_props": {},
        "relationships": [{"start": "A", "type": "R", "end": "B"}],
    }
    assert check("MATCH (x:A:B) RETURN x.p, x.q", language="cypher", schema=schema).diagnostics == ()
    report = check("MATCH (x:A)<-[:R]-(y:B) RETURN y", language="cypher", schema=schema)
    assert report.fixed_query == "MATCH (x:A)-[:R]->(y:B) RETURN y"


@pytest.mark.parametrize(
    ("query", "fixed"),
    [
        ("MATCH (a)-[:has.part]->(b) RETURN b", "MATCH (a)-[:`has.part`]->(b) RETURN b"),
        ("MATCH (a:Spare-Part) RETURN a", "MATCH (a:`Spare-Part`) RETURN a"),
        (
            "MATCH (a:Spare-Part)-[:has.part]->(b:Spare Part Kit) RETURN a",
            "MATCH (a:`Spare-Part`)-[:`has.part`]->(b:`Spare Part Kit`) RETURN a",
        ),
        ("MATCH (a:Machine) RETURN a.serial number", "MATCH (a:Machine) RETURN a.`serial number`"),
    ],
)
def test_names_with_special_characters_are_put_in_backticks(query: str, fixed: str) -> None:
    from uniqgen_ir.validate.gate import check

    schema = {
        "nodes": {"Machine": {"serial number": "STRING"}, "Spare-Part": {}, "Spare Part Kit": {}},
        "rels": [
            {"type": "has.part", "from": one, "to": other, "props": {}}
            for one in ("Machine", "Spare-Part")
            for other in ("Spare-Part", "Spare Part Kit")
        ],
    }
    report = check(query, language="cypher", schema=schema)
    assert "syntax" in {one.kind for one in report.diagnostics}
    assert report.fixed_query == fixed
