"""The gate: one function that judges a query in any of the languages."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from uniqgen_ir.ir.diagnostics import Diagnostic, errors, fail
from uniqgen_ir.ir.schema import Schema
from uniqgen_ir.validate.extra_text import Extracted, extract
from uniqgen_ir.validate.policy import Policy
from uniqgen_ir.validate.repair import repair
from uniqgen_ir.validate.report import Report
from uniqgen_ir.validate.schema_sources import vocabulary_of_file, vocabulary_of_json, vocabulary_of_schema
from uniqgen_ir.validate.vocabulary import Vocabulary

if TYPE_CHECKING:
    from uniqgen_ir.validate.against import Specification

LANGUAGES: Final = ("cypher", "sparql", "ctable")
SchemaLike: TypeAlias = Vocabulary | Schema | Mapping[str, Any] | Path


def check(
    text: str,
    *,
    language: str | None = None,
    schema: SchemaLike | None = None,
    dialect: str | None = None,
    policy: Policy | None = None,
    parameters: frozenset[str] | None = None,
    specification: Specification | None = None,
    source: str = "<query>",
    folder: Path | None = None,
) -> Report:
    """Judge a query, and mend it where safe repairs do.

    `language` None: by its first words. `schema`: a vocabulary, a `.cts` schema, JSON in one of the shapes of
    `schema_sources`, or a file; None checks what needs no schema. `dialect`: the engine that is meant, as in `neptune`.
    `parameters`: the names of the values that will be sent with it; None where that is not known.
    `specification`: what a query without other errors must be proved to mean. `folder`: where the schemas are that a
    constraint table may `use`; None reads no file.

    Never raises for what is wrong with the text. Raises DiagnosticError for a schema, language or dialect that is none.
    """
    vocabulary = None if schema is None else vocabulary_of(schema)
    extracted = extract(text, language, source)
    chosen = language or extracted.language
    if chosen is None:
        raise fail("UQ653", "cannot tell the language of the query", hint="say which: cypher, sparql or ctable")
    if chosen not in LANGUAGES:
        raise fail("UQ653", f"there is no language {chosen}", hint="cypher, sparql or ctable")
    allowed = policy or Policy()

    def judge(wrapped: Extracted) -> tuple[Diagnostic, ...]:
        found = _check(wrapped.text, chosen, source, vocabulary, dialect, allowed, parameters, folder)
        return _in_order((*wrapped.diagnostics, *found))

    diagnostics = judge(extracted)
    if specification is not None and not errors(diagnostics):
        # imported here: proofs are asked for seldom
        from uniqgen_ir.validate.against import prove

        proved = prove(text, chosen, source, specification)
        judgement = {"verdict": "unknown"} if proved.judgement is None else proved.judgement.to_json()
        return Report(text, chosen, (*diagnostics, *proved.diagnostics), against=judgement)
    fixed = repair(text, diagnostics, lambda mended: judge(extract(mended, chosen, source)))
    return Report(text, chosen, diagnostics, fixed.text if fixed else None, fixed.safe if fixed else False)


def vocabulary_of(schema: SchemaLike) -> Vocabulary:
    """The vocabulary of whatever was given. Raises DiagnosticError (UQ682, UQ650)."""
    if isinstance(schema, Vocabulary):
        return schema
    if isinstance(schema, Path):
        return vocabulary_of_file(schema)
    return vocabulary_of_schema(schema) if isinstance(schema, Schema) else vocabulary_of_json(schema)


def _check(
    text: str,
    language: str,
    source: str,
    vocabulary: Vocabulary | None,
    dialect: str | None,
    policy: Policy,
    parameters: frozenset[str] | None,
    folder: Path | None,
) -> tuple[Diagnostic, ...]:
    # imported here: one language should not wait for the reader of another
    if language == "cypher":
        from uniqgen_ir.validate import cypher

        return cypher.check_query(text, source, vocabulary, dialect, policy, parameters)
    if language == "sparql":
        from uniqgen_ir.validate import sparql
        from uniqgen_ir.validate.sparql.dialects import check_dialect

        check_dialect(dialect)
        prefixes: Mapping[str, str] = vocabulary.prefixes if vocabulary is not None else {}
        return sparql.check_query(text, source, vocabulary, prefixes, policy)
    from uniqgen_ir.validate.tables import check_tables

    schema = vocabulary.ontology.schema if vocabulary is not None and vocabulary.ontology is not None else None
    return check_tables(text, source, schema, folder)


def _in_order(diagnostics: tuple[Diagnostic, ...]) -> tuple[Diagnostic, ...]:
    return tuple(sorted(dict.fromkeys(diagnostics), key=lambda one: one.span.start if one.span else 0))
