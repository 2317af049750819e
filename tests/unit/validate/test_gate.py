"""The verdict, its JSON, SARIF and words for a model; repairs; vocabularies of every shape."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.unit.validate.library import SCHEMA, VOCABULARY, judged
from uniqgen_ir.driver import KnowledgeGraph
from uniqgen_ir.ir.diagnostics import Diagnostic, DiagnosticError, Edit, Fix, Severity
from uniqgen_ir.kg.inference.property_graph import schema_of_json
from uniqgen_ir.validate.gate import check
from uniqgen_ir.validate.policy import Policy
from uniqgen_ir.validate.repair import repair
from uniqgen_ir.validate.sarif import sarif
from uniqgen_ir.validate.schema_sources import (
    vocabulary_of_file,
    vocabulary_of_graph,
    vocabulary_of_json,
    vocabulary_of_schema,
)

WRONG = "MATCH (b:Book)-[:WROTE]->(a:Author)\nRETURN a.name"
RIGHT = "MATCH (b:Book)<-[:WROTE]-(a:Author)\nRETURN a.name"


# reports


def test_json_has_the_keys_of_the_contract() -> None:
    found = judged(WRONG).to_json()
    assert json.loads(json.dumps(found)) == found
    assert set(found) == {"valid", "diagnostics", "fixed_query", "fix_is_safe"}
    (one,) = found["diagnostics"]
    assert {"code", "kind", "severity", "message", "line", "column", "end_line", "end_column", "fix"} <= set(one)
    assert (one["kind"], one["line"], one["column"]) == ("wrong_direction", 1, 15)
    assert found["fixed_query"] == RIGHT


def test_a_model_is_told_what_is_wrong_where_and_how_to_mend_it() -> None:
    told = judged(WRONG).for_model()
    for part in ("refused", "-[:WROTE]->", "line 1, column 15", "(:Author)-[:WROTE]->(:Book)", RIGHT):
        assert part in told
    assert judged(RIGHT).for_model() == ""
    assert "write the whole query again" in judged("MATCH (x:Publisher) RETURN x").for_model().lower()


def test_sarif_places_and_fixes() -> None:
    report = judged(WRONG)
    run = sarif([("books.cypher", report)], "1.2.3")["runs"][0]
    assert [rule["id"] for rule in run["tool"]["driver"]["rules"]] == ["UQ343"]
    (result,) = run["results"]
    place = result["locations"][0]["physicalLocation"]
    assert place["artifactLocation"]["uri"] == "books.cypher"
    assert place["region"] == {"startLine": 1, "startColumn": 15, "endLine": 1, "endColumn": 26}
    replacements = result["fixes"][0]["artifactChanges"][0]["replacements"]
    assert [one["insertedContent"]["text"] for one in replacements] == ["<", ""]


# repairs


def _found(*edits: Edit, safe: bool = True, severity: Severity = Severity.ERROR) -> Diagnostic:
    return Diagnostic("UQ180", "x", severity=severity, fix=Fix("x", edits, safe=safe))


def _fixes_by_text(table: dict[str, tuple[Diagnostic, ...]], text: str) -> str | None:
    found = repair(text, table[text], lambda mended: table[mended])
    return found.text if found is not None else None


def test_repairs_go_on_until_nothing_is_wrong() -> None:
    table = {"ab": (_found(Edit(0, 1, "c")),), "cb": (_found(Edit(1, 2, "d")),), "cd": ()}
    assert _fixes_by_text(table, "ab") == "cd"


def test_repairs_that_lead_in_a_circle_or_leave_an_error_are_none() -> None:
    circle = {"a": (_found(Edit(0, 1, "b")),), "b": (_found(Edit(0, 1, "a")),)}
    assert _fixes_by_text(circle, "a") is None
    left = {"a": (_found(Edit(0, 1, "b")),), "b": (Diagnostic("UQ180", "x"),)}
    assert _fixes_by_text(left, "a") is None


def test_of_two_repairs_of_one_place_the_first_is_taken() -> None:
    table = {"abc": (_found(Edit(0, 2, "x")), _found(Edit(1, 3, "y"))), "xc": ()}
    assert _fixes_by_text(table, "abc") == "xc"


def test_warnings_are_no_reason_to_change_a_query() -> None:
    assert repair("ab", (_found(Edit(0, 1, "c"), severity=Severity.WARNING),), lambda _text: ()) is None


def test_one_unsafe_repair_makes_the_whole_unsafe() -> None:
    for safe in (True, False):
        found = repair("a", (_found(Edit(0, 1, "b"), safe=safe),), lambda _text: ())
        assert found is not None
        assert found.safe is safe


def test_what_is_mended_is_clean_when_it_is_checked_again() -> None:
    report = judged("```cypher\nMATCH (b:book)-[:wrote]->(a:Author) WHERE b.pages > '3' RETURN a.nam\n```")
    assert report.fixed_query == "MATCH (b:Book)<-[:WROTE]-(a:Author) WHERE b.pages > 3 RETURN a.name"
    assert judged(report.fixed_query).diagnostics == ()


# schemas


def test_the_schema_may_be_json_of_tool_chains() -> None:
    chain = {
        "node_props": {"Author": [{"property": "name", "type": "STRING"}], "Book": []},
        "rel_props": {"WROTE": [{"property": "share", "type": "FLOAT"}]},
        "relationships": [{"start": "Author", "type": "WROTE", "end": "Book"}],
    }
    for schema in (chain, vocabulary_of_json(chain)):
        assert check(WRONG, schema=schema).fixed_query == RIGHT


def test_the_schema_may_be_declared() -> None:
    declared = schema_of_json(SCHEMA, "library").schema
    assert check(WRONG, schema=declared).fixed_query == RIGHT
    assert check(WRONG, schema=vocabulary_of_schema(declared)).fixed_query == RIGHT
    misspelt = check("MATCH (:Author)-[w:BORROWED]->() RETURN w.dayz", schema=declared)
    assert "unknown_property" in {one.kind for one in misspelt.diagnostics} | {"endpoint_mismatch"}


def test_the_schema_may_be_a_file(tmp_path: Path) -> None:
    from uniqgen_ir.ir.document_printer import print_document

    (tmp_path / "library.json").write_text(json.dumps(SCHEMA), encoding="utf-8")
    (tmp_path / "library.cts").write_text(print_document(schema_of_json(SCHEMA, "library").document), encoding="utf-8")
    for name in ("library.json", "library.cts"):
        assert check(WRONG, schema=vocabulary_of_file(tmp_path / name)).fixed_query == RIGHT, name


def test_the_public_interface(tmp_path: Path) -> None:
    import uniqgen_ir as uq

    (tmp_path / "library.json").write_text(json.dumps(SCHEMA), encoding="utf-8")
    library = uq.vocabulary(tmp_path / "library.json")
    report = uq.check(WRONG, schema=library, policy=uq.Policy(read_only=True))
    assert isinstance(report, uq.Report)
    assert (report.language, report.valid, report.fixed_query) == ("cypher", False, RIGHT)


def test_a_class_below_another_counts_as_both(tmp_path: Path) -> None:
    (tmp_path / "s.cts").write_text(
        "prefix ex: <http://example.org/>\nschema s {\n  class ex:Person\n  class ex:Author < ex:Person\n"
        "  class ex:Book\n  relation ex:wrote : ex:Author -> ex:Book\n"
        "  property ex:born : ex:Person -> xsd:integer\n}\n",
        encoding="utf-8",
    )
    vocabulary = vocabulary_of_file(tmp_path / "s.cts")
    assert check("MATCH (a:Author)-[:wrote]->(b:Book) RETURN a.born, b.name", schema=vocabulary).diagnostics == ()
    assert check("MATCH (p:Person)-[:wrote]->(b) RETURN p.born", schema=vocabulary).diagnostics == ()
    wrong = check("MATCH (b:Book)-[:wrote]->(a:Person) RETURN a", schema=vocabulary)
    assert wrong.fixed_query == "MATCH (b:Book)<-[:wrote]-(a:Person) RETURN a"


@pytest.mark.parametrize(
    "schema", [{}, {"nodes": 3, "rels": []}, {"tables": []}, {"nodes": {}, "rels": [{"type": "X"}]}]
)
def test_what_is_no_schema_is_refused(schema: dict[str, object]) -> None:
    with pytest.raises(DiagnosticError) as caught:
        check("MATCH (n) RETURN n", schema=schema)
    assert caught.value.diagnostics[0].code == "UQ682"


def test_without_a_schema_only_the_query_itself_is_judged() -> None:
    assert check("MATCH (b:Anything)-[:AT_ALL]->(a) RETURN a.whatever").diagnostics == ()
    assert not check("MATCH (b) WHERE b.x = null RETURN b").valid
    assert not check("MATCH (b) RETURN c").valid
    assert not check("MATCH (b) WHERE b.x > 3 AND b.x < 2 RETURN b").valid


def test_languages_and_policies_that_do_not_exist() -> None:
    for call in (
        lambda: check("MATCH (n) RETURN n", language="gremlin"),
        lambda: check("what is this"),
        lambda: Policy.of_json({"read_only": "yes"}),
        lambda: Policy.of_json({"write": True}),
        lambda: Policy.of_json([]),
    ):
        with pytest.raises(DiagnosticError):
            call()


def test_one_vocabulary_serves_many_queries() -> None:
    assert {judged(RIGHT).valid, check(RIGHT, schema=VOCABULARY).valid} == {True}


def test_a_type_between_several_labels_of_a_graph_leads_anywhere(tmp_path: Path) -> None:
    """The class of every node, which the inferred schema names as what they have in common, is no label."""
    file = tmp_path / "town.cypher"
    file.write_text(
        "CREATE (c:Crime {id: '1'}), (:Vehicle {make: 'Kia'})-[:INVOLVED_IN]->(c), (:Object)-[:INVOLVED_IN]->(c);\n",
        encoding="utf-8",
    )
    with KnowledgeGraph([str(file)]) as graph:
        vocabulary = vocabulary_of_graph(graph.loaded.graph)
    assert vocabulary.property_graph is not None
    assert set(vocabulary.property_graph.labels) == {"Crime", "Vehicle", "Object"}
    assert set(vocabulary.property_graph.types) == {"INVOLVED_IN"}
    right = "MATCH (v:Vehicle {make: 'Kia'})-[:INVOLVED_IN]->(c:Crime) RETURN c.id"
    assert check(right, language="cypher", schema=vocabulary).diagnostics == ()
    wrong = check("MATCH (v:Vehicle)<-[:INVOLVED_IN]-(c:Crime) RETURN c.id", language="cypher", schema=vocabulary)
    assert [one.kind for one in wrong.diagnostics] == ["wrong_direction"]
