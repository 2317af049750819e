"""A schema written in the forms of other tools; see `FORMS`. What a form has no words for is named in a warning."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Final, TypeAlias

from uniqgen_ir.ir.diagnostics import Diagnostic, fail
from uniqgen_ir.ir.schema import Schema
from uniqgen_ir.kg.schema_forms.export_json import classes_json, graphrag_json, is_property_graph, tool_chain_json
from uniqgen_ir.kg.schema_forms.export_rdf import ontology_text, shapes_text, void_text
from uniqgen_ir.kg.schema_forms.text import text_of_schema

Prefixes: TypeAlias = tuple[tuple[str, str], ...]
Exported: TypeAlias = tuple[str, tuple[Diagnostic, ...]]


def export_schema(schema: Schema, prefixes: Prefixes, form: str) -> Exported:
    """The text of the schema in a form, and warnings (UQ683) about what it does not say.

    Raises DiagnosticError (UQ682) for a form that there is not, or where two names of the schema would become one.
    """
    if form not in FORMS:
        raise fail("UQ682", f"there is no form {form} to write a schema in", hint=", ".join(FORMS))
    return FORMS[form](schema, prefixes)


def _json(schema: Schema, prefixes: Prefixes) -> Exported:
    """The shape of the gate: labels and types of a property graph, or classes with their predicates."""
    if is_property_graph(schema):
        return _tool_chain(schema, prefixes)
    content, warnings = classes_json(schema, prefixes)
    return json.dumps(content, indent=2, ensure_ascii=False) + "\n", warnings


def _tool_chain(schema: Schema, _: Prefixes) -> Exported:
    content, warnings = tool_chain_json(schema)
    return json.dumps(content, indent=2, ensure_ascii=False) + "\n", warnings


def _text(schema: Schema, _: Prefixes) -> Exported:
    content, warnings = tool_chain_json(schema)
    return text_of_schema(content), warnings


def _graphrag(schema: Schema, _: Prefixes) -> Exported:
    content, warnings = graphrag_json(schema)
    return json.dumps(content, indent=2, ensure_ascii=False) + "\n", warnings


FORMS: Final[dict[str, Callable[[Schema, Prefixes], Exported]]] = {
    "rdfs": ontology_text,
    "shacl": shapes_text,
    "void": void_text,
    "json": _json,
    "langchain-json": _tool_chain,
    "langchain-text": _text,
    "neo4j-graphrag": _graphrag,
}
"""Forms by name: RDFS with OWL, SHACL, VoID (all Turtle); JSON for the gate, LangChain, neo4j-graphrag; prompt text."""
