"""Classes that a schema keeps apart: contradictions that follow from them, in tables and in queries."""

from __future__ import annotations

from pathlib import Path

import pytest

from uniqgen_ir.grammar.schema import parse_document
from uniqgen_ir.ir.schema import Schema, declared_schema
from uniqgen_ir.validate.gate import check

_SCHEMA = """
prefix ex: <http://example.org/>

schema places {
  class ex:City disjoint ex:Person
  class ex:Capital < ex:City
  class ex:Person
  class ex:Doctor < ex:Person disjoint ex:Baker
  class ex:Baker < ex:Person
  relation ex:mayor : ex:City -> ex:Person functional
  relation ex:rules : ex:Doctor -> ex:City
  relation ex:owned : ex:Baker -> ex:City
  property ex:name : ex:City -> xsd:string
}
"""
_PREFIX = "prefix ex: <http://example.org/>\n"


@pytest.fixture(scope="module")
def schema() -> Schema:
    found = declared_schema([parse_document(_SCHEMA)])
    assert found is not None
    return found


# the mayor of a city is one person, who would be a doctor and a baker
_TWO_MAYORS = ("?x ex:mayor ?m", "?x ex:mayor ?n", "?m ex:rules ?o", "?n ex:owned ?p")


@pytest.mark.parametrize(
    ("rows", "code"),
    [
        (_TWO_MAYORS, "UQ403"),
        (("?x a ex:Capital", "?x a ex:Person"), "UQ346"),
        (("?x a ex:Capital", "?y a ex:Doctor", "?x = ?y"), None),
    ],
)
def test_tables(schema: Schema, rows: tuple[str, ...], code: str | None, tmp_path: Path) -> None:
    text = _PREFIX + "ctable t {\n  select distinct ?x\n  " + "\n  ".join(rows) + "\n}\n"
    report = check(text, language="ctable", schema=schema)
    assert not report.valid
    assert code is None or [one.code for one in report.diagnostics] == [code]
    (tmp_path / "places.cts").write_text(_SCHEMA, encoding="utf-8")
    used = text.replace(_PREFIX, _PREFIX + 'use schema "places.cts"\n')
    assert not check(used, language="ctable", folder=tmp_path).valid


def test_a_table_that_the_schema_allows(schema: Schema) -> None:
    rows = "?x ex:mayor ?m\n  ?x ex:mayor ?n\n  ?m ex:rules ?o\n  ?n ex:rules ?p"
    assert check(_PREFIX + f"ctable t {{\n  select distinct ?x\n  {rows}\n}}\n", language="ctable", schema=schema).valid


@pytest.mark.parametrize(
    "pattern",
    [
        " . ".join(_TWO_MAYORS),
        "?x a ex:Capital ; a ex:Person",
        "?x a ex:Capital . ?y a ex:Doctor FILTER(?x = ?y)",
    ],
)
def test_sparql(schema: Schema, pattern: str) -> None:
    report = check(f"{_PREFIX} SELECT ?x WHERE {{ {pattern} }}", language="sparql", schema=schema)
    assert [one.kind for one in report.diagnostics] == ["unsatisfiable"]
    assert "rows " not in report.for_model()


def test_sparql_that_the_schema_allows(schema: Schema) -> None:
    pattern = "?x ex:mayor ?m , ?n . ?m ex:rules ?o . ?n ex:rules ?p . ?y a ex:Capital , ex:City ; ex:mayor ?m"
    assert check(f"{_PREFIX} SELECT ?x WHERE {{ {pattern} }}", language="sparql", schema=schema).diagnostics == ()


@pytest.mark.parametrize(
    ("query", "kind"),
    [
        ("MATCH (x:Capital:Person) RETURN x", "unsatisfiable_labels"),
        ("MATCH (x:Capital&Doctor) RETURN x", "unsatisfiable_labels"),
        ("MATCH (x:Capital) WHERE x:Doctor RETURN x", "unsatisfiable_labels"),
        ("MATCH (x:Baker) MATCH (x:Doctor) RETURN x", "unsatisfiable_labels"),
        ("MATCH (x)-[:mayor]->(m), (y:City) WHERE m = y RETURN x", "unsatisfiable"),
        ("MATCH (:City)-[:mayor]->(:City) RETURN 1", "endpoint_mismatch"),
    ],
)
def test_cypher(schema: Schema, query: str, kind: str) -> None:
    found = [one for one in check(query, language="cypher", schema=schema).diagnostics if one.severity.value == "error"]
    assert [one.kind for one in found] == [kind]


@pytest.mark.parametrize(
    "query",
    [
        "MATCH (x:City:Capital) RETURN x",
        "MATCH (x:Doctor) WHERE x:Person RETURN x",
        "MATCH (x:City|Person) WHERE x:Doctor OR x:Capital RETURN x",
        "MATCH (x)-[:mayor]->(m), (d:Doctor)-[:rules]->(x) WHERE m = d RETURN x",
    ],
)
def test_cypher_that_the_schema_allows(schema: Schema, query: str) -> None:
    assert check(query, language="cypher", schema=schema).diagnostics == ()
