"""Several errors come from one run, each at its place, quickly."""

from __future__ import annotations

import pytest

from tests.timing import within
from uniqgen_ir.grammar.ctable import read_table
from uniqgen_ir.grammar.schema import read_document

THREE = """prefix ex: <http://example.org/>
ctable t {
  select ?x
  ?x ex:name
  ?x a ex:City
  ?x ex:size > > 3
  optional { ?x ex:part_of ?y . ex: }
  ?x eks:near ?z
  limit ten
}
"""


def found(text: str) -> list[tuple[str, int, int]]:
    spans = [(one.code, one.span) for one in read_table(text).diagnostics]
    return [(code, span.line, span.column) for code, span in spans if span is not None]


def test_three_syntax_errors_and_a_wrong_name_are_all_reported() -> None:
    assert found(THREE) == [
        ("UQ100", 4, 13),
        ("UQ100", 6, 14),
        ("UQ100", 7, 37),
        ("UQ201", 8, 6),
        ("UQ100", 9, 9),
    ]


def test_a_report_shows_the_line_with_a_caret() -> None:
    (first, *_) = read_table(THREE, "cities.ctable").diagnostics
    assert first.render({"cities.ctable": THREE}) == (
        "cities.ctable:4:13: error UQ100: the end of the line cannot stand here\n"
        " 4 |   ?x ex:name\n"
        "   |             ^\n"
        "  help: expected a variable, a name or a value"
    )


def test_nothing_is_handed_on_from_a_file_with_errors() -> None:
    result = read_table("ctable a { select ?x . ?x a owl:Class }\nctable b { select ?x . ?x a }\n")
    assert result.table is None
    assert result.tables == ()


def test_the_tables_beside_a_faulty_one_are_sound() -> None:
    good, bad = "ctable {} {{ select ?x . ?x a owl:Class }}\n", "ctable bad { select ?x . ?x a }\n"
    result = read_table(good.format("a") + bad + good.format("b"))
    assert [one.name for one in result.sound] == ["a", "b"]
    assert result.tables == ()
    unclosed = read_table("ctable bad { select ?x . ?x a\n" + good.format("a"))
    assert [one.name for one in unclosed.sound] == ["a"]


def test_schemas_tables_and_declarations_have_their_files() -> None:
    (in_tables,) = read_table("schema s {\n  class ex:City\n}\nctable t { ask . ?x a owl:Class }").diagnostics
    assert "use schema" in str(in_tables.hint)
    (alone,) = read_document("prefix ex: <http://e/>\nclass ex:City\n").diagnostics
    assert "schema NAME {" in str(alone.hint)
    (inside,) = read_document("ctable t {\n  ask\n}\n").diagnostics
    assert inside.message == "a file of schemas holds no table"


@pytest.mark.parametrize(
    ("rows", "codes"),
    [
        ("  (?x = 1\n  ?x a owl:Class\n  ?x a\n", ["UQ124", "UQ100"]),
        ("  ?x a owl:Class ?x rdfs:label ?l ?x rdfs:label ?m\n", ["UQ105", "UQ105"]),
        ("  optional { ?x a owl:Class\n", ["UQ103"]),
        ("  ?x a owl:Class }\n  ?x a owl:Thing\n", ["UQ100", "UQ104"]),
        ('  ?x rdfs:label "a\n  ?x rdfs:label "b\n', ["UQ102", "UQ102"]),
        ("  ?x = 1 && ?x == 2 || !?x\n", ["UQ110"] * 4),
        ("  ?x rdfs:seeAlso [ a owl:Class ]\n", ["UQ127"]),
        ("  ?x is null\n  ?x a owl:Class if ?x\n", ["UQ100", "UQ100"]),
        ("  ?x a \N{LEFT DOUBLE QUOTATION MARK}b\n  ?x a\n", ["UQ101", "UQ100"]),
    ],
)
def test_one_slip_gives_one_report(rows: str, codes: list[str]) -> None:
    assert [code for code, _, _ in found("ctable t {\n  select ?x\n" + rows + "}\n")] == codes


def test_a_table_that_is_not_closed_does_not_swallow_the_next() -> None:
    text = "ctable a {\n  select ?x\n  ?x a owl:Class\n\nctable b {\n  select ?x\n  ?x a\n}\n"
    assert found(text) == [("UQ103", 1, 10), ("UQ100", 7, 7)]


def test_errors_in_schemas_are_recovered_from_too() -> None:
    text = "schema s {\n  class\n  class owl:Class\n  relation rdfs:member : -> -> owl:Thing\n  klass owl:Thing\n}\n"
    lines = [one.span.line for one in read_document(text).diagnostics if one.span is not None]
    assert lines == [2, 4, 5]


def test_words_of_other_languages_have_their_hint() -> None:
    (found_,) = read_table("ctable t {\n  select ?x\n  ?x a owl:Class\n  ?x is null\n}\n").diagnostics
    assert found_.hint == "for a missing value write `not bound(?x)`"


def test_turtle_prefixes_are_read_and_mended() -> None:
    text = "@prefix ex: <http://example.org/> .\nctable t {\n  select ?x\n  ?x a ex:C\n}\n"
    (found_,) = read_table(text).diagnostics
    assert found_.code == "UQ117"
    assert found_.fix is not None
    assert not read_table(found_.fix.apply(text)).diagnostics


def test_a_whole_sparql_query_in_a_table_is_mended_by_its_fixes() -> None:
    text = (
        "PREFIX ex: <http://example.org/>\nctable t {\nSELECT DISTINCT ?x WHERE {\n?x a ex:A .\nFILTER(?y > 3)\n"
        "BIND(1 + 2 AS ?y)\n{ ?x a ex:C } UNION { ?x a ex:D }\nOPTIONAL { ?x ex:p ?z }\n}\n"
        "ORDER BY DESC(?x) LIMIT 5\n}\n"
    )
    for _ in range(10):
        fixes = [one.fix for one in read_table(text).diagnostics if one.fix is not None]
        if not fixes:
            break
        text = fixes[0].apply(text)
    result = read_table(text)
    assert not result.diagnostics
    assert result.table is not None
    assert len(result.table.rows) == 5
    assert (result.table.shell.distinct, result.table.shell.limit) == (True, 5)


def test_sparql_and_cypher_are_recognised() -> None:
    (sparql,) = read_table("SELECT ?x WHERE { ?x ?p ?o . ?o ?q ?z }").diagnostics[:1]
    assert (sparql.code, "SPARQL" in sparql.message) == ("UQ118", True)
    (cypher,) = read_table("MATCH (n:Drug) RETURN n").diagnostics[:1]
    assert (cypher.code, "Cypher" in cypher.message) == ("UQ118", True)


def test_ten_thousand_lines_of_errors_are_read_in_two_seconds() -> None:
    rows = [line for _ in range(2500) for line in ("?x a", "?x b:c ?d", "?x rdfs:label ?l", "?x = = 1")]
    text = "ctable t {\nselect ?x\n" + "\n".join(rows) + "\n}\n"
    assert len(within(2.0, lambda: read_table(text)).diagnostics) == 7500
