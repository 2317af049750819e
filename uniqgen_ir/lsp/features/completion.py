"""What could be written next."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from enum import StrEnum
from typing import Final

from attrs import frozen

from uniqgen_ir.grammar.ctable.tree import Token
from uniqgen_ir.ir.diagnostics import Edit
from uniqgen_ir.ir.functions import FUNCTIONS
from uniqgen_ir.ir.print_names import Names, variable
from uniqgen_ir.ir.terms import IRI
from uniqgen_ir.ir.vocabulary import BUILTIN_PREFIXES
from uniqgen_ir.lsp.features import words
from uniqgen_ir.lsp.features.places import Place, place_at
from uniqgen_ir.lsp.source import Source
from uniqgen_ir.lsp.vocabulary import Vocabulary

MAX_NAMES: Final = 2_000
"""More names than anybody scrolls through are not sent."""

_BEFORE: Final = re.compile(r"[?$@]?[\w.\-%:]*$")


class Kind(StrEnum):
    VARIABLE = "variable"
    CLASS = "class"
    RELATION = "relation"
    PROPERTY = "property"
    PREFIX = "prefix"
    FUNCTION = "function"
    KEYWORD = "keyword"
    ANNOTATION = "annotation"
    FILE = "file"


@frozen
class Completion:
    """A proposal: `text` replaces the characters `start` to `end`; `also` are edits that it needs elsewhere."""

    label: str
    kind: Kind
    text: str
    start: int
    end: int
    detail: str = ""
    search: str = ""
    """what the typed letters are compared with, where that is not the label"""
    also: tuple[Edit, ...] = ()


def complete(source: Source, offset: int, vocabulary: Vocabulary) -> tuple[Completion, ...]:
    """The proposals at a character; none inside comments and strings, but for the string of `use schema`."""
    if any(one.start < offset <= one.end for one in source.lexed.comments):
        return ()
    around = (one for one in source.lexed.tokens if one.start < offset < one.end or _open_string(one, offset))
    inside = next(around, None)
    if inside is not None and inside.kind in ("STRING", "LANGSTRING", "UNCLOSED", "TEMPORAL", "IRI"):
        return tuple(_files(source, inside, offset))
    found = _BEFORE.search(source.text, 0, offset)
    start = found.start() if found is not None else offset
    completer = _Completer(source, vocabulary, start, offset)
    typed = source.text[start:offset]
    if typed.startswith("?"):
        return tuple(completer.variables())
    if typed.startswith("@"):
        return tuple(completer.words(words.ANNOTATIONS, Kind.ANNOTATION, "@"))
    if typed.startswith("$"):
        return ()
    return tuple(completer.all(place_at(source, start), typed))


def _open_string(token: Token, offset: int) -> bool:
    return token.kind == "UNCLOSED" and token.end == offset


def _files(source: Source, token: Token, offset: int) -> Iterator[Completion]:
    """The `.cts` files beside this one, inside the string of `use schema`."""
    place = source.lexed.tokens.index(token)
    before = [one.kind for one in source.lexed.tokens[max(0, place - 2) : place]]
    if before != ["_USE", "_SCHEMA"] or source.folder is None:
        return
    closed = token.kind == "STRING"
    end = token.end - 1 if closed else offset
    for file in sorted(source.folder.glob("*.cts"))[:MAX_NAMES]:
        if source.path is None or file.name != source.path.name:
            yield Completion(file.name, Kind.FILE, file.name + ("" if closed else '"'), token.start + 1, end)


@frozen
class _Completer:
    source: Source
    vocabulary: Vocabulary
    start: int
    end: int

    def all(self, place: Place, typed: str) -> Iterator[Completion]:
        qualified = ":" in typed
        match place:
            case Place.FILE:
                yield from self.words(words.SCHEMA_FILE_WORDS if self.source.is_schema else words.FILE_WORDS)
                return
            case Place.DECLARATION:
                yield from self.words(words.DECLARATION_WORDS)
                return
            case Place.TRAIT:
                yield from self.words(words.TRAIT_WORDS)
                return
            case Place.ROW if not qualified:
                yield from self.words(words.ROW_WORDS)
                yield from self.words(words.CLAUSE_WORDS)
                yield from self.variables()
                yield from self.functions()
            case Place.PREDICATE if not qualified:
                yield from self.words({"a": "is an instance of a class"})
            case Place.EXPRESSION if not qualified:
                yield from self.variables()
                yield from self.functions()
                yield from self.words(words.EXPRESSION_WORDS)
            case Place.OBJECT if not qualified:
                yield from self.variables()
            case _:
                pass
        yield from self.names(place)
        if not qualified:
            yield from self.prefixes()

    def words(self, entries: Mapping[str, str], kind: Kind = Kind.KEYWORD, sign: str = "") -> Iterator[Completion]:
        for word, meaning in entries.items():
            yield Completion(sign + word, kind, sign + word, self.start, self.end, meaning)

    def variables(self) -> Iterator[Completion]:
        found = self.source.occurrences
        # the one that is being written is no proposal
        others = [one for one in found if not one.token.start <= self.start < one.token.end]
        here = [one for one in others if _same_table(one.token.start, self.start, self.source)]
        for name in dict.fromkeys(one.name for one in here):
            written = variable(name)
            yield Completion(written, Kind.VARIABLE, written, self.start, self.end)

    def functions(self) -> Iterator[Completion]:
        for one in FUNCTIONS.values():
            yield Completion(one.name, Kind.FUNCTION, f"{one.name}(", self.start, self.end, one.meaning)
        for name, meaning in words.AGGREGATES.items():
            yield Completion(name, Kind.FUNCTION, f"{name}(", self.start, self.end, meaning)

    def prefixes(self) -> Iterator[Completion]:
        for prefix, namespace in {**BUILTIN_PREFIXES, **self.vocabulary.prefixes, **self.source.prefixes}.items():
            text = f"{prefix}:"
            yield Completion(text, Kind.PREFIX, text, self.start, self.end, namespace, also=self.declaring({prefix}))

    def names(self, place: Place) -> Iterator[Completion]:
        """Classes, relations and properties that fit the place."""
        index = self.vocabulary.index
        if index is None:
            return
        known = {**self.vocabulary.prefixes, **self.source.prefixes}
        names = Names(known.items())
        for iri, kind in list(_fitting(self.vocabulary, place))[:MAX_NAMES]:
            written = names.iri(iri.value)
            prefix = written.partition(":")[0]
            said = index.words.get(iri, ())
            yield Completion(
                written,
                kind,
                written,
                self.start,
                self.end,
                " · ".join([kind.value, *said[:1]]),
                " ".join([written, *said]),
                self.declaring({prefix} if not written.startswith("<") else set()),
            )

    def declaring(self, prefixes: set[str]) -> tuple[Edit, ...]:
        """The declarations, at the top of the text, of prefixes that a proposal needs and the text lacks."""
        foreign = self.vocabulary.prefixes
        lacking = [one for one in prefixes if one in foreign and one not in self.source.prefixes]
        lacking = [one for one in lacking if BUILTIN_PREFIXES.get(one) != foreign[one]]
        lines = "".join(f"prefix {one}: {Names().full_iri(foreign[one])}\n" for one in lacking)
        return (Edit(0, 0, lines),) if lines else ()


def _fitting(vocabulary: Vocabulary, place: Place) -> Iterator[tuple[IRI, Kind]]:
    index = vocabulary.index
    assert index is not None
    if place is not Place.PREDICATE:
        yield from ((iri, Kind.CLASS) for iri in index.classes)
    if place is not Place.CLASS:
        for iri, predicate in index.predicates.items():
            yield iri, Kind.RELATION if predicate.relations else Kind.PROPERTY


def _same_table(one: int, other: int, source: Source) -> bool:
    """Whether no table begins between two places."""
    low, high = sorted((one, other))
    return not any(token.kind == "CTABLE" and low < token.start <= high for token in source.lexed.tokens)
