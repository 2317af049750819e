"""The checks of constraint tables: what the reader finds, then safety, types against the schema, and satisfiability."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from uniqgen_ir.grammar.ctable import read_table
from uniqgen_ir.grammar.schema import load_documents
from uniqgen_ir.ir.diagnostics import Diagnostic, DiagnosticError, errors
from uniqgen_ir.ir.schema import Schema, declared_schema, together
from uniqgen_ir.ir.schema_index import SchemaIndex
from uniqgen_ir.ir.table import Table
from uniqgen_ir.passes.base import PassContext
from uniqgen_ir.passes.normalize import Normalize
from uniqgen_ir.passes.saturate.saturate import Saturate
from uniqgen_ir.passes.typecheck import typecheck
from uniqgen_ir.passes.verify import verify


def check_tables(text: str, source: str, schema: Schema | None, folder: Path | None) -> tuple[Diagnostic, ...]:
    """Everything that there is to say about a file of tables. Never raises for the text.

    `folder`: where the files stand that a table may use; None reads none, so that a text cannot make its reader open
    files, and says so unless a `schema` is given instead.
    """
    read = read_table(text, source)
    found = list(read.diagnostics)
    known: dict[tuple[str, ...], tuple[Schema, SchemaIndex] | None] = {}
    for table in read.sound:
        if table.schemas not in known:
            schemas = () if schema is None else (schema,)
            used, faults = _used(table, folder, given=schema is not None)
            found += faults
            joined = together((*schemas, *used)) if schemas or used else None
            known[table.schemas] = None if joined is None else (joined, SchemaIndex.of(joined))
        invalid = verify(table)
        found += invalid
        if not errors(invalid):
            own, index = known[table.schemas] or (None, None)
            found += table_faults(table, own, index=index, source=text)
    return tuple(found)


def table_faults(
    table: Table,
    schema: Schema | SchemaIndex | None,
    *,
    index: SchemaIndex | None = None,
    source: str | None = None,
) -> Iterator[Diagnostic]:
    """What is wrong with a table that is valid by itself: its types, and rows that contradict each other.

    `index`: that of the schema, where many tables are checked. Given an index alone, what follows from the rows under
    the schema is not looked for.
    With the `source` text the spans are as small as they can be and fixes carry edits.
    """
    mistyped = typecheck(table, index or schema, source=source)
    yield from mistyped
    if not errors(mistyped):
        yield from _contradictions(table, schema if isinstance(schema, Schema) else None)


def _contradictions(table: Table, schema: Schema | None) -> tuple[Diagnostic, ...]:
    """What makes the table empty on every graph that obeys the schema.

    Conditions that no value fulfils together and, where the schema keeps classes apart, what follows from the rows: a
    node that would be of two of them.
    """
    context = PassContext(schema=schema)
    try:
        Normalize().run(table, context)
        if schema is not None and any(one.disjoint for one in schema.classes):
            Saturate().run(table, context)
    except DiagnosticError as error:
        return error.diagnostics
    return ()


def _used(table: Table, folder: Path | None, *, given: bool) -> tuple[tuple[Schema, ...], tuple[Diagnostic, ...]]:
    """The schemas of the files that a table uses, and what is wrong with these files."""
    if not table.schemas or (folder is None and given):
        return (), ()
    if folder is None:
        message = f"the table uses {table.schemas[0]}, and nothing is read that a text names"
        return (), (Diagnostic("UQ706", message, table.span, hint="give the schema beside the text"),)
    results = [load_documents(folder / name) for name in table.schemas]
    faults = tuple(one for result in results for one in errors(result.diagnostics))
    schema = declared_schema(document for result in results for document in result.documents)
    return () if schema is None else (schema,), faults
