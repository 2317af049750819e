"""Schemas from RDFS, OWL and property-graph JSON; everything else is refused by name."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from uniqgen_ir.grammar.cypher import names as cypher_names
from uniqgen_ir.grammar.schema import parse_document, read_document
from uniqgen_ir.ir.diagnostics import DiagnosticError, Severity
from uniqgen_ir.ir.document_printer import print_document
from uniqgen_ir.ir.schema import Schema
from uniqgen_ir.ir.vocabulary import XSD
from uniqgen_ir.kg.inference import property_graph as infer_property_graph
from uniqgen_ir.kg.inference.imported import import_schema
from uniqgen_ir.kg.inference.rdfs import ImportedSchema

SHARED = Path(__file__).resolve().parents[4] / "shared"
TURTLE = """@prefix ex: <http://example.org/> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
ex:City a owl:Class ; rdfs:subClassOf ex:Place ; owl:disjointWith ex:Country ; rdfs:label "Stadt"@de , "city"@en .
ex:Country a owl:Class .
ex:in a owl:ObjectProperty , owl:FunctionalProperty ; rdfs:domain ex:City ; rdfs:range ex:Country .
ex:in owl:inverseOf ex:holds .
ex:holds a owl:ObjectProperty .
ex:code a owl:DatatypeProperty , owl:InverseFunctionalProperty ; rdfs:range xsd:string .
"""
EXPECTED = """prefix ex: <http://example.org/>
schema geo {
  class ex:City "city" < ex:Place disjoint ex:Country
  class ex:Country "country"
  class ex:Place "place"
  relation ex:holds "holds"
  relation ex:in "in" : ex:City -> ex:Country inverse ex:holds functional
  property ex:code "code" : -> xsd:string key
}
"""
PREFIXES = TURTLE[: TURTLE.index("ex:City a")]


def imported(folder: Path, text: str, ending: str = ".ttl") -> ImportedSchema:
    file = folder / f"geo{ending}"
    file.write_text(text, encoding="utf-8")
    return import_schema(file)


def reads_back(one: ImportedSchema) -> Schema:
    result = read_document(print_document(one.document))
    assert result.diagnostics == ()
    assert result.document is not None
    assert result.document.schemas == (one.schema,)
    return one.schema


def warnings(one: ImportedSchema) -> list[str]:
    assert all(found.code == "UQ683" and found.severity is Severity.WARNING for found in one.diagnostics)
    return [found.message for found in one.diagnostics]


# --- RDFS and OWL -----------------------------------------------------------------------------------------------------


def test_an_ontology_becomes_a_schema(tmp_path: Path) -> None:
    one = imported(tmp_path, TURTLE)
    assert reads_back(one) == parse_document(EXPECTED).schemas[0]
    assert one.diagnostics == ()


@pytest.mark.parametrize("ending", [".nt", ".rdf", ".owl", ".jsonld"])
def test_every_serialisation_gives_the_same(tmp_path: Path, ending: str) -> None:
    import pyoxigraph

    forms = {
        ".nt": pyoxigraph.RdfFormat.N_TRIPLES,
        ".rdf": pyoxigraph.RdfFormat.RDF_XML,
        ".owl": pyoxigraph.RdfFormat.RDF_XML,
        ".jsonld": pyoxigraph.RdfFormat.JSON_LD,
    }
    quads = pyoxigraph.parse(TURTLE.encode(), pyoxigraph.RdfFormat.TURTLE)
    text = pyoxigraph.serialize(quads, format=forms[ending])
    assert text is not None
    assert imported(tmp_path, text.decode(), ending).schema == imported(tmp_path, TURTLE).schema


@pytest.mark.parametrize(
    ("statement", "rules"),
    [
        ("ex:p rdfs:subPropertyOf ex:q .", ["{ ?x ex:p ?y } => { ?x ex:q ?y }"]),
        ("ex:p a owl:SymmetricProperty .", ["{ ?x ex:p ?y } => { ?y ex:p ?x }"]),
        ("ex:p a owl:TransitiveProperty .", ["{ ?x ex:p ?y . ?y ex:p ?z } => { ?x ex:p ?z }"]),
        (
            "ex:p a owl:ObjectProperty ; owl:equivalentProperty ex:q .",
            ["{ ?x ex:p ?y } => { ?x ex:q ?y }", "{ ?x ex:q ?y } => { ?x ex:p ?y }"],
        ),
        (
            "ex:A a owl:Class ; owl:equivalentClass ex:B . ex:B a owl:Class .",
            ["{ ?x a ex:A } => { ?x a ex:B }", "{ ?x a ex:B } => { ?x a ex:A }"],
        ),
    ],
)
def test_what_has_no_word_of_its_own_becomes_a_rule(tmp_path: Path, statement: str, rules: list[str]) -> None:
    one = imported(tmp_path, PREFIXES + statement)
    text = print_document(one.document)
    reads_back(one)
    found = [line.partition(": ")[2] for line in text.splitlines() if line.startswith("  rule ")]
    assert found == rules


def test_a_plain_property_of_which_nothing_is_said_leads_to_anything(tmp_path: Path) -> None:
    text = PREFIXES + "@prefix rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> . ex:p a rdf:Property ."
    (relation,) = reads_back(imported(tmp_path, text)).relations
    assert relation.range is not None
    assert relation.range.value.endswith("#Resource")


@pytest.mark.parametrize(
    ("statement", "named"),
    [
        ("ex:C a owl:Class ; owl:unionOf ( ex:A ex:B ) .", "`owl:unionOf`"),
        (
            "ex:C rdfs:subClassOf [ a owl:Restriction ; owl:onProperty ex:p ; owl:someValuesFrom ex:D ] .",
            "owl:Restriction",
        ),
        (
            "ex:C rdfs:subClassOf [ a owl:Restriction ; owl:onProperty ex:p ; owl:someValuesFrom ex:D ] .",
            "rdfs:subClassOf",
        ),
        ("ex:p a owl:ObjectProperty , owl:ReflexiveProperty .", "owl:ReflexiveProperty"),
        ("ex:p rdfs:domain ex:A , ex:B .", "domain"),
        ("ex:p rdfs:range xsd:string , xsd:date .", "datatypes"),
        ("ex:A rdfs:subClassOf ex:B . ex:B rdfs:subClassOf ex:A .", "below each other"),
        (
            "ex:p owl:inverseOf ex:q , ex:r . ex:q a owl:ObjectProperty . ex:r a owl:ObjectProperty .",
            "inverse",
        ),
    ],
)
def test_what_cannot_be_said_is_named(tmp_path: Path, statement: str, named: str) -> None:
    one = imported(tmp_path, PREFIXES + statement)
    assert any(named in message for message in warnings(one)), warnings(one)
    reads_back(one)


def test_of_several_domains_one_below_the_others_says_it_all(tmp_path: Path) -> None:
    one = imported(tmp_path, PREFIXES + "ex:A rdfs:subClassOf ex:B . ex:p rdfs:domain ex:A , ex:B .")
    assert one.schema.relations[0].domain == one.schema.classes[0].iri
    assert one.diagnostics == ()


# --- property graphs --------------------------------------------------------------------------------------------------

PLAIN = {
    "nodes": {"Person": {"name": "STRING", "born": "INTEGER", "tags": "LIST<STRING>"}, "Movie": {"title": "STRING"}},
    "rels": [
        {"type": "ACTED_IN", "from": "Person", "to": "Movie", "props": {"roles": "LIST"}},
        {"type": "LIKES", "from": "Person", "to": "Movie", "props": {}},
        {"type": "LIKES", "from": "Person", "to": "Person"},
    ],
    "multi_labels": [["Person", "Director"]],
}
CHAIN = {
    "node_props": {
        "Person": [
            {"property": "name", "type": "STRING"},
            {"property": "born", "type": "INTEGER"},
            {"property": "tags", "type": "LIST"},
        ],
        "Movie": [{"property": "title", "type": "STRING"}],
        "Director": [],
    },
    "rel_props": {"ACTED_IN": [{"property": "roles", "type": "LIST"}]},
    "relationships": [
        {"start": "Person", "type": "ACTED_IN", "end": "Movie"},
        {"start": "Person", "type": "LIKES", "end": "Movie"},
        {"start": "Person", "type": "LIKES", "end": "Person"},
    ],
}


def test_both_shapes_of_property_graphs_say_the_same(tmp_path: Path) -> None:
    one = imported(tmp_path, json.dumps(PLAIN), ".json")
    assert reads_back(one) == imported(tmp_path, json.dumps(CHAIN), ".json").schema
    assert one.diagnostics == ()
    text = print_document(one.document)
    assert 'relation t:ACTED_IN "acted in" : l:Person -> l:Movie' in text
    # LIKES leads to films and to people: its range is open, its domain is not
    assert 'relation t:LIKES "likes" : l:Person ->\n' in text
    assert 'property p:born "born" : l:Person -> xsd:integer' in text
    assert 'property p:tags "tags" : l:Person ->\n' in text


def test_names_are_those_that_the_cypher_reader_gives() -> None:
    names = cypher_names.Names()
    for label in ("Person", "Größe x", "a:b"):
        assert names.label(label) == infer_property_graph._iri(infer_property_graph.LABEL, label)
        assert names.relation(label).iri == infer_property_graph._iri(infer_property_graph.TYPE, label)
        assert names.property(label).iri == infer_property_graph._iri(infer_property_graph.PROPERTY, label)
        reified = names.reified(label)
        assert reified is not None
        assert reified.type == infer_property_graph._iri(infer_property_graph.RELATIONSHIP, label)


def test_a_property_of_two_types_has_the_wider_one(tmp_path: Path) -> None:
    content = {"nodes": {"A": {"n": "INTEGER", "m": "STRING"}, "B": {"n": "INTEGER", "m": "DATE"}}, "rels": []}
    found = {one.iri.value[-1]: one for one in imported(tmp_path, json.dumps(content), ".json").schema.properties}
    assert (found["n"].datatype, found["n"].domain) == (XSD + "integer", None)
    assert found["m"].datatype is None


def test_an_rdf_schema_in_json(tmp_path: Path) -> None:
    content = {
        "prefixes": {"ex": "http://example.org/"},
        "classes": {
            "ex:Person": {"ex:name": ["xsd:string"], "ex:worksFor": ["ex:Company"]},
            "ex:Company": {"ex:name": ["xsd:string"]},
        },
    }
    text = print_document(imported(tmp_path, json.dumps(content), ".json").document)
    assert 'relation ex:worksFor "works for" : ex:Person -> ex:Company' in text
    assert 'property ex:name "name" : -> xsd:string' in text


def test_a_type_that_nobody_knows_is_named(tmp_path: Path) -> None:
    one = imported(tmp_path, '{"nodes": {"A": {"p": "QUATERNION"}}, "rels": []}', ".json")
    assert warnings(one) == ["`QUATERNION` is no type of a property that is known; any literal is allowed"]


def test_every_schema_of_the_shared_cases_is_read(tmp_path: Path) -> None:
    file = SHARED / "cases" / "generated_queries.jsonl"
    if not file.is_file():
        pytest.skip(f"{file} is not there")
    seen: set[str] = set()
    for line in file.read_text(encoding="utf-8").splitlines():
        text = json.dumps(json.loads(line)["schema"])
        if text not in seen:
            seen.add(text)
            reads_back(imported(tmp_path, text, ".json"))
    assert len(seen) > 1


# --- refusals ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "ending", "part"),
    [
        ("a", ".xsd", "XML schemas are not read"),
        ("a", ".shex", "ShEx shapes are not read"),
        ("a", ".foo", "files that end in .foo"),
        ("schema s { }", ".cts", "is a schema in this form already"),
        ("a", "", "files without an ending"),
        ("@prefix", ".ttl", "cannot be read"),
        ("{", ".json", "is not JSON"),
        ("[]", ".json", "not an object"),
        ("{}", ".json", "no schema has the keys"),
        ('{"nodes": {}, "tables": {}}', ".json", "no schema has the keys nodes, tables"),
        ('{"nodes": [], "rels": []}', ".json", "has not the form"),
        ('{"nodes": {}, "rels": [{"type": "T"}]}', ".json", "has not the form"),
        ('{"classes": {"ex:A": {}}, "prefixes": {}}', ".json", "`ex:A` is no name with a prefix"),
        ("The graph is about films.", ".txt", "holds no schema"),
        ("<urn:a> <urn:p> <urn:b> .", ".nt", "declares no class and no property"),
    ],
)
def test_other_things_are_refused_by_name(tmp_path: Path, text: str, ending: str, part: str) -> None:
    with pytest.raises(DiagnosticError) as caught:
        imported(tmp_path, text, ending)
    (one,) = caught.value.diagnostics
    assert one.code == "UQ682"
    assert part in one.message


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(DiagnosticError) as caught:
        import_schema(tmp_path / "nothing.ttl")
    assert caught.value.diagnostics[0].code == "UQ650"
