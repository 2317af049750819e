"""Vocabularies: what schema files, lexicons and mappings say together."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from attrs import frozen

from uniqgen_ir.ir.diagnostics import Diagnostic, DiagnosticError, errors, fail
from uniqgen_ir.ir.schema import Document, Lexicon, Schema, declared_schema

if TYPE_CHECKING:
    from uniqgen_ir.ir.mapping import Mapping


@frozen
class Vocabulary:
    """What `.cts` files say: all schemas as one, all lexicons, the first mapping."""

    schema: Schema | None = None
    lexicons: tuple[Lexicon, ...] = ()
    mapping: Mapping | None = None
    diagnostics: tuple[Diagnostic, ...] = ()
    """warnings of the files"""
    prefixes: tuple[tuple[str, str], ...] = ()


def load_vocabulary(files: Sequence[str]) -> Vocabulary:
    """The vocabulary of these files and of those that they use. Raises DiagnosticError."""
    if not files:
        return Vocabulary()
    from uniqgen_ir.grammar.schema import load_documents

    results = [load_documents(file) for file in files]
    diagnostics = tuple(dict.fromkeys(one for result in results for one in result.diagnostics))
    if errors(diagnostics):
        raise DiagnosticError(diagnostics)
    documents: list[Document] = [one for result in results for one in result.documents]
    mappings = [mapping for document in documents for mapping in document.mappings]
    return Vocabulary(
        declared_schema(documents),
        tuple(lexicon for document in documents for lexicon in document.lexicons),
        mappings[0] if mappings else None,
        diagnostics,
        tuple(dict(pair for document in documents for pair in document.prefixes).items()),
    )


def resolve_mapping(name: str | None) -> Mapping | None:
    """A mapping from a `.cts` file, or the empty mapping of a preset. Raises DiagnosticError."""
    from uniqgen_ir.ir.mapping import Mapping

    if name is None:
        return None
    if not name.endswith(".cts"):
        return Mapping(name=name, preset=name)
    mapping = load_vocabulary([name]).mapping
    if mapping is None:
        raise fail("UQ653", f"{name} holds no mapping", hint="mapping NAME { … }")
    return mapping


def schema_of_content(content: object) -> Schema | None:
    """A schema given as JSON, or as the name of a file. Raises DiagnosticError (UQ650, UQ682)."""
    if isinstance(content, str):
        if content.endswith(".cts"):
            return load_vocabulary([content]).schema
        from uniqgen_ir.kg.inference.imported import import_schema

        return import_schema(Path(content)).schema
    from uniqgen_ir.kg.inference.property_graph import schema_of_json

    return schema_of_json(content, "schema").schema
