"""What kind of word belongs at a place of the text, by the words before it."""

from __future__ import annotations

from enum import StrEnum
from typing import Final

from uniqgen_ir.grammar.ctable.tree import Token
from uniqgen_ir.lsp.source import Source

_ROW_STARTS: Final = frozenset({"_NL", "_DOT", "_LBRACE", "_RBRACE", "LABEL"})
_TERMS: Final = frozenset({"VAR", "PARAM", "IRI", "PNAME", "STRING", "LANGSTRING", "NUMBER", "TEMPORAL", "BOOLEAN"})
_OPERATORS: Final = frozenset(
    {
        *("EQ", "NE", "LT", "LE", "GT", "GE", "PLUS", "MINUS", "AND", "OR", "NOT", "IN", "BETWEEN", "_WHERE"),
        *("_LPAR", "_COMMA", "_HAVING", "CONTAINS", "MATCHES", "STARTS_WITH", "ENDS_WITH"),
    }
)
_PATH_SIGNS: Final = frozenset({"_CARET", "SLASH", "_PIPE", "BANG"})


class Place(StrEnum):
    FILE = "file"
    ROW = "row"
    PREDICATE = "predicate"
    CLASS = "class"
    OBJECT = "object"
    EXPRESSION = "expression"
    DECLARATION = "declaration"
    TRAIT = "trait"


def place_at(source: Source, start: int) -> Place:
    """What kind of word belongs at a character, by the words before it."""
    before = [one for one in source.lexed.tokens if one.end <= start and one.kind != "$END"]
    depth = sum((one.kind == "_LBRACE") - (one.kind == "_RBRACE") for one in before)
    last = before[-1].kind if before else "_NL"
    if last != "_NL" and before and "\n" in source.text[before[-1].end : start] and last not in ("_SEMI", "_COMMA"):
        last = "_NL"  # a line end at the end of the text is no word yet
    if depth <= 0:
        return Place.FILE
    if source.is_schema and _in_declarations(before):
        return Place.DECLARATION if last in ("_NL", "_LBRACE", "_DOT") else _declared_part(before)
    if last in _ROW_STARTS:
        return Place.ROW
    if last == "_SEMI":
        return Place.PREDICATE
    if last == "A":
        return Place.CLASS
    if last in _OPERATORS or any(one.kind == "_WHERE" for one in _row(before)):
        return Place.EXPRESSION
    if last in _PATH_SIGNS:
        return Place.PREDICATE
    return _in_triple(_row(before))


def _row(before: list[Token]) -> list[Token]:
    """The words since the row began."""
    row: list[Token] = []
    for one in reversed(before):
        if one.kind in _ROW_STARTS:
            break
        row.insert(0, one)
    return row


def _in_triple(row: list[Token]) -> Place:
    since = max((place for place, one in enumerate(row) if one.kind == "_SEMI"), default=-1)
    part = row[since + 1 :]
    terms = sum(one.kind in _TERMS for one in part) + (1 if since >= 0 else 0)
    if terms == 1:
        return Place.PREDICATE
    return Place.OBJECT if terms == 2 else Place.EXPRESSION


def _in_declarations(before: list[Token]) -> bool:
    """Whether the innermost open brace is that of a schema, lexicon or mapping, not of a rule."""
    depth = 0
    for place in range(len(before) - 1, -1, -1):
        depth += (before[place].kind == "_RBRACE") - (before[place].kind == "_LBRACE")
        if depth < 0:
            kinds = {one.kind for one in before[max(0, place - 6) : place] if one.kind != "_NL"}
            return bool(kinds & {"_SCHEMA", "_LEXICON", "_MAPPING"}) and before[place - 1].kind != "LABEL"
    return False


def _declared_part(before: list[Token]) -> Place:
    last = before[-1].kind
    if last in ("COLON", "TO", "LT", "_DISJOINT", "_COMMA"):
        return Place.CLASS
    if last in ("INVERSE", "_RELATION", "_PROPERTY", "EQ"):
        return Place.OBJECT
    return Place.CLASS if last == "_CLASS" else Place.TRAIT
