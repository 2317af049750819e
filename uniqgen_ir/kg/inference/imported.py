"""Schemas from files of other kinds."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Final

from uniqgen_ir.ir.diagnostics import fail
from uniqgen_ir.ir.graph import Fact, Graph
from uniqgen_ir.ir.terms import IRI, BlankNode, Literal
from uniqgen_ir.kg.inference.property_graph import schema_of_json
from uniqgen_ir.kg.inference.rdfs import ImportedSchema, schema_of_ontology
from uniqgen_ir.kg.schema_forms.shapes import has_shapes, is_void, schema_of_shapes, schema_of_void
from uniqgen_ir.kg.schema_forms.text import schema_of_text

_RDF: Final = {
    ".ttl": "ttl",
    ".nt": "nt",
    ".rdf": "rdf",
    ".owl": "rdf",
    ".xml": "rdf",
    ".jsonld": "jsonld",
    ".n3": "n3",
}
TEXT_ENDINGS: Final = (".txt", ".md")
_OTHERS: Final = {
    ".shex": "ShEx shapes",
    ".obo": "OBO ontologies",
    ".omn": "OWL in Manchester syntax",
    ".ofn": "OWL in functional syntax",
    ".xsd": "XML schemas",
    ".graphql": "GraphQL schemas",
    ".sql": "SQL schemas",
    ".cypher": "Cypher scripts",
}


def import_schema(file: Path, name: str | None = None) -> ImportedSchema:
    """The schema of a file of RDFS, OWL, SHACL, VoID, JSON or prompt text, called as the file is if no name is given.

    Raises DiagnosticError (UQ682 where the file is of another kind or broken, UQ650 where it cannot be read).
    """
    ending = file.suffix.lower()
    called = name or file.name.partition(".")[0] or "imported"
    if ending == ".json":
        return schema_of_json(read_json(file), called)
    if ending in TEXT_ENDINGS:
        return schema_of_json(schema_of_text(read_text(file)), called)
    if ending in _RDF:
        return _ontology(file, _RDF[ending], called)
    if ending == ".cts":
        raise fail("UQ682", f"{file} is a schema in this form already", hint="give it to --schema as it is")
    what = _OTHERS.get(ending, f"files that end in {ending}" if ending else "files without an ending")
    known = " ".join((".cts", ".json", *TEXT_ENDINGS, *_RDF))
    raise fail("UQ682", f"{what} are not read as schemas", hint=f"endings that are: {known}")


def _bytes(file: Path) -> bytes:
    try:
        return file.read_bytes()
    except OSError as error:
        raise fail("UQ650", f"cannot read {file}: {error.strerror}") from error


def read_text(file: Path) -> str:
    """The text of a file in UTF-8. Raises DiagnosticError (UQ650, UQ682)."""
    try:
        return _bytes(file).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise fail("UQ682", f"{file} is not UTF-8 text") from error


def read_json(file: Path) -> object:
    """The content of a JSON file. Raises DiagnosticError (UQ650, UQ682)."""
    try:
        return json.loads(_bytes(file))
    except ValueError as error:
        raise fail("UQ682", f"{file} is not JSON: {error}") from error
    except RecursionError as error:
        raise fail("UQ682", f"{file} is nested too deeply") from error


def _ontology(file: Path, form: str, name: str) -> ImportedSchema:
    import pyoxigraph

    kinds = {
        "ttl": pyoxigraph.RdfFormat.TURTLE,
        "nt": pyoxigraph.RdfFormat.N_TRIPLES,
        "rdf": pyoxigraph.RdfFormat.RDF_XML,
        "jsonld": pyoxigraph.RdfFormat.JSON_LD,
        "n3": pyoxigraph.RdfFormat.N3,
    }
    try:
        parser = pyoxigraph.parse(_bytes(file), kinds[form], base_iri=file.resolve().as_uri())
        graph = Graph(map(_fact, parser))
    except (SyntaxError, ValueError) as error:
        raise fail("UQ682", f"{file} cannot be read: {error}") from error
    prefixes = dict(parser.prefixes)
    if has_shapes(graph):
        imported = schema_of_shapes(graph, name, prefixes)
    elif is_void(graph):
        imported = schema_of_void(graph, name, prefixes)
    else:
        imported = schema_of_ontology(graph, name, prefixes)
    if not imported.schema.classes and not imported.schema.relations and not imported.schema.properties:
        raise fail(
            "UQ682",
            f"{file} declares no class and no property",
            hint="a graph without an ontology: `uniqgen schema infer --graph` finds what it keeps to",
        )
    return imported


def _fact(quad: object) -> Fact:
    import pyoxigraph

    assert isinstance(quad, pyoxigraph.Quad)
    subject, object_ = _term(quad.subject), _term(quad.object)
    if isinstance(subject, Literal):
        raise ValueError("a literal stands as a subject")
    return subject, IRI(quad.predicate.value), object_


def _term(term: object) -> IRI | BlankNode | Literal:
    import pyoxigraph

    if isinstance(term, pyoxigraph.NamedNode):
        return IRI(term.value)
    if isinstance(term, pyoxigraph.Literal):
        return Literal(term.value, term.datatype.value, term.language)
    if isinstance(term, pyoxigraph.BlankNode):
        return BlankNode(term.value)
    raise ValueError(f"{term} is neither an IRI, a literal nor a blank node")
