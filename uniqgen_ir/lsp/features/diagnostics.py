"""What is not right about a text, while it is being written."""

from __future__ import annotations

from collections.abc import Iterator

from attrs import evolve

from uniqgen_ir.grammar.ctable.tree import Token
from uniqgen_ir.grammar.schema import read_document
from uniqgen_ir.ir.diagnostics import Diagnostic, Related, Severity, errors
from uniqgen_ir.ir.spans import Span
from uniqgen_ir.ir.table import Table
from uniqgen_ir.lsp.source import Source
from uniqgen_ir.lsp.vocabulary import Vocabulary
from uniqgen_ir.passes.verify import verify
from uniqgen_ir.validate.tables import table_faults


def diagnose(source: Source, vocabulary: Vocabulary) -> tuple[Diagnostic, ...]:
    """Every diagnostic about the text, each with a span in it.

    For tables: the reader's, then, for each that could be read, those of verify, typecheck and satisfiability. What is
    wrong in a file that it uses is shown where it is used.
    """
    own = _schema_file(source, vocabulary) if source.is_schema else _tables(source, vocabulary)
    placed = (_placed(one, source) for one in (*own, *_elsewhere(source, vocabulary)))
    return tuple(dict.fromkeys(sorted(placed, key=_start)))


def _start(one: Diagnostic) -> int:
    return one.span.start if one.span is not None else 0


def _tables(source: Source, vocabulary: Vocabulary) -> tuple[Diagnostic, ...]:
    found = list(source.result.diagnostics)
    for table in source.result.sound:
        found += _table(table, source, vocabulary)
    return tuple(found)


def _table(table: Table, source: Source, vocabulary: Vocabulary) -> Iterator[Diagnostic]:
    invalid = verify(table)
    yield from invalid
    if errors(invalid):
        return
    yield from table_faults(table, vocabulary.index, source=source.text)


def _schema_file(source: Source, vocabulary: Vocabulary) -> tuple[Diagnostic, ...]:
    if source.name in vocabulary.texts:
        return tuple(one for one in vocabulary.diagnostics if one.span is not None and one.span.source == source.name)
    return read_document(source.text, source.name).diagnostics


def _elsewhere(source: Source, vocabulary: Vocabulary) -> Iterator[Diagnostic]:
    """What is wrong with the files that this one uses: one message for each file."""
    first: dict[str, Diagnostic] = {}
    for one in vocabulary.diagnostics:
        # without a span it speaks of a file that could not be opened, and names it
        name = one.span.source if one.span is not None else one.message
        if name != source.name and one.severity is Severity.ERROR:
            first.setdefault(name, one)
    for name, one in first.items():
        token = _use_of(source, name)
        if token is None:
            continue
        span = Span.at(source.text, token.start, token.end, source.name)
        related = (Related(one.message, one.span),) if one.span is not None else ()
        message = one.message if one.span is None else f"this schema has errors: {one.message}"
        yield evolve(one, message=message, span=span, related=related, fix=None)


def _use_of(source: Source, name: str) -> Token | None:
    """Where the file is used; for one that is used through another, where the first one is."""
    named = (token for token in source.uses if token.text[1:-1] in name)
    return next(named, source.uses[0] if source.uses else None)


def _placed(one: Diagnostic, source: Source) -> Diagnostic:
    """The diagnostic with a span inside this text."""
    if one.span is None or one.span.source != source.name:
        return evolve(one, span=Span.at(source.text, 0, 0, source.name))
    return one
