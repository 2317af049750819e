"""Rename a variable: all its occurrences, and only those."""

from __future__ import annotations

import re
from typing import Final

from uniqgen_ir.grammar.ctable.lexer import lex
from uniqgen_ir.ir.diagnostics import Edit
from uniqgen_ir.ir.print_names import variable
from uniqgen_ir.lsp.scopes import Occurrence, at, group_of, occurrences
from uniqgen_ir.lsp.source import Source

_NAME: Final = re.compile(r"\??(?:(\w+)|`([^`\\\r\n]+)`)")


class RenameRefused(Exception):
    """The name cannot be used; the message says why, in one sentence."""


def rename_target(source: Source, offset: int) -> Occurrence | None:
    """The variable at a character; None where there is none."""
    return at(source.occurrences, offset)


def rename_variable(source: Source, offset: int, new_name: str) -> tuple[Edit, ...]:
    """The edits that give the variable at a character its new name, with or without `?`.

    Raises RenameRefused where there is no variable, the name cannot be one, or it would become the same variable as
    another.
    """
    found = source.occurrences
    place = at(found, offset)
    if place is None:
        raise RenameRefused("only variables can be renamed, and there is none here")
    match = _NAME.fullmatch(new_name.strip())
    if match is None:
        raise RenameRefused(f"`{new_name}` cannot be the name of a variable")
    written = variable(match[1] or match[2])
    edits = tuple(Edit(one.token.start, one.token.end, written) for one in group_of(found, place))
    if _grouping(found) != _grouping(occurrences(lex(_applied(source.text, edits)).tokens)):
        raise RenameRefused(f"{written} is another variable here already; the two would become one")
    return edits


def _applied(text: str, edits: tuple[Edit, ...]) -> str:
    for one in sorted(edits, key=lambda edit: -edit.start):
        text = text[: one.start] + one.text + text[one.end :]
    return text


def _grouping(found: tuple[Occurrence, ...]) -> tuple[int, ...]:
    """For each occurrence the place of the first one of the same variable."""
    first: dict[tuple[int, str], int] = {}
    return tuple(first.setdefault((id(one.owner), one.name), place) for place, one in enumerate(found))
