"""What is known about the word under the pointer, as Markdown."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, TypeAlias

from attrs import frozen

from uniqgen_ir.grammar.ctable.tree import Token
from uniqgen_ir.ir.functions import FUNCTIONS
from uniqgen_ir.ir.inference import TypedTable, infer
from uniqgen_ir.ir.print_names import Names
from uniqgen_ir.ir.rows import Row
from uniqgen_ir.ir.schema_index import Predicate, SchemaIndex
from uniqgen_ir.ir.table import Table
from uniqgen_ir.ir.terms import IRI, Variable
from uniqgen_ir.ir.types import describe
from uniqgen_ir.ir.visitor import walk_rows
from uniqgen_ir.lsp.features.words import AGGREGATES, ANNOTATIONS
from uniqgen_ir.lsp.scopes import Occurrence, at
from uniqgen_ir.lsp.source import NAME_KINDS, Source
from uniqgen_ir.lsp.vocabulary import Vocabulary
from uniqgen_ir.passes.types.places import Places
from uniqgen_ir.passes.types.reasons import reason

MAX_ROWS: Final = 8
MAX_WORDS: Final = 6
Counted: TypeAlias = IRI | Row
"""What the graph can be asked about: how often a name occurs, how many matches a row has."""
Counts: TypeAlias = Callable[[Counted], str | None]
"""What is known of a number, in words; None where no graph is configured. Returns at once."""


@frozen
class Hover:
    """Markdown about the characters `start` to `end`."""

    text: str
    start: int
    end: int


def no_counts(_: Counted) -> str | None:
    """Where there is no graph."""
    return None


def hover(source: Source, offset: int, vocabulary: Vocabulary, counts: Counts = no_counts) -> Hover | None:
    """What to say about the word at a character; None where there is nothing to say."""
    token = source.token_at(offset)
    if token is None:
        return None
    place = at(source.occurrences, offset)
    if place is not None:
        text = _variable(source, place, vocabulary)
    elif token.kind in NAME_KINDS:
        text = _name(source, token, vocabulary, counts)
    elif token.kind == "LABEL":
        text = _row(source, token, counts)
    else:
        text = _word(token)
    return Hover(text, token.start, token.end) if text else None


def _table_at(source: Source, offset: int) -> Table | None:
    for table in source.tables:
        if table.span is not None and table.span.start <= offset <= table.span.end:
            return table
    return None


def _variable(source: Source, place: Occurrence, vocabulary: Vocabulary) -> str | None:
    table = _table_at(source, place.token.start)
    if table is None:
        return None
    typed = infer(table, vocabulary.index)
    variable = Variable(place.name)
    places = Places(table)
    lines = [f"`{variable}`: {describe(typed.type_of(variable), places.short)}"]
    reasons = dict.fromkeys(
        f"- {describe(one.type, places.short)} {reason(one, places)} (row `{one.row.id}`)"
        for one in typed.evidence(variable)
    )
    if len(reasons) > 0:
        lines += ["", *list(reasons)[:MAX_ROWS]]
    return "\n".join([*lines, *_column(typed, variable)])


def _column(typed: TypedTable, variable: Variable) -> list[str]:
    return ["", "a column of the head"] if variable in typed.table.columns else []


def _name(source: Source, token: Token, vocabulary: Vocabulary, counts: Counts) -> str | None:
    value = source.iri_of(token)
    if value is None:
        return None
    iri, names = IRI(value), Names({**vocabulary.prefixes, **source.prefixes}.items())
    lines = [f"`{names.iri(value)}`"]
    if vocabulary.index is not None:
        lines += _declared(iri, vocabulary.index, names)
    lines += ["", f"<{value}>"]
    count = counts(iri)
    if count is not None:
        lines += ["", count]
    return "\n".join(lines)


def _declared(iri: IRI, index: SchemaIndex, names: Names) -> list[str]:
    lines: list[str] = []
    class_, predicate = index.classes.get(iri), index.predicate(iri)
    if class_ is not None:
        above = ", ".join(f"`{names.iri(one.value)}`" for one in class_.parents)
        lines.append("a class" + (f", below {above}" if above else ""))
    if predicate is not None:
        lines.append(_predicate(predicate, names))
    words = index.words.get(iri, ())
    if words:
        lines += ["", ", ".join(f"“{one}”" for one in list(dict.fromkeys(words))[:MAX_WORDS])]
    return ["", *lines] if lines else []


def _predicate(predicate: Predicate, names: Names) -> str:
    kind = "a relation" if predicate.relations else "a property"
    ends = f"from {describe(predicate.subject_type, names.iri)} to {describe(predicate.object_type, names.iri)}"
    traits = [name for name, holds in (("functional", predicate.functional), ("key", predicate.key)) if holds]
    inverses = [one.inverse for one in predicate.relations if one.inverse is not None]
    more = [*traits, *(f"the inverse of `{names.iri(one.value)}`" for one in inverses)]
    return f"{kind} {ends}" + (f"; {', '.join(more)}" if more else "")


def _row(source: Source, token: Token, counts: Counts) -> str | None:
    table = _table_at(source, token.start)
    row_id = token.text[:-1].strip("`")
    if table is None:
        return None
    named = [one for one in walk_rows(table.rows) if one.id == row_id]
    # behind `;` and `,` the id stands for several rows
    parts = [one for one in walk_rows(table.rows) if one.id.startswith(f"{row_id}.")]
    lines = [f"row `{row_id}`"]
    for row in named or parts[:MAX_ROWS]:
        count = counts(row)
        note = f"{row.note.origin.value}" + (", required" if row.note.required else "")
        lines.append(f"- `{row.id}`: {note}" + (f"; {count}" if count is not None else ""))
    return "\n".join(lines) if len(lines) > 1 else None


def _word(token: Token) -> str | None:
    if token.kind == "FUNC":
        function = FUNCTIONS.get(token.text.lower())
        return f"`{function.name}()` → {function.returns}: {function.meaning}" if function is not None else None
    if token.kind == "AGGREGATE":
        return f"`{token.text.lower()}()`: {AGGREGATES[token.text.lower()]}"
    if token.kind == "AT" and token.text[1:] in ANNOTATIONS:
        return f"`{token.text}`: {ANNOTATIONS[token.text[1:]]}"
    return None
