"""What is said about broken SPARQL, and that one slip is one message."""

from __future__ import annotations

import pytest

from uniqgen_ir.grammar.sparql import read_sparql
from uniqgen_ir.ir.diagnostics import errors

PREFIX = "PREFIX e: <http://e/>\n"


def codes(text: str) -> list[str]:
    return [one.code for one in errors(read_sparql(text).diagnostics)]


def mended(text: str) -> str:
    """The text after the fix of its only error."""
    (one,) = errors(read_sparql(text).diagnostics)
    assert one.fix is not None
    return one.fix.apply(text)


@pytest.mark.parametrize(
    ("text", "right"),
    [
        ("SELECT ?x { ?x e:p ?y ?y e:q 1 }", "SELECT ?x { ?x e:p ?y . ?y e:q 1 }"),
        ("SELECT ?x { ?x e:p ?y . FILTER(?y > 3 }", "SELECT ?x { ?x e:p ?y . FILTER(?y > 3) }"),
        ("SELECT ?x { ?x e:p ?y", "SELECT ?x { ?x e:p ?y }"),
        ("SELECT ?x { ?x e:p ?y } }", "SELECT ?x { ?x e:p ?y } "),
        ("SELECT ?x { ?x e:p ?y } ORDER ?y", "SELECT ?x { ?x e:p ?y } ORDER BY ?y"),
        ("SELECT ?x { ?x e:p ?y FILTER ?y = 3 }", "SELECT ?x { ?x e:p ?y FILTER (?y = 3) }"),
        ("SELECT ?x { ?x e:p ?y . NOT EXISTS { ?x a ?y } }", "SELECT ?x { ?x e:p ?y . FILTER NOT EXISTS { ?x a ?y } }"),
        ("SELECT ?x { ?x e:p ?y FILTER(?y == 3) }", "SELECT ?x { ?x e:p ?y FILTER(?y = 3) }"),
        ("SELECT ?x { ?x e:p ?y FILTER(?y <> 3) }", "SELECT ?x { ?x e:p ?y FILTER(?y != 3) }"),
        ("SELECT ?x { ?x e:p ?y FILTER(?y > 3 & ?y < 5) }", "SELECT ?x { ?x e:p ?y FILTER(?y > 3 && ?y < 5) }"),
        ("SELECT ?x { ?x e:p ?y FILTER(?y LIKE '%A%') }", "SELECT ?x { ?x e:p ?y FILTER(CONTAINS(?y, 'A')) }"),
        ("SELECT ?x { ?x e:p ?y FILTER(?y LIKE 'A%') }", "SELECT ?x { ?x e:p ?y FILTER(STRSTARTS(?y, 'A')) }"),
        ("SELECT ?x { ?x e:p ?y FILTER(?y LIKE '%A') }", "SELECT ?x { ?x e:p ?y FILTER(STRENDS(?y, 'A')) }"),
        ("SELECT ?x { ?x e:p ?y FILTER(?y ILIKE 'A') }", "SELECT ?x { ?x e:p ?y FILTER(LCASE(?y) = 'a') }"),
        ("SELECT ?x { ?x e:p ?y FILTER(?y LIKE 'A_b') }", "SELECT ?x { ?x e:p ?y FILTER(REGEX(?y, '^A.b$')) }"),
        ("SELECT ?x { ?x e:p ?y FILTER(?y CONTAINS 'A') }", "SELECT ?x { ?x e:p ?y FILTER(CONTAINS(?y, 'A')) }"),
        ("SELECT ?x { ?x e:p ?y FILTER(?y IS NULL) }", "SELECT ?x { ?x e:p ?y FILTER(!BOUND(?y)) }"),
        ("SELECT ?x { ?x e:p ?y FILTER(?y IS NOT NULL) }", "SELECT ?x { ?x e:p ?y FILTER(BOUND(?y)) }"),
        ("SELECT ?x { ?x e:p ?y } LIMIT 3 ORDER BY ?y", "SELECT ?x { ?x e:p ?y } ORDER BY ?y LIMIT 3 "),
        ("SELECT ?x { ?x e:p <e:y> }", "SELECT ?x { ?x e:p e:y }"),
        ("SELECT ?x { ?x e:p ?y };", "SELECT ?x { ?x e:p ?y }"),
        ("SELECT ?x { ?x e:p ?y }\n\nThis finds x.", "SELECT ?x { ?x e:p ?y }"),
    ],
)
def test_one_slip_one_message_and_a_fix_that_mends_it(text: str, right: str) -> None:
    assert mended(PREFIX + text) == PREFIX + right
    assert read_sparql(PREFIX + right, strict=True).table is not None


@pytest.mark.parametrize("fence", ["```sparql\n", "```\n", "Here is the query:\n\n```sparql\n"])
def test_fences_and_prose_are_cut_away(fence: str) -> None:
    query = PREFIX + "SELECT ?x { ?x e:p ?y }"
    assert mended(f"{fence}{query}\n```") == query
    assert mended(f"{fence}{query}\n```\nIt finds x.") == query


def test_several_errors_come_from_one_run() -> None:
    text = PREFIX + "SELECT ?x {\n ?x e:p .\n ?x e:q ?y .\n FILTER(?y == 3)\n ?y f:r ?z .\n OPTIONAL { ?z }\n}"
    found = [(one.code, one.span.line) for one in errors(read_sparql(text).diagnostics) if one.span]
    assert found == [("UQ140", 3), ("UQ145", 5), ("UQ160", 6), ("UQ140", 7)]


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("SELECT ?x { ?x e:p }", "expected a variable, a name or a value"),
        ("SELECT { ?x ?p ?y }", "expected columns or `*`"),
        ("", "there is no query"),
        ("# only a comment", "there is no query"),
        ("SELECT ?x { FILTER(1 +) }", "expected an expression"),
        ("MATCH (n) RETURN n", "expected a query"),
        ("SELECT ?x WHERE ?x ?p ?y }", "`{` is missing"),
        ("SELECT ?x { ?x ?p 'it }", "this string is not closed"),
        ("SELECT ?x { ?x ?p 'a\\qb' }", "escapes nothing"),
        ("SELECT ?x { ?x ?p “a” }", "no character of SPARQL"),
        ("SELECT ?x { (?x ?p 1 }", "this `(` is never closed"),
        ("SELECT ?x { ?x ?p 1 ) }", "this `)` closes nothing"),
    ],
)
def test_messages(text: str, part: str) -> None:
    assert part in read_sparql(PREFIX * (text != "") + text).diagnostics[0].message


def test_a_string_that_is_not_closed_swallows_its_line_only() -> None:
    text = PREFIX + 'SELECT ?x {\n ?x e:p "open .\n ?x e:q 1 .\n ?x e:r .\n}'
    assert [(one.code, one.span.line) for one in errors(read_sparql(text).diagnostics) if one.span] == [
        ("UQ141", 3),
        ("UQ140", 5),
    ]


def test_writing_is_refused_wherever_it_stands() -> None:
    for text in (
        "DELETE WHERE { ?x ?y ?z }",
        "WITH <http://e/> DELETE { ?x ?y ?z } WHERE { ?x ?y ?z }",
        "SELECT ?x { ?x ?p 1 } ; DROP ALL",
        "SELECT ?x { ?x ?p 1 } INSERT DATA { <a:a> <a:a> 1 }",
        "SELECT ?x { INSERT DATA { <a:a> <a:a> 1 } }",
        "LOAD <http://e/>",
    ):
        assert codes(text)[0] == "UQ146", text


def test_a_hundred_errors_are_cut_short() -> None:
    text = "SELECT * {" + " ?x ?p . \n" * 100 + "}"
    assert 3 <= len(codes(text)) <= 20


def test_the_list_of_a_second_in_is_compared_with_nothing() -> None:
    for text in ("ASK { ?s ?p ?a FILTER(?a IN (1) IN (2)) }", "ASK { ?s ?p ?a FILTER(?a IN (?s IN (1, 2)) IN (3) }"):
        assert codes(text)[0] in ("UQ140", "UQ143"), text
