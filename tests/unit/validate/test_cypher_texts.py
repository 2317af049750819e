"""Names and dates inside strings; results that are filtered; parameters in their old form."""

from __future__ import annotations

import pytest

from tests.unit.validate.library import judged, refused, silent, warned
from uniqgen_ir.validate.cypher.temporal_texts import is_temporal
from uniqgen_ir.validate.gate import check

MATCH = "MATCH (a:Author)-[:WROTE]->(b:Book)"


@pytest.mark.parametrize(
    ("condition", "kind", "fixed"),
    [
        ("type(r) = 'WROT'", "unknown_rel_type", "type(r) = 'WROTE'"),
        ("'wrote' = type(r)", "unknown_rel_type", "'WROTE' = type(r)"),
        ("type(r) IN ['WROTE', 'knows']", "unknown_rel_type", "type(r) IN ['WROTE', 'KNOWS']"),
        ("'author' IN labels(b)", "unknown_label", "'Author' IN labels(b)"),
        ("labels(b) = ['Authr']", "unknown_label", "labels(b) = ['Author']"),
        ("labels(b)[0] = 'BOOK'", "unknown_label", "labels(b)[0] = 'Book'"),
        ("any(l IN labels(b) WHERE l = 'book')", "unknown_label", "any(l IN labels(b) WHERE l = 'Book')"),
        ("all(l IN labels(b) WHERE l IN ['BOOK'])", "unknown_label", "all(l IN labels(b) WHERE l IN ['Book'])"),
        ("[l IN labels(b) WHERE 'Authr' = l] <> []", "unknown_label", "[l IN labels(b) WHERE 'Author' = l] <> []"),
    ],
)
def test_names_in_strings(condition: str, kind: str, fixed: str) -> None:
    refused(f"MATCH ()-[r]->(b) WHERE {condition} RETURN b", kind, f"MATCH ()-[r]->(b) WHERE {fixed} RETURN b")


def test_names_in_strings_that_are_right_or_denied() -> None:
    silent("MATCH ()-[r]->(b) WHERE type(r) = 'WROTE' AND 'Book' IN labels(b) AND type(r) IN ['KNOWS', $t] RETURN b")
    silent("MATCH (b) WHERE any(l IN labels(b) WHERE l = 'Book' OR l = $l) AND any(l IN ['x'] WHERE l = 'x') RETURN b")
    warned("MATCH ()-[r]->(b) WHERE type(r) <> 'WROT' RETURN b", "unknown_rel_type")
    warned("MATCH (b) WHERE none(l IN labels(b) WHERE l = 'Authr') RETURN b", "unknown_label")


TEXTS = {
    "date": (
        ("2020", "2020-01", "20200131", "2020-02-29", "2020-W05-3", "2020Q2", "2020-202", "-0044-03-15"),
        ("2020-13-45", "2019-02-29", "01/02/2020", "2020-2-3", "January 1", "", "2020-01-01T10:00", "٢٠٢٠"),
    ),
    "datetime": (
        ("2020-01-01", "2020-01-01T10:00:00Z", "20150721T21:40-01:30", "2015-07-21T21:40:32.142[Europe/London]"),
        ("2020-01-01 10:00", "now", "2020-01-01T25:00", "2020-01-01T10:00 UTC"),
    ),
    "localdatetime": (("2015-07-21T21:40:32.142", "2015202T21"), ("2015-07-21T21:40:32Z", "T21")),
    "time": (("21:40:32.142+0100", "2140-02", "22+18:00"), ("25:00", "10:00 PM", "9:00")),
    "localtime": (("21:40:32.142", "2140", "21"), ("21:40Z", "21:60")),
    "duration": (("P14DT16H12M", "PT0.75M", "P1Y", "PT-1S", "P2012-02-02T14:37:21.545"), ("3 days", "P", "PT", "1D")),
}


@pytest.mark.parametrize("function", TEXTS)
def test_texts_of_dates_and_times(function: str) -> None:
    good, bad = TEXTS[function]
    assert [text for text in good if not is_temporal(function, text)] == []
    assert [text for text in bad if is_temporal(function, text)] == []


def test_dates_are_mended_where_there_is_one_reading() -> None:
    refused(
        "MATCH (b:Book) WHERE b.printed > date('2020-2-3') RETURN b",
        "type_mismatch",
        "MATCH (b:Book) WHERE b.printed > date('2020-02-03') RETURN b",
    )
    refused("RETURN datetime('2020-01-01 10:00') AS d", "type_mismatch", "RETURN datetime('2020-01-01T10:00') AS d")
    assert judged("RETURN date('03/02/2020') AS d").fixed_query is None


@pytest.mark.parametrize(
    ("end", "fixed", "safe"),
    [
        (
            "RETURN a.name AS name, count(b) AS n HAVING count(b) > 3 ORDER BY n DESC LIMIT 5",
            "WITH a.name AS name, count(b) AS n WHERE n > 3 RETURN name, n ORDER BY n DESC LIMIT 5",
            True,
        ),
        (
            "RETURN a.name, count(b) AS n WHERE n > 3",
            "WITH a.name AS name, count(b) AS n WHERE n > 3 RETURN name, n",
            False,
        ),
        (
            "RETURN a.name AS name GROUP BY a.name HAVING COUNT( b ) > 3",
            "WITH a.name AS name, COUNT( b ) AS count WHERE count > 3 RETURN name",
            True,
        ),
        (
            "RETURN DISTINCT a.name AS n, max(b.pages) AS m HAVING a.name STARTS WITH 'x' AND max(b.pages) > 9",
            "WITH DISTINCT a.name AS n, max(b.pages) AS m WHERE n STARTS WITH 'x' AND m > 9 RETURN n, m",
            True,
        ),
        ("WITH a, count(b) AS n HAVING n > 3 RETURN a.name", "WITH a, count(b) AS n WHERE n > 3 RETURN a.name", True),
    ],
)
def test_results_that_are_filtered(end: str, fixed: str, safe: bool) -> None:
    report = judged(f"{MATCH} {end}")
    assert report.fixed_query == f"{MATCH} {fixed}"
    assert report.fix_is_safe is safe


@pytest.mark.parametrize(
    "end", ["RETURN a.name HAVING", "RETURN * HAVING a.name = 'x'", "HAVING a.name = 'x'", "RETURN HAVING x"]
)
def test_filters_that_say_too_little_are_not_mended(end: str) -> None:
    report = judged(f"{MATCH} {end}")
    assert not report.valid
    assert report.fixed_query is None


def test_parameters_in_their_old_form() -> None:
    refused(
        "MATCH (a:Author {name: {name}}) RETURN a.name LIMIT {most}",
        "removed_syntax",
        "MATCH (a:Author {name: $name}) RETURN a.name LIMIT $most",
    )
    silent("MATCH (a:Author) WITH a, a.name AS name RETURN a {name} AS one")


def test_labels_that_a_tool_chain_lists_apart_may_stand_together() -> None:
    schema = {
        "node_props": {
            "User": [{"property": "name", "type": "STRING"}],
            "Stream": [{"property": "name", "type": "STRING"}, {"property": "followers", "type": "INTEGER"}],
            "Game": [{"property": "name", "type": "STRING"}],
        },
        "rel_props": {},
        "relationships": [
            {"start": "Stream", "type": "PLAYS", "end": "Game"},
            {"start": "Stream", "type": "CHATTER", "end": "Stream"},
            {"start": "Stream", "type": "CHATTER", "end": "User"},
            {"start": "User", "type": "CHATTER", "end": "Stream"},
            {"start": "User", "type": "CHATTER", "end": "User"},
        ],
    }

    def kinds(query: str) -> set[str]:
        return {one.kind for one in check(query, language="cypher", schema=schema).diagnostics}

    assert kinds("MATCH (s:Stream)-[:CHATTER]->(u:User) WHERE u.followers > 9 RETURN s.name") == set()
    assert kinds("MATCH (s:Stream)-[:PLAYS]->(g:Game) WHERE g.followers > 9 RETURN s.name") == {"unknown_property"}
    assert kinds("MATCH (u:User)<-[:PLAYS]-(g:Game) RETURN u.name") == {"wrong_direction"}
