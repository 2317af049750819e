"""Schemas in the forms of other tools: what is read, what is written, and that both agree."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

import uniqgen_ir
from uniqgen_ir.grammar.schema import parse_document
from uniqgen_ir.ir.diagnostics import DiagnosticError
from uniqgen_ir.ir.document_printer import print_document
from uniqgen_ir.ir.schema import Document, PropertyDeclaration, RelationDeclaration, Schema
from uniqgen_ir.kg.inference.imported import import_schema
from uniqgen_ir.kg.inference.rdfs import ImportedSchema
from uniqgen_ir.kg.schema_forms.drift import changes
from uniqgen_ir.kg.schema_forms.export import FORMS, export_schema
from uniqgen_ir.validate.gate import check
from uniqgen_ir.validate.schema_sources import vocabulary_of_file

SHARED = Path(__file__).resolve().parents[4] / "shared"
BUNDLED = Path(uniqgen_ir.__file__).parent / "kg" / "bundled"
ENDINGS = {
    "rdfs": ".ttl",
    "shacl": ".ttl",
    "void": ".ttl",
    "json": ".json",
    "langchain-json": ".json",
    "langchain-text": ".txt",
    "neo4j-graphrag": ".json",
}
RICH = """prefix ex: <http://example.org/>
schema geo {
  class ex:City "city" < ex:Place disjoint ex:Country
  class ex:Country "country"
  class ex:Place "place"
  relation ex:holds "holds" : ex:Country -> ex:City
  relation ex:in "in" : ex:City -> ex:Country inverse ex:holds functional
  relation ex:note "note" : ex:City -> rdfs:Resource
  relation ex:near "near" : ex:Place -> ex:Place
  property ex:code "code" : ex:City -> xsd:string key
  property ex:people "people" : ex:City -> xsd:integer functional
  property ex:remark "remark"
  rule near_symmetric: { ?x ex:near ?y } => { ?y ex:near ?x }
}
"""


def read_file(folder: Path, text: str, ending: str) -> ImportedSchema:
    file = folder / f"geo{ending}"
    file.write_text(text, encoding="utf-8")
    return import_schema(file)


def document(text: str) -> Document:
    found = parse_document(text)
    assert found is not None
    return found


def parts(schema: Schema) -> set[object]:
    return {
        *schema.classes,
        *schema.relations,
        *schema.properties,
        *((rule.body, rule.head) for rule in schema.dependencies),
    }


@pytest.mark.parametrize("form", ["rdfs", "shacl"])
def test_the_bundled_schemas_come_back_from_rdf(tmp_path: Path, form: str) -> None:
    found = document((BUNDLED / "almanac.cts").read_text(encoding="utf-8"))
    for schema in found.schemas:
        text, warnings = export_schema(schema, found.prefixes, form)
        assert warnings == ()
        assert parts(read_file(tmp_path, text, ".ttl").schema) == parts(schema)


def test_owl_keeps_everything(tmp_path: Path) -> None:
    found = document(RICH)
    text, warnings = export_schema(found.schemas[0], found.prefixes, "rdfs")
    assert warnings == ()
    back = read_file(tmp_path, text, ".ttl")
    assert back.diagnostics == ()
    assert parts(back.schema) == parts(found.schemas[0])


def test_shapes_keep_all_but_what_is_named(tmp_path: Path) -> None:
    found = document(RICH)
    text, warnings = export_schema(found.schemas[0], found.prefixes, "shacl")
    lost = {one.message.split(" have ")[0] for one in warnings}
    assert lost == {"disjoint classes", "inverse relations", "`key` predicates", "rules"}
    left = {(one.what, one.kind) for one in changes(found.schemas[0], read_file(tmp_path, text, ".ttl").schema)}
    assert left == {("disjoint", "changed"), ("inverse", "changed"), ("key", "changed")}


def test_partitions_keep_what_leads_where(tmp_path: Path) -> None:
    found = document(RICH)
    text, _ = export_schema(found.schemas[0], found.prefixes, "void")
    back = read_file(tmp_path, text, ".ttl").schema
    left = {(one.what, one.name.value.rpartition("/")[2]) for one in changes(found.schemas[0], back)}
    # a property of which nothing is known is no property any more
    assert {what for what, _ in left} <= {"parent", "disjoint", "inverse", "functional", "key", "kind"}
    assert {name for what, name in left if what == "kind"} == {"remark"}


@pytest.mark.parametrize("form", ["json", "langchain-json", "langchain-text", "neo4j-graphrag"])
def test_property_graphs_come_back(tmp_path: Path, form: str) -> None:
    content = {
        "node_props": {
            "Person": [{"property": "name", "type": "STRING"}, {"property": "born", "type": "INTEGER"}],
            "Movie": [{"property": "title", "type": "STRING"}, {"property": "released", "type": "DATE_TIME"}],
        },
        "rel_props": {"ACTED_IN": [{"property": "role", "type": "STRING"}]},
        "relationships": [
            {"start": "Person", "type": "ACTED_IN", "end": "Movie"},
            {"start": "Person", "type": "KNOWS", "end": "Person"},
        ],
    }
    first = read_file(tmp_path, json.dumps(content), ".json")
    text, warnings = export_schema(first.schema, first.prefixes, form)
    assert warnings == ()
    assert read_file(tmp_path, text, ENDINGS[form]).schema == first.schema


def test_every_form_has_a_test() -> None:
    assert set(FORMS) == set(ENDINGS)


def test_a_form_that_there_is_not() -> None:
    with pytest.raises(DiagnosticError) as caught:
        export_schema(document(RICH).schemas[0], (), "xmi")
    assert caught.value.diagnostics[0].code == "UQ682"


def test_two_names_that_would_become_one_are_refused() -> None:
    text = RICH.replace("class ex:Place", 'class <http://other.example/City> "other"\n  class ex:Place')
    with pytest.raises(DiagnosticError) as caught:
        export_schema(document(text).schemas[0], (), "langchain-text")
    assert "would both be called City" in caught.value.diagnostics[0].message


# ---- reading ---------------------------------------------------------------------------------------------------------

BRACES = """Node properties are the following:
Person {name: STRING, born: INTEGER},Movie {title: STRING}
Relationship properties are the following:
ACTED_IN {roles: LIST}
The relationships are the following:
(:Person)-[:ACTED_IN]->(:Movie),(:Person)-[:DIRECTED]->(:Movie)
"""
ROWS: list[dict[str, Any]] = [
    {"nodeType": ":`Person`", "nodeLabels": ["Person"], "propertyName": "name", "propertyTypes": ["String"]},
    {"nodeType": ":`Person`", "nodeLabels": ["Person"], "propertyName": "born", "propertyTypes": ["Long"]},
    {"nodeType": ":`Movie`", "nodeLabels": ["Movie"], "propertyName": "title", "propertyTypes": ["String"]},
    {"nodeType": ":`Empty`", "nodeLabels": ["Empty"], "propertyName": None, "propertyTypes": None},
]
TYPES: list[dict[str, Any]] = [
    {"relType": ":`ACTED_IN`", "propertyName": "roles", "propertyTypes": ["StringArray"]},
]
VISUAL: dict[str, Any] = {
    "nodes": [{"id": -1, "name": "Person"}, {"id": -2, "labels": ["Movie"]}],
    "relationships": [{"name": "ACTED_IN", "start": -1, "end": -2}, {"type": "DIRECTED", "start": -1, "end": -2}],
}
META: dict[str, Any] = {
    "Person": {
        "type": "node",
        "properties": {"name": {"type": "STRING"}, "born": {"type": "INTEGER"}},
        "relationships": {
            "ACTED_IN": {"direction": "out", "labels": ["Movie"]},
            "DIRECTED": {"direction": "out", "labels": ["Movie"]},
        },
    },
    "Movie": {
        "type": "node",
        "properties": {"title": {"type": "STRING"}},
        "relationships": {"ACTED_IN": {"direction": "in", "labels": ["Person"]}},
    },
    "ACTED_IN": {"type": "relationship", "properties": {"roles": {"type": "STRING", "array": True}}},
}


@pytest.mark.parametrize(
    ("text", "ending"),
    [
        (BRACES, ".txt"),
        (json.dumps({"nodeTypeProperties": ROWS[:3], "relTypeProperties": TYPES, "visualization": VISUAL}), ".json"),
        (json.dumps({"db.schema.nodeTypeProperties()": ROWS[:3], "db.schema.relTypeProperties()": TYPES,
                     "db.schema.visualization()": VISUAL}), ".json"),
        (json.dumps(META), ".json"),
        (json.dumps({"value": META}), ".json"),
    ],
)  # fmt: skip
def test_all_of_these_say_the_same(tmp_path: Path, text: str, ending: str) -> None:
    schema = read_file(tmp_path, text, ending).schema
    ends = {(one.iri.value, _short(one)) for one in schema.relations}
    assert ends == {("urn:pg:type:ACTED_IN", "Person>Movie"), ("urn:pg:type:DIRECTED", "Person>Movie")}
    owners = {
        (one.iri.value.rpartition(":")[2], one.datatype and one.datatype.rpartition("#")[2])
        for one in schema.properties
    }
    assert owners == {("name", "string"), ("born", "integer"), ("title", "string"), ("roles", None)}


def _short(one: RelationDeclaration) -> str:
    ends = (one.domain, one.range)
    return ">".join(end.value.rpartition(":")[2] if end else "" for end in ends)


def test_rows_alone_know_no_ends(tmp_path: Path) -> None:
    schema = read_file(tmp_path, json.dumps([*ROWS, *TYPES]), ".json").schema
    assert {one.iri.value.rpartition(":")[2] for one in schema.classes} == {"Person", "Movie", "Empty", "ACTED_IN"}
    assert schema.relations == ()


@pytest.mark.parametrize(
    "content",
    [
        {"nodes": [{"name": "A"}], "relationships": [{"name": "T", "start": 5, "end": 6}]},
        {"node_types": [{"properties": []}]},
        {"node_types": [], "patterns": [["A", "B"]]},
        [{"nodeLabels": 3}],
    ],
)
def test_what_only_looks_like_a_schema_is_refused(tmp_path: Path, content: object) -> None:
    with pytest.raises(DiagnosticError) as caught:
        read_file(tmp_path, json.dumps(content), ".json")
    assert caught.value.diagnostics[0].code == "UQ682"


SHAPES = """@prefix sh: <http://www.w3.org/ns/shacl#> .
@prefix ex: <http://example.org/> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
ex:PersonShape a sh:NodeShape ; sh:targetClass ex:Person ;
  sh:property [ sh:path ex:name ; sh:datatype xsd:string ; sh:maxCount 1 ] ,
    [ sh:path ex:worksFor ; sh:class ex:Company ] ,
    [ sh:path ( ex:worksFor ex:name ) ; sh:minCount 1 ] ,
    [ sh:path ex:tag ; sh:datatype xsd:string ; sh:uniqueLang true ] .
ex:Company a rdfs:Class , sh:NodeShape ; rdfs:subClassOf ex:Organisation ;
  sh:property [ sh:path ex:name ; sh:datatype xsd:string ] .
"""


def test_shapes_as_people_write_them(tmp_path: Path) -> None:
    found = read_file(tmp_path, SHAPES, ".ttl")
    text = print_document(found.document)
    assert 'class ex:Company "company" < ex:Organisation' in text
    assert 'relation ex:worksFor "works for" : ex:Person -> ex:Company' in text
    # of two classes, and single in one only
    assert 'property ex:name "name" : -> xsd:string\n' in text
    assert {one.message for one in found.diagnostics} == {
        "a shape for a path of several steps has no counterpart; left out",
        "`sh:uniqueLang` at <http://example.org/tag> has no counterpart; left out",
    }


def test_void_with_counts(tmp_path: Path) -> None:
    text = """@prefix void: <http://rdfs.org/ns/void#> . @prefix ex: <http://example.org/> .
<urn:data> a void:Dataset ; void:triples 9 ; void:classPartition [ void:class ex:Person ; void:entities 3 ;
  void:propertyPartition [ void:property ex:knows ; void:triples 4 ; void:classPartition [ void:class ex:Person ] ] ] .
"""
    (relation,) = read_file(tmp_path, text, ".ttl").schema.relations
    assert _short(relation) == "//example.org/Person>//example.org/Person"


@pytest.mark.skipif(not SHARED.is_dir(), reason="../shared is absent")
def test_schemas_of_prompts_come_back(tmp_path: Path) -> None:
    with gzip.open(SHARED / "data" / "kg" / "text2cypher_schemas.jsonl.gz", "rt", encoding="utf-8") as lines:
        texts = [json.loads(line)["schema"] for line in lines]
    assert len(texts) > 10
    for text in texts:
        first = read_file(tmp_path, text, ".txt")
        written, _ = export_schema(first.schema, first.prefixes, "langchain-text")
        assert read_file(tmp_path, written, ".txt").schema == first.schema


# ---- drift -----------------------------------------------------------------------------------------------------------


def test_changes_are_told_part_by_part() -> None:
    old = document(RICH).schemas[0]
    new = document(
        RICH.replace('class ex:Country "country"\n', "")
        .replace(" disjoint ex:Country", "")
        .replace("xsd:integer functional", "xsd:string")
        .replace('property ex:remark "remark"', 'relation ex:remark "remark"')
        .replace("ex:near", "ex:by")
    ).schemas[0]
    told = {(one.kind, one.what, one.name.value.rpartition("/")[2]) for one in changes(old, new)}
    assert told == {
        ("removed", "class", "Country"),
        ("changed", "disjoint", "City"),
        ("changed", "datatype", "people"),
        ("changed", "functional", "people"),
        ("changed", "kind", "remark"),
        ("removed", "relation", "near"),
        ("added", "relation", "by"),
    }
    assert changes(old, old) == ()


def test_words_are_no_change() -> None:
    old, new = (document(text).schemas[0] for text in (RICH, RICH.replace('"people"', '"inhabitants"')))
    assert [one for one in (*old.properties, *new.properties) if isinstance(one, PropertyDeclaration)]
    assert changes(old, new) == ()


@pytest.mark.parametrize(
    ("text", "ending"),
    [
        (BRACES, ".txt"),
        (json.dumps(META), ".json"),
        (json.dumps({"nodeTypeProperties": ROWS[:3], "relTypeProperties": TYPES, "visualization": VISUAL}), ".json"),
    ],
)
def test_the_gate_knows_which_label_has_which_property(tmp_path: Path, text: str, ending: str) -> None:
    file = tmp_path / f"schema{ending}"
    file.write_text(text, encoding="utf-8")
    vocabulary = vocabulary_of_file(file)
    wrong = check("MATCH (m:Movie) RETURN m.born", language="cypher", schema=vocabulary)
    assert [one.kind for one in wrong.diagnostics] == ["unknown_property"]
    assert check("MATCH (:Person)-[:DIRECTED]->(m:Movie) RETURN m.title", language="cypher", schema=vocabulary).valid
