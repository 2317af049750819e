"""What could be written next."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from enum import StrEnum
from typing import Final

from attrs import frozen

from uniqgen_ir.grammar.tree import Token
from uniqgen_ir.ir.diagnostics import Edit
from uniqgen_ir.ir.functions import FUNCTIONS
from uniqgen_ir.ir.print_names import Names, variable
from uniqgen_ir.ir.terms import IRI
from uniqgen_ir.ir.vocabulary import BUILTIN_PREFIXES
from uniqgen_ir.lsp.features import words
from uniqgen_ir.lsp.source import Source
from uniqgen_ir.lsp.vocabulary import Vocabulary

MAX_NAMES: Final = 2_000
"""More names than anybody scrolls through are not sent."""

_BEFORE: Final = re.compile(r"[?$@]?[\w.\-%:]*$")
_ROW_STARTS: Final = frozenset({"_NL", "_DOT", "_LBRACE", "_RBRACE", "LABEL"})
_TERMS: Final = frozenset({"VAR", "PARAM", "IRI", "PNAME", "STRING", "LANGSTRING", "NUMBER", "TEMPORAL", "BOOLEAN"})
_OPERATORS: Final = frozenset(
    {
        *("EQ", "NE", "LT", "LE", "GT", "GE", "PLUS", "MINUS", "AND", "OR", "NOT", "IN", "BETWEEN", "_WHERE"),
        *("_LPAR", "_COMMA", "_HAVING", "CONTAINS", "MATCHES", "STARTS_WITH", "ENDS_WITH"),
    }
)
_PATH_SIGNS: Final = frozenset({"_CARET", "SLASH", "_PIPE", "BANG"})


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


class _Place(StrEnum):
    FILE = "file"
    ROW = "row"
    PREDICATE = "predicate"
    CLASS = "class"
    OBJECT = "object"
    EXPRESSION = "expression"
    DECLARATION = "declaration"
    TRAIT = "trait"


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
    return tuple(completer.all(_place(source, start), typed))


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


def _place(source: Source, start: int) -> _Place:
    """What kind of word belongs at a character, by the words before it."""
    before = [one for one in source.lexed.tokens if one.end <= start and one.kind != "$END"]
    depth = sum((one.kind == "_LBRACE") - (one.kind == "_RBRACE") for one in before)
    last = before[-1].kind if before else "_NL"
    if last != "_NL" and before and "\n" in source.text[before[-1].end : start] and last not in ("_SEMI", "_COMMA"):
        last = "_NL"  # a line end at the end of the text is no word yet
    if depth <= 0:
        return _Place.FILE
    if source.is_schema and _in_declarations(before):
        return _Place.DECLARATION if last in ("_NL", "_LBRACE", "_DOT") else _declared_part(before)
    if last in _ROW_STARTS:
        return _Place.ROW
    if last == "_SEMI":
        return _Place.PREDICATE
    if last == "A":
        return _Place.CLASS
    if last in _OPERATORS or any(one.kind == "_WHERE" for one in _row(before)):
        return _Place.EXPRESSION
    if last in _PATH_SIGNS:
        return _Place.PREDICATE
    return _in_triple(_row(before))


def _row(before: list[Token]) -> list[Token]:
    """The words since the row began."""
    row: list[Token] = []
    for one in reversed(before):
        if one.kind in _ROW_STARTS:
            break
        row.insert(0, one)
    return row


def _in_triple(row: list[Token]) -> _Place:
    since = max((place for place, one in enumerate(row) if one.kind == "_SEMI"), default=-1)
    part = row[since + 1 :]
    terms = sum(one.kind in _TERMS for one in part) + (1 if since >= 0 else 0)
    if terms == 1:
        return _Place.PREDICATE
    return _Place.OBJECT if terms == 2 else _Place.EXPRESSION


def _in_declarations(before: list[Token]) -> bool:
    """Whether the innermost open brace is that of a schema, lexicon or mapping, not of a rule."""
    depth = 0
    for place in range(len(before) - 1, -1, -1):
        depth += (before[place].kind == "_RBRACE") - (before[place].kind == "_LBRACE")
        if depth < 0:
            kinds = {one.kind for one in before[max(0, place - 6) : place] if one.kind != "_NL"}
            return bool(kinds & {"_SCHEMA", "_LEXICON", "_MAPPING"}) and before[place - 1].kind != "LABEL"
    return False


def _declared_part(before: list[Token]) -> _Place:
    last = before[-1].kind
    if last in ("COLON", "TO", "LT", "_DISJOINT", "_COMMA"):
        return _Place.CLASS
    if last in ("INVERSE", "_RELATION", "_PROPERTY", "EQ"):
        return _Place.OBJECT
    return _Place.CLASS if last == "_CLASS" else _Place.TRAIT


@frozen
class _Completer:
    source: Source
    vocabulary: Vocabulary
    start: int
    end: int

    def all(self, place: _Place, typed: str) -> Iterator[Completion]:
        qualified = ":" in typed
        match place:
            case _Place.FILE:
                yield from self.words(words.SCHEMA_FILE_WORDS if self.source.is_schema else words.FILE_WORDS)
                return
            case _Place.DECLARATION:
                yield from self.words(words.DECLARATION_WORDS)
                return
            case _Place.TRAIT:
                yield from self.words(words.TRAIT_WORDS)
                return
            case _Place.ROW if not qualified:
                yield from self.words(words.ROW_WORDS)
                yield from self.words(words.CLAUSE_WORDS)
                yield from self.variables()
                yield from self.functions()
            case _Place.PREDICATE if not qualified:
                yield from self.words({"a": "is an instance of a class"})
            case _Place.EXPRESSION if not qualified:
                yield from self.variables()
                yield from self.functions()
                yield from self.words(words.EXPRESSION_WORDS)
            case _Place.OBJECT if not qualified:
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

    def names(self, place: _Place) -> Iterator[Completion]:
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


def _fitting(vocabulary: Vocabulary, place: _Place) -> Iterator[tuple[IRI, Kind]]:
    index = vocabulary.index
    assert index is not None
    if place is not _Place.PREDICATE:
        yield from ((iri, Kind.CLASS) for iri in index.classes)
    if place is not _Place.CLASS:
        for iri, predicate in index.predicates.items():
            yield iri, Kind.RELATION if predicate.relations else Kind.PROPERTY


def _same_table(one: int, other: int, source: Source) -> bool:
    """Whether no table begins between two places."""
    low, high = sorted((one, other))
    return not any(token.kind == "CTABLE" and low < token.start <= high for token in source.lexed.tokens)
